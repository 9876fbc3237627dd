import { randomUUID } from 'node:crypto';
import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { isUniqueViolation, type Tx, withMerchant } from '../driver';
import { apiKeys, customers, lots, merchants, stores, throttles, voucherCampaigns } from '../schema';
import { ownDatabase } from '../testing/database';
import { replacedFunctions } from '../testing/replaced-functions';
import { anyOf, type databaseFunction, insertFrom, insertRows, jsonArray, nameOf, recordset } from './expressions';
import * as functions from './functions';
import { type Given, only, prepare } from './queries';

const database = ownDatabase();
const merchantId = randomUUID();
const storeId = randomUUID();
const inMerchant = <T>(work: (tx: Tx) => Promise<T>) => withMerchant(database.db, merchantId, work);

beforeAll(async () => {
  const names = { name: 'A', currency: 'SGD', country: 'SG', time_zone: 'UTC', locale: 'en' };
  await database.owner`insert into merchants ${database.owner({ id: merchantId, ...names })}`;
  await inMerchant(({ db }) =>
    db.insert(stores).values({ merchantId, id: storeId, storeCode: 'NORTH', name: 'North' }),
  );
});

describe('queries', () => {
  test('return each type as declared in the schema', async () => {
    const [instant, day] = [new Date('2026-02-03T04:05:06.789Z'), '2026-02-03'];
    const campaign = { id: randomUUID(), name: 'Ten off', unit: 'ItemDollarValue', trigger: 'seasonal' } as const;
    const written = {
      ...campaign,
      value: 9_007_199_254_740_991,
      plus: ['a"b', 'c,d'],
      validFrom: instant,
      seasonalOn: day,
    };
    await inMerchant(({ db }) => db.insert(voucherCampaigns).values({ merchantId, ...written }));
    const hash = Buffer.from([0, 92, 255]);
    const key = { id: randomUUID(), name: 'Till', environment: 'sandbox', lastFour: 'abcd', hash } as const;
    await inMerchant(({ db }) => db.insert(apiKeys).values({ merchantId, ...key }));
    const [found] = await inMerchant(({ db }) => db.select().from(voucherCampaigns));
    expect(found).toMatchObject({ ...written, maxDiscount: null, stackable: false });
    expect((await inMerchant(({ db }) => db.select({ hash: apiKeys.hash }).from(apiKeys)))[0]?.hash).toEqual(hash);
    expect(await inMerchant(({ db }) => db.select({ keys: count() }).from(apiKeys))).toEqual([{ keys: 1 }]);
  });

  test('over several tables return null for a missing row of an outer join, and empty values unchanged', async () => {
    const keys = await inMerchant(({ db }) =>
      db
        .select({ code: stores.storeCode, key: { id: apiKeys.id, name: apiKeys.name } })
        .from(stores)
        .leftJoin(apiKeys, and(eq(apiKeys.merchantId, stores.merchantId), eq(apiKeys.storeId, stores.id))),
    );
    expect(keys).toEqual([{ code: 'NORTH', key: null }]);
    const settings = { limit: merchants.balanceLimit, months: merchants.pointsExpiryMonths };
    const own = await inMerchant(({ db }) =>
      db.select({ settings }).from(stores).innerJoin(merchants, eq(merchants.id, stores.merchantId)),
    );
    expect(own).toEqual([{ settings: { limit: null, months: null } }]);
  });

  test('qualify columns in expressions, so that a subquery reads the outer row', async () => {
    const ofStore = sql<number>`(select count(*) from ${apiKeys} where ${apiKeys.storeId} = ${stores.id})`;
    await database.owner`update api_keys set store_id = ${storeId}`;
    expect(await inMerchant(({ db }) => db.select({ keys: ofStore }).from(stores))).toEqual([{ keys: 1 }]);
    expect(await inMerchant(({ db }) => db.select({ keys: ofStore.as('keys') }).from(stores))).toEqual([{ keys: 1 }]);
  });

  test('write limits as literals that the planner can see', () => {
    const { pool } = database.db;
    const first = pool.select({ id: stores.id }).from(stores).orderBy(asc(stores.id)).limit(3).offset(0);
    expect(first.toSQL()).toEqual({ sql: expect.stringMatching(/limit 3 offset 0$/), params: [] });
    const both = first.unionAll(pool.select({ id: stores.id }).from(stores)).limit(2);
    expect(both.toSQL().sql).toMatch(/\) limit 2$/);
  });

  test("fail with PostgreSQL's own error, which quotes no parameter", async () => {
    const secret = randomUUID();
    const insert = () => database.db.pool.insert(throttles).values({ key: secret, attempts: 1, resetsAt: new Date() });
    expect(await insert()).toEqual({ count: 1 });
    const error: Error = await insert().then(
      () => new Error('was inserted twice'),
      (reason) => reason,
    );
    expect(isUniqueViolation(error, 'throttles_pkey')).toBe(true);
    expect(`${error.message} ${error.stack}`).not.toContain(secret);
  });

  test('in one Promise.all are sent together and run in order', async () => {
    const key = randomUUID();
    const attempts = await inMerchant(async ({ db }) => {
      const [, , found] = await Promise.all([
        db.insert(throttles).values({ key, attempts: 1, resetsAt: new Date() }),
        db
          .update(throttles)
          .set({ attempts: sql`${throttles.attempts} + 1` })
          .where(eq(throttles.key, key)),
        db.select({ attempts: throttles.attempts }).from(throttles).where(eq(throttles.key, key)),
      ]);
      return only(found).attempts;
    });
    expect(attempts).toBe(2);
  });

  test('that must return a row fail where it is missing', () => {
    expect(only([1])).toBe(1);
    expect(() => only([])).toThrow('missing');
  });
});

describe('a prepared query', () => {
  const find = prepare((db, given: Given<{ storeCode: string; since: Date }>) =>
    db
      .select({ id: stores.id, name: stores.name })
      .from(stores)
      .where(and(eq(stores.storeCode, given.storeCode), gt(stores.createdAt, given.since))),
  );
  const since = new Date(0);

  test('runs on any connection with the values of each run', async () => {
    const ofCode = (storeCode: string) => inMerchant(({ db }) => find(db, { storeCode, since }));
    expect(await Promise.all([ofCode('NORTH'), ofCode('SOUTH')])).toEqual([[{ id: storeId, name: 'North' }], []]);
    expect(await find(database.db.pool, { storeCode: 'NORTH', since })).toEqual([]);
  });

  test('is parsed once on a connection', async () => {
    const names = await inMerchant(async ({ db }) => {
      for (const storeCode of ['NORTH', 'EAST']) await find(db, { storeCode, since });
      return db
        .select({ name: sql<string>`name` })
        .from(sql`pg_prepared_statements`)
        .where(sql`statement = ${find(db, { storeCode: '', since }).toSQL().sql}`);
    });
    expect(names).toHaveLength(1);
  });

  test('may be a statement that returns no rows', async () => {
    const key = randomUUID();
    const write = prepare((_, given: Given<{ key: string }>) =>
      insertFrom(throttles, { key: given.key, attempts: 1, resetsAt: sql<Date>`now()` }),
    );
    expect(await write(database.db.pool, { key })).toEqual({ count: 1 });
  });
});

describe('rows as one parameter', () => {
  test('are read with their types, and nullable fields may be omitted', async () => {
    const shape = { hash: apiKeys.hash, at: lots.expiresAt, amount: lots.remaining, tags: voucherCampaigns.plus };
    const hash = Buffer.from([1, 92, 254]);
    const at = new Date('2026-02-03T04:05:06.789Z');
    const { $rows, ...row } = recordset('row', shape, [
      { hash, at, amount: 9_007_199_254_740_991, tags: ['a"b', 'c'] },
      { hash, amount: 0, tags: [] },
    ]);
    expect(await database.db.pool.select(row).from($rows)).toEqual([
      { hash, at, amount: 9_007_199_254_740_991, tags: ['a"b', 'c'] },
      { hash, at: null, amount: 0, tags: [] },
    ]);
  });

  test('are inserted for the current merchant, with the given conflict clause', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    const insert = insertRows(
      stores,
      ['id', 'storeCode', 'name'],
      sql`(${nameOf(stores.merchantId)}, ${nameOf(stores.storeCode)}) do update set ${nameOf(stores.name)} = ${stores.name} || '!'`,
    );
    const rows = [
      { id, storeCode: 'NORTH', name: 'Other' },
      { id: other, storeCode: 'WEST', name: 'West' },
    ];
    expect(await inMerchant((tx) => insert(tx, rows))).toEqual({ count: 2 });
    const all = await inMerchant(({ db }) =>
      db
        .select({ id: stores.id, name: stores.name })
        .from(stores)
        .where(anyOf(stores.storeCode, ['NORTH', 'WEST', 'NOWHERE']))
        .orderBy(stores.name),
    );
    expect(all).toEqual([
      { id: storeId, name: 'North!' },
      { id: other, name: 'West' },
    ]);
  });

  test('come back as JSON', async () => {
    const json = jsonArray({ code: stores.storeCode, at: stores.createdAt }, asc(stores.storeCode));
    const { list } = only(await inMerchant(({ db }) => db.select({ list: json }).from(stores)));
    expect(list?.map(({ code, at }) => [code, Number.isNaN(Date.parse(at))])).toEqual([
      ['NORTH', false],
      ['WEST', false],
    ]);
    const nobody = jsonArray({ id: customers.id });
    expect(await inMerchant(({ db }) => db.select({ list: nobody }).from(customers))).toEqual([{ list: null }]);
  });
});

describe('the functions of the database', () => {
  type Declared = ReturnType<typeof databaseFunction>;
  const declared = Object.values(functions) as unknown as Declared[];
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

  test.each(declared.map((one) => [one.$name, one] as const))(
    '%s takes and returns what is declared',
    async (name, one) => {
      const [found] = await database.owner<{ takes: string; answers: string }[]>`
      select pg_get_function_arguments(oid) as takes, pg_get_function_result(oid) as answers
      from pg_proc where proname = ${name} and pronamespace = 'public'::regnamespace`;
      const list = (shape: Declared['$columns']) =>
        Object.entries(shape)
          .map(([key, type]) => `${snake(key)} ${typeName(type)}`)
          .join(', ');
      expect(found?.takes).toBe(list(one.$takes));
      const answers = /^TABLE\((.*)\)$/.exec(found?.answers ?? '')?.[1];
      const [only, ...more] = Object.values(one.$columns);
      if (answers !== undefined) expect(answers).toBe(list(one.$columns));
      else expect([found?.answers, more]).toEqual([only ? typeName(only) : 'void', []]);
    },
  );

  test('that may be called across merchants are all declared', async () => {
    const all = await database.owner`
      select proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`;
    const names = all.map(({ name }) => name).filter((name) => !replacedFunctions.includes(name));
    expect(names.sort()).toEqual(
      declared
        .map(({ $name }) => $name)
        .filter((name) => !['has_second_factor', 'set_tenant', 'zone_offsets'].includes(name))
        .sort(),
    );
  });

  function typeName(type: Declared['$columns'][string]): string {
    const named = 'getSQLType' in type ? sql.raw(type.getSQLType()) : type;
    const { sql: text } = database.db.pool.select({ named }).from(stores).toSQL();
    const [, name = ''] = /^select (.*) from/.exec(text) ?? [];
    return name.replace(/^timestamptz$|^timestamp \(3\) with time zone$/, 'timestamp with time zone');
  }
});
