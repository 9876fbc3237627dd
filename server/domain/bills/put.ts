import { createHash } from 'node:crypto';
import { addMilliseconds, min as earliestOf, isBefore, max as latestOf, subMilliseconds, subMinutes } from 'date-fns';
import { type Tx, withMerchant } from '@/db/driver';
import { bills } from '@/db/schema';
import { auditPos } from '../kernel/audit';
import type { PosContext } from '../kernel/context';
import { DomainError, type Issue, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { netLines } from '../kernel/net-lines';
import { checkOccurredAt, furthestAheadMinutes } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { requestedStore } from '../merchants';
import { sendBillUpdate } from './bill-events';
import { expireCodes, moveCode } from './codes';
import { describeBill } from './describe';
import { type BillName, type BillRow, figuresOfBill, findBill, type LoadedBill, loadBill, loadBills } from './load';
import { listedBySales, type Redemption } from './rules';
import type { Bill, PutBillInput } from './schemas';
import { findLastSale } from './sold';
import { checkSums, toIncludedTax } from './sums';
import { isForgotten, lastsUntil, sameBillMs } from './window';
import { billClosed, endBill, writeBill } from './write';

/**
 * Creates or replaces an open bill as the till sends it. Repeating a revision changes nothing. Errors:
 * `store_forbidden`, `store_not_found`, `totals_mismatch`, `bill_revision_outdated`, `bill_revision_reused`,
 * `bill_closed`, `invalid_request` for another currency, and for `discountTransactionIds` that were not redeemed on the
 * bill.
 */
export async function putBill(ctx: PosContext, input: PutBillInput): Promise<Bill> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  checkOccurredAt(input.openedAt, ctx.clock.now(), ctx.merchant, 'openedAt');
  const { currency } = ctx.merchant;
  if (input.currency !== currency) throw invalid('currency', say('notTheCurrency', { currency }));
  const { expectedTotal, issues } = checkSums(input, currency);
  if (issues.length > 0) throw new DomainError('totals_mismatch', say('totalsMismatch'), { expectedTotal }, issues);
  checkPaidItems(input);
  const store = await requestedStore(ctx, input.storeCode);
  const requestHash = hashOf(input);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    for (let tries = 0; tries < 3; tries++) {
      const row = await findBill(tx, { storeId: store.id, billId: input.billId }, 'lock');
      const now = ctx.clock.now();
      const isSameNumber = row && (!isPast(row, now) || isOpening(row, input));
      if (isSameNumber && !beginsAnew(row, input)) return replaceBill(tx, ctx, row, input, requestHash);
      const previousEnd = row && endOfPrevious(row, input, now);
      if (row?.state === 'open') await closePrevious(tx, ctx, { row, closedAt: previousEnd as Date, now }, input);
      const created = await createBill(tx, ctx, { storeId: store.id, previousEnd, requestHash, now }, input);
      // Otherwise another request has created it at this moment.
      if (created) return created;
    }
    throw new DomainError('service_unavailable', say('inAMoment'));
  });
}

/** Errors: `invalid_request` for an item paid at the till that is not on the bill, or not as often. */
function checkPaidItems({ lines, paidAtTill = [] }: PutBillInput): void {
  const left = new Map<string, number>();
  for (const { plu, quantity } of netLines(lines)) left.set(plu, (left.get(plu) ?? 0) + quantity);
  for (const [n, { lines: items = [] }] of paidAtTill.entries()) {
    for (const [at, { plu, quantity }] of items.entries()) {
      const most = left.get(plu) ?? 0;
      if (quantity > most) throw invalid(`paidAtTill.${n}.lines.${at}.quantity`, say('notSoOftenOnBill', { most }));
      left.set(plu, most - quantity);
    }
  }
}

function hashOf({ storeCode, ...meaning }: PutBillInput): Buffer {
  return createHash('sha256').update(JSON.stringify(meaning)).digest();
}

/** True if the number may belong to another bill by now. */
const isPast = ({ updatedAt }: BillRow, now: Date): boolean => updatedAt.getTime() + sameBillMs <= now.getTime();

/** True if the till says that it is this very bill, however long ago it was. */
const isOpening = ({ createdAt }: BillRow, { openedAt }: PutBillInput): boolean =>
  openedAt !== undefined && new Date(openedAt).getTime() === createdAt.getTime();

/**
 * True if the till says that it opened the bill after the last one with the number had ended, or was last sent. By a clock
 * that is ahead, the last one may itself have ended before it was opened: the same time again is the same bill, sent late.
 */
const beginsAnew = (row: BillRow, input: PutBillInput): boolean =>
  input.openedAt !== undefined && new Date(input.openedAt) > (row.closedAt ?? row.updatedAt) && !isOpening(row, input);

/** Returns when the last bill with a number ended. One that was never closed ended when the next was opened, at the latest. */
function endOfPrevious(row: BillRow, input: PutBillInput, now: Date): Date {
  if (row.closedAt) return row.closedAt;
  const opened = beginsAnew(row, input) ? [new Date(input.openedAt as string)] : [];
  return earliestOf([lastsUntil(row), ...opened, now]);
}

/** True if the till says that it opened the bill before the present one with the number: it was sent days ago. */
const isOfEarlier = (row: BillRow, input: PutBillInput): boolean =>
  input.openedAt !== undefined && new Date(input.openedAt) < row.countsFrom && !isOpening(row, input);

/** Closes a bill that its till has forgotten, as of when it ended. */
async function closePrevious(
  tx: Tx,
  ctx: PosContext,
  { row, closedAt, now }: { row: BillRow; closedAt: Date; now: Date },
  input: PutBillInput,
): Promise<void> {
  endBill(tx, ctx.merchant, await loadBill(tx, row), { ending: 'closed', closedAt }, now);
  const after = { total: row.total };
  await auditPos(tx, ctx, 'bill.close', { kind: 'bill', id: row.id }, { billId: input.billId }, { after });
}

/** The columns that a till sets. */
const sentBy = (input: PutBillInput) => {
  const { revision, table = null, lines, subtotal, discount, serviceCharge, tax, rounding = 0, total } = input;
  const { discountTransactionIds = [], paidAtTill = [] } = input;
  return {
    revision,
    table,
    lines,
    subtotal,
    discount,
    serviceCharge,
    tax,
    rounding,
    total,
    taxIncluded: toIncludedTax(input.taxIncluded),
    paidAtTill: paidAtTill.map(({ amount, lines = [] }) => ({ amount, lines })),
    discountTransactionIds,
  };
};

interface NewBill {
  storeId: string;
  /** When the last bill with the number ended, if there was one. */
  previousEnd: Date | null;
  requestHash: Buffer;
  now: Date;
}

/** Returns null if another request has created an open bill with this number. */
async function createBill(
  tx: Tx,
  ctx: PosContext,
  { storeId, previousEnd, requestHash, now }: NewBill,
  input: PutBillInput,
): Promise<Bill | null> {
  const countsFrom = await startOf(tx, { ...input, storeId }, previousEnd, now);
  const row: BillRow = {
    id: newId(now.getTime()),
    storeId,
    billId: input.billId,
    state: 'open',
    requestHash,
    ...sentBy(input),
    countsFrom,
    salesFrom: firstSaleAt(input, previousEnd, countsFrom, now),
    updatedAt: now,
    sentAt: now,
    closedAt: null,
    closedBy: null,
    reopenedAt: null,
    listedAtTill: null,
    settlingUntil: null,
    createdAt: input.openedAt === undefined ? now : new Date(input.openedAt),
  };
  const { merchantId, db } = tx;
  const inserted = await db
    .insert(bills)
    .values({ merchantId, ...row })
    .onConflictDoNothing()
    .returning({ id: bills.id });
  if (inserted.length === 0) return null;
  if (previousEnd) await expireCodes(tx, row, previousEnd);
  await moveCode(tx, row, input);
  const bill = await loadBill(tx, row);
  checkDiscount(input, bill.redemptions);
  sendBillUpdate(tx, { merchant: ctx.merchant, bill, wasPaid: false, now });
  await auditPos(tx, ctx, 'bill.open', { kind: 'bill', id: row.id }, input, { after: auditedOf(row) });
  return describeBill(bill, ctx.merchant.currency, now);
}

/**
 * Returns from when transactions with a number count on its new bill. A sale that we have by now has ended the number before,
 * unless the till says that it opened the bill earlier. Redemptions may be earlier: some minutes by another clock, or as long
 * as a number is one bill's.
 */
async function startOf(
  tx: Tx,
  { storeId, billId, openedAt }: BillName & { openedAt?: string | undefined },
  previousEnd: Date | null,
  now: Date,
): Promise<Date> {
  const opened = openedAt === undefined ? null : new Date(openedAt);
  const earliest = opened ? subMinutes(opened, furthestAheadMinutes) : new Date(now.getTime() - sameBillMs);
  const since = latestOf([previousEnd ?? earliest, earliest]);
  return (await findLastSale(tx, { storeId, billId }, { since, before: opened })) ?? since;
}

/**
 * Returns from when sales count on a new bill, if not with everything else. The grace for clocks is for a number that is new
 * today: after another bill, a sale from before the opening is that one's, and late.
 */
function firstSaleAt({ openedAt }: PutBillInput, previousEnd: Date | null, countsFrom: Date, now: Date): Date | null {
  if (openedAt === undefined || previousEnd === null) return null;
  // By a clock that is ahead, sales count as of their arrival.
  const before = subMilliseconds(earliestOf([new Date(openedAt), now]), 1);
  return isBefore(before, addMilliseconds(previousEnd, sameBillMs)) ? latestOf([before, countsFrom]) : null;
}

const auditedOf = ({ revision, table, total }: BillRow) => ({ revision, table, total });

async function replaceBill(
  tx: Tx,
  ctx: PosContext,
  row: BillRow,
  input: PutBillInput,
  requestHash: Buffer,
): Promise<Bill> {
  // Read after the lock, so that it is later than any earlier change.
  const now = ctx.clock.now();
  const { currency } = ctx.merchant;
  if (input.revision === row.revision && requestHash.equals(row.requestHash)) {
    return describeBill(await loadBill(tx, row), currency, now);
  }
  if (isOfEarlier(row, input) || isForgotten(row, now)) throw billClosed('closed');
  checkReplaceable(row, input.revision);
  const sent: BillRow = { ...row, ...sentBy(input), requestHash, updatedAt: now };
  if (isOtherSum(row, input)) sent.sentAt = now;
  const [wasPaid, bill] = await compare(tx, row, sent, now);
  checkDiscount(input, bill.redemptions);
  writeBill(tx, bill, now);
  await moveCode(tx, row, input);
  sendBillUpdate(tx, { merchant: ctx.merchant, bill, wasPaid, now });
  const change = { before: auditedOf(row), after: auditedOf(sent) };
  await auditPos(tx, ctx, 'bill.update', { kind: 'bill', id: row.id }, input, change);
  return describeBill(bill, currency, now);
}

/** False for a till that sends the same bill again and again: it does not say that there is less than was sold since. */
const isOtherSum = (row: BillRow, { subtotal, total }: PutBillInput): boolean =>
  subtotal !== row.subtotal || total !== row.total;

/** Errors: `bill_closed`, `bill_revision_outdated`, `bill_revision_reused`. */
function checkReplaceable({ state, revision }: BillRow, requested: number): void {
  if (state !== 'open') throw billClosed(state);
  const details = { revision, requested };
  if (requested < revision) {
    throw new DomainError('bill_revision_outdated', say('billRevisionOutdated', { revision }), details);
  }
  if (requested === revision) {
    throw new DomainError('bill_revision_reused', say('billRevisionReused', { revision }), details);
  }
}

/** Returns whether nothing was due before, and the bill in its new version. */
async function compare(tx: Tx, before: BillRow, after: BillRow, now: Date): Promise<[boolean, LoadedBill]> {
  const [old, bill] = (await loadBills(tx, [before, after])) as [LoadedBill, LoadedBill];
  bill.row.listedAtTill = listedBySales({ ...before, ...old }, now);
  return [figuresOfBill(old, now).isPaid, bill];
}

/**
 * Errors: `invalid_request` for ids that are not redemptions of vouchers or points on the bill, and if `discount` is
 * less than their sum.
 */
function checkDiscount({ discountTransactionIds = [], discount }: PutBillInput, redemptions: Redemption[]): void {
  const included = redemptions.filter(({ type, isInDiscount }) => isInDiscount && type !== 'redeemStoredValue');
  const known = new Set(included.map(({ transactionId }) => transactionId));
  const issues: Issue[] = discountTransactionIds.flatMap((id, n) =>
    known.has(id) ? [] : { path: `discountTransactionIds.${n}`, sentence: say('notRedeemedOnBill') },
  );
  const least = included.reduce((sum, { amount }) => sum + amount, 0);
  if (issues.length === 0 && least > discount) {
    issues.push({ path: 'discount', sentence: say('discountBelowRedemptions', { least }) });
  }
  const [first] = issues;
  if (!first) return;
  const sentence = say('fieldNotValid', { path: first.path, problem: first.sentence });
  throw new DomainError('invalid_request', sentence, {}, issues);
}
