/**
 * What the log of requests does while its database is slow or away, and tells open screens; what it keeps is seen over
 * HTTP in `e2e/rest`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { connect } from '@/db/client';
import { sharedDatabase, type TestDatabase } from '@/db/testing/database';
import { topics } from '@/server/domain/core/changes';
import { newId } from '@/server/domain/core/ids';
import { followChanges } from '@/server/live/changes';
import { createLogger } from '@/server/log';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { endpoints } from './endpoints';
import { createRequestLog } from './request-log';

const log = createLogger('silent');
let database: TestDatabase;
let merchant: TestMerchant;
let apiKeyId: string;

beforeAll(async () => {
  database = await sharedDatabase(inject('adminUrl'));
  merchant = await createMerchant(database.owner);
  const [key] = await database.owner`select id from api_keys where merchant_id = ${merchant.id} limit 1`;
  apiKeyId = key?.id;
});
afterEach(() => void vi.useRealTimers());
afterAll(() => database.drop());

const request = () => ({
  merchantId: merchant.id,
  apiKeyId,
  id: newId(),
  operation: 'ping',
  status: 200,
  errorCode: null,
  durationMs: 1,
  createdAt: new Date(),
});
const kept = async () => (await database.owner`select count(*)::int as rows from api_requests`)[0]?.rows;

test('a full batch is written without waiting for its second; the rest at the end', async () => {
  const requests = createRequestLog(testServices(database.db), log);
  const before = await kept();
  // A connection that is not there yet would wait for its timer, too.
  await database.db.pool.execute('select 1');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let n = 0; n < 1_203; n++) requests.record(request());
  // Polling would let the second pass.
  while ((await kept()) < before + 1_000) await wait(10);
  await requests.flush();
  expect(await kept()).toBe(before + 1_203);
});

test('a few are written within about a second', async () => {
  const requests = createRequestLog(testServices(database.db), log);
  const before = await kept();
  requests.record(request());
  await expect.poll(kept, { timeout: 5_000 }).toBe(before + 1);
});

test('with the database away it neither fails, nor grows, nor stops for good', async () => {
  const away = connect('postgres://nobody@127.0.0.1:9/none', { max: 1 });
  const services = testServices(away);
  const requests = createRequestLog(services, log);
  const before = await kept();
  for (let n = 0; n < 20_000; n++) requests.record(request());
  services.db = database.db;
  await requests.flush();
  // A batch was on its way to the database that is away.
  expect(await kept()).toBe(before + 5_000);
  requests.record(request());
  await requests.flush();
  expect(await kept()).toBe(before + 5_001);
  await away.close();
});

/** What the screens of a merchant hear while `work` is under way. */
async function toldBy(work: () => Promise<unknown>, merchantId = merchant.id): Promise<string[]> {
  const closing = new AbortController();
  const changes = followChanges(database.db, merchantId, { signal: closing.signal, mayFollow: async () => true });
  const told: string[] = [];
  for (let n = 0; n < topics.length; n++) await changes.next();
  const reading = (async () => {
    for await (const topic of changes) {
      told.push(topic);
      if (topic === 'menu') closing.abort();
    }
  })();
  await work();
  // Behind all that was told before.
  const last = JSON.stringify({ merchantId, topic: 'menu' });
  await database.owner`select pg_notify('merchant_changes', ${last})`;
  await reading;
  return told.slice(0, -1);
}

test('screens are told of transactions once for many of them, and of nobody else’s', async () => {
  const other = await createMerchant(database.owner);
  const work = async () => {
    const requests = createRequestLog(testServices(database.db), log);
    for (let n = 0; n < 30; n++) {
      for (const operation of ['topUpStoredValue', 'submitSale', 'ping']) requests.record({ ...request(), operation });
    }
    await requests.flush();
  };
  expect(await toldBy(work)).toEqual(['transactions']);
  expect(await toldBy(work, other.id)).toEqual([]);
});

test('every operation that leaves a transaction behind is told of, and no other', async () => {
  const told: string[] = [];
  for (const { operation } of endpoints) {
    const requests = createRequestLog(testServices(database.db), log);
    const work = () => {
      requests.record({ ...request(), operation });
      return requests.flush();
    };
    if ((await toldBy(work)).length > 0) told.push(operation);
  }
  const booking = endpoints.filter(
    ({ operation, meta }) => operation === 'voidTransactions' || meta.errors?.includes('transaction_id_conflict'),
  );
  expect(told.sort()).toEqual(booking.map(({ operation }) => operation).sort());
  expect(told).toHaveLength(6);
});
