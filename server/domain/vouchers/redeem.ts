import { and, eq } from 'drizzle-orm';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { vouchers } from '@/db/schema';
import { billClosed, type LoadedBill, redeemedVouchers, toPriceable } from '../bills';
import {
  type Accounts,
  answerHeader,
  defineOperation,
  executeTransaction,
  type PosAttempt,
  rehearseTransaction,
} from '../engine';
import type { Merchant, TransactionContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { formatReceipt } from '../kernel/receipt';
import { say } from '../kernel/say';
import { formatVoucherCode, parseVoucherCode } from '../kernel/voucher-code';
import { type Discount, type PricedBill, priceVoucher } from '../kernel/voucher-pricing';
import { checkNotBlocked, checkOwesNothing, lockAccounts } from '../ledger';
import { findVouchers, type NamedVoucher } from './named-voucher';
import { addRedeemed, checkCombinable, lockBillNumbers, type RedeemedTogether, redeemedOn } from './redeemed-together';
import type { Bill, RedeemVoucherInput, RedeemVoucherOutput } from './schemas';

/**
 * Redeems a voucher on a bill (specification, section 4.2: Redeem Voucher). A dry run makes the same checks and writes
 * nothing but the count of a wrong PIN. Errors: those of every transaction and of the PIN, and `customer_blocked`, `points_owed`,
 * `bill_lines_required`, `voucher_not_found`, `voucher_redeemed`, `voucher_expired`, `voucher_not_applicable`,
 * `minimum_spend_not_met`, `voucher_not_stackable`, `bill_due_exceeded`, `offer_changed`.
 */
export const redeemVoucher = (ctx: TransactionContext, input: VoucherRedemption): Promise<RedeemVoucherOutput> =>
  input.dryRun ? rehearseTransaction(redemption, ctx, input) : executeTransaction(redemption, ctx, input);

interface VoucherRedemption extends Omit<RedeemVoucherInput, 'bill'> {
  /** What the discount is computed on. Phones send none: then it is the open bill of `billId`. */
  bill?: Bill;
  /** The discount that the diner was shown, in minor units. A lower one is refused. */
  shownAmount?: number | undefined;
}
type Redemption = PosAttempt<VoucherRedemption>;

interface Loaded extends Accounts {
  /** By the redemption's uid. */
  named: Map<string, NamedVoucher>;
  /** The vouchers redeemed under the same bill numbers. */
  redeemed: RedeemedTogether;
}

const redemption = defineOperation<VoucherRedemption, RedeemVoucherOutput, Loaded>({
  type: 'redeemVoucher',
  needsPin: true,
  onBill: { redeems: ({ amount }) => amount },
  load: async (tx, redemptions, onLocked) => {
    const [accounts, named, redeemed] = await Promise.all([
      lockAccounts(tx, redemptions, {
        onLocked,
        withDebts: redemptions.some(({ ctx }) => ctx.merchant.refusesOwing),
      }),
      findVouchers(tx, redemptions),
      lockBillNumbers(tx, redemptions, onLocked),
    ]);
    return { accounts, named, redeemed };
  },
  decide: (attempt, account, { named, redeemed }, openBill) => {
    const { input, occurredAt, ctx } = attempt;
    if (parseVoucherCode(input.voucherCode) === null) throw notFound();
    checkNotBlocked(account);
    checkOwesNothing(account, ctx.merchant);
    const voucher = named.get(attempt.uid);
    if (!voucher) throw notFound();
    checkUsable(voucher, occurredAt);
    const bill = input.bill ?? priceable(openBill, attempt);
    // An open bill knows its own vouchers, however long it has been open.
    const others = openBill ? redeemedVouchers(openBill) : redeemedOn(redeemed, attempt);
    const discount = priceVoucher(voucher, { ...bill, redeemed: others }, ctx.merchant.currency);
    if (discount.amount < (input.shownAmount ?? 0)) throw offerChanged(ctx.merchant, discount.amount);
    checkCombinable(voucher, others);
    return { amount: discount.amount, answer: answerOf(attempt, voucher, discount, bill.amount), terms: voucher };
  },
  apply: ({ named, redeemed }, attempt) => {
    const voucher = named.get(attempt.uid) as NamedVoucher;
    for (const row of named.values()) if (row.id === voucher.id) row.redeemedAt = attempt.now;
    addRedeemed(redeemed, attempt, voucher);
  },
  write: (tx, done, { named }) => {
    const used = done.map(({ attempt: { uid, now } }) => {
      const { id } = named.get(uid) as NamedVoucher;
      return { id, redeemedBy: uid, redeemedAt: now };
    });
    tx.send(markUsed(tx.db, { merchantId: tx.merchantId, used, ids: used.map(({ id }) => id) }));
  },
});

interface Used {
  id: string;
  redeemedBy: string;
  redeemedAt: Date;
}

const markUsed = prepare((db, given: Given<{ merchantId: string; used: Used[]; ids: string[] }>) => {
  const { id, redeemedBy, redeemedAt } = vouchers;
  const { $rows, ...used } = recordset('used', { id, redeemedBy, redeemedAt }, given.used);
  return db
    .update(vouchers)
    .set({ redeemedBy: used.redeemedBy, redeemedAt: used.redeemedAt })
    .from($rows)
    .where(and(eq(vouchers.merchantId, given.merchantId), anyOf(vouchers.id, given.ids), eq(vouchers.id, used.id)));
});

/** Returns what a voucher is computed on where only its open bill says so. Errors: `bill_closed`. */
function priceable(openBill: LoadedBill | null, { ctx, now }: Pick<Redemption, 'ctx' | 'now'>): PricedBill {
  if (!openBill) throw billClosed('closed');
  return toPriceable(openBill, now, ctx.apiKeyId !== null);
}

function offerChanged({ currency }: Merchant, minor: number): DomainError {
  return new DomainError('offer_changed', say('offerChanged', { amount: { minor, currency } }), { amount: minor });
}

function notFound(): DomainError {
  return new DomainError('voucher_not_found', say('customerHasNoVoucher'));
}

/** Judged by the till's time, because an offline till's redemption may arrive after the voucher's last day. */
function checkUsable(voucher: NamedVoucher, at: Date): void {
  if (voucher.redeemedAt !== null) throw new DomainError('voucher_redeemed', say('voucherRedeemed'));
  if (voucher.expiresAt !== null && voucher.expiresAt <= at) {
    const details = { expiredAt: voucher.expiresAt.toISOString() };
    throw new DomainError('voucher_expired', say('voucherExpired'), details);
  }
  if (voucher.validFrom !== null && voucher.validFrom > at) {
    throw new DomainError('voucher_not_applicable', say('voucherNotYet'));
  }
  if (!voucher.isForStore) throw new DomainError('voucher_not_applicable', say('voucherOfOtherStore'));
}

function answerOf(
  attempt: Redemption,
  voucher: NamedVoucher,
  discount: Discount,
  billAmount: number,
): RedeemVoucherOutput {
  const { merchant } = attempt.ctx;
  const { dryRun } = attempt.input;
  const voucherCode = formatVoucherCode(voucher.voucherCode);
  const billAmountAfter = billAmount - discount.amount;
  return {
    ...answerHeader(attempt),
    status: dryRun ? 'dryRun' : 'completed',
    customerId: attempt.customerId as string,
    printText: formatReceipt(merchant, [
      ['voucher', voucherCode],
      ['discount', -discount.amount],
      ['toPay', billAmountAfter],
    ]),
    type: 'redeemVoucher',
    voucherCode,
    unit: voucher.unit,
    discount,
    billAmountAfter,
  };
}
