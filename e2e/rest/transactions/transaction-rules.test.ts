/** A `transactionId` has one outcome, for ever: what holds for every operation that takes one. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createFixedPackage } from '@/server/testing/factory';
import { expectError, stateOf, withoutRequestId } from '../expectations';
import { ledgerViolations, newTransactionId, restApi } from '../harness';
import { createStage, operationsAtStore, performCall, type Stage } from '../operations';

const api = restApi();
let stage: Stage;

beforeAll(async () => {
  stage = await createStage(api);
});

const paths: Record<string, string> = {
  topUpStoredValue: '/transactions/stored-value/top-up',
  redeemStoredValue: '/transactions/stored-value/redeem',
};

type Body = Record<string, unknown>;
const replayed = 'idempotent-replayed';

describe.each(Object.keys(paths))('%s', (operation) => {
  const path = paths[operation] ?? '';
  const newBody = (): Body => operationsAtStore[operation]?.(stage).body ?? {};
  const post = (body: Body, key = stage.key) => api.post(key, path, body);

  test('again with the same body: the first answer, byte for byte, and nothing moves', async () => {
    const body = { ...newBody(), billId: 'B-1', occurredAt: new Date(Date.now() - 60_000).toISOString() };
    const first = await post(body);
    expect(first.status, first.text).toBe(200);
    expect(first.headers.get(replayed)).toBeNull();
    const state = await stateOf(api, stage.merchant.id);
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    for (const copy of [body, reordered, { ...body, storeCode: 'NORTH' }]) {
      const again = await post(copy);
      expect(again.text).toBe(first.text);
      expect(again.status).toBe(200);
      expect(again.headers.get(replayed)).toBe('true');
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
    expect(await stateOf(api, stage.merchant.id)).toEqual(state);
  });

  test('again by another key of the store, or one of the whole merchant', async () => {
    const body = newBody();
    const first = await post(body, stage.merchant.stores[0].key);
    const again = await post({ ...body, storeCode: 'NORTH' }, stage.merchant.key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get(replayed)).toBe('true');
  });

  test('again after the state of things changed', async () => {
    const body = newBody();
    const first = await post(body);
    await post(newBody());
    expect((await post(body)).text).toBe(first.text);
  });

  test('at another store the same id is another transaction', async () => {
    const body = newBody();
    const first = await post(body);
    const elsewhere = await post(body, stage.merchant.stores[1].key);
    expect(elsewhere.status).toBe(200);
    expect(elsewhere.headers.get(replayed)).toBeNull();
    expect(elsewhere.text).not.toBe(first.text);
  });

  test('again with anything else: 402 transaction_id_conflict, and nothing changes', async () => {
    const body: Body = { ...newBody(), billId: 'B-1', staffId: 'S-1' };
    const first = await post(body);
    const state = await stateOf(api, stage.merchant.id);
    const { billId, ...withoutBill } = body;
    const others: Body[] = [
      withoutBill,
      { ...body, billId: 'B-2' },
      { ...body, receiptNumber: 'R-1' },
      { ...body, occurredAt: new Date().toISOString() },
      { ...body, customer: { phone: stage.customer.phone } },
    ];
    for (const other of others) {
      const answer = await post(other);
      expectError(answer, 402, 'transaction_id_conflict');
      expect(answer.headers.get(replayed)).toBeNull();
    }
    expect(await stateOf(api, stage.merchant.id)).toEqual(state);
    expect((await post(body)).text).toBe(first.text);
  });

  test('with the other operation: 402 transaction_id_conflict', async () => {
    const body = newBody();
    await post(body);
    const [other = ''] = Object.keys(paths).filter((name) => name !== operation);
    const otherBody = { ...operationsAtStore[other]?.(stage).body, transactionId: body.transactionId };
    expectError(await api.post(stage.key, paths[other] ?? '', otherBody), 402, 'transaction_id_conflict');
  });

  test('after it was voided: 402 transaction_voided, for every body', async () => {
    const body = newBody();
    await post(body);
    await api.post(stage.key, '/transactions/void', { transactionIds: [body.transactionId] });
    expectError(await post(body), 402, 'transaction_voided');
    expectError(await post({ ...body, billId: 'another' }), 402, 'transaction_voided');
  });

  test('after it was voided before it came: 402 transaction_voided', async () => {
    const body = newBody();
    await api.post(stage.key, '/transactions/void', { transactionIds: [body.transactionId] });
    expectError(await post(body), 402, 'transaction_voided');
  });

  test('what is wrong from the request alone, or names what there is not, is no outcome', async () => {
    const body = newBody();
    expectError(await post({ ...body, billId: 7 }), 400, 'invalid_request');
    expectError(await post(body, 'no key'), 401, 'invalid_api_key');
    expectError(await post({ ...body, storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await post({ ...body, storeCode: 'EAST' }, stage.merchant.key), 404, 'store_not_found');
    expectError(await post({ ...body, customer: { customerId: newId() } }), 404, 'customer_not_found');
    expect((await api.get(stage.key, `/transactions/${body.transactionId}`)).status).toBe(404);
    const first = await post(body);
    expect(first.status, first.text).toBe(200);
    expect(first.headers.get(replayed)).toBeNull();
  });

  test('any id of 1 to 64 of its characters', async () => {
    const own = await createStage(api);
    for (const transactionId of ['x', '.', 'A.b_c:d-9', 'x'.repeat(64)]) {
      const body = { ...operationsAtStore[operation]?.(own).body, transactionId };
      const { status, text } = await post(body, own.key);
      expect(status, text).toBe(200);
    }
  });
});

describe('occurredAt', () => {
  const minute = 60_000;
  const day = 24 * 60 * minute;
  const redeemAt = async (occurredAt: string) => {
    const call = operationsAtStore.redeemStoredValue?.(stage);
    return api.post(stage.key, call?.path ?? '', { ...call?.body, occurredAt });
  };

  test.each([
    ['31 days ago, but for a minute', -31 * day + minute],
    ['5 minutes ahead, but for some seconds', 5 * minute - 20_000],
  ])('may be %s, and is answered in UTC, at most as the time of arrival', async (_, offsetMs) => {
    const instant = new Date(Date.now() + offsetMs);
    // The same instant, as a till in Kathmandu writes it.
    const there = new Date(instant.getTime() + 345 * minute).toISOString().replace('Z', '+05:45');
    const { status, body, text } = await redeemAt(there);
    expect(status, text).toBe(200);
    if (offsetMs < 0) expect(body.occurredAt).toBe(instant.toISOString());
    else expect(body.occurredAt).toBe(body.createdAt);
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(minute);
  });

  test.each([
    ['more than 31 days ago', -31 * day - minute],
    ['more than 5 minutes ahead', 5 * minute + 20_000],
  ])('may not be %s', async (words, offsetMs) => {
    const { issues } = expectError(
      await redeemAt(new Date(Date.now() + offsetMs).toISOString()),
      400,
      'invalid_request',
    );
    expect(issues).toEqual([{ path: 'occurredAt', message: `is ${words}` }]);
  });

  test.each([
    '2026-11-20',
    '2026-11-20T10:00:00',
    '20 Nov 2026',
    '2026-02-30T10:00:00Z',
    '2026-11-20T10:00:00+25:00',
    '',
  ])('may not be %j', async (occurredAt) => {
    const { issues } = expectError(await redeemAt(occurredAt), 400, 'invalid_request');
    expect(issues[0].path).toBe('occurredAt');
  });

  test('is not looked at again when the first answer is told again', async () => {
    const call = operationsAtStore.redeemStoredValue?.(stage);
    const body = { ...call?.body, occurredAt: new Date(Date.now() - 31 * day + 3_000).toISOString() };
    const first = await api.post(stage.key, call?.path ?? '', body);
    expect(first.status, first.text).toBe(200);
    await expect.poll(() => Date.parse(body.occurredAt) + 31 * day < Date.now()).toBe(true);
    expect((await api.post(stage.key, call?.path ?? '', body)).text).toBe(first.text);
  });
});

test('402 that comes from the state of things is kept: package_unavailable and balance_limit_exceeded', async () => {
  const { merchant, key, customer } = await createStage(api, { balance_limit: 20_000 });
  const packageId = await createFixedPackage(api.owner, merchant.id, {
    amount: 9_000,
    bonus: 0,
    archived_at: new Date(),
  });
  const newBody = (id: string) => ({
    transactionId: newTransactionId(),
    customer: { customerId: customer.id },
    packageId: id,
  });
  const post = (body: Body) => performCall(api, key, { method: 'POST', path: paths.topUpStoredValue ?? '', body });
  const unavailable = newBody(packageId);
  const first = await post(unavailable);
  expectError(first, 402, 'package_unavailable');
  await api.owner`update stored_value_packages set archived_at = null where id = ${packageId}`;
  const over = newBody(packageId);
  const second = await post(over);
  expectError(second, 402, 'balance_limit_exceeded');
  await api.owner`update merchants set balance_limit = null where id = ${merchant.id}`;
  for (const [body, answer] of [
    [unavailable, first],
    [over, second],
  ] as const) {
    const again = await post(body);
    expect(withoutRequestId(again)).toBe(withoutRequestId(answer));
    expect(again.status).toBe(402);
    expect(again.headers.get(replayed)).toBe('true');
  }
  expect((await post(newBody(packageId))).status).toBe(200);
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
