import { and, asc, between, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { orders } from '@/db/schema';
import { endOfDate, startOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { ifGiven } from '../kernel/page';
import { isAnnounced, type OrderRow, type StoreOrder, toStoreOrder, withLines } from './orders';
import type { ExportOrdersInput } from './schemas';

const batchSize = 500;

/** Yields the orders of one store or of all, placed on those days, oldest first, read in batches. */
export async function* exportOrders(
  ctx: StaffContext,
  { storeId, from, until }: ExportOrdersInput,
): AsyncGenerator<StoreOrder> {
  const [start, end] = [startOfDate(from, ctx.merchant), endOfDate(until, ctx.merchant)];
  let last: OrderRow | undefined;
  for (;;) {
    const after: typeof last = last;
    const rows = await withMerchant(ctx.db, ctx.merchant.id, (tx) => readBatch(tx, { storeId, start, end, after }));
    yield* rows.map(toStoreOrder);
    last = rows.at(-1);
    if (rows.length < batchSize) return;
  }
}

interface Batch {
  storeId: string | undefined;
  start: Date;
  end: Date;
  /** The last order of the previous batch. */
  after: OrderRow | undefined;
}

function readBatch({ merchantId, db }: Tx, { storeId, start, end, after }: Batch) {
  const isAfter = after && sql`(${orders.placedAt}, ${orders.id}) > (${after.placedAt}, ${after.orderId})`;
  const found = db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.merchantId, merchantId),
        isAnnounced,
        ifGiven(storeId, (id) => eq(orders.storeId, id)),
        between(orders.placedAt, start, end),
        isAfter,
      ),
    )
    .orderBy(orders.placedAt, orders.id)
    .limit(batchSize)
    .as('found');
  return withLines(db, found, { orderBy: [asc(found.placedAt), asc(found.id)] });
}
