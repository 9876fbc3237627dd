import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { menuItems, stockOuts, stores } from '@/db/schema';
import { type EventSettings, sendEvents, wantsEvent } from '../kernel/events';
import { isListed, nameOn, optionNames } from './names';

/** A PLU as a POS sees it. */
export const describeItem = (plu: string, name: string | null | undefined) => ({
  plu,
  name: name ?? null,
  known: typeof name === 'string',
});

/** Reads each PLU's name on the menu, if it has one, and whether (`isOut`) and until when it is sold out. */
export async function readItems({ merchantId, db }: Tx, storeId: string, plus: string[]) {
  const rows = await read(db, { merchantId, storeId, plus });
  return new Map(rows.map((row) => [row.plu, row]));
}

const read = prepare((db, given: Given<{ merchantId: string; storeId: string; plus: string[] }>) => {
  const plu = sql<string>`asked.plu`;
  const options = optionNames(db, given.merchantId);
  return db
    .select({ plu, name: nameOn(options), until: stockOuts.until, isOut: sql<boolean>`${stockOuts.plu} is not null` })
    .from(sql`unnest(${given.plus}::text[]) as asked (plu)`)
    .leftJoin(menuItems, isListed(given.merchantId, plu))
    .leftJoin(options, eq(options.plu, plu))
    .leftJoin(
      stockOuts,
      and(eq(stockOuts.merchantId, given.merchantId), eq(stockOuts.storeId, given.storeId), eq(stockOuts.plu, plu)),
    );
});

/** Sends an event for each store with the current state of the items. Call it after the change. */
export async function sendStockOutEvents(
  tx: Tx,
  settings: EventSettings,
  changed: { storeId: string; plu: string }[],
  now: Date,
): Promise<void> {
  if (changed.length === 0 || !wantsEvent(settings, 'stock_out.changed')) return;
  const storeIds = [...new Set(changed.map(({ storeId }) => storeId))];
  const { merchantId, db } = tx;
  const codes = await db
    .select({ storeId: stores.id, storeCode: stores.storeCode })
    .from(stores)
    .where(and(eq(stores.merchantId, merchantId), anyOf(stores.id, storeIds)));
  for (const { storeId, storeCode } of codes) {
    const plus = changed.filter((one) => one.storeId === storeId).map(({ plu }) => plu);
    const rows = await readItems(tx, storeId, plus.sort());
    const items = Array.from(rows.values(), ({ plu, name, until, isOut }) => ({
      ...describeItem(plu, name),
      status: isOut ? 'stocked_out' : 'restored',
      until: until?.toISOString() ?? null,
    }));
    sendEvents(tx, [{ type: 'stock_out.changed', storeId, occurredAt: now, data: { storeCode, items } }]);
  }
}
