/** Top-ups that a diner started on the phone, with the code to show at the counter. */
import { beforeAll, expect, test } from 'vitest';
import {
  blockCustomer,
  createCustomer,
  createFixedPackage,
  createOpenPackage,
  createTopUpRequest,
} from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess } = operationSuite('topUpStoredValue');
let scene: Scene;
let packageId: string;
let openPackageId: string;

beforeAll(async () => {
  scene = await createScene(api);
  const { id } = scene.merchant;
  packageId = await createFixedPackage(api.owner, id, { amount: 10_000, bonus: 2_000, bonus_expires_in_days: 30 });
  openPackageId = await createOpenPackage(api.owner, id, { min: 2_000, max: 50_000, basisPoints: 1_000 });
});

const topUp = (body: Record<string, unknown>, key = scene.key) =>
  api.post(key, '/transactions/stored-value/top-up', { transactionId: newTransactionId(), ...body });

/** A customer of one's own, and the code of what they began: 100.00 and 15.00 on top. */
async function begin(settings: object = {}, offer = packageId) {
  const { id } = await createCustomer(api.owner, scene.merchant.id);
  const begun = { customerId: id, packageId: offer, bonus: 1_500, ...settings };
  const counterCode = await createTopUpRequest(api.owner, scene.merchant.id, begun);
  const body = { customer: { customerId: id }, packageId: offer, counterCode };
  return { id, body, counterCode };
}
const stateOfCode = async (counterCode: string) =>
  (
    await api.owner`
      select r.state, t.transaction_id from top_up_requests r left join transactions t on t.uid = r.transaction_uid
      where r.merchant_id = ${scene.merchant.id} and r.counter_code = ${counterCode}`
  )[0];

test('credits the offer as it was at the start, at any store and whatever the package is now', async () => {
  const archived = { amount: 99, bonus: 0, archived_at: new Date() };
  const { body, counterCode } = await begin({}, await createFixedPackage(api.owner, scene.merchant.id, archived));
  const transactionId = newTransactionId();
  const answer = expectSuccess(await topUp({ transactionId, ...body }, scene.merchant.stores[1].key));
  expect(answer).toMatchObject({ principal: 10_000, bonus: 1_500, credited: 11_500, bonusExpiresAt: null });
  expect(await stateOfCode(counterCode)).toEqual({ state: 'credited', transaction_id: transactionId });
  expectSuccess(await topUp({ transactionId, ...body }, scene.merchant.stores[1].key));
});

test('takes an open package without its amount, and the amount when it is the same', async () => {
  const one = await begin({ principal: 2_009 }, openPackageId);
  expect(expectSuccess(await topUp(one.body))).toMatchObject({ principal: 2_009, bonus: 1_500 });
  const two = await begin({ principal: 2_009 }, openPackageId);
  expectSuccess(await topUp({ ...two.body, amount: 2_009 }));
});

test('takes the package written in capitals, as some tills write ids', async () => {
  const { body } = await begin();
  expectSuccess(await topUp({ ...body, packageId: body.packageId.toUpperCase() }));
});

test('402 counter_code_mismatch for another customer, package or amount; the code still works', async () => {
  const { body } = await begin();
  for (const [field, value] of [
    ['customer', { customerId: scene.customer.id }],
    ['packageId', openPackageId],
    ['amount', 10_001],
  ]) {
    const { details } = expectError(await topUp({ ...body, [field as string]: value }), 402, 'counter_code_mismatch');
    expect(details).toEqual({ field });
  }
  expectSuccess(await topUp({ ...body, amount: 10_000 }));
});

test('402 top_up_request_closed once it was credited, cancelled or is past its time', async () => {
  const { body } = await begin();
  expectSuccess(await topUp(body));
  expect(expectError(await topUp(body), 402, 'top_up_request_closed').details).toEqual({ state: 'credited' });
  const cancelled = await begin({ state: 'cancelled' });
  expectError(await topUp(cancelled.body), 402, 'top_up_request_closed');
  const late = await begin({ expires_at: new Date(Date.now() - 1_000) });
  expect(expectError(await topUp(late.body), 402, 'top_up_request_closed').details).toEqual({ state: 'expired' });
});

test('402 top_up_request_closed says of one that was voided that it was, at the till and when it is looked up', async () => {
  const { body, counterCode } = await begin();
  const transactionId = newTransactionId();
  expectSuccess(await topUp({ transactionId, ...body }));
  const voided = await api.post(scene.key, '/transactions/void', { transactionIds: [transactionId] });
  expect(voided.status).toBe(200);
  for (const answer of [await topUp(body), await api.get(scene.key, `/top-up-requests/${counterCode}`)]) {
    const { details, message } = expectError(answer, 402, 'top_up_request_closed');
    expect(details).toEqual({ state: 'voided' });
    expect(message).toContain('was voided');
  }
  expectSuccess(await topUp({ ...body, counterCode: undefined }));
});

test('404 top_up_request_not_found for an unknown code, and one of another merchant; it is no outcome', async () => {
  const { body } = await begin();
  const { counterCode } = body;
  const other = await createScene(api);
  const theirs = await createFixedPackage(api.owner, other.merchant.id, { amount: 10_000, bonus: 0 });
  const strange = { customer: { customerId: other.customer.id }, packageId: theirs, counterCode };
  expectError(await topUp(strange, other.key), 404, 'top_up_request_not_found');
  const transactionId = newTransactionId();
  const nobodys = counterCode === '000000' ? '000001' : '000000';
  expectError(await topUp({ transactionId, ...body, counterCode: nobodys }), 404, 'top_up_request_not_found');
  expectSuccess(await topUp({ transactionId, ...body }));
});

test('a rejection for the balance limit leaves the code valid', async () => {
  const { id, body, counterCode } = await begin();
  await blockCustomer(api.owner, id);
  expectError(await topUp(body), 402, 'customer_blocked');
  expect(await stateOfCode(counterCode)).toMatchObject({ state: 'open' });
});

test('two tills with the same code at once: one is credited', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, body } = await begin();
    const answers = await Promise.all(
      [0, 1, 0, 1].map((n) => topUp(body, (scene.merchant.stores[n] as { key: string }).key)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402]);
    const [balance] = await api.owner`select principal, bonus from balances where customer_id = ${id}`;
    expect(balance).toEqual({ principal: '10000', bonus: '1500' });
  }
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
