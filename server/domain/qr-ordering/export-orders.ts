import { and, asc, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { orders } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { onStoreDays } from '../kernel/on-days';
import { ifGiven } from '../kernel/page';
import { readStoreDays } from '../merchants';
import { isAnnounced, type OrderRow, type StoreOrder, toStoreOrder, withLines } from './orders';
import type { ExportOrdersInput } from './schemas';

const batchSize = 500;

/** Yields the orders of one store or of all, placed on those days, oldest first, read in batches. */
export async function* exportOrders(
  ctx: StaffContext,
  { storeId, from, until }: ExportOrdersInput,
): AsyncGenerator<StoreOrder> {
  let last: OrderRow | undefined;
  for (;;) {
    const after: typeof last = last;
    const rows = await withMerchant(ctx.db, ctx.merchant.id, (tx) => readBatch(tx, { storeId, from, until, after }));
    yield* rows.map(toStoreOrder);
    last = rows.at(-1);
    if (rows.length < batchSize) return;
  }
}

interface Batch {
  storeId: string | undefined;
  from: string;
  until: string;
  /** The last order of the previous batch. */
  after: OrderRow | undefined;
}

async function readBatch(tx: Tx, { storeId, from, until, after }: Batch) {
  const { merchantId, db } = tx;
  const days = await readStoreDays(tx);
  const isAfter = after && sql`(${orders.placedAt}, ${orders.id}) > (${after.placedAt}, ${after.orderId})`;
  const found = db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.merchantId, merchantId),
        isAnnounced,
        ifGiven(storeId, (id) => eq(orders.storeId, id)),
        onStoreDays({ at: orders.placedAt, storeId: orders.storeId }, days, { from, until }),
        isAfter,
      ),
    )
    .orderBy(orders.placedAt, orders.id)
    .limit(batchSize)
    .as('found');
  return withLines(db, found, { orderBy: [asc(found.placedAt), asc(found.id)] });
}
