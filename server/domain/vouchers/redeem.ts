import { and, eq, exists, gt, isNull, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { transactions, voucherCampaignStores, voucherCampaigns, vouchers } from '@/db/schema';
import { billClosed, type LoadedBill, sameBillMs, toPriceable } from '../bills';
import { type Accounts, answerHeader, defineOperation, execute, type PosAttempt, rehearse } from '../engine';
import type { Merchant, TransactionContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { receipt } from '../kernel/receipt';
import { say } from '../kernel/say';
import { formatVoucherCode, parseVoucherCode } from '../kernel/voucher-code';
import { checkNotBlocked, Locked, lockAccounts, type OnLocked } from '../ledger';
import { termColumns } from './issue';
import { type Discount, type PricedBill, priceVoucher } from './pricing';
import type { Bill, RedeemVoucherInput, RedeemVoucherOutput } from './schemas';

/**
 * Redeems a voucher on a bill (specification, section 4.2: Redeem Voucher). A dry run takes the same way and leaves
 * nothing behind, but for the count of a wrong PIN.
 * Errors, beside those of every transaction and the PIN's: `customer_blocked`, `bill_lines_required`, `voucher_not_found`,
 * `voucher_redeemed`, `voucher_expired`, `voucher_not_applicable`, `minimum_spend_not_met`, `voucher_not_stackable`, `bill_due_exceeded`,
 * `offer_changed`.
 */
export const redeemVoucher = (ctx: TransactionContext, input: VoucherRedemption): Promise<RedeemVoucherOutput> =>
  input.dryRun ? rehearse(redemption, ctx, input) : execute(redemption, ctx, input);

interface VoucherRedemption extends Omit<RedeemVoucherInput, 'bill'> {
  /** Without it, the open bill of `billId` says what the discount is computed on: so phones redeem. */
  bill?: Bill;
  /** What the diner was shown, in minor units. Less is refused. */
  shownAmount?: number | undefined;
}
type Redemption = PosAttempt<VoucherRedemption>;

interface Loaded extends Accounts {
  /** By the uid of the redemption that names it. */
  named: Map<string, NamedVoucher>;
  /** What was redeemed under the same bill numbers. */
  redeemed: RedeemedTogether;
}

const redemption = defineOperation<VoucherRedemption, RedeemVoucherOutput, Loaded>({
  type: 'redeemVoucher',
  needsPin: true,
  onBill: ({ amount }) => amount,
  load: async (tx, redemptions, onLocked) => {
    const [accounts, named, redeemed] = await Promise.all([
      lockAccounts(tx, redemptions, onLocked),
      findVouchers(tx, redemptions),
      lockBillNumbers(tx, redemptions, onLocked),
    ]);
    return { accounts, named, redeemed };
  },
  decide: (attempt, account, { named, redeemed }, openBill) => {
    const { input, occurredAt, ctx } = attempt;
    if (parseVoucherCode(input.voucherCode) === null) throw notFound();
    checkNotBlocked(account);
    const voucher = named.get(attempt.uid);
    if (!voucher) throw notFound();
    checkUsable(voucher, occurredAt);
    const bill = input.bill ?? priceable(openBill, attempt.now);
    const discount = priceVoucher(voucher, bill, ctx.merchant.currency);
    if (discount.amount < (input.shownAmount ?? 0)) throw offerChanged(ctx.merchant, discount.amount);
    const billNumber = billOf(attempt);
    if (billNumber !== null) checkStacking(voucher, redeemed.get(billNumber), occurredAt);
    return { amount: discount.amount, answer: answerOf(attempt, voucher, discount, bill.amount) };
  },
  apply: ({ named, redeemed }, attempt) => {
    const { id, stackable } = named.get(attempt.uid) as NamedVoucher;
    for (const row of named.values()) if (row.id === id) row.redeemedAt = attempt.now;
    redeemed.get(billOf(attempt) ?? '')?.push({ stackable, at: attempt.occurredAt });
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

interface Wanted {
  uid: string;
  voucherCode: string;
  customerId: string | null;
  storeId: string;
}

const findNamed = prepare((db, given: Given<{ merchantId: string; wanted: Wanted[]; codes: string[] }>) => {
  const shape = {
    uid: transactions.uid,
    voucherCode: vouchers.voucherCode,
    customerId: transactions.customerId,
    storeId: voucherCampaignStores.storeId,
  };
  const { $rows, ...wanted } = recordset('wanted', shape, given.wanted);
  const ofStore = db
    .select({ storeId: voucherCampaignStores.storeId })
    .from(voucherCampaignStores)
    .where(
      and(
        eq(voucherCampaignStores.merchantId, voucherCampaigns.merchantId),
        eq(voucherCampaignStores.campaignId, voucherCampaigns.id),
        eq(voucherCampaignStores.storeId, wanted.storeId),
      ),
    );
  return db
    .select({
      uid: wanted.uid,
      voucherCode: vouchers.voucherCode,
      id: vouchers.id,
      expiresAt: vouchers.expiresAt,
      redeemedAt: vouchers.redeemedAt,
      ...termColumns,
      validFrom: voucherCampaigns.validFrom,
      isForStore: sql<boolean>`${or(voucherCampaigns.allStores, exists(ofStore))}`,
    })
    .from($rows)
    .innerJoin(
      vouchers,
      and(
        eq(vouchers.merchantId, given.merchantId),
        anyOf(vouchers.voucherCode, given.codes),
        eq(vouchers.voucherCode, wanted.voucherCode),
        eq(vouchers.customerId, wanted.customerId),
        isNull(vouchers.cancelledAt),
      ),
    )
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    );
});

type NamedVoucher = Awaited<ReturnType<typeof findNamed>>[number];

/** The voucher that each names: none where there is no such voucher. */
async function findVouchers({ merchantId, db }: Tx, redemptions: Redemption[]): Promise<Map<string, NamedVoucher>> {
  const wanted = redemptions.flatMap(({ uid, customerId, storeId, input }) => {
    const voucherCode = parseVoucherCode(input.voucherCode);
    return voucherCode === null ? [] : { uid, voucherCode, customerId, storeId };
  });
  if (wanted.length === 0) return new Map();
  const rows = await findNamed(db, { merchantId, wanted, codes: wanted.map(({ voucherCode }) => voucherCode) });
  return new Map(rows.map((row) => [row.uid, row]));
}

const billOf = ({ storeId, input }: Redemption): string | null =>
  input.billId === undefined ? null : `${storeId} ${input.billId}`;

/** What was redeemed under a store's bill numbers. */
type RedeemedTogether = Map<string, { stackable: boolean; at: Date }[]>;

/**
 * Returns the redeemed vouchers by bill number. A number whose lock was skipped is absent. Bill numbers are locked because
 * two customers' vouchers may be tried at the same moment. They are locked in order, so that no two wait for each other.
 */
async function lockBillNumbers(
  { merchantId, db }: Tx,
  redemptions: Redemption[],
  onLocked: OnLocked,
): Promise<RedeemedTogether> {
  const bills: RedeemedTogether = new Map();
  for (const bill of redemptions.flatMap((one) => billOf(one) ?? []).sort()) bills.set(bill, []);
  if (bills.size === 0) return bills;
  const names = Array.from(bills.keys(), (name) => ({ name }));
  const wanted = names.map(({ name }) => ({ storeId: name.slice(0, 36), billId: name.slice(37) }));
  const earliest = Math.min(...redemptions.map(({ occurredAt }) => occurredAt.getTime()));
  const since = new Date(earliest - sameBillMs);
  const billIds = wanted.map(({ billId }) => billId);
  const [locks, rows] = await Promise.all([
    lockNames[onLocked](db, { merchantId, names }),
    findRedeemed(db, { merchantId, wanted, billIds, since }),
  ]);
  for (const { name, isLocked } of locks) if (!isLocked) bills.delete(name);
  for (const { storeId, billId, at, stackable } of rows) bills.get(`${storeId} ${billId}`)?.push({ stackable, at });
  return bills;
}

const lockNames = ofEach(['wait', 'skip'], (onLocked: OnLocked) =>
  prepare((db, given: Given<{ merchantId: string; names: { name: string }[] }>) => {
    const { $rows, name } = recordset('bill', { name: sql<string>`text` }, given.names);
    const key = sql`hashtextextended('bill ' || ${given.merchantId} || ' ' || ${name}, 0)`;
    // The one that waits answers nothing.
    const lock =
      onLocked === 'wait' ? sql`pg_advisory_xact_lock(${key}) is not null` : sql`pg_try_advisory_xact_lock(${key})`;
    return db.select({ name, isLocked: sql<boolean>`${lock}` }).from($rows);
  }),
);

interface Redeemed {
  merchantId: string;
  wanted: { storeId: string; billId: string }[];
  billIds: string[];
  since: Date;
}

const findRedeemed = prepare((db, given: Given<Redeemed>) => {
  const { storeId, billId } = transactions;
  const { $rows, ...wanted } = recordset('wanted', { storeId, billId }, given.wanted);
  return db
    .select({ storeId, billId, at: transactions.occurredAt, stackable: voucherCampaigns.stackable })
    .from($rows)
    .innerJoin(
      transactions,
      and(
        eq(transactions.merchantId, given.merchantId),
        anyOf(billId, given.billIds),
        eq(storeId, wanted.storeId),
        eq(billId, wanted.billId),
        eq(transactions.type, 'redeemVoucher').inlineParams(),
        eq(transactions.status, 'completed').inlineParams(),
        gt(transactions.occurredAt, given.since),
      ),
    )
    .innerJoin(
      vouchers,
      and(eq(vouchers.merchantId, transactions.merchantId), eq(vouchers.redeemedBy, transactions.uid)),
    )
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    );
});

/** Returns the vouchers that count as redeemed on a store's bill at `now`. */
export function findRedeemedOn(
  { merchantId, db }: Tx,
  { storeId, billId }: { storeId: string; billId: string },
  now: Date,
): Promise<{ stackable: boolean }[]> {
  const since = new Date(now.getTime() - sameBillMs);
  return findRedeemed(db, { merchantId, wanted: [{ storeId, billId }], billIds: [billId], since });
}

/** Returns what a voucher is computed on where only its open bill says so. Errors: `bill_closed`. */
function priceable(openBill: LoadedBill | null, now: Date): PricedBill {
  if (!openBill) throw billClosed('closed');
  return toPriceable(openBill, now);
}

function offerChanged({ currency }: Merchant, minor: number): DomainError {
  return new DomainError('offer_changed', say('offerChanged', { amount: { minor, currency } }), { amount: minor });
}

function notFound(): DomainError {
  return new DomainError('voucher_not_found', say('customerHasNoVoucher'));
}

/** Judged by the time at the till: an offline till's redemption may arrive after the voucher's last day. */
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

/** On one bill, a voucher that does not stack stands alone. Errors: `voucher_not_stackable`. */
export function checkCombinable(voucher: { stackable: boolean }, others: { stackable: boolean }[]): void {
  if (others.length === 0 || (voucher.stackable && others.every(({ stackable }) => stackable))) return;
  throw new DomainError('voucher_not_stackable', say('voucherNotStackable'));
}

function checkStacking(
  voucher: NamedVoucher,
  redeemed: { stackable: boolean; at: Date }[] | undefined,
  at: Date,
): void {
  if (!redeemed) throw new Locked();
  checkCombinable(
    voucher,
    redeemed.filter((other) => Math.abs(other.at.getTime() - at.getTime()) < sameBillMs),
  );
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
    printText: receipt(merchant, [
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
