import { beforeAll, describe, expect, test } from 'vitest';
import { createFixedPackage, createKey } from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('setSandboxFaults');
let scene: Scene;
let packageId: string;

beforeAll(async () => {
  scene = await createScene(api);
  packageId = await createFixedPackage(api.owner, scene.merchant.id, { amount: 1_000, bonus: 0 });
});

/** A key of one's own: faults are a key's. */
const newKey = () => createKey(api.owner, scene.merchant.id, scene.merchant.stores[0].id);
const order = (key: string, ...next: string[]) => api.post(key, '/sandbox/faults', { next });
const topUp = (key: string, transactionId = newTransactionId()) =>
  api.post(key, '/transactions/stored-value/top-up', {
    transactionId,
    customer: { customerId: scene.customer.id },
    packageId,
  });
const stateOf = async (transactionId: string) => (await api.get(scene.key, `/transactions/${transactionId}`)).status;
const ping = async (key: string) => (await api.get(key, '/ping')).status;

describe('200, and then', () => {
  test('lost: executed, and the connection is cut; the same request then gets the response', async () => {
    const [key, id] = [await newKey(), newTransactionId()];
    expect(expectSuccess(await order(key, 'lost'))).toEqual({ next: ['lost'] });
    await expect(topUp(key, id)).rejects.toThrow('fetch failed');
    expect(await stateOf(id)).toBe(200);
    const again = await topUp(key, id);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  test('late: executed, and the response comes after a till has given up', async () => {
    const [key, id] = [await newKey(), newTransactionId()];
    expectSuccess(await order(key, 'late'));
    const started = performance.now();
    const late = topUp(key, id);
    await expect.poll(() => stateOf(id)).toBe(200);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await late).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(6_500);
  });

  test('503: executed', async () => {
    const [key, id] = [await newKey(), newTransactionId()];
    expectSuccess(await order(key, 'service_unavailable'));
    const refused = await topUp(key, id);
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await stateOf(id)).toBe(200);
    expect((await topUp(key, id)).headers.get('idempotent-replayed')).toBe('true');
    // What the test has ordered is no stored response.
    await order(key, 'service_unavailable');
    expect((await topUp(key, id)).headers.get('idempotent-replayed')).toBeNull();
  });

  test('429: not executed', async () => {
    const [key, id] = [await newKey(), newTransactionId()];
    expectSuccess(await order(key, 'rate_limited'));
    const refused = await topUp(key, id);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await stateOf(id)).toBe(404);
    expect((await topUp(key, id)).status).toBe(200);
  });

  test('one each, in order, refusals too; then all is as before', async () => {
    const key = await newKey();
    expectSuccess(await order(key, 'none', 'service_unavailable', 'rate_limited'));
    expect(await ping(key)).toBe(200);
    expect((await api.post(key, '/sales', {})).status).toBe(503);
    expect(await ping(key)).toBe(429);
    for (let n = 0; n < 3; n++) expect(await ping(key)).toBe(200);
  });

  test('of this key alone, not of what a sandbox offers; a new list replaces the old one', async () => {
    const [key, other] = [await newKey(), await newKey()];
    expectSuccess(await order(key, 'rate_limited', 'rate_limited'));
    expect(await ping(other)).toBe(200);
    expect((await api.get(key, '/sandbox/messages')).status).toBe(200);
    expectSuccess(await order(key, 'service_unavailable'));
    expect([await ping(key), await ping(key)]).toEqual([503, 200]);
    expectSuccess(await order(key, 'lost', 'lost'));
    expect(expectSuccess(await order(key))).toEqual({ next: [] });
    expect(await ping(key)).toBe(200);
  });

  test('requests at once take one each', async () => {
    const key = await newKey();
    expectSuccess(await order(key, ...Array.from({ length: 5 }, () => 'rate_limited')));
    const statuses = await Promise.all(Array.from({ length: 12 }, () => ping(key)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
  });
});

describe('400 invalid_request', () => {
  test.each([
    [{}, 'next'],
    [{ next: 'lost' }, 'next'],
    [{ next: null }, 'next'],
    [{ next: ['slow'] }, 'next.0'],
    [{ next: ['lost', 503] }, 'next.1'],
    [{ next: Array.from({ length: 101 }, () => 'lost') }, 'next'],
    [{ next: [], count: 1 }, 'count'],
  ] as [object, string][])('%#', async (body, field) => {
    const { issues } = expectError(await api.post(scene.key, '/sandbox/faults', body), 400, 'invalid_request');
    expect(issues.map(({ path }: { path: string }) => path)).toEqual([field]);
    expect(await ping(scene.key)).toBe(200);
  });
});

test('401 invalid_api_key', async () => {
  expectError(await api.post(undefined, '/sandbox/faults', { next: [] }), 401, 'invalid_api_key');
});

test('nothing is lost or doubled in the ledger', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
