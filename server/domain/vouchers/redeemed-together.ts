/** The vouchers that were redeemed under a bill's number, with the lock of the number. */
import { and, eq, gt, notExists, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { bills, transactions, voucherCampaigns, vouchers } from '@/db/schema';
import { endsNumber, isSoldOn, sameBillMs } from '../bills';
import type { PosAttempt } from '../engine';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import type { UnitTerms } from '../kernel/voucher-pricing';
import { Locked, type OnLocked } from '../ledger';
import type { RedeemVoucherInput } from './schemas';

type Redemption = PosAttempt<Pick<RedeemVoucherInput, 'transactionId' | 'billId'>>;

const billOf = ({ storeId, input }: Redemption): string | null =>
  input.billId === undefined ? null : `${storeId} ${input.billId}`;

/** A voucher that was redeemed on a bill. */
export interface RedeemedVoucher extends UnitTerms {
  stackable: boolean;
  /** By the time at the till. */
  at: Date;
}

interface RedeemedUnderNumber {
  /** Oldest first. */
  vouchers: RedeemedVoucher[];
  /** When bills with the number ended: by their sale, or by being closed or voided. */
  ends: Date[];
}

/** What was redeemed under a store's bill numbers. */
export type RedeemedTogether = Map<string, RedeemedUnderNumber>;

/**
 * Returns the redeemed vouchers by bill number. A number whose lock was skipped is absent. Bill numbers are locked because
 * two customers' vouchers may be tried at the same moment. They are locked in order, so that no two wait for each other.
 */
export async function lockBillNumbers(
  { merchantId, db }: Tx,
  redemptions: Redemption[],
  onLocked: OnLocked,
): Promise<RedeemedTogether> {
  const bills: RedeemedTogether = new Map();
  for (const bill of redemptions.flatMap((one) => billOf(one) ?? []).sort())
    bills.set(bill, { vouchers: [], ends: [] });
  if (bills.size === 0) return bills;
  const names = Array.from(bills.keys(), (name) => ({ name }));
  const wanted = names.map(({ name }) => ({ storeId: name.slice(0, 36), billId: name.slice(37) }));
  const earliest = Math.min(...redemptions.map(({ occurredAt }) => occurredAt.getTime()));
  const since = new Date(earliest - sameBillMs);
  const billIds = wanted.map(({ billId }) => billId);
  const [locks, rows, ends] = await Promise.all([
    lockNames[onLocked](db, { merchantId, names }),
    findRedeemed(db, { merchantId, wanted, billIds, since }),
    findEnds(db, { merchantId, wanted, billIds, since }),
  ]);
  for (const { name, isLocked } of locks) if (!isLocked) bills.delete(name);
  for (const { storeId, billId, ...voucher } of rows) bills.get(`${storeId} ${billId}`)?.vouchers.push(voucher);
  for (const { storeId, billId, at } of ends) bills.get(`${storeId} ${billId}`)?.ends.push(at);
  return bills;
}

const lockNames = ofEach(['wait', 'skip'], (onLocked: OnLocked) =>
  prepare((db, given: Given<{ merchantId: string; names: { name: string }[] }>) => {
    const { $rows, name } = recordset('bill', { name: sql<string>`text` }, given.names);
    const key = sql`hashtextextended('bill ' || ${given.merchantId} || ' ' || ${name}, 0)`;
    // The waiting lock function returns no value.
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
  const { stackable, unit, value, plus, maxUnits } = voucherCampaigns;
  const { $rows, ...wanted } = recordset('wanted', { storeId, billId }, given.wanted);
  return db
    .select({ storeId, billId, at: transactions.occurredAt, stackable, unit, value, plus, maxUnits })
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
    )
    .orderBy(transactions.uid);
});

/** Bills end by their closing. A sale is the end only of a number that its till sends no bills for. */
const findEnds = prepare((db, given: Given<Redeemed>) => {
  const ofSales = recordset('wanted', { storeId: transactions.storeId, billId: transactions.billId }, given.wanted);
  const ofBills = recordset('wanted', { storeId: bills.storeId, billId: bills.billId }, given.wanted);
  const itsBill = db
    .select({ id: bills.id })
    .from(bills)
    .where(and(eq(bills.merchantId, given.merchantId), isSoldOn(db, bills)));
  const bySale = db
    .select({ storeId: ofSales.storeId, billId: ofSales.billId, at: transactions.occurredAt })
    .from(ofSales.$rows)
    .innerJoin(
      transactions,
      and(
        eq(transactions.merchantId, given.merchantId),
        anyOf(transactions.billId, given.billIds),
        eq(transactions.storeId, ofSales.storeId),
        eq(transactions.billId, ofSales.billId),
        eq(transactions.type, 'sale').inlineParams(),
        eq(transactions.status, 'completed').inlineParams(),
        gt(transactions.occurredAt, given.since),
        endsNumber(db),
        notExists(itsBill),
      ),
    );
  const byClosing = db
    .select({
      storeId: ofBills.storeId,
      billId: ofBills.billId,
      at: sql<Date>`${bills.closedAt}`.mapWith(bills.closedAt),
    })
    .from(ofBills.$rows)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, given.merchantId),
        anyOf(bills.billId, given.billIds),
        eq(bills.storeId, ofBills.storeId),
        eq(bills.billId, ofBills.billId),
        gt(bills.closedAt, given.since),
      ),
    );
  return bySale.unionAll(byClosing);
});

/** Returns the vouchers that count as redeemed on a store's bill at `now`. */
export async function findRedeemedOn(
  { merchantId, db }: Tx,
  { storeId, billId }: { storeId: string; billId: string },
  now: Date,
): Promise<RedeemedVoucher[]> {
  const since = new Date(now.getTime() - sameBillMs);
  const named = { merchantId, wanted: [{ storeId, billId }], billIds: [billId], since };
  const [found, ends] = await Promise.all([findRedeemed(db, named), findEnds(db, named)]);
  return onSameBill({ vouchers: found, ends: ends.map(({ at }) => at) }, now);
}

/** Returns the vouchers that were redeemed on the bill of a redemption. Errors: `Locked`. */
export function redeemedOn(redeemed: RedeemedTogether, attempt: Redemption): RedeemedVoucher[] {
  const billNumber = billOf(attempt);
  if (billNumber === null) return [];
  const found = redeemed.get(billNumber);
  if (!found) throw new Locked();
  return onSameBill(found, attempt.occurredAt);
}

/** Adds a voucher that is being redeemed, so that later redemptions on the bill see it. */
export function addRedeemed(
  redeemed: RedeemedTogether,
  attempt: Redemption,
  voucher: Omit<RedeemedVoucher, 'at'>,
): void {
  const { stackable, unit, value, plus, maxUnits } = voucher;
  const found = redeemed.get(billOf(attempt) ?? '');
  found?.vouchers.push({ stackable, unit, value, plus, maxUnits, at: attempt.occurredAt });
}

/** Returns those of the vouchers under a bill number that are of the bill at `at`: no bill ended in between. */
function onSameBill({ vouchers: found, ends }: RedeemedUnderNumber, at: Date): RedeemedVoucher[] {
  return found.filter((other) => {
    const [first, last] = other.at < at ? [other.at, at] : [at, other.at];
    if (last.getTime() - first.getTime() >= sameBillMs) return false;
    return !ends.some((end) => first < end && end <= last);
  });
}

/** A voucher that is not stackable must be the only one on its bill. Errors: `voucher_not_stackable`. */
export function checkCombinable(voucher: { stackable: boolean }, others: { stackable: boolean }[]): void {
  if (others.length === 0 || (voucher.stackable && others.every(({ stackable }) => stackable))) return;
  throw new DomainError('voucher_not_stackable', say('voucherNotStackable'));
}
