import type { z } from 'zod';
import { type Tx, withMerchant } from '@/db/client';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { findOrder, mostOrdersOfCode } from './orders';
import { type NewOrder, newOrder, type Order } from './schemas';

interface PricedLine {
  position: number;
  plu: string;
  name: string;
  quantity: number;
  unitPrice: number;
  amount: number;
  note: string;
}

/**
 * Places a diner's order on a code's bill. Prices come from the menu, never from the request. The code's row is locked,
 * so that an order is on the bill before it closed, or refused.
 * Errors: `qr_code_closed`, `items_unavailable` with the PLUs that are sold out or not on the store's menu.
 */
export async function placeOrder(
  { db, clock }: Services,
  { merchantId, qrCodeId }: { merchantId: string; qrCodeId: string },
  given: NewOrder,
): Promise<Order> {
  const order = newOrder.parse(given);
  return withMerchant(db, merchantId, async (tx) => {
    const { sql } = tx;
    const now = clock.now();
    const [code] = await sql`
      select store_id, status, expires_at from qr_codes where merchant_id = ${merchantId} and id = ${qrCodeId} for update`;
    const [earlier] = await sql`
      select id from orders
      where merchant_id = ${merchantId} and qr_code_id = ${qrCodeId} and client_order_id = ${order.clientOrderId}`;
    if (earlier) return findOrder(tx, earlier.id);
    if (code?.status !== 'active' || code.expires_at <= now) {
      throw new DomainError('qr_code_closed', 'This bill is settled: nothing more can be ordered.');
    }
    const [{ placed }] = await sql<[{ placed: number }]>`
      select count(*)::int as placed from orders where merchant_id = ${merchantId} and qr_code_id = ${qrCodeId}`;
    if (placed >= mostOrdersOfCode) {
      throw new DomainError('qr_code_closed', 'This bill has as many orders as it can hold.');
    }
    const lines = await priceLines(tx, code.store_id, order, now);
    const orderId = newId();
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    await Promise.all([
      // The store's row stays ours until the commit, so that no later number can be read before this one.
      sql`
        with counted as (
          update stores set last_order_number = last_order_number + 1
          where merchant_id = ${merchantId} and id = ${code.store_id} returning last_order_number
        )
        insert into orders (merchant_id, id, store_id, number, qr_code_id, client_order_id, total, note, placed_at, updated_at)
        select ${merchantId}, ${orderId}, ${code.store_id}, last_order_number, ${qrCodeId}, ${order.clientOrderId}, ${total},
          ${order.note}, ${now}::timestamptz, ${now}::timestamptz
        from counted`,
      sql`
        insert into order_lines (merchant_id, order_id, position, plu, name, quantity, unit_price, amount, note)
        select ${merchantId}, ${orderId}, position, plu, name, quantity, "unitPrice", amount, note
        from json_to_recordset(${JSON.stringify(lines)}::text::json) as l (
          position smallint, plu text, name text, quantity integer, "unitPrice" bigint, amount bigint, note text)`,
      announce(tx, 'orders'),
      announce(tx, 'qrCodes'),
    ]);
    return findOrder(tx, orderId);
  });
}

async function priceLines(
  { merchantId, sql }: Tx,
  storeId: string,
  order: z.infer<typeof newOrder>,
  now: Date,
): Promise<PricedLine[]> {
  const asked = [...new Set(order.lines.map(({ plu }) => plu))];
  const items = await sql<{ plu: string; name: string; price: number }[]>`
    select i.plu, i.name, i.price from menu_items i
    where i.merchant_id = ${merchantId} and i.plu = any(${asked}) and i.archived_at is null
      and (i.all_stores or exists (
        select from menu_item_stores a
        where a.merchant_id = i.merchant_id and a.item_id = i.id and a.store_id = ${storeId}))
      and not exists (
        select from stock_outs s where s.merchant_id = i.merchant_id and s.store_id = ${storeId} and s.plu = i.plu
          and (s.until is null or s.until > ${now}))`;
  const byPlu = new Map(items.map((item) => [item.plu, item]));
  const missing = asked.filter((plu) => !byPlu.has(plu));
  if (missing.length > 0) {
    throw new DomainError('items_unavailable', `Not available now: ${missing.join(', ')}.`, { plus: missing });
  }
  return order.lines.map(({ plu, quantity, note }, position) => {
    const { name, price } = byPlu.get(plu) as { name: string; price: number };
    return { position, plu, name, quantity, unitPrice: price, amount: price * quantity, note };
  });
}
