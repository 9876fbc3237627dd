/**
 * What the database hides from staff of named stores, whatever the application does. Covers every table with a store.
 */

import { randomUUID } from 'node:crypto';
import { count, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Database, limitToStores, showAllStores, withMerchant } from '../driver';
import { setTenant } from '../query/functions';
import { ownDatabase } from '../testing/database';
import { dropConstraints, insertSample } from '../testing/sample-rows';
import { orders, stores } from '.';

const merchantId = randomUUID();
const [north, south] = [randomUUID(), randomUUID()];

/** Tables whose rows belong to a store through a parent row: the parent table, and the column with its id. */
const children = {
  order_lines: ['orders', 'order_id', 'id'],
  sales: ['transactions', 'transaction_uid', 'uid'],
  sale_lines: ['transactions', 'transaction_uid', 'uid'],
  sale_payments: ['transactions', 'transaction_uid', 'uid'],
} as const;
/** Tables whose rows may have no store. A row without one belongs to the merchant, and everyone sees it. */
const seenWithout = ['api_keys', 'events', 'transactions', 'voids'];

const database = ownDatabase();
/** The service's database for staff of the northern store. */
let limited: Database;
let tables: { name: string; storeIsOptional: boolean }[];

beforeAll(async () => {
  const { owner } = database;
  await dropConstraints(owner);
  limited = limitToStores(database.db, [north]);
  const merchant = { currency: 'SGD', country: 'SG', time_zone: 'Asia/Singapore', locale: 'en-SG' };
  await owner`insert into merchants ${owner({ ...merchant, id: merchantId, name: 'A' })}`;
  tables = await owner`
    select c.relname as name, not a.attnotnull as "storeIsOptional"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'store_id'
    order by 1`;
  for (const id of [north, south]) {
    await insertSample(owner, 'stores', { merchant_id: merchantId, id });
    for (const { name } of tables) {
      const parent = await insertSample(owner, name, { merchant_id: merchantId, store_id: id });
      for (const [child, [table, column, key]] of Object.entries(children)) {
        if (table === name) await insertSample(owner, child, { merchant_id: merchantId, [column]: parent[key] });
      }
    }
  }
  for (const { name, storeIsOptional } of tables) {
    if (storeIsOptional) await insertSample(owner, name, { merchant_id: merchantId });
  }
});

const rowsSeen = (db: Database, table: string, where = sql`true`) =>
  withMerchant(db, merchantId, async (tx) => {
    const [row] = await tx.db.select({ rows: count() }).from(sql`${sql.identifier(table)} where ${where}`);
    return row?.rows;
  });

test('staff of a store see its rows in every table with a store, and none of another store', async () => {
  expect(tables.length).toBeGreaterThan(12);
  const seen: Record<string, unknown> = {};
  for (const { name } of tables) {
    seen[name] = {
      north: await rowsSeen(limited, name, sql`store_id = ${north}`),
      south: await rowsSeen(limited, name, sql`store_id = ${south}`),
      none: await rowsSeen(limited, name, sql`store_id is null`),
    };
  }
  expect(seen).toEqual(
    Object.fromEntries(
      tables.map(({ name, storeIsOptional }) => [
        name,
        { north: 1, south: 0, none: storeIsOptional && seenWithout.includes(name) ? 1 : 0 },
      ]),
    ),
  );
});

test('what belongs to a row of another store is hidden with it', async () => {
  const seen = Object.keys(children).map(async (name) => [name, await rowsSeen(limited, name)]);
  const all = Object.keys(children).map(async (name) => [name, await rowsSeen(database.db, name)]);
  const each = (rows: number) => Object.fromEntries(Object.keys(children).map((name) => [name, rows]));
  expect(Object.fromEntries(await Promise.all(seen))).toEqual(each(1));
  expect(Object.fromEntries(await Promise.all(all))).toEqual(each(2));
});

test('they see their store alone, and nothing where no store is named', async () => {
  expect(await rowsSeen(limited, 'stores')).toBe(1);
  const nobody = limitToStores(database.db, []);
  for (const { name } of tables) expect(await rowsSeen(nobody, name, sql`store_id is not null`), name).toBe(0);
  expect(await rowsSeen(nobody, 'stores')).toBe(0);
});

test('rows of another store are neither written nor changed', async () => {
  const move = withMerchant(limited, merchantId, ({ db }) => db.update(stores).set({ closedAt: new Date() }));
  expect((await move).count).toBe(1);
  const row = { merchantId, qrCodeId: randomUUID(), clientOrderId: randomUUID(), number: 9, total: 1 };
  const times = { placedAt: new Date(), updatedAt: new Date() };
  const place = (storeId: string) =>
    withMerchant(limited, merchantId, ({ db }) =>
      db.insert(orders).values({ ...row, ...times, id: randomUUID(), storeId }),
    );
  await expect(place(south)).rejects.toMatchObject({ code: '42501' });
  await expect(place(north)).resolves.toMatchObject({ count: 1 });
});

describe('single statements', () => {
  const idsOf = async (db: Database['pool']) => {
    const { $rows, id } = setTenant({ merchant: sql`${merchantId}::uuid` });
    const seen = db.select({ id: stores.id }).from(stores).where(eq(stores.merchantId, id)).as('seen');
    const rows = await db.select({ id: seen.id }).from($rows).innerJoinLateral(seen, sql`true`);
    return rows.map((row) => row.id).sort();
  };

  test('of staff of a store see that store’s rows, and leave no limit behind for others', async () => {
    for (const pool of ['pool', 'reads'] as const) {
      expect(await idsOf(limited[pool])).toEqual([north]);
      expect(await idsOf(database.db[pool])).toEqual([north, south].sort());
    }
    const both = await Promise.all(
      Array.from({ length: 30 }, (_, n) => idsOf((n % 2 === 0 ? limited : database.db).reads)),
    );
    expect(both.map((ids) => ids.length)).toEqual(both.map((_, n) => (n % 2 === 0 ? 1 : 2)));
  });
});

test('a transaction can be shown all stores once its own rows were found', async () => {
  const [before, after] = await withMerchant(limited, merchantId, async (tx) => {
    const seen = async () => await tx.db.select({ id: stores.id }).from(stores);
    const own = await seen();
    showAllStores(tx);
    return [own, await seen()];
  });
  expect([before, after].map((rows) => rows?.length)).toEqual([1, 2]);
  expect(await rowsSeen(limited, 'stores')).toBe(1);
});

test('the ids of stores are ids', async () => {
  const db = limitToStores(database.db, ["'; set local app.stores = '"]);
  await expect(withMerchant(db, merchantId, async () => {})).rejects.toThrow(TypeError);
});
