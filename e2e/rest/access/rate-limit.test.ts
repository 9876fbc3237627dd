/** The rate limit of a key over all instances, and the responses beyond it. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { startRestService, type VictimService } from '@/e2e/chaos/victims';
import { defaultKeyLimits } from '@/server/domain/merchants/schemas';
import { createKey, createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { documentedErrors, expectError } from '../expectations';
import { type Answer, ledgerViolations, restApi } from '../harness';
import { performCall } from '../operations';
import { callOf, createFullStage, everyOperation, type FullStage } from '../ordering-operations';
import { webhookOperations } from '../webhook-operations';

const api = restApi();
let stage: FullStage;

beforeAll(async () => {
  stage = await createFullStage(api);
});

const keyOf = (perSecond: number, burst: number, { merchant } = stage) =>
  createKey(api.owner, merchant.id, merchant.stores[0].id, { rate_per_second: perSecond, rate_burst: burst });
const webhooksKeyOf = (perSecond: number, burst: number) =>
  createKey(api.owner, stage.merchant.id, null, {
    rate_per_second: perSecond,
    rate_burst: burst,
    scopes: ['webhooks'],
  });

const ping = (key: string) => api.get(key, '/ping');

/** Sends until the limit refuses: what got through is answered by `status`. */
async function untilRefused(send: () => Promise<Answer>, status = 200): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== status) return answer;
  }
}

function expectRateLimited(answer: Answer): void {
  const error = expectError(answer, 429, 'rate_limited');
  expect(error.details).toEqual({ retryAfterSeconds: 1 });
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.headers.get('idempotent-replayed')).toBeNull();
}

test('a key has its burst, then its rate; the rest gets Retry-After, and is then served', async () => {
  const key = await keyOf(5, 10);
  const from = performance.now();
  const answers: Answer[] = [];
  for (let n = 0; n < 25; n++) answers.push(await ping(key));
  const served = answers.filter(({ status }) => status === 200).length;
  const refilled = (5 * (performance.now() - from)) / 1000;
  expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(served).toBeLessThanOrEqual(10 + refilled);
  const refused = await untilRefused(() => ping(key));
  expectRateLimited(refused);
  await wait(Number(refused.headers.get('retry-after')) * 1000);
  expect((await ping(key)).status).toBe(200);
});

test('a key over its limit does not affect another, of the same store or not', async () => {
  const [busy, other] = [await keyOf(1, 2), await keyOf(1, 2)];
  await untilRefused(() => ping(busy));
  for (const key of [other, stage.key, stage.merchant.key]) expect((await ping(key)).status).toBe(200);
});

test.each(everyOperation)(
  '%s over the limit: 429 as documented, before the body is parsed, and without an outcome for the id',
  async (operation) => {
    const key = await (operation in webhookOperations ? webhooksKeyOf : keyOf)(1, 1);
    const newCall = () => callOf(api, operation, stage);
    let call = await newCall();
    const refused = await untilRefused(async () => {
      call = await newCall();
      return performCall(api, key, call);
    });
    expectRateLimited(refused);
    expect(documentedErrors(operation).get('rate_limited')).toBe(429);
    if (call.method !== 'GET') {
      const nonsense = { method: call.method, headers: { 'x-api-key': key }, body: 'nonsense' };
      expectRateLimited(await untilRefused(() => api.send(call.path, nonsense), 400));
    }
    const again = await performCall(api, stage.key, call);
    expect([again.status, again.headers.get('idempotent-replayed')], again.text).toEqual([200, null]);
  },
);

test('rejected requests changed nothing', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

test('a new key has the default, and a changed limit applies from the next lease on', async () => {
  const { merchant } = stage;
  const owner = await createStaff(api.owner, testServices(api.db), merchant.id);
  const { apiKeyId, key } = await callAs(owner).apiKeys.create({ name: 'Till', storeId: null });
  expect(await callAs(owner).apiKeys.get({ apiKeyId })).toMatchObject(defaultKeyLimits);
  await callAs(owner).apiKeys.setLimits({ apiKeyId, ratePerSecond: 1, rateBurst: 2 });
  await untilRefused(() => ping(key));
  await callAs(owner).apiKeys.setLimits({ apiKeyId, ratePerSecond: 5_000, rateBurst: 5_000 });
  await wait(1_000);
  const answers = await Promise.all(Array.from({ length: 50 }, () => ping(key)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const [row] = await api.owner`
    select before, after from audit_log where subject_id = ${apiKeyId} and action = 'apiKey.setLimits' order by id desc`;
  expect([row?.before, row?.after].map((text) => JSON.parse(text))).toEqual([
    { ratePerSecond: 1, rateBurst: 2 },
    { ratePerSecond: 5_000, rateBurst: 5_000 },
  ]);
  const next = await callAs(owner).apiKeys.rotate({ apiKeyId, overlapHours: 0 });
  expect(await callAs(owner).apiKeys.get({ apiKeyId: next.apiKeyId })).toMatchObject({
    ratePerSecond: 5_000,
    rateBurst: 5_000,
  });
  for (const wrong of [0, 50_001, 1.5]) {
    const limits = { apiKeyId: next.apiKeyId, ratePerSecond: wrong, rateBurst: 1 };
    await expect(callAs(owner).apiKeys.setLimits(limits)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
});

describe('two processes', () => {
  const database = sharedDatabase();
  let merchant: TestMerchant;
  let services: VictimService[];
  beforeAll(async () => {
    merchant = await createMerchant(database.owner);
    services = await Promise.all([startRestService(database.url), startRestService(database.url)]);
  });
  afterAll(() => Promise.all(services?.map(({ stop }) => stop()) ?? []));

  test('share one limit', async () => {
    const key = await createKey(database.owner, merchant.id, null, { rate_per_second: 5, rate_burst: 10 });
    const from = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { origin } = services[n % 2] as VictimService;
        return (await fetch(`${origin}/api/v1/ping`, { headers: { 'x-api-key': key } })).status;
      }),
    );
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(10);
    expect(served).toBeLessThanOrEqual(10 + (5 * (performance.now() - from)) / 1000);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - served);
  });
});
