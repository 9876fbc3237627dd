import { beforeAll, describe, expect, test } from 'vitest';
import { createFixedPackage } from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('advanceSandboxClock');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api);
});

const advance = (body: object, { key } = scene) => api.post(key, '/sandbox/clock', body);
const daySeconds = 86_400;
const inSeconds = (seconds: number) => Date.now() + seconds * 1000;
/** How far apart two times may be that requests took. */
const tolerance = 5_000;

describe('200', () => {
  test('by seconds, again and again; every key of the merchant then has the new time, and no other merchant', async () => {
    const own = await createScene(api);
    for (const days of [1, 2]) {
      const { now } = expectSuccess(await advance({ seconds: daySeconds }, own));
      expect(Math.abs(Date.parse(now) - inSeconds(days * daySeconds))).toBeLessThan(tolerance);
    }
    const packageId = await createFixedPackage(api.owner, own.merchant.id, { amount: 1_000, bonus: 0 });
    const topUp = ({ merchant, customer }: Scene, key: string, storeCode?: string) =>
      api.post(key, '/transactions/stored-value/top-up', {
        transactionId: newTransactionId(),
        customer: { customerId: customer.id },
        packageId,
        storeCode,
        ...(merchant === own.merchant ? {} : { packageId: undefined }),
      });
    for (const [key, storeCode] of [[own.key], [own.merchant.key, 'SOUTH']] as const) {
      const { occurredAt } = (await topUp(own, key, storeCode)).body;
      expect(Math.abs(Date.parse(occurredAt) - inSeconds(2 * daySeconds))).toBeLessThan(tolerance);
    }
    const [other] = await api.owner`select clock_ahead_seconds as ahead from merchants where id = ${scene.merchant.id}`;
    expect(other?.ahead).toBe(0);
  });

  test('to a time with an offset; points that expire by then can no longer be redeemed', async () => {
    const own = await createScene(api, { points_expiry_months: 1 });
    const customer = { customerId: own.customer.id };
    const line = { plu: 'A', name: 'A', quantity: 1, unitPrice: 10_000, amount: 10_000 };
    const sale = {
      transactionId: newTransactionId(),
      customer,
      lines: [line],
      subtotal: 10_000,
      discount: 0,
      total: 10_000,
      serviceCharge: 0,
      tax: 0,
      payments: [{ method: 'cash', amount: 10_000 }],
      closedAt: new Date().toISOString(),
    };
    expect((await api.post(own.key, '/sales', sale)).status).toBe(200);
    const to = new Date(inSeconds(70 * daySeconds)).toISOString().replace('Z', '+00:00');
    const { now } = expectSuccess(await advance({ to }, own));
    expect(Math.abs(Date.parse(now) - Date.parse(to))).toBeLessThan(tolerance);
    const redeem = { transactionId: newTransactionId(), customer, points: 10 };
    expect((await api.post(own.key, '/transactions/points/redeem', redeem)).body.error?.code).toBe(
      'insufficient_points',
    );
  });

  test('is in the audit log, by the key, and queues what becomes due', async () => {
    const own = await createScene(api);
    await advance({ seconds: 3_600 }, own);
    const [entry, ...more] = await api.owner`
      select actor_kind as kind, after from audit_log
      where merchant_id = ${own.merchant.id} and action = 'settings.advanceClock'`;
    expect(more).toEqual([]);
    expect(entry?.kind).toBe('apiKey');
    expect(JSON.parse(entry?.after)).toEqual({ clockAheadSeconds: 3_600, to: expect.stringMatching(/Z$/) });
    const runs = await api.owner`select task, requested_by from job_runs where merchant_id = ${own.merchant.id}`;
    expect(runs.map(({ task }) => task).sort()).toEqual([
      'begin-voucher-occasions',
      'expire-value',
      'remind-of-expiry',
    ]);
    expect(runs.every(({ requested_by }) => requested_by === null)).toBe(true);
  });

  test('of several at once, each advances it', async () => {
    const own = await createScene(api);
    const answers = await Promise.all(Array.from({ length: 8 }, () => advance({ seconds: 60 }, own)));
    for (const answer of answers) expectSuccess(answer);
    const [row] = await api.owner`select clock_ahead_seconds as ahead from merchants where id = ${own.merchant.id}`;
    expect(row?.ahead).toBe(8 * 60);
  });
});

describe('400 invalid_request, and the clock stays', () => {
  const over = 2 * 366 * daySeconds + 1;
  test.each([
    [{}, ''],
    [{ seconds: 1, to: '2999-01-01T00:00:00Z' }, ''],
    [{ seconds: 0 }, 'seconds'],
    [{ seconds: -1 }, 'seconds'],
    [{ seconds: 1.5 }, 'seconds'],
    [{ seconds: '60' }, 'seconds'],
    [{ seconds: null }, 'seconds'],
    [{ seconds: over }, 'seconds'],
    [{ to: '2020-01-01T00:00:00Z' }, 'to'],
    [{ to: '2999-01-01T00:00:00Z' }, 'to'],
    [{ to: '2027-01-01' }, 'to'],
    [{ to: 60 }, 'to'],
    [{ seconds: 1, storeCode: 'NORTH' }, 'storeCode'],
  ] as [object, string][])('%j', async (body, field) => {
    const { issues } = expectError(await advance(body), 400, 'invalid_request');
    expect(issues.map(({ path }: { path: string }) => path)).toEqual([field]);
    const [row] = await api.owner`select clock_ahead_seconds as ahead from merchants where id = ${scene.merchant.id}`;
    expect(row?.ahead).toBe(0);
  });

  test('beyond two years in all', async () => {
    const own = await createScene(api);
    expectSuccess(await advance({ seconds: over - 2 }, own));
    const { issues } = expectError(await advance({ seconds: 60 }, own), 400, 'invalid_request');
    expect(issues).toEqual([{ path: 'seconds', message: 'is more than two years from now' }]);
  });
});

test('401 invalid_api_key', async () => {
  expectError(await api.post(undefined, '/sandbox/clock', { seconds: 1 }), 401, 'invalid_api_key');
});

coversReference();
