/** How many requests all instances let through together, and how many queries that takes. */

import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { appRole, connectDatabase, type Database, queriesOn } from '@/db/driver';
import { takeTokens } from '@/db/query/functions';
import { Queries } from '@/db/query/queries';
import { sharedDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import { forgetExpired } from '../access/forget-expired';
import { newId } from '../kernel/ids';
import { checkRate, limitRate, type Rate } from './rate-limit';

const database = sharedDatabase();
const instances: Database[] = [];

beforeAll(async () => {
  for (let n = 0; n < 3; n++) instances.push(connectDatabase(database.url, { role: appRole, max: 4 }));
});
afterAll(() => Promise.all(instances.map((db) => db.close())));

/** An instance that counts its queries. */
function counted({ pool }: Database) {
  const count = { queries: 0 };
  const counting = new Queries((statement) => {
    count.queries += 1;
    return pool.send(statement);
  });
  return { db: { pool: counting } as Database, count };
}

/** Returns how many tokens a bucket of ten grants for `wanted`. */
function take(db: Queries, bucketName: string, rate: number, wanted: number) {
  const { $rows, granted } = takeTokens({ bucketName, rate, burst: 10, wanted });
  return db.select({ granted }).from($rows);
}

/** Returns whether a request got through. Errors: any refusal other than the limit's. */
const isLetThrough = (db: Database, bucket: string, rate: Rate) =>
  limitRate({ db }, bucket, rate).then(
    () => true,
    (error) => (error.code === 'rate_limited' ? false : Promise.reject(error)),
  );

test('three instances with sixteen clients each let through exactly what one bucket has', async () => {
  const rate = { perSecond: 20, burst: 30 };
  const bucket = newId();
  const from = performance.now();
  const times: number[] = [];
  const client = async (db: Database) => {
    while (times.length < 60) {
      if (await isLetThrough(db, bucket, rate)) times.push(performance.now());
      else await turn();
    }
  };
  await Promise.all(instances.flatMap((db) => Array.from({ length: 16 }, () => client(db))));
  const tooEarly = times.filter((at, n) => n + 1 > rate.burst + (rate.perSecond * (at - from)) / 1000);
  expect(tooEarly).toEqual([]);
});

test('of two concurrent takers, the second sees what the first left', async () => {
  const [first, second] = instances as [Database, Database];
  const bucket = newId();
  await take(first.pool, bucket, 0.001, 1);
  const connection = await first.reserve();
  const holder = queriesOn(connection);
  try {
    await holder.run(sql`begin`);
    expect(await take(holder, bucket, 0.001, 9)).toEqual([{ granted: 9 }]);
    const waiting = take(second.pool, bucket, 0.001, 9).execute();
    await vi.waitFor(async () => {
      const rows = await database.owner`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(rows).toHaveLength(1);
    }, 40_000);
    await holder.run(sql`commit`);
    expect(await waiting).toEqual([{ granted: 0 }]);
  } finally {
    await holder.run(sql`rollback`);
    connection.release();
  }
});

test('a bucket filled by a clock that was set back refills by the current one', async () => {
  const [{ pool }] = instances as [Database];
  const bucket = newId();
  expect(await take(pool, bucket, 1_000, 10)).toEqual([{ granted: 10 }]);
  await database.owner`
    update rate_buckets set tokens = 0, refilled_at = now() + interval '1 hour' where bucket = ${bucket}`;
  expect(await take(pool, bucket, 1_000, 10)).toEqual([{ granted: 0 }]);
  await vi.waitFor(async () => expect(await take(pool, bucket, 1_000, 1)).toEqual([{ granted: 1 }]), 40_000);
});

test('an empty bucket returns the seconds to wait, makes no further query, and affects no other', async () => {
  const { db, count } = counted(instances[0] as Database);
  const rate = { perSecond: 1, burst: 3 };
  const bucket = newId();
  const first = await Promise.all(Array.from({ length: 20 }, () => isLetThrough(db, bucket, rate)));
  expect(first.filter(Boolean)).toHaveLength(3);
  const { queries } = count;
  await expect(limitRate({ db }, bucket, rate)).rejects.toMatchObject({
    kind: 'throttled',
    details: { retryAfterSeconds: 1 },
  });
  expect(() => checkRate({ db }, bucket)).toThrow('Too many requests');
  expect(count.queries).toBe(queries);
  expect(await isLetThrough(db, newId(), rate)).toBe(true);
  expect(checkRate({ db }, newId())).toBe(false);
});

test('concurrent requests share a query, and a busy bucket queries rarely', async () => {
  const { db, count } = counted(instances[0] as Database);
  const rate = { perSecond: 50_000, burst: 50_000 };
  const shared = newId();
  await Promise.all(Array.from({ length: 200 }, () => limitRate({ db }, shared, rate)));
  expect(count.queries).toBeLessThanOrEqual(2);

  const hot = newId();
  const send = async (requests: number) => {
    for (let n = 0; n < requests; n++) {
      await limitRate({ db }, hot, rate);
      await database.db.pool.run(sql`select 'what the request is about'`);
      vi.advanceTimersByTime(1);
    }
  };
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    await send(600);
    count.queries = 0;
    await send(300);
    expect(count.queries).toBeLessThan(300 / 3);
  } finally {
    vi.useRealTimers();
  }
});

test('unused leased tokens lapse after a second', async () => {
  const { db, count } = counted(instances[0] as Database);
  const rate = { perSecond: 1_000, burst: 1_000 };
  const bucket = newId();
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    await Promise.all(Array.from({ length: 40 }, () => limitRate({ db }, bucket, rate)));
    // The demand of the last fifth of a second is leased ahead.
    vi.advanceTimersByTime(250);
    await limitRate({ db }, bucket, rate);
    const { queries } = count;
    vi.advanceTimersByTime(990);
    await limitRate({ db }, bucket, rate);
    expect(count.queries).toBe(queries);
    vi.advanceTimersByTime(20);
    await limitRate({ db }, bucket, rate);
    expect(count.queries).toBe(queries + 1);
  } finally {
    vi.useRealTimers();
  }
});

test('a database that is down fails all who wait, and the next request queries again', async () => {
  const [, , db] = instances as [Database, Database, Database];
  const broken = { ...db, pool: new Queries(() => Promise.reject(new Error('away'))) };
  const rate = { perSecond: 1, burst: 5 };
  const bucket = newId();
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => limitRate({ db: broken }, bucket, rate)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  broken.pool = db.pool;
  await limitRate({ db: broken }, bucket, rate);
});

test('only buckets that are full again are deleted', async () => {
  const [db] = instances as [Database];
  await limitRate({ db }, newId(), { perSecond: 1, burst: 5 });
  await database.owner`update rate_buckets set full_at = now() + interval '1 minute'`;
  const [{ kept }] = await database.owner<[{ kept: number }]>`select count(*)::int as kept from rate_buckets`;
  await limitRate({ db }, newId(), { perSecond: 50_000, burst: 5 });
  await vi.waitFor(async () => {
    await forgetExpired(testServices(database.db));
    expect((await database.owner`select from rate_buckets`).length).toBe(kept);
  }, 40_000);
});

test('buckets that need tokens at the same moment share a query, and each is counted by itself', async () => {
  const { db, count } = counted(instances[0] as Database);
  const names = Array.from({ length: 20 }, newId);
  const rate = { perSecond: 1, burst: 2 };
  const outcomes = await Promise.all(
    names.flatMap((name, n) => Array.from({ length: n % 4 }, () => isLetThrough(db, name, rate))),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(names.reduce((sum, _, n) => sum + Math.min(2, n % 4), 0));
  expect(count.queries).toBeLessThan(5);
});
