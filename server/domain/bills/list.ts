/** Bills, as staff see them. */

import { and, eq, getTableName, isNotNull } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { bills, stores } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { type Page, seekPage, seekSql, toPage } from '../kernel/page';
import { findCodes } from './codes';
import { describeBill } from './describe';
import { billColumns, type LoadedBill, loadBills } from './load';
import type { Bill, BillListInput } from './schemas';

export interface ListedBill
  extends Pick<
      Bill,
      'billId' | 'table' | 'state' | 'total' | 'due' | 'overpaid' | 'openedAt' | 'closedAt' | 'reopenedAt'
    >,
    BillRest,
    Pick<Bill, 'redeemed' | 'paid' | 'held' | 'tips'> {
  billUid: string;
  storeId: string;
  /** How many guests the bill's code was opened for; null if unknown. */
  guests: number | null;
}

/** What was due at the end of a bill, for staff. */
export interface BillRest {
  /** Due on a bill whose till sends no sale: it has settled that itself. */
  settledAtTill: number;
  /** What the sales of the bill left. */
  unsettled: number;
}

export const restOf = ({ unsettled, sales }: Pick<Bill, 'unsettled' | 'sales'>): BillRest =>
  sales.length === 0 ? { settledAtTill: unsettled, unsettled: 0 } : { settledAtTill: 0, unsettled };

const newestFirst = { columns: [bills.id], descending: true };

/** Lists the bills of a store, or of all, in a state, newest first. Errors: `invalid_request` for a cursor of another list. */
export function listBills(ctx: StaffContext, input: BillListInput): Promise<Page<ListedBill>> {
  const page = seekPage(input, newestFirst);
  const { where, orderBy, inOrder, limit } = seekSql(page, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    // A page of each store, so that each is a range of the index, and of these the first.
    const ofStore = tx.db
      .select(billColumns)
      .from(bills)
      .where(
        and(
          eq(bills.merchantId, stores.merchantId),
          eq(bills.storeId, stores.id),
          input.state === 'reopened' ? isNotNull(bills.reopenedAt) : eq(bills.state, input.state).inlineParams(),
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit)
      .as(getTableName(bills));
    const rows = await tx.db
      .select(ofStore._.selectedFields)
      .from(stores)
      .crossJoinLateral(ofStore)
      .where(
        and(
          eq(stores.merchantId, tx.merchantId),
          input.storeId === undefined ? undefined : eq(stores.id, input.storeId),
        ),
      )
      .orderBy(inOrder(ofStore.id))
      .limit(limit);
    const now = ctx.clock.now();
    const [loaded, codes] = await Promise.all([loadBills(tx, rows), findCodes(tx, rows)]);
    const listed = loaded.map((bill, n) => toListed(bill, codes[n]?.guests ?? null, ctx.merchant.currency, now));
    return toPage(listed, page, ({ billUid }) => [billUid]);
  });
}

function toListed(bill: LoadedBill, guests: number | null, currency: string, now: Date): ListedBill {
  const described = describeBill(bill, currency, now);
  const { billId, table, state, total, redeemed, paid, held, tips, due, overpaid } = described;
  const figures = { total, redeemed, paid, held, tips, due, overpaid, ...restOf(described) };
  const { openedAt, closedAt, reopenedAt } = described;
  return {
    billUid: bill.row.id,
    storeId: bill.row.storeId,
    billId,
    table,
    guests,
    state,
    ...figures,
    openedAt,
    closedAt,
    reopenedAt,
  };
}
