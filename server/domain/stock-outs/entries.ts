import { and, eq, gt, isNull, lte, or, type Placeholder, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { insertFrom, nameOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { stockOuts } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import type { EventSettings } from '../kernel/events';
import { sendStockOutEvents } from './current';

const { merchantId, storeId, plu, until } = stockOuts;

/** An item that is sold out at a store. */
export interface StockOut {
  storeId: string;
  plu: string;
  /** When it becomes available automatically; null if someone has to mark it available. */
  until: Date | null;
}

interface Actor {
  kind: (typeof stockOuts.$inferSelect)['actorKind'];
  id: string;
}

interface Marking {
  merchant: EventSettings;
  actor: Actor;
  now: Date;
  /** True if existing stock-outs get the new time; false if they keep theirs. */
  setsUntil: boolean;
}

/** Marks items as sold out. Returns those that were available, and the previous state of those with a changed time. */
export async function addStockOuts(
  tx: Tx,
  entries: StockOut[],
  { merchant, actor, now, setsUntil }: Marking,
): Promise<{ added: StockOut[]; changed: StockOut[] }> {
  const { db } = tx;
  const given = { merchantId: tx.merchantId, entries };
  // Stock-outs whose time is over are created anew.
  await removePast(db, { ...given, now });
  const added = await add(db, { ...given, now, actorKind: actor.kind, actorId: actor.id });
  const changed = setsUntil ? await changeUntil(db, given) : [];
  if (added.length + changed.length > 0) await announceChange(tx, 'stockOuts');
  await sendStockOutEvents(tx, merchant, [...added, ...changed], now);
  return { added, changed };
}

interface Entries {
  merchantId: string;
  entries: (Pick<StockOut, 'storeId' | 'plu'> & Partial<StockOut>)[];
}

/** Joins existing rows to the given entries. */
function join(given: Given<Entries>) {
  const { $rows, ...entry } = recordset('entry', { storeId, plu, until }, given.entries);
  const isIts = and(eq(merchantId, given.merchantId), eq(storeId, entry.storeId), eq(plu, entry.plu));
  return { $rows, entry, isIts };
}

const removePast = prepare((_, given: Given<Entries & { now: Date }>) => {
  const { $rows, isIts } = join(given);
  return sql`delete from ${stockOuts} using ${$rows} where ${and(isIts, lte(until, given.now))}`;
});

const add = prepare((db, given: Given<Entries & { now: Date; actorKind: Actor['kind']; actorId: string }>) => {
  const { $rows, entry } = join(given);
  const { actorKind, actorId, now: stockedOutAt } = given;
  const insertion = insertFrom(
    stockOuts,
    { ...entry, merchantId: given.merchantId, actorKind, actorId, stockedOutAt },
    sql`${$rows} order by ${entry.storeId}, ${entry.plu}`,
  );
  const key = sql`${nameOf(merchantId)}, ${nameOf(storeId)}, ${nameOf(plu)}`;
  const added = db
    .$with('added', { storeId, plu, until })
    .as(sql`${insertion} on conflict (${key}) do nothing returning ${storeId}, ${plu}, ${until}`);
  return db.with(added).select().from(added);
});

const changeUntil = prepare((db, given: Given<Entries>) => {
  const { $rows, entry, isIts } = join(given);
  const present = db.$with('present').as(
    db
      .select({
        storeId,
        plu,
        before: sql<Date | null>`${until}`.as('until_before'),
        after: sql<Date | null>`${entry.until}`.as('until_after'),
      })
      .from(stockOuts)
      .innerJoin($rows, isIts)
      .where(sql`${until} is distinct from ${entry.until}`)
      .orderBy(storeId, plu)
      .for('update', { of: stockOuts }),
  );
  return db
    .with(present)
    .update(stockOuts)
    .set({ until: sql`${present.after}` })
    .from(present)
    .where(and(eq(merchantId, given.merchantId), eq(storeId, present.storeId), eq(plu, present.plu)))
    .returning({ storeId, plu, until: present.before });
});

/** Makes items available again. Returns the previous state of those that were sold out. */
export async function removeStockOuts(
  tx: Tx,
  merchant: EventSettings,
  entries: Pick<StockOut, 'storeId' | 'plu'>[],
  now: Date,
): Promise<StockOut[]> {
  const removed = await remove(tx.db, { merchantId: tx.merchantId, entries });
  const restored = removed.filter((one) => one.until === null || one.until > now);
  if (restored.length > 0) await announceChange(tx, 'stockOuts');
  // Also for items whose time was over: no one else reports that they are available again.
  await sendStockOutEvents(tx, merchant, removed, now);
  return restored;
}

const remove = prepare((db, given: Given<Entries>) => {
  const { $rows, isIts } = join(given);
  const present = db
    .$with('present')
    .as(
      db
        .select({ storeId, plu })
        .from(stockOuts)
        .innerJoin($rows, isIts)
        .orderBy(storeId, plu)
        .for('update', { of: stockOuts }),
    );
  const isPresent = and(eq(merchantId, given.merchantId), eq(storeId, present.storeId), eq(plu, present.plu));
  const removed = db
    .$with('removed', { storeId, plu, until })
    .as(sql`delete from ${stockOuts} using ${present} where ${isPresent} returning ${storeId}, ${plu}, ${until}`);
  return db.with(present, removed).select().from(removed);
});

/** True if it is sold out at `now`. */
export const isOut = (now: Date | Placeholder) => or(isNull(until), gt(until, now));
