import type { Row } from 'postgres';
import { withMerchant } from '@/db/client';
import { endOfDate, startOfDate } from '../core/calendar';
import type { StaffContext } from '../staff/context';
import { orderRows, toOrder } from './orders';
import type { ExportOrdersInput, Order } from './schemas';

const batchSize = 500;

/** A store's orders placed on those days, oldest first, read a batch at a time. */
export async function* exportOrders(
  ctx: StaffContext,
  { storeId, from, until }: ExportOrdersInput,
): AsyncGenerator<Order> {
  const { timeZone } = ctx.merchant;
  const [start, end] = [startOfDate(from, timeZone), endOfDate(until, timeZone)];
  let last: { at: Date; id: string } | null = null;
  for (;;) {
    const after: typeof last = last;
    const rows: Row[] = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
      const { merchantId, sql } = tx;
      const days = sql`
        select * from orders
        where merchant_id = ${merchantId} and store_id = ${storeId} and placed_at between ${start} and ${end}
          ${after === null ? sql`` : sql`and (placed_at, id) > (${after.at}, ${after.id})`}
        order by placed_at, id limit ${batchSize}`;
      return orderRows(tx, days, sql`o.placed_at, o.id`);
    });
    yield* rows.map(toOrder);
    const row = rows.at(-1);
    if (!row || rows.length < batchSize) return;
    last = { at: row.placed_at, id: row.id };
  }
}
