/** Everything that happened on a bill: what its till sent, what was redeemed, paid and returned, and why. */

import { and, asc, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { apiKeys, auditLog, billPayments, users } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { type BillCode, findCodes } from './codes';
import { describeBill } from './describe';
import { listOrderingGuests, numberGuests } from './guests';
import { type BillRest, restOf } from './list';
import { type BillRow, figuresOfBill, findBillByUid, loadBill } from './load';
import { type RecordedRedemption, readRedemptions } from './redemptions';
import type { Bill } from './schemas';
import { readSales } from './story-sales';

/** A change of a bill: by its till, by staff, by a sale or by a redemption. A sale that closes it is one change. */
export interface BillChange {
  action: string;
  at: Date;
  /** Who changed it: the name of the till's key or of the member of staff. Null for a customer with a phone. */
  by: string | null;
  /** Details of the change: the till's revision and total, a refunded payment with the points it took, or a reason. */
  details: {
    revision?: number;
    total?: number;
    paymentId?: string;
    amount?: number;
    pointsTaken?: number;
    reason?: string;
  };
  /** The redemption made or taken back. `details.amount` is the amount of it. */
  redemption?: Pick<RecordedRedemption, 'uid' | 'type' | 'customerName' | 'voucherName'>;
  /** The sale recorded or voided. `details.total` is its total. */
  saleUid?: string;
}

type Described = Bill['payments'][number];

export interface StoryPayment extends Described {
  /** The part of `returned` that the payer does not have yet. */
  outstanding: number;
  /** Why more was returned than staff refunded: the payment was late, or the bill shrank. */
  returnedFor: 'late' | 'excess' | null;
  guestName: string | null;
  /** Numbers the phones in the order in which they first ordered or paid; null if the phone is unknown. */
  guestNumber: number | null;
  takenAt: Date | null;
  returnedAt: Date | null;
  /** When the payment service last refused to return what is outstanding. */
  refundRefusedAt: Date | null;
}

export type StoryRedemption = Omit<Bill['redemptions'][number], 'customerId'> &
  Pick<RecordedRedemption, 'uid' | 'customerName' | 'voucherName'>;

export interface BillStory extends Omit<Bill, 'payments' | 'redemptions' | 'unsettled'>, BillRest {
  billUid: string;
  storeId: string;
  /** What its till took in all, by parts and sales. */
  takenAtTill: number;
  /** Cash rounding of its sales, if the bill has none itself. */
  salesRounding: number;
  /** The code at which its diners ordered; null if there was none. */
  code: BillCode | null;
  redemptions: StoryRedemption[];
  payments: StoryPayment[];
  /** Oldest first. */
  changes: BillChange[];
}

/** Enough for a till that sends the bill after every round. */
const mostChanges = 500;

/** Returns a bill with everything that happened on it, oldest first. Errors: `bill_not_found`. */
export function getBillStory(ctx: StaffContext, { billUid }: { billUid: string }): Promise<BillStory> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const row = await findBillByUid(tx, billUid);
    if (!row) throw new DomainError('bill_not_found', say('billNotFound'));
    const [loaded, changes, sold, recorded, payers, [code = null]] = await Promise.all([
      loadBill(tx, row),
      changesOf(tx, billUid),
      readSales(tx, row),
      readRedemptions(tx, row),
      payersOf(tx, billUid),
      findCodes(tx, [row]),
    ]);
    const now = ctx.clock.now();
    const { takenAtTill, salesRounding } = figuresOfBill(loaded, now);
    const bill = describeBill(loaded, ctx.merchant.currency, now);
    const ordered = code ? await listOrderingGuests(tx.db, { merchantId: tx.merchantId, qrCodeId: code.qrCodeId }) : [];
    const redemptions = new Map(recorded.map((one) => [one.transactionId, one]));
    const numberOf = numberGuests(ordered, loaded.payments);
    return {
      ...bill,
      billUid: row.id,
      storeId: row.storeId,
      ...restOf(bill),
      takenAtTill,
      salesRounding,
      code,
      changes: [...changes, ...sold, ...recorded.flatMap(toChanges)].sort((a, b) => a.at.getTime() - b.at.getTime()),
      redemptions: bill.redemptions.map(({ customerId, ...one }) => ({
        ...one,
        uid: redemptions.get(one.transactionId)?.uid ?? '',
        customerName: redemptions.get(one.transactionId)?.customerName ?? '',
        voucherName: redemptions.get(one.transactionId)?.voucherName ?? null,
      })),
      payments: bill.payments.flatMap((payment) => {
        const payer = payers.get(payment.paymentId);
        return payer ? [toStoryPayment(row, payment, payer, numberOf, changes)] : [];
      }),
    };
  });
}

async function changesOf({ merchantId, db }: Tx, billUid: string): Promise<BillChange[]> {
  const { action, createdAt, after, actorKind, actorId } = auditLog;
  const rows = await db
    .select({ action, at: createdAt, after, keyName: apiKeys.name, staffName: users.name })
    .from(auditLog)
    .leftJoin(apiKeys, and(eq(apiKeys.merchantId, auditLog.merchantId), eq(apiKeys.id, actorId)))
    .leftJoin(users, and(eq(actorKind, 'staff'), eq(users.id, actorId)))
    .where(and(eq(auditLog.merchantId, merchantId), eq(auditLog.subjectKind, 'bill'), eq(auditLog.subjectId, billUid)))
    .orderBy(asc(auditLog.id))
    .limit(mostChanges);
  return rows.map(({ after: told, keyName, staffName, ...change }) => {
    const { revision, total, paymentId, amount, pointsTaken, reason } = JSON.parse(
      told ?? '{}',
    ) as BillChange['details'];
    return {
      ...change,
      by: keyName ?? staffName,
      details: { revision, total, paymentId, amount, pointsTaken, reason },
    };
  });
}

async function payersOf({ merchantId, db }: Tx, billUid: string) {
  const rows = await db
    .select()
    .from(billPayments)
    .where(and(eq(billPayments.merchantId, merchantId), eq(billPayments.billUid, billUid)));
  return new Map(rows.map((row) => [row.id, row]));
}

type Payer = Awaited<ReturnType<typeof payersOf>> extends Map<string, infer Row> ? Row : never;

function toChanges({ at, by, amount, isRest, takenBack, ...rest }: RecordedRedemption): BillChange[] {
  const { uid, type, customerName, voucherName } = rest;
  const redemption = { uid, type, customerName, voucherName };
  const redeemed = { action: 'redemption.redeem', at, by, details: { amount }, redemption };
  if (!takenBack) return isRest ? [] : [redeemed];
  const details = { amount: takenBack.amount, reason: takenBack.reason ?? undefined };
  const returned = { action: 'redemption.takeBack', at: takenBack.at, by: takenBack.by, details, redemption };
  return isRest ? [returned] : [redeemed, returned];
}

function toStoryPayment(
  bill: BillRow,
  payment: Described,
  payer: Payer,
  numberOf: ReturnType<typeof numberGuests>,
  changes: BillChange[],
): StoryPayment {
  const { guestId, guestName, returnedAmount, takenAt, returnedAt, refundRefusedAt } = payer;
  const refunded = changes
    .filter(({ details }) => details.paymentId === payment.paymentId)
    .reduce((sum, { details }) => sum + (details.amount ?? 0), 0);
  return {
    ...payment,
    outstanding: payment.returned - returnedAmount,
    returnedFor: payment.returned <= refunded ? null : wasLate(bill, payer) ? 'late' : 'excess',
    guestName: guestName || null,
    guestNumber: numberOf(guestId),
    takenAt,
    returnedAt,
    refundRefusedAt,
  };
}

/**
 * A late payment counts for nothing from the moment it was taken: after the time for which it was held, or after the
 * bill's end. An excess is returned when the bill is closed.
 */
function wasLate({ closedAt }: BillRow, { keptAmount, keptTip, heldUntil, takenAt }: Payer): boolean {
  if (keptAmount + keptTip > 0 || takenAt === null) return false;
  return closedAt === null || takenAt >= closedAt || takenAt > heldUntil;
}
