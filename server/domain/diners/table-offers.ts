/** What a customer can use on a table's bill and on a cart. */
import { eq } from 'drizzle-orm';
import { withSnapshot } from '@/db/driver';
import { only } from '@/db/query/queries';
import { merchants, taxColumns } from '@/db/schema';
import { requireOpenBill, toPriceable } from '../bills';
import type { DinerCustomer } from '../identity';
import type { Services } from '../kernel/context';
import { DomainError, type ErrorCode } from '../kernel/errors';
import { say } from '../kernel/say';
import type { PricedBill } from '../kernel/voucher-pricing';
import type { TaxRules } from '../merchants';
import type { MessageLanguage } from '../messaging';
import { loadNoPointsPlus, pointsEarned, withoutExcluded } from '../points';
import type { DinerTable } from '../qr-ordering';
import { findRedeemedOn, tryVouchers } from '../vouchers';
import { type Account, getAccount } from './account';
import type { CartInput } from './schemas';

/** A voucher that fits a bill, and what it would take off, in minor units. */
export interface FittingVoucher {
  voucherCode: string;
  name: string;
  amount: number;
  expiresAt: string | null;
}

/** A voucher that does not fit a bill now, and the error that redeeming it would return. */
export interface RefusedVoucher {
  name: string;
  reason: ErrorCode;
  /** The error's details, such as `minSpend` and `billAmount` in minor units. */
  details: Record<string, unknown>;
}

export interface BillOffers {
  /** What a redemption requires: nothing, the PIN, setting a PIN first, or waiting for its lock to end. */
  pin: 'none' | 'required' | 'notSet' | 'locked';
  pinLockedUntil: Date | null;
  /** True if the merchant has blocked the customer. Then nothing is offered. */
  isBlocked: boolean;
  /** Sorted by discount, the largest first. */
  vouchers: FittingVoucher[];
  /** Some of the vouchers that do not fit, each name once, so that diners see why. */
  refusedVouchers: RefusedVoucher[];
  /** `usable` points can be redeemed now, and take `amount` off. Null without points. */
  points: { balance: number; worth: number; usable: number; amount: number } | null;
  /** `usable` is the part of the balance that the bill still needs. Null without a balance. */
  storedValue: { balance: number; usable: number } | null;
}

const maxRefusedShown = 3;

/** Errors: `not_offered` if the merchant does not let diners redeem on the phone. */
export function checkOffered({ offers }: DinerTable): void {
  if (!offers.redeemsOnBill) throw new DomainError('not_offered', say('notOffered'));
}

/**
 * Returns what a customer can redeem on the table's open bill now, and what each of these would take off by itself.
 * Changes and reserves nothing. Errors: `not_offered`, `bill_not_found`, `bill_closed`.
 */
export async function getBillOffers(
  services: Services,
  table: DinerTable,
  diner: DinerCustomer,
  language?: MessageLanguage,
): Promise<BillOffers> {
  checkOffered(table);
  const { merchant, store, billId } = table;
  const name = { storeId: store.id, billId };
  const now = services.clock.now();
  const [account, bill] = await Promise.all([
    getAccount(services, diner, language, store.storeCode),
    withSnapshot(services.db, merchant.id, async (tx) =>
      toPriceable(await requireOpenBill(tx, name, 'read', now), now),
    ),
  ]);
  const { isBlocked, pinLockedUntil, points, storedValue } = account;
  const isFree = !isBlocked;
  const { fitting, refused } = tryVouchersOf(account, bill, bill.redeemed);
  return {
    pin: pinStateOf(account),
    pinLockedUntil,
    isBlocked,
    vouchers: fitting,
    refusedVouchers: refused.slice(0, maxRefusedShown),
    points: isFree && points.balance > 0 ? usablePoints(points, bill.available) : null,
    storedValue:
      isFree && storedValue.balance > 0
        ? { balance: storedValue.balance, usable: Math.min(storedValue.balance, bill.available) }
        : null,
  };
}

export interface CartBenefits {
  /** The points that a sale of this cart earns. */
  earnsPoints: number;
  /** Sorted by discount, the largest first. */
  vouchers: FittingVoucher[];
}

/**
 * Returns what a cart brings a customer before it is ordered: the points it earns, and the vouchers that fit. It uses
 * the phone's prices, because nothing is redeemed.
 */
export async function getCartBenefits(
  services: Services,
  { merchant, store, billId }: DinerTable,
  diner: DinerCustomer,
  { lines, language }: CartInput,
): Promise<CartBenefits> {
  const now = services.clock.now();
  const [account, [redeemed, noPointsPlus], taxRules] = await Promise.all([
    getAccount(services, diner, language, store.storeCode),
    withSnapshot(services.db, merchant.id, (tx) =>
      Promise.all([
        findRedeemedOn(tx, { storeId: store.id, billId }, now),
        loadNoPointsPlus(tx, [{ merchant, lines }]),
      ]),
    ),
    merchant.pointsOnNet ? readTaxRules(services, merchant) : null,
  ]);
  const priced = lines.map(({ plu, quantity, unitPrice }) => ({ plu, amount: quantity * unitPrice }));
  const amount = priced.reduce((sum, line) => sum + line.amount, 0);
  const paid = taxRules ? withoutTax(amount, taxRules) : amount;
  const spent = withoutExcluded(paid, { lines: priced, subtotal: amount }, noPointsPlus);
  const isTooLarge = merchant.earningSaleLimit !== null && spent > merchant.earningSaleLimit;
  return {
    earnsPoints: isTooLarge ? 0 : pointsEarned(merchant, spent, account.points.balance),
    vouchers: tryVouchersOf(account, { amount, lines }, redeemed).fitting,
  };
}

const readTaxRules = ({ db }: Services, { id }: DinerTable['merchant']) =>
  withSnapshot(db, id, async (tx) => only(await tx.db.select(taxColumns).from(merchants).where(eq(merchants.id, id))));

/** Menu prices without the tax that they include. The till's own figures decide when the sale comes. */
function withoutTax(amount: number, { taxIncluded, taxBasisPoints }: TaxRules): number {
  if (!taxIncluded || taxBasisPoints === null) return amount;
  return Number((BigInt(amount) * 10_000n) / BigInt(10_000 + taxBasisPoints));
}

function pinStateOf({ pinRequired, customer, pinLockedUntil }: Account): BillOffers['pin'] {
  if (!pinRequired) return 'none';
  if (!customer.hasPin) return 'notSet';
  return pinLockedUntil === null ? 'required' : 'locked';
}

function usablePoints({ balance, worth, pointValue, minRedeemPoints }: Account['points'], available: number) {
  const needed = pointValue === 0 ? 0 : Math.floor(available / pointValue);
  const most = Math.min(balance, needed);
  const usable = most < minRedeemPoints ? 0 : most;
  return { balance, worth, usable, amount: usable * pointValue };
}

/** Tries an account's vouchers on a bill on which `redeemed` was already used. A blocked customer has none. */
function tryVouchersOf(
  { vouchers, currency, isBlocked }: Account,
  bill: PricedBill,
  redeemed: { stackable: boolean }[],
) {
  const { fitting, refused } = tryVouchers(isBlocked ? [] : vouchers, bill, redeemed, currency);
  const named = refused.map(({ voucher: { name }, refusal: { code, details } }) => ({ name, reason: code, details }));
  return {
    fitting: fitting.map(({ voucher: { voucherCode, name, expiresAt }, amount }) => ({
      voucherCode,
      name,
      amount,
      expiresAt,
    })),
    refused: [...new Map(named.map((one) => [one.name, one])).values()],
  };
}
