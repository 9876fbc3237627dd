/** Bills as staff see them: a store's list, and all that happened on one. */
import { and, asc, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/client';
import { apiKeys, auditLog, bills } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { type Page, seek, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import { billColumns, describeBill, type LoadedBill, loadBill, loadBills } from './load';
import type { Bill, BillListInput } from './schemas';

export interface ListedBill
  extends Pick<Bill, 'billId' | 'table' | 'state' | 'total' | 'due' | 'overpaid' | 'openedAt' | 'closedAt'>,
    Pick<Bill, 'redeemed' | 'paid' | 'held' | 'tips'> {
  billUid: string;
}

const newestFirst = { columns: [bills.id], descending: true };

/** Lists a store's bills in a state, newest first. Errors: `invalid_request` for a cursor of another list. */
export function listBills(ctx: StaffContext, input: BillListInput): Promise<Page<ListedBill>> {
  const page = seek(input, newestFirst);
  const { where, orderBy, limit } = seekSql(page, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const rows = await tx.db
      .select(billColumns)
      .from(bills)
      .where(
        and(
          eq(bills.merchantId, tx.merchantId),
          eq(bills.storeId, input.storeId),
          eq(bills.state, input.state).inlineParams(),
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit);
    const now = ctx.clock.now();
    return toPage(
      await loadBills(tx, rows),
      page,
      ({ row }) => [row.id],
      (bill) => toListed(bill, ctx.merchant.currency, now),
    );
  });
}

function toListed(bill: LoadedBill, currency: string, now: Date): ListedBill {
  const { billId, table, state, total, redeemed, paid, held, tips, due, overpaid, openedAt, closedAt } = describeBill(
    bill,
    currency,
    now,
  );
  const figures = { total, redeemed, paid, held, tips, due, overpaid };
  return { billUid: bill.row.id, billId, table, state, ...figures, openedAt, closedAt };
}

/** A change of a bill by its till, but for one that its sale closed. */
export interface BillChange {
  action: string;
  at: Date;
  /** The name of the till's key. */
  keyName: string | null;
  /** What the till said: the revision and total that it sent, or the reason of a void. */
  details: { revision?: number; total?: number; reason?: string };
}

export interface BillStory extends Bill {
  billUid: string;
  storeId: string;
  changes: BillChange[];
}

/** A till changes a bill for each round. */
const mostChanges = 500;

/** Returns a bill with the changes that its till made, oldest first. Errors: `bill_not_found`. */
export function getBillStory(ctx: StaffContext, { billUid }: { billUid: string }): Promise<BillStory> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const [row] = await db
      .select(billColumns)
      .from(bills)
      .where(and(eq(bills.merchantId, merchantId), eq(bills.id, billUid)));
    if (!row) throw new DomainError('bill_not_found', say('billNotFound'));
    const { action, createdAt, after } = auditLog;
    const [bill, changes] = await Promise.all([
      loadBill(tx, row),
      db
        .select({ action, at: createdAt, after, keyName: apiKeys.name })
        .from(auditLog)
        .leftJoin(apiKeys, and(eq(apiKeys.merchantId, auditLog.merchantId), eq(apiKeys.id, auditLog.actorId)))
        .where(
          and(eq(auditLog.merchantId, merchantId), eq(auditLog.subjectKind, 'bill'), eq(auditLog.subjectId, row.id)),
        )
        .orderBy(asc(auditLog.id))
        .limit(mostChanges),
    ]);
    return {
      ...describeBill(bill, ctx.merchant.currency, ctx.clock.now()),
      ...{ billUid: row.id, storeId: row.storeId },
      changes: changes.map(({ after: told, ...change }) => {
        const { revision, total, reason } = JSON.parse(told ?? '{}') as BillChange['details'];
        return { ...change, details: { revision, total, reason } as BillChange['details'] };
      }),
    };
  });
}
