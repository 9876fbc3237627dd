import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { announce, type Topic } from '../core/changes';
import type { StaffContext } from '../staff/context';

/**
 * Holds others who lock the merchant's row until this database transaction ends; answers `columns` of it. No stronger lock:
 * every row that refers to the merchant shares its key, and a busy one would never be free.
 */
export async function lockMerchant({ merchantId, sql }: Tx, columns = ''): Promise<Row> {
  const [row] = await sql`select ${sql.unsafe(columns)} from merchants where id = ${merchantId} for no key update`;
  if (!row) throw new Error('the merchant is gone');
  return row;
}

/**
 * Runs `work` as one change of `topic`. Changes that go in turn follow one another, so that an order of positions is never
 * made from two halves; open screens are notified.
 */
export function changeInTurn<T>(ctx: StaffContext, topic: Topic, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMerchant(tx);
    const result = await work(tx);
    await announce(tx, topic);
    return result;
  });
}
