import { type Tx, withMerchant } from '@/db/client';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { inTimeOf } from '../merchants/merchant-time';
import { type CodeName, countMiss, findCode, type Visit } from './find-code';
import { readMenu } from './menu-on-offer';
import { findOrder, mostOrdersOfCode } from './orders';
import { priceLines, totalOf } from './price-lines';
import { type NewOrder, newOrder, type Order } from './schemas';

/** Places an order from a phone at the table. Errors: those of `placeOrder`, and `too_many_attempts`. */
export async function placeTableOrder(services: Services, visit: Visit, given: NewOrder): Promise<Order> {
  const code = await findCode(services, visit);
  if (code) return placeOrder(inTimeOf(services, code), code, given);
  await countMiss(services, visit);
  throw codeOver();
}

/**
 * Places a diner's order on a code's bill. Prices come from the menu, never from the request. The code's row is locked,
 * so that an order is on the bill before it closed, or refused. The same `clientOrderId` again answers the order as it
 * was placed, whatever has changed since.
 * Errors: `qr_code_closed`, `qr_code_not_found` for one whose time is over, and those of `priceLines`.
 */
export async function placeOrder(
  { db, clock }: Services,
  { merchantId, qrCodeId }: CodeName,
  given: NewOrder,
): Promise<Order> {
  const order = newOrder.parse(given);
  return withMerchant(db, merchantId, async (tx) => {
    const { sql } = tx;
    // Sent first: all that follows is read once the row is ours.
    const locking = sql`
      select store_id, status, expires_at from qr_codes
      where merchant_id = ${merchantId} and id = ${qrCodeId} for update`.execute();
    const plus = [...new Set(order.lines.map(({ plu }) => plu))];
    const [[code], [earlier], [{ placed }], menu] = await Promise.all([
      locking,
      sql`
        select id from orders
        where merchant_id = ${merchantId} and qr_code_id = ${qrCodeId} and client_order_id = ${order.clientOrderId}`,
      sql<[{ placed: number }]>`
        select count(*)::int as placed from orders where merchant_id = ${merchantId} and qr_code_id = ${qrCodeId}`,
      readMenu(tx, { qrCodeId, language: null, plus, now: clock.now() }),
    ]);
    if (earlier) return findOrder(tx, earlier.id);
    // Not before: an order is placed while the row is ours, so never after the moment at which the code was closed.
    const now = clock.now();
    if (code?.status === 'invalidated') {
      throw new DomainError('qr_code_closed', 'This bill is settled: nothing more can be ordered.');
    }
    if (code?.status !== 'active' || code.expires_at <= now) throw codeOver();
    if (placed >= mostOrdersOfCode) {
      throw new DomainError('qr_code_closed', 'This bill has as many orders as it can hold.');
    }
    const lines = priceLines(
      order.lines,
      menu.flatMap(({ items }) => items),
    );
    return writeOrder(tx, { ...order, qrCodeId, storeId: code.store_id, lines, now });
  });
}

/** A wrong token gets the same answer as one whose time is over. */
const codeOver = () => new DomainError('qr_code_not_found', 'This code does not work any more.');

interface PricedOrder extends Pick<Order, 'qrCodeId' | 'note' | 'lines'> {
  clientOrderId: string;
  storeId: string;
  now: Date;
}

async function writeOrder(tx: Tx, { qrCodeId, clientOrderId, storeId, note, lines, now }: PricedOrder): Promise<Order> {
  const { merchantId, sql } = tx;
  const orderId = newId();
  const rows = JSON.stringify(lines.map((line, position) => ({ ...line, position })));
  const writing = Promise.all([
    // The store's row stays ours until the commit, so that no later number can be read before this one.
    sql`
      with counted as (
        update stores set last_order_number = last_order_number + 1
        where merchant_id = ${merchantId} and id = ${storeId} returning last_order_number
      )
      insert into orders (merchant_id, id, store_id, number, qr_code_id, client_order_id, total, note, placed_at, updated_at)
      select ${merchantId}, ${orderId}, ${storeId}, last_order_number, ${qrCodeId}, ${clientOrderId}, ${totalOf(lines)},
        ${note}, ${now}::timestamptz, ${now}::timestamptz
      from counted`,
    sql`
      insert into order_lines (merchant_id, order_id, position, plu, name, quantity, unit_price, amount, options, note)
      select ${merchantId}, ${orderId}, position, plu, name, quantity, "unitPrice", amount, options, note
      from json_to_recordset(${rows}::text::json) as l (
        position smallint, plu text, name text, quantity integer, "unitPrice" bigint, amount bigint, options jsonb,
        note text)`,
    announce(tx, 'orders', qrCodeId),
    announce(tx, 'qrCodes', qrCodeId),
  ]);
  const [, placed] = await Promise.all([writing, findOrder(tx, orderId)]);
  return placed;
}
