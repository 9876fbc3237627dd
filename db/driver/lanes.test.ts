/**
 * Several merchants in one database transaction: none sees or writes another's rows, however their statements are
 * ordered.
 */
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows, recordset, setTenantOfEach, tablesWithTriggers } from '../query/expressions';
import { type Given, type Owned, only, prepareForRows } from '../query/queries';
import { customers, merchants, stores } from '../schema';
import { ownDatabase } from '../testing/database';
import { connectDatabase, type Database } from './client';
import { isAborted } from './errors';
import { withMerchants } from './tenant';
import type { Tx } from './transaction';

const ids = [randomUUID(), randomUUID(), randomUUID()];
const [a, b, c] = ids as [string, string, string];
const database = ownDatabase();
let db: Database;

beforeAll(async () => {
  const row = { currency: 'SGD', country: 'SG', time_zone: 'Asia/Singapore', locale: 'en-SG' };
  for (const id of ids) await database.owner`insert into merchants ${database.owner({ ...row, id, name: 'before' })}`;
  db = connectDatabase(database.url, { role: 'loyalty_app', max: 1 });
});
afterAll(() => db?.close());

/** The merchants whose rows a statement sees. Another `name` makes it a statement that is new on its connection. */
const seenBy = async ({ db: own }: Tx, name = 'seen') =>
  (await own.select({ id: sql<string>`${merchants.id}`.as(name) }).from(merchants)).map(({ id }) => id);
const rename = ({ db: own }: Tx, id: string, name: string) =>
  own.update(merchants).set({ name }).where(eq(merchants.id, id));
const names = async () =>
  (await database.owner`select name from merchants order by array_position(${ids}::uuid[], id)`).map(
    ({ name }) => name,
  );
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error,
  );

test('each sees its own rows alone, in whatever order they send, wait, and send again', async () => {
  const step = fc.constantFrom('read', 'read anew', 'send', 'pause');
  const steps = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 3, maxLength: 3 });
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (plans) => {
      const round = `round ${++serial}`;
      const seen = await withMerchants(db, ids, (txs) =>
        Promise.all(
          txs.map(async (tx, n) => {
            const all: string[] = [];
            for (const what of plans[n] ?? []) {
              if (what === 'read') all.push(...(await seenBy(tx)));
              if (what === 'read anew') all.push(...(await seenBy(tx, `seen_${++serial}`)));
              // Updates the rows of all merchants, but changes only its own.
              if (what === 'send') tx.send(tx.db.update(merchants).set({ name: `${round} of ${n}` }));
              if (what === 'pause') await Promise.resolve();
            }
            return [...new Set(all)];
          }),
        ),
      );
      for (const [n, plan] of plans.entries()) {
        expect(seen[n]).toEqual(plan.some((what) => what.startsWith('read')) ? [ids[n]] : []);
        if (plan.includes('send')) expect((await names())[n]).toBe(`${round} of ${n}`);
      }
    }),
    { numRuns: 60 },
  );
});

describe('one merchant among others', () => {
  test("changes nothing of another's, and what it inserts as another is refused", async () => {
    const before = await names();
    const counts = await withMerchants(db, ids, ([first, second]) =>
      Promise.all([rename(first as Tx, b, 'taken'), rename(second as Tx, a, 'taken')]),
    );
    expect(counts.map(({ count }) => count)).toEqual([0, 0]);
    expect(await names()).toEqual(before);
    const error = await failure(
      withMerchants(db, ids, async ([first, second, third]) => {
        const { db: own } = second as Tx;
        await rename(first as Tx, a, 'lost');
        third?.send(rename(third, c, 'lost'));
        await own.execute(
          sql`insert into stores (merchant_id, id, store_code, name) values (${c}, ${randomUUID()}, 'S', 'S')`,
        );
      }),
    );
    expect(error.code).toBe('42501');
    expect(await names()).toEqual(before);
  });

  test('that fails fails all with its own error; nothing is written, and the connection is free', async () => {
    const before = await names();
    const outcomes: unknown[] = [];
    const error = await failure(
      withMerchants(db, ids, async (txs) => {
        const results = await Promise.allSettled(
          txs.map(async (tx, n) => {
            await rename(tx, tx.merchantId, 'lost');
            await tx.db.run(n === 1 ? sql`select 1 / 0` : sql`select 1`);
            await seenBy(tx);
          }),
        );
        for (const result of results) if (result.status === 'rejected') outcomes.push(result.reason);
        throw outcomes.find((one) => !isAborted(one));
      }),
    );
    expect(error.code).toBe('22012');
    expect(await names()).toEqual(before);
    expect(await withMerchants(db, [c, a], (txs) => Promise.all(txs.map((tx) => seenBy(tx))))).toEqual([[c], [a]]);
  });

  test('sends nothing once the transaction has ended, even what it was just about to send', async () => {
    const before = await names();
    let late: Tx | undefined;
    const refusal = new Error('refused');
    const work = withMerchants(db, [a, b], async ([first, second]) => {
      late = second;
      first?.send(rename(first, a, 'lost'));
      throw refusal;
    });
    expect(await failure(work)).toBe(refusal);
    await expect(seenBy(late as Tx)).rejects.toThrow('has ended');
    expect(() => late?.send(rename(late, b, 'lost'))).toThrow('has ended');
    expect(await names()).toEqual(before);
  });
});

describe('a statement for several merchants', () => {
  const asked = (order: string[]) => {
    const { $rows, ...question } = recordset(
      'question',
      { n: sql<number>`int`, merchantId: merchants.id },
      order.map((merchantId, n) => ({ n, merchantId })),
    );
    return { $rows, question, tenant: setTenantOfEach(question.merchantId) };
  };

  test('reads for each row what its merchant sees', async () => {
    const order = [a, b, a, c, c, b];
    const { $rows, question, tenant } = asked(order);
    const seen = db.pool
      .select({ ids: sql<string[]>`array_agg(${merchants.id})`.as('ids') })
      .from(merchants)
      .where(sql`${tenant.id} is not null`)
      .as('seen');
    const rows = await db.pool
      .select({ n: question.n, isOwn: tenant.isOwn, id: tenant.id, ids: seen.ids })
      .from($rows)
      .crossJoin(tenant.$rows)
      .leftJoinLateral(seen, sql`true`);
    expect(rows).toEqual(order.map((id, n) => ({ n, isOwn: true, id, ids: [id] })));
  });

  test('that would collect its rows before it reads says so, and reads nobody else’s', async () => {
    const { $rows, question, tenant } = asked([a, b, c]);
    const collected = db.pool
      .select({ id: sql<string>`${tenant.id}`.as('tenant_id'), n: sql<number>`${question.n}`.as('n') })
      .from($rows)
      .crossJoin(tenant.$rows)
      .orderBy(sql`${question.n} desc`)
      .offset(0)
      .as('collected');
    const own = db.pool
      .select({ id: merchants.id })
      .from(merchants)
      .where(eq(merchants.id, collected.id))
      .limit(1)
      .as('own');
    const rows = await db.pool
      .select({ isOwn: setTenantOfEach(sql`${collected.id}`).isOwn, id: own.id })
      .from(collected)
      .leftJoinLateral(own, sql`true`);
    expect(rows).toEqual([c, b, a].map((id) => ({ isOwn: id === c, id: id === c ? c : null })));
  });
});

describe('joinable statements', () => {
  const shape = { merchantId: merchants.id, of: merchants.id };
  const read = prepareForRows((own, given: Given<{ rows: Owned<{ of: string }>[] }>) => {
    const { $rows, ...asked } = recordset('asked', shape, given.rows);
    const tenant = setTenantOfEach(asked.merchantId);
    const seen = own.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, asked.of)).limit(1).as('seen');
    return own
      .select({ id: seen.id, merchantId: asked.merchantId, isOwn: tenant.isOwn })
      .from($rows)
      .crossJoin(tenant.$rows)
      .leftJoinLateral(seen, sql`${tenant.id} is not null`);
  });
  const insert = insertRows(stores, ['id', 'storeCode', 'name']);
  const storesOf = async () =>
    (await database.owner`select merchant_id, store_code from stores order by store_code, merchant_id`).map((row) =>
      Object.values(row),
    );

  /** A connection that records the texts of its statements. */
  function watched() {
    const texts: string[] = [];
    const reserve = async () => {
      const connection = await db.reserve();
      const unsafe = ((text: string, ...rest: never[]) => {
        texts.push(text);
        return connection.unsafe(text, ...rest);
      }) as typeof connection.unsafe;
      return { unsafe, release: () => connection.release() };
    };
    return { db: { ...db, reserve }, count: (part: string) => texts.filter((text) => text.includes(part)).length };
  }

  test('of several merchants are one: each gets its own rows, and writes its own', async () => {
    const { db: own, count } = watched();
    const seen = await withMerchants(own, ids, (txs) =>
      Promise.all(
        txs.map(async (tx, n) => {
          const { merchantId } = tx;
          // The first merchant also asks for the others' rows, and sees none.
          const of = n === 0 ? ids : [merchantId];
          const rows = await read(
            tx,
            of.map((one) => ({ of: one })),
          );
          tx.send(insert(tx, [{ id: randomUUID(), storeCode: `J${n}`, name: 'joined' }]));
          await rename(tx, merchantId, `with ${n}`);
          return rows.map(({ id }) => id);
        }),
      ),
    );
    expect(seen).toEqual([[a, null, null], [b], [c]]);
    expect(await names()).toEqual(['with 0', 'with 1', 'with 2']);
    expect(await storesOf()).toEqual(ids.map((id, n) => [id, `J${n}`]));
    expect([count('json_to_recordset'), count('insert into "stores"'), count('update')]).toEqual([2, 1, 3]);
  });

  test('of a merchant without rows leave the others theirs; a write that is awaited tells its own number', async () => {
    const results = await withMerchants(db, ids, (txs) =>
      Promise.all(
        txs.map(async (tx, n) => {
          const rows = await read(tx, n === 1 ? [] : [{ of: tx.merchantId }]);
          tx.send(insert(tx, []));
          const many = Array.from({ length: n }, (_, i) => ({
            id: randomUUID(),
            storeCode: `A${n}${i}`,
            name: 'awaited',
          }));
          return [rows.length, (await insert(tx, many)).count];
        }),
      ),
    );
    expect(results).toEqual([
      [1, 0],
      [0, 1],
      [1, 2],
    ]);
  });

  test('insert into no table that has triggers', async () => {
    const rows = await database.owner`
      select distinct relname from pg_trigger join pg_class c on c.oid = tgrelid
      where not tgisinternal and tgenabled <> 'R' and relnamespace = 'public'::regnamespace`;
    expect(new Set(rows.map(({ relname }) => relname))).toEqual(tablesWithTriggers);
    expect(() => insertRows(customers, ['id'])).toThrow('trigger');
  });

  test('are of the merchant of their transaction, whatever a row says', async () => {
    const before = await storesOf();
    const row = { id: randomUUID(), storeCode: 'R', name: 'row', merchantId: c };
    await withMerchants(db, [a, b], async ([first, second]) => {
      first?.send(insert(first, [row]));
      expect(await read(second as Tx, [{ of: c, merchantId: c } as { of: string }])).toMatchObject([{ id: null }]);
    });
    const added = (await storesOf()).filter((one) => !before.some((known) => known.join() === one.join()));
    expect(added).toEqual([[a, 'R']]);
    await database.owner`delete from stores where name = 'row'`;
  });

  test('that name a merchant other than their own write nothing', async () => {
    const before = await storesOf();
    // The lane is this merchant's, but the row names another.
    const strange = (tx: Tx, merchantId: string) =>
      insert({ ...tx, merchantId }, [{ id: randomUUID(), storeCode: 'X', name: 'strange' }]);
    for (const merchantIds of [[a, b], [a]]) {
      const sent = withMerchants(db, merchantIds, async ([first]) => first?.send(strange(first, c)));
      await expect(sent).rejects.toThrow('another merchant');
      const awaited = withMerchants(db, merchantIds, async ([first]) => await strange(first as Tx, c));
      await expect(awaited).rejects.toThrow('another merchant');
    }
    expect(await storesOf()).toEqual(before);
  });

  test('that read as another merchant fail for all', async () => {
    const wrong = prepareForRows((own, given: Given<{ rows: Owned<{ of: string }>[] }>) => {
      const { $rows, ...asked } = recordset('asked', shape, given.rows);
      const tenant = setTenantOfEach(asked.merchantId);
      // Sorting collects all rows before it reads: it then reads all of them as the last merchant.
      const collected = own
        .select({ merchantId: sql<string>`${tenant.id}`.as('named') })
        .from($rows)
        .crossJoin(tenant.$rows)
        .orderBy(asked.merchantId)
        .offset(0)
        .as('collected');
      const { isOwn } = setTenantOfEach(sql`${collected.merchantId}`);
      return own.select({ merchantId: collected.merchantId, isOwn }).from(collected);
    });
    const results: PromiseSettledResult<unknown>[] = [];
    const error = await failure(
      withMerchants(db, ids, async (txs) => {
        results.push(...(await Promise.allSettled(txs.map((tx) => wrong(tx, [{ of: tx.merchantId }])))));
        throw new Error('undone');
      }),
    );
    expect(error.message).toBe('undone');
    expect(results.map(({ status }) => status)).toEqual(ids.map(() => 'rejected'));
  });
});

test('no merchant is left named on the connection', async () => {
  await withMerchants(db, ids, (txs) => Promise.all(txs.map((tx) => seenBy(tx))));
  const setting = sql<string>`coalesce(current_setting('app.merchant_id', true), '')`;
  const seen = sql<number>`${db.pool.select({ count: sql`count(*)::int` }).from(merchants)}`;
  expect(only(await db.pool.select({ setting, seen }).from(sql`(select) one`))).toEqual({ setting: '', seen: 0 });
});
