import { and, eq, exists, gt, isNull, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { bills, transactions, voucherCampaignStores, voucherCampaigns, vouchers } from '@/db/schema';
import {
  checkDue,
  countRedemption,
  loadNamedBills,
  type NamedBills,
  priceableBill,
  sameBillMs,
  sendRedeemedBills,
} from '../bills';
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
import { checkNotBlocked, Locked, lockAccounts, type OnLocked } from '../ledger';
import { termColumns } from './issue';
import { type Discount, priceVoucher, type UnitTerms } from './pricing';
import type { Bill, RedeemVoucherInput, RedeemVoucherOutput } from './schemas';

/**
 * Redeems a voucher on a bill (specification, section 4.2: Redeem Voucher). A dry run makes the same checks and writes
 * nothing but the count of a wrong PIN. Errors: those of every transaction and of the PIN, and `customer_blocked`,
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
  bills: NamedBills;
}

const redemption = defineOperation<VoucherRedemption, RedeemVoucherOutput, Loaded>({
  type: 'redeemVoucher',
  needsPin: true,
  load: async (tx, redemptions, onLocked) => {
    const [accounts, named, redeemed, bills] = await Promise.all([
      lockAccounts(tx, redemptions, onLocked),
      findVouchers(tx, redemptions),
      lockBillNumbers(tx, redemptions, onLocked),
      loadNamedBills(tx, redemptions, onLocked),
    ]);
    return { accounts, named, redeemed, bills };
  },
  decide: (attempt, account, { named, redeemed, bills }) => {
    const { input, occurredAt, ctx } = attempt;
    if (parseVoucherCode(input.voucherCode) === null) throw notFound();
    checkNotBlocked(account);
    const voucher = named.get(attempt.uid);
    if (!voucher) throw notFound();
    checkUsable(voucher, occurredAt);
    const bill = input.bill ?? priceableBill(bills, attempt);
    const others = redeemedOn(redeemed, attempt);
    const discount = priceVoucher(voucher, { ...bill, redeemed: others }, ctx.merchant.currency);
    if (discount.amount < (input.shownAmount ?? 0)) throw offerChanged(ctx.merchant, discount.amount);
    checkCombinable(voucher, others);
    checkDue(bills, attempt, discount.amount);
    return { amount: discount.amount, answer: answerOf(attempt, voucher, discount, bill.amount) };
  },
  apply: ({ named, redeemed, bills }, attempt, { amount }) => {
    const { id, stackable, unit, value, plus, maxUnits } = named.get(attempt.uid) as NamedVoucher;
    for (const row of named.values()) if (row.id === id) row.redeemedAt = attempt.now;
    const voucher = { stackable, unit, value, plus, maxUnits, at: attempt.occurredAt };
    redeemed.get(billOf(attempt) ?? '')?.vouchers.push(voucher);
    countRedemption(bills, attempt, 'redeemVoucher', amount);
  },
  write: (tx, done, { named, bills }) => {
    const used = done.map(({ attempt: { uid, now } }) => {
      const { id } = named.get(uid) as NamedVoucher;
      return { id, redeemedBy: uid, redeemedAt: now };
    });
    tx.send(markUsed(tx.db, { merchantId: tx.merchantId, used, ids: used.map(({ id }) => id) }));
    sendRedeemedBills(tx, bills, done);
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

/** Returns each redemption's voucher. A voucher that does not exist is absent. */
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
type RedeemedTogether = Map<string, RedeemedUnderNumber>;

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

const findEnds = prepare((db, given: Given<Redeemed>) => {
  const ofSales = recordset('wanted', { storeId: transactions.storeId, billId: transactions.billId }, given.wanted);
  const ofBills = recordset('wanted', { storeId: bills.storeId, billId: bills.billId }, given.wanted);
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

/** A voucher that is not stackable must be the only one on its bill. Errors: `voucher_not_stackable`. */
export function checkCombinable(voucher: { stackable: boolean }, others: { stackable: boolean }[]): void {
  if (others.length === 0 || (voucher.stackable && others.every(({ stackable }) => stackable))) return;
  throw new DomainError('voucher_not_stackable', say('voucherNotStackable'));
}

/** Returns the vouchers that were redeemed on the bill of a redemption. Errors: `Locked`. */
function redeemedOn(redeemed: RedeemedTogether, attempt: Redemption): RedeemedVoucher[] {
  const billNumber = billOf(attempt);
  if (billNumber === null) return [];
  const found = redeemed.get(billNumber);
  if (!found) throw new Locked();
  return onSameBill(found, attempt.occurredAt);
}

/** Returns those of the vouchers under a bill number that are of the bill at `at`: no bill ended in between. */
function onSameBill({ vouchers: found, ends }: RedeemedUnderNumber, at: Date): RedeemedVoucher[] {
  return found.filter((other) => {
    const [first, last] = other.at < at ? [other.at, at] : [at, other.at];
    if (last.getTime() - first.getTime() >= sameBillMs) return false;
    return !ends.some((end) => first < end && end <= last);
  });
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
