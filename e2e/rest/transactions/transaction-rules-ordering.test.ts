/** A `transactionId` has one outcome, for ever: also of voucher and points redemptions and of sales. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createCustomer } from '@/server/testing/factory';
import { expectError, stateOf } from '../expectations';
import { type Answer, ledgerViolations, newTransactionId, restApi } from '../harness';
import { createOrderingStage, type OrderingStage, orderingTransactions } from '../ordering-operations';

const api = restApi();
let stage: OrderingStage;

beforeAll(async () => {
  stage = await createOrderingStage(api);
});

const replayed = 'idempotent-replayed';
const minute = 60_000;

type Body = Record<string, unknown>;

describe.each(Object.entries(orderingTransactions))('%s', (operation, make) => {
  const newCall = async () => {
    const { path, body = {} } = await make(api, stage);
    return { body, post: (sent: Body, key = stage.key) => api.post(key, path, sent) };
  };
  const expectSuccess = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get(replayed)).toBeNull();
    return answer;
  };
  const voidIt = ({ transactionId }: Body) =>
    api.post(stage.key, '/transactions/void', { transactionIds: [transactionId] });

  test('again with the same body: the first answer, byte for byte, and nothing moves', async () => {
    const { body: plain, post } = await newCall();
    const body: Body = {
      ...plain,
      billId: newTransactionId(),
      occurredAt: new Date(Date.now() - minute).toISOString(),
    };
    const first = expectSuccess(await post(body));
    const state = await stateOf(api, stage.merchant.id);
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    for (const copy of [body, reordered, { ...body, storeCode: 'NORTH' }]) {
      const again = await post(copy);
      expect(again.text).toBe(first.text);
      expect(again.status).toBe(200);
      expect(again.headers.get(replayed)).toBe('true');
    }
    const wide = await post({ ...body, storeCode: 'NORTH' }, stage.merchant.key);
    expect(wide.text).toBe(first.text);
    expect(await stateOf(api, stage.merchant.id)).toEqual(state);
  });

  test('the look-up tells the first answer', async () => {
    const { body, post } = await newCall();
    const first = expectSuccess(await post(body));
    const { body: found } = await api.get(stage.key, `/transactions/${body.transactionId}`);
    const { transactionId } = body;
    expect(found).toEqual({ transactionId, type: first.body.type, status: 'completed', answer: first.body });
    await voidIt(body);
    const { body: after } = await api.get(stage.key, `/transactions/${body.transactionId}`);
    expect(after).toMatchObject({ transactionId, type: first.body.type, status: 'voided', answer: first.body });
  });

  test('again with anything else: 402 transaction_id_conflict, and nothing changes', async () => {
    const { body, post } = await newCall();
    const first = expectSuccess(await post(body));
    const state = await stateOf(api, stage.merchant.id);
    const changed: Body[] = [
      { ...body, billId: 'B-2' },
      { ...body, receiptNumber: 'R-1' },
      { ...body, occurredAt: new Date().toISOString() },
      { ...body, customer: { phone: stage.customer.phone } },
    ];
    for (const other of changed) {
      const answer = await post(other);
      expectError(answer, 402, 'transaction_id_conflict');
      expect(answer.headers.get(replayed)).toBeNull();
    }
    expect(await stateOf(api, stage.merchant.id)).toEqual(state);
    expect((await post(body)).text).toBe(first.text);
  });

  test('with every other operation: 402 transaction_id_conflict', async () => {
    const { body, post } = await newCall();
    expectSuccess(await post(body));
    for (const [name, other] of Object.entries(orderingTransactions)) {
      if (name === operation) continue;
      const { path, body: otherBody } = await other(api, stage);
      const answer = await api.post(stage.key, path, { ...otherBody, transactionId: body.transactionId });
      expectError(answer, 402, 'transaction_id_conflict');
    }
  });

  test('after it was voided, before or after it came: 402 transaction_voided, for every body', async () => {
    for (const isFirst of [true, false]) {
      const { body, post } = await newCall();
      if (!isFirst) expectSuccess(await post(body));
      await voidIt(body);
      expectError(await post(body), 402, 'transaction_voided');
      expectError(await post({ ...body, billId: 'another' }), 402, 'transaction_voided');
    }
  });

  test('what is wrong from the request alone, or names what there is not, is no outcome', async () => {
    const { body, post } = await newCall();
    expectError(await post({ ...body, billId: 7 }), 400, 'invalid_request');
    expectError(await post(body, 'no key'), 401, 'invalid_api_key');
    expectError(await post({ ...body, storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await post({ ...body, storeCode: 'EAST' }, stage.merchant.key), 404, 'store_not_found');
    expectError(await post(body, stage.merchant.key), 400, 'invalid_request');
    expectError(await post({ ...body, customer: { customerId: newId() } }), 404, 'customer_not_found');
    expect((await api.get(stage.key, `/transactions/${body.transactionId}`)).status).toBe(404);
    expectSuccess(await post(body));
  });

  test('at another store the same id is another transaction', async () => {
    const { body, post } = await newCall();
    expectSuccess(await post(body));
    const elsewhere = await post(body, stage.merchant.stores[1].key);
    expect(elsewhere.headers.get(replayed)).toBeNull();
    expect(elsewhere.body.error?.code).toBe(operation === 'redeemVoucher' ? 'voucher_redeemed' : undefined);
  });

  test('30 copies at the same moment are carried out once, and all hear the same', async () => {
    const { body, post } = await newCall();
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status, answers[0]?.text).toBe(200);
    expect(answers.filter(({ headers }) => headers.get(replayed) === 'true')).toHaveLength(29);
    const rows = await api.owner`select from transactions where transaction_id = ${String(body.transactionId)}`;
    expect(rows).toHaveLength(1);
  });

  test('occurredAt: kept and answered in UTC; too old or too far ahead is 400', async () => {
    const { body, post } = await newCall();
    for (const offsetMs of [-31 * 24 * 60 * minute - minute, 5 * minute + 20_000]) {
      const occurredAt = new Date(Date.now() + offsetMs).toISOString();
      const { issues } = expectError(await post({ ...body, occurredAt }), 400, 'invalid_request');
      expect(issues[0].path).toBe('occurredAt');
    }
    const instant = new Date(Date.now() - 60 * minute);
    const there = new Date(instant.getTime() + 8 * 60 * minute).toISOString().replace('Z', '+08:00');
    expect(expectSuccess(await post({ ...body, occurredAt: there })).body.occurredAt).toBe(instant.toISOString());
  });
});

test('a refusal of each is kept, and told again after the state of things changed', async () => {
  const { id } = await createCustomer(api.owner, stage.merchant.id);
  const body = { transactionId: newTransactionId(), customer: { customerId: id }, points: 5 };
  const first = await api.post(stage.key, '/transactions/points/redeem', body);
  expectError(first, 402, 'insufficient_points');
  const { body: found } = await api.get(stage.key, `/transactions/${body.transactionId}`);
  expect(found).toMatchObject({
    status: 'refused',
    type: 'redeemPoints',
    answer: { error: { code: 'insufficient_points' } },
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
