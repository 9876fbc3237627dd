import type { Fragment, Tx } from '@/db/client';
import type { Actor } from '../core/audit';
import { announce } from '../core/changes';

/** An item that a store is out of. */
export interface StockOut {
  storeId: string;
  plu: string;
  /** When it comes back by itself; null: when somebody restores it. */
  until: Date | null;
}

interface Marking {
  actor: Actor;
  now: Date;
  /** Whether what is out already gets the new time, or keeps its own. */
  setsUntil: boolean;
}

/** Marks items as sold out. Answers those that were not, and those whose time is another now, as they were. */
export async function addStockOuts(
  tx: Tx,
  entries: StockOut[],
  { actor, now, setsUntil }: Marking,
): Promise<{ added: StockOut[]; changed: StockOut[] }> {
  const { merchantId, sql } = tx;
  const given = sql`json_to_recordset(${JSON.stringify(entries)}::text::json) as g ("storeId" uuid, plu text, until timestamptz)`;
  const isGiven = sql`s.merchant_id = ${merchantId} and s.store_id = g."storeId" and s.plu = g.plu`;
  // What came back by itself is marked sold out again.
  await sql`delete from stock_outs s using ${given} where ${isGiven} and s.until <= ${now}`;
  const added = await sql<StockOut[]>`
    insert into stock_outs (merchant_id, store_id, plu, until, actor_kind, actor_id, stocked_out_at)
    select ${merchantId}, "storeId", plu, until, ${actor.kind}, ${actor.id}::uuid, ${now}::timestamptz
    from ${given} order by "storeId", plu
    on conflict (merchant_id, store_id, plu) do nothing returning store_id as "storeId", plu, until`;
  const changed = setsUntil
    ? await sql<StockOut[]>`
        with present as (
          select s.store_id, s.plu, s.until as until_before, g.until
          from stock_outs s, ${given} where ${isGiven} and s.until is distinct from g.until
          order by s.store_id, s.plu for update of s
        )
        update stock_outs s set until = p.until from present p
        where s.merchant_id = ${merchantId} and s.store_id = p.store_id and s.plu = p.plu
        returning s.store_id as "storeId", s.plu, p.until_before as until`
    : [];
  if (added.length + changed.length > 0) await announce(tx, 'stockOuts');
  return { added: [...added], changed: [...changed] };
}

/** Makes items orderable again. Answers those that were sold out, as they were. */
export async function removeStockOuts(
  tx: Tx,
  entries: Pick<StockOut, 'storeId' | 'plu'>[],
  now: Date,
): Promise<StockOut[]> {
  const { merchantId, sql } = tx;
  const removed = await sql<(StockOut & { was_out: boolean })[]>`
    with present as (
      select s.store_id, s.plu from stock_outs s,
        json_to_recordset(${JSON.stringify(entries)}::text::json) as g ("storeId" uuid, plu text)
      where s.merchant_id = ${merchantId} and s.store_id = g."storeId" and s.plu = g.plu
      order by s.store_id, s.plu for update of s
    )
    delete from stock_outs s using present p
    where s.merchant_id = ${merchantId} and s.store_id = p.store_id and s.plu = p.plu
    returning s.store_id as "storeId", s.plu, s.until, (s.until is null or s.until > ${now}) as was_out`;
  const restored = removed.filter(({ was_out }) => was_out);
  if (restored.length > 0) await announce(tx, 'stockOuts');
  return restored.map(({ storeId, plu, until }) => ({ storeId, plu, until }));
}

/** The names of the menu's options that have a PLU of their own, as `plu` and `name`. */
export const optionNames = ({ merchantId, sql }: Tx): Fragment => sql`(
  select plu, min(name) as name from menu_options where merchant_id = ${merchantId} and plu is not null group by plu)`;
