/**
 * The request log while its database is slow or down, and what it sends to open screens. For what it keeps, see
 * `e2e/rest`.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connectDatabase } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { topics } from '@/server/domain/kernel/changes';
import { newId } from '@/server/domain/kernel/ids';
import { followChanges } from '@/server/live/changes';
import { createLogger } from '@/server/observe/log';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { endpoints } from './endpoints';
import { createRequestLog } from './request-log';

const log = createLogger('silent');
const database = sharedDatabase();
let merchant: TestMerchant;
let apiKeyId: string;

beforeAll(async () => {
  merchant = await createMerchant(database.owner);
  const [key] = await database.owner`select id from api_keys where merchant_id = ${merchant.id} limit 1`;
  apiKeyId = key?.id;
});
afterEach(() => void vi.useRealTimers());

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

test('a full batch is written at once; the rest at the end', async () => {
  const requests = createRequestLog(testServices(database.db), log);
  const before = await kept();
  // Opens the connection first, because that would also wait for its timer.
  await database.db.pool.execute('select 1');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let n = 0; n < 1_203; n++) requests.record(request());
  // Not polled with fake timers, which would advance time past the flush.
  while ((await kept()) < before + 1_000) await wait(10);
  await requests.flush();
  expect(await kept()).toBe(before + 1_203);
});

test('a few requests are written within about a second', async () => {
  const requests = createRequestLog(testServices(database.db), log);
  const before = await kept();
  requests.record(request());
  await expect.poll(kept).toBe(before + 1);
});

test('while the database is down it does not fail, grow or stop for good', async () => {
  const away = connectDatabase('postgres://nobody@127.0.0.1:9/none', { max: 1 });
  const services = testServices(away);
  const requests = createRequestLog(services, log);
  const before = await kept();
  for (let n = 0; n < 20_000; n++) requests.record(request());
  services.db = database.db;
  await requests.flush();
  // One batch was being written when the database went down.
  expect(await kept()).toBe(before + 5_000);
  requests.record(request());
  await requests.flush();
  expect(await kept()).toBe(before + 5_001);
  await away.close();
});

/** Returns the events that a merchant's screens receive during `work`. */
async function eventsDuring(work: () => Promise<unknown>, merchantId = merchant.id): Promise<string[]> {
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
  // Sent after all earlier events.
  const last = JSON.stringify({ merchantId, topic: 'menu' });
  await database.owner`select pg_notify('merchant_changes', ${last})`;
  await reading;
  return told.slice(0, -1);
}

test('many transactions send their merchant’s screens one event, and no one else’s', async () => {
  const other = await createMerchant(database.owner);
  const work = async () => {
    const requests = createRequestLog(testServices(database.db), log);
    for (let n = 0; n < 30; n++) {
      for (const operation of ['topUpStoredValue', 'submitSale', 'ping']) requests.record({ ...request(), operation });
    }
    await requests.flush();
  };
  expect(await eventsDuring(work)).toEqual(['transactions']);
  expect(await eventsDuring(work, other.id)).toEqual([]);
});

test('exactly the operations that record a transaction send an event', async () => {
  const told: string[] = [];
  for (const { operation } of endpoints) {
    const requests = createRequestLog(testServices(database.db), log);
    const work = () => {
      requests.record({ ...request(), operation });
      return requests.flush();
    };
    if ((await eventsDuring(work)).length > 0) told.push(operation);
  }
  const booking = endpoints.filter(
    ({ operation, meta }) => operation === 'voidTransactions' || meta.errors?.includes('transaction_id_conflict'),
  );
  expect(told.sort()).toEqual(booking.map(({ operation }) => operation).sort());
  expect(told).toHaveLength(7);
});
