import { randomUUID } from 'node:crypto';
import { count, eq, type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { only, type Queries } from '../query/queries';
import { merchants, throttles } from '../schema';
import { ownDatabase } from '../testing/database';
import { connectDatabase, type Database } from './client';
import { isUnavailable, isUniqueViolation } from './errors';
import { withMerchant } from './tenant';
import type { Tx } from './transaction';

const merchantA = randomUUID();
const merchantB = randomUUID();
const database = ownDatabase();
let db: Database;

beforeAll(async () => {
  const { owner } = database;
  await owner.unsafe(`do $$ begin execute format('alter database %I set deadlock_timeout = ''50ms''',
    current_database()); end $$`);
  const row = { currency: 'SGD', country: 'SG', time_zone: 'Asia/Singapore', locale: 'en-SG' };
  for (const [id, name] of [
    [merchantA, 'A'],
    [merchantB, 'B'],
  ]) {
    await owner`insert into merchants ${owner({ ...row, id, name })}`;
  }
  // One connection: each caller gets the one that the last caller released.
  db = connectDatabase(database.url, { role: 'loyalty_app', max: 1 });
});
afterAll(() => db?.close());

let key = '';
beforeEach(() => {
  key = randomUUID();
});

/** Writes a row that belongs to no tenant: it shows whether the transaction was committed. */
const write = ({ db: own }: Pick<Tx, 'db'>, name = key) =>
  own.insert(throttles).values({ key: name, attempts: 1, resetsAt: new Date() });
const isKept = async (name = key): Promise<boolean> =>
  (await database.owner`select from throttles where key = ${name}`).length === 1;
const failure = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error,
  );

/** The connection's tenant outside withMerchant, and the rows it sees. */
async function leftBehind(): Promise<{ tenant: string; merchants: number; isInTransaction: boolean }> {
  const merchant = sql<string>`coalesce(current_setting('app.merchant_id', true), '')`;
  const seenOf = db.pool.select({ count: count() }).from(merchants);
  const state = { tenant: merchant, merchants: sql<number>`${seenOf}`, began: sql<string>`now()::text` };
  const look = async () => only(await db.pool.select(state).from(sql`(select) one`));
  const [{ tenant, merchants: seen, began }, again] = [await look(), await look()];
  return { tenant, merchants: seen, isInTransaction: began === again.began };
}
const nothing = { tenant: '', merchants: 0, isInTransaction: false };

const pidOf = async (queries: Queries) =>
  only(await queries.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`(select) one`)).pid;

async function breakConnection({ db: own }: Tx): Promise<void> {
  await database.owner`select pg_terminate_backend(${await pidOf(own)}, 5000)`;
  await own.run(sql`select 1`);
}

const seenBy = async ({ db: own }: Tx) => (await own.select({ id: merchants.id }).from(merchants)).map(({ id }) => id);

const fail = ({ db: own }: Tx) => own.run(sql`select 1 / 0`);

describe('withMerchant', () => {
  test('commits the writes and returns the result of the work', async () => {
    const seen = await withMerchant(db, merchantA, async (tx) => {
      await write(tx);
      return seenBy(tx);
    });
    expect(seen).toEqual([merchantA]);
    expect(await isKept()).toBe(true);
  });

  test('rolls back on an error thrown by the work, and rethrows it', async () => {
    const refusal = new Error('not today');
    const work = withMerchant(db, merchantA, async (tx) => {
      await write(tx);
      throw refusal;
    });
    expect(await failure(work)).toBe(refusal);
    expect(await isKept()).toBe(false);
  });

  test('a failed transaction returns its connection to the pool', async () => {
    const before = await pidOf(db.pool);
    await failure(withMerchant(db, merchantA, () => Promise.reject(new Error('no'))));
    await failure(withMerchant(db, merchantA, fail));
    expect(await pidOf(db.pool)).toBe(before);
  });

  test('rolls back on a database error, even with other statements in flight', async () => {
    const work = withMerchant(db, merchantA, async (tx) => {
      await Promise.all([write(tx), write(tx), write(tx, `${key} too`)]);
    });
    const error = await failure(work);
    expect([error.code, isUniqueViolation(error, 'throttles_pkey')]).toEqual(['23505', true]);
    expect(isUniqueViolation(error, 'users_email')).toBe(false);
    expect([await isKept(), await isKept(`${key} too`)]).toEqual([false, false]);
  });

  test('never reports success for a transaction that the database rolled back', async () => {
    const work = withMerchant(db, merchantA, async (tx) => {
      await write(tx);
      await fail(tx).catch(() => {});
      return 'all well';
    });
    expect((await failure(work))?.message).toMatch(/rolled back/);
    expect(await isKept()).toBe(false);
    expect(await leftBehind()).toEqual(nothing);
  });

  test('retries the work after a deadlock, and then both succeed', async () => {
    const { db: both } = database;
    let attempts = 0;
    let waiting: (() => void)[] = [];
    const meet = () =>
      new Promise<void>((done) => {
        waiting.push(done);
        if (waiting.length === 2) for (const go of waiting) go();
      });
    const [one, other] = [`${key} 1`, `${key} 2`];
    await database.owner`
      insert into throttles (key, attempts, resets_at) values (${one}, 0, now()), (${other}, 0, now())`;
    const add = (names: string[]) =>
      withMerchant(both, merchantA, async ({ db: own }) => {
        attempts++;
        const isFirst = attempts <= 2;
        for (const name of names) {
          const attempted = own.update(throttles).set({ attempts: sql`${throttles.attempts} + 1` });
          await attempted.where(eq(throttles.key, name));
          // Each holds one row before either requests the other.
          if (isFirst && name === names[0]) await meet();
        }
      });
    await Promise.all([add([one, other]), add([other, one])]);
    waiting = [];
    // More than 3 if the transaction that was rolled back retries before the other has finished.
    expect(attempts).toBeGreaterThanOrEqual(3);
    const rows = await database.owner`select attempts from throttles where key in (${one}, ${other})`;
    expect(rows.map(({ attempts: count }) => count)).toEqual([2, 2]);
  });

  test.each([
    ['40001', 4],
    ['40P01', 4],
    ['23514', 1],
  ])('after the error %s tries %i times in all', async (code, expected) => {
    let attempts = 0;
    const work = withMerchant(db, merchantA, async (tx) => {
      attempts++;
      await write(tx);
      await tx.db.run(sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`));
    });
    expect((await failure(work)).code).toBe(code);
    expect(attempts).toBe(expected);
    expect(await isKept()).toBe(false);
  });

  test.each(['', 'null', "x'; drop table throttles; --", merchantA.toUpperCase(), `${merchantA} `])(
    'takes no merchant but a UUID: %j',
    async (merchantId) => {
      const work = withMerchant(db, merchantId, async (tx) => write(tx));
      expect(await failure(work)).toBeInstanceOf(TypeError);
      expect(await isKept()).toBe(false);
    },
  );
});

describe('the tenant is reset at the end of its database transaction', () => {
  const asA = (work: (tx: Tx) => Promise<unknown>) => withMerchant(db, merchantA, work);
  const ways: [string, () => Promise<unknown>][] = [
    ['a success', () => asA((tx) => tx.db.run(sql`select 1`))],
    ["an error of the work's own", () => asA(() => Promise.reject(new Error('no')))],
    ['an error of the work before the first statement', () => asA(async () => JSON.parse('{'))],
    ['an error of the database', () => asA(fail)],
    ['an error that the work swallowed', () => asA((tx) => fail(tx).catch(() => {}))],
    [
      'an error with statements still under way',
      () => asA((tx) => Promise.all([fail(tx), tx.db.run(sql`select pg_sleep(0.05)`), tx.db.run(sql`select 2`)])),
    ],
    [
      'a retry',
      () => asA((tx) => tx.db.run(sql.raw(`do $$ begin raise exception 'no' using errcode = '40001'; end $$`))),
    ],
    ['a single statement', async () => await db.pool.run(sql`select * from set_tenant(${merchantA}), merchants`)],
    ['a single statement that failed', async () => await db.pool.run(sql`select 1 / 0 from set_tenant(${merchantA})`)],
    ['a broken connection', () => asA((tx) => breakConnection(tx))],
  ];

  test.each(ways)('after %s', async (_, way) => {
    await failure(way());
    expect(await leftBehind()).toEqual(nothing);
    expect(await withMerchant(db, merchantB, seenBy)).toEqual([merchantB]);
    expect(await leftBehind()).toEqual(nothing);
  });

  test('with many concurrent transactions on a few connections, each sees its own rows and all connections are returned', async () => {
    const few = connectDatabase(database.url, { role: 'loyalty_app', max: 3 });
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const own = i % 2 === 0 ? merchantA : merchantB;
        const seen = withMerchant(few, own, async (tx) => {
          const ids = await seenBy(tx);
          if (i % 3 === 0) throw new Error('undone');
          if (i % 5 === 0) await fail(tx);
          return ids.length === 1 && ids[0] === own;
        });
        return seen.catch((error) => error.message === 'undone' || error.code === '22012');
      }),
    );
    expect(new Set(outcomes)).toEqual(new Set([true]));
    const handles = await Promise.all([few.reserve(), few.reserve()]);
    for (const handle of handles) handle.release();
    await few.close();
  });
});

describe('values and errors of a connection', () => {
  test('an int8 is a number; one that a number cannot hold is an error', async () => {
    const ask = (value: SQL) => db.pool.select({ value }).from(sql`(select) one`);
    expect(await ask(sql`9007199254740991`)).toEqual([{ value: 9007199254740991 }]);
    expect(await ask(sql`sum(1::bigint)::bigint`)).toEqual([{ value: 1 }]);
    expect(await failure(ask(sql`9007199254740993`))).toBeInstanceOf(RangeError);
    expect(await leftBehind()).toEqual(nothing);
  });

  test('a statement that takes too long is cancelled and counts as unavailable', async () => {
    const hasty = connectDatabase(database.url, { role: 'loyalty_app', max: 1, statementTimeoutMs: 50 });
    const error = await failure(withMerchant(hasty, merchantA, async (tx) => tx.db.run(sql`select pg_sleep(5)`)));
    expect([error.code, isUnavailable(error)]).toEqual(['57014', true]);
    await hasty.close();
  });

  test('a broken connection counts as unavailable; a rejected query does not', async () => {
    expect(isUnavailable(await failure(withMerchant(db, merchantA, breakConnection)))).toBe(true);
    const refused = await failure(db.pool.run(sql`select 1 / 0`));
    expect([isUnavailable(refused), isUnavailable(null), isUnavailable(new Error('no'))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('a refused connection counts as unavailable', async () => {
    const nobody = connectDatabase('postgres://nobody@127.0.0.1:1/nothing', { max: 1 });
    expect(isUnavailable(await failure(withMerchant(nobody, merchantA, async () => {})))).toBe(true);
    await nobody.close();
  });
});
