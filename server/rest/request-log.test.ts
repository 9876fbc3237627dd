/** What the log of requests does while its database is slow or away; what it keeps is seen over HTTP in `e2e/rest`. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connect } from '@/db/client';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import { newId } from '@/server/domain/core/ids';
import { createLogger } from '@/server/log';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { createRequestLog } from './request-log';

const log = createLogger('silent');
let database: TestDatabase;
let merchant: TestMerchant;
let apiKeyId: string;

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
  merchant = await createMerchant(database.owner);
  const [key] = await database.owner`select id from api_keys where merchant_id = ${merchant.id} limit 1`;
  apiKeyId = key?.id;
});
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
  for (let n = 0; n < 1_203; n++) requests.record(request());
  await expect.poll(kept, { timeout: 900 }).toBe(before + 1_000);
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
  for (let n = 0; n < 20_000; n++) requests.record(request());
  services.db = database.db;
  const before = await kept();
  await requests.flush();
  // A batch was on its way to the database that is away.
  expect(await kept()).toBe(before + 5_000);
  requests.record(request());
  await requests.flush();
  expect(await kept()).toBe(before + 5_001);
  await away.close();
});
