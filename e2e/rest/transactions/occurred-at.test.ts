/** Every write rejects an occurredAt that no till's delay explains. */
import { beforeAll, expect, test } from 'vitest';
import { endpoints } from '@/server/rest/endpoints';
import { expectError, stateOf } from '../expectations';
import { createScene, newTransactionId, restApi } from '../harness';
import { createStage, operations, performCall, type Stage } from '../operations';
import { createOrderingStage, type OrderingStage, orderingOperations } from '../ordering-operations';

const api = restApi();
let stage: Stage;
let ordering: OrderingStage;

beforeAll(async () => {
  [stage, ordering] = [await createStage(api), await createOrderingStage(api)];
});

const second = 1_000;
const limits = [
  { most: -31 * 24 * 3_600 * second, off: -60 * second, words: 'is more than 31 days ago' },
  { most: 300 * second, off: 20 * second, words: 'is more than 5 minutes ahead' },
];
const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
const writes = endpoints
  // Addresses of webhooks are set up, and not by a till.
  .filter(({ method, meta }) => method !== 'GET' && !meta.isSandboxOnly && meta.scope !== 'webhooks')
  .map(({ operation }) => operation);

test.each(writes)('%s', async (operation) => {
  const { merchant, key } = operations[operation] ? stage : ordering;
  const {
    method = 'POST',
    path,
    body,
  } = (await (operations[operation]?.(stage) ?? orderingOperations[operation]?.(api, ordering))) ?? {};
  const write = (occurredAt: string) =>
    performCall(api, key, { method, path: path ?? '', body: { ...body, occurredAt } });
  const before = await stateOf(api, merchant.id);
  for (const { most, off, words } of limits) {
    const { issues } = expectError(await write(at(most + off)), 400, 'invalid_request');
    expect(issues).toEqual([{ path: 'occurredAt', message: words }]);
  }
  expect(await stateOf(api, merchant.id)).toEqual(before);
  for (const { most, off } of limits) {
    // Once is enough of what is done once.
    if (operation === 'enrolCustomer' && off > 0) continue;
    const { status, text } = await write(at(most - off));
    expect([200, 402], text).toContain(status);
  }
});

test('a merchant may accept less, from the next request on', async () => {
  const { merchant, customer, key } = await createScene(api, { backdating_days: 2 });
  const day = 24 * 3_600 * second;
  const redeem = async (offsetMs: number) =>
    api.post(key, '/transactions/points/redeem', {
      transactionId: newTransactionId(),
      customer: { customerId: customer.id },
      points: 1,
      occurredAt: at(offsetMs),
    });
  const { issues } = expectError(await redeem(-2 * day - 60 * second), 400, 'invalid_request');
  expect(issues).toEqual([{ path: 'occurredAt', message: 'is more than 2 days ago' }]);
  expect((await redeem(-2 * day + 60 * second)).status).toBe(402);
  await api.owner`update merchants set backdating_days = 3 where id = ${merchant.id}`;
  expect((await redeem(-2 * day - 60 * second)).status).toBe(402);
});

// RFC 3339, sections 5.6 and 5.7. Java's OffsetDateTime.toString() leaves out the seconds of a full minute.
test('every spelling of RFC 3339 is taken, and a full minute without seconds; others are refused', async () => {
  const { key, customer } = await createScene(api, { backdating_days: 31 });
  const minute = `${at(-3_600 * second).slice(0, 16)}`;
  const redeem = async (occurredAt: string) =>
    api.post(key, '/transactions/points/redeem', {
      transactionId: newTransactionId(),
      customer: { customerId: customer.id },
      points: 1,
      occurredAt,
    });
  const taken = ['t09:00:00z', 'T23:59:60Z', 'T10:00+08:00', 'T10:00Z', 'T10:00:00.123456789+08:00'];
  const day = minute.slice(0, 10);
  for (const time of taken) {
    const yesterday = new Date(new Date(day).getTime() - 24 * 3_600 * second).toISOString().slice(0, 10);
    expectError(await redeem(`${yesterday}${time}`), 402, 'insufficient_points');
  }
  for (const time of ['T10:00', 'T10:00:00', ' 10:00:00Z', 'T10:00:61Z', 'T10:00+0800', 'T24:00:00Z', 'T10Z']) {
    expectError(await redeem(`${day}${time}`), 400, 'invalid_request');
  }
});
