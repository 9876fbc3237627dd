import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { blockCustomer, createCustomer, createFixedPackage, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { operationSuite } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { oweFifty } from './owing';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('cashOutStoredValue');
let scene: Scene;
let packageId: string;

beforeAll(async () => {
  scene = await createScene(api);
  packageId = await createFixedPackage(api.owner, scene.merchant.id, { amount: 10_000, bonus: 2_000 });
});

async function topUp(customerId: string, { key = scene.key, offer = packageId } = {}): Promise<string> {
  const body = { transactionId: newTransactionId(), customer: { customerId }, packageId: offer };
  const answer = await api.post(key, '/transactions/stored-value/top-up', body);
  expect(answer.status, answer.text).toBe(200);
  return body.transactionId;
}

/** A customer who topped up once: 100.00 and 20.00 bonus. */
async function richCustomer() {
  const customer = await createCustomer(api.owner, scene.merchant.id);
  await topUp(customer.id);
  return customer;
}

const cashOut = (body: Record<string, unknown>, key = scene.key) =>
  api.post(key, '/transactions/stored-value/cash-out', { transactionId: newTransactionId(), ...body });

describe('200', () => {
  test('pays out what two merged customers held, though it is more than one amount can be', async () => {
    const most = 99_999_999_999;
    const own = await createScene(api);
    const offer = await createFixedPackage(api.owner, own.merchant.id, { amount: most, bonus: 0 });
    const [kept, merged] = [
      await createCustomer(api.owner, own.merchant.id),
      await createCustomer(api.owner, own.merchant.id),
    ];
    for (const { id } of [kept, merged]) await topUp(id, { key: own.key, offer });
    const staff = callAs(await createStaff(api.owner, testServices(api.db), own.merchant.id, 'owner'));
    await staff.customers.merge({ keptId: kept.id, mergedId: merged.id });
    const answer = expectSuccess(await cashOut({ customer: { customerId: kept.id } }, own.key));
    expect(answer).toMatchObject({ amountPaidOut: 2 * most, storedValue: { balance: 0 } });
  });

  test('pays out all that is left, and the bonus lapses', async () => {
    const { phone, id } = await richCustomer();
    const spent = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 3_000 };
    await api.post(scene.key, '/transactions/stored-value/redeem', spent);
    await topUp(id);
    const transactionId = newTransactionId();
    const answer = expectSuccess(await cashOut({ transactionId, customer: { phone } }));
    expect(answer).toEqual({
      transactionId,
      status: 'completed',
      type: 'cashOut',
      customerId: id,
      amountPaidOut: 19_000,
      bonusLapsed: 2_000,
      storedValue: { balance: 0, principal: 0, bonus: 0 },
      currency: 'SGD',
      occurredAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      printText: expect.any(String),
    });
    expect(answer.printText.split('\n')).toEqual([
      'Test Kitchen',
      'Paid out                         $190.00',
      'Bonus lapsed                      $20.00',
      'Balance                            $0.00',
    ]);
  });

  test('of a part lets the same share of the bonus lapse, rounded down', async () => {
    const { id } = await richCustomer();
    const answer = expectSuccess(await cashOut({ customer: { customerId: id }, amount: 3_333 }));
    expect(answer).toMatchObject({
      amountPaidOut: 3_333,
      bonusLapsed: 666,
      storedValue: { principal: 6_667, bonus: 1_334 },
    });
  });

  test('of one top-up leaves the others', async () => {
    const { id } = await richCustomer();
    const topUpTransactionId = await topUp(id);
    const answer = expectSuccess(await cashOut({ customer: { customerId: id }, topUpTransactionId }));
    expect(answer).toMatchObject({ amountPaidOut: 10_000, storedValue: { principal: 10_000, bonus: 2_000 } });
    const again = await cashOut({ customer: { customerId: id }, topUpTransactionId });
    expect(expectError(again, 402, 'insufficient_balance').details).toEqual({ balance: 0, requested: 0 });
  });

  test('replays the first response, byte for byte, and a look-up has it', async () => {
    const { id } = await richCustomer();
    const request = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 100 };
    const first = await cashOut(request);
    const again = await cashOut(request);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const found = await api.get(scene.key, `/transactions/${request.transactionId}`);
    expect(found.body).toMatchObject({ type: 'cashOut', status: 'completed', answer: { amountPaidOut: 100 } });
  });
});

test('400 invalid_request', async () => {
  const { issues } = expectError(await cashOut({ amount: 0 }), 400, 'invalid_request');
  expect(issues.map(({ path }: { path: string }) => path)).toEqual(['customer', 'amount']);
});

test('401 invalid_api_key', async () => {
  expectError(await cashOut({ customer: { customerId: scene.customer.id } }, 'no key'), 401, 'invalid_api_key');
});

describe('the PIN', () => {
  test('is needed as for a redemption', async () => {
    const { merchant, key } = await createScene(api, { pin_required: true });
    const offer = await createFixedPackage(api.owner, merchant.id, { amount: 10_000, bonus: 0 });
    const customer = async (settings: { pin?: string }) => {
      const { id } = await createCustomer(api.owner, merchant.id, settings);
      await topUp(id, { key, offer });
      return { customer: { customerId: id }, amount: 100 };
    };
    const [own, without] = [await customer({ pin: '4831' }), await customer({})];
    expectError(await cashOut(own, key), 400, 'pin_required');
    expectError(await cashOut({ ...without, pin: '4831' }, key), 402, 'pin_not_set');
    expectSuccess(await cashOut({ ...own, pin: '4831' }, key));
    for (let n = 0; n < 5; n++) await cashOut({ ...own, pin: '4832' }, key);
    expectError(await cashOut({ ...own, pin: '4831' }, key), 402, 'pin_locked');
    const other = await customer({ pin: '4831' });
    expectError(await cashOut({ ...other, pin: '4832' }, key), 402, 'pin_invalid');
  });
});

describe('402', () => {
  test('insufficient_balance: a bonus is never paid out', async () => {
    const { id } = await richCustomer();
    const request = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 10_001 };
    const refusal = expectError(await cashOut(request), 402, 'insufficient_balance');
    expect(refusal).toMatchObject({
      message: '100.00 SGD can be paid out; 100.01 SGD was requested.',
      details: { balance: 10_000, requested: 10_001 },
    });
    expect((await cashOut(request)).headers.get('idempotent-replayed')).toBe('true');
  });

  test('insufficient_balance: what was paid by card on a phone is not paid out', async () => {
    const { id } = await richCustomer();
    await api.owner`
      update transactions set store_id = null where customer_id = ${id} and type = 'topUp'`;
    const { message } = expectError(await cashOut({ customer: { customerId: id } }), 402, 'insufficient_balance');
    expect(message).toBe('Nothing can be paid out. Top-ups by card on a phone are refunded to the card.');
  });

  test('insufficient_balance: nor after its customer was merged, once or twice', async () => {
    const staff = callAs(await createStaff(api.owner, testServices(api.db), scene.merchant.id, 'owner'));
    const [first, second, kept] = [
      await richCustomer(),
      await createCustomer(api.owner, scene.merchant.id),
      await richCustomer(),
    ];
    await api.owner`
      update transactions set store_id = null where customer_id = ${first.id} and type = 'topUp'`;
    await staff.customers.merge({ keptId: second.id, mergedId: first.id });
    expectError(await cashOut({ customer: { customerId: second.id } }), 402, 'insufficient_balance');
    await staff.customers.merge({ keptId: kept.id, mergedId: second.id });
    // What the kept customer paid at the till is all that is paid out.
    const answer = expectSuccess(await cashOut({ customer: { customerId: kept.id } }));
    expect(answer).toMatchObject({ amountPaidOut: 10_000, storedValue: { principal: 10_000 } });
    expectError(await cashOut({ customer: { customerId: first.id } }), 402, 'insufficient_balance');
  });

  test('insufficient_balance: nor after the merge was undone, nor if what it had bought is voided after the merge', async () => {
    const staff = callAs(await createStaff(api.owner, testServices(api.db), scene.merchant.id, 'owner'));
    const [paid, kept] = [await richCustomer(), await createCustomer(api.owner, scene.merchant.id)];
    await api.owner`
      update transactions set store_id = null where customer_id = ${paid.id} and type = 'topUp'`;
    await staff.customers.merge({ keptId: kept.id, mergedId: paid.id });
    await staff.customers.undoMerge({ mergedId: paid.id });
    expectError(await cashOut({ customer: { customerId: paid.id } }), 402, 'insufficient_balance');
    const transactionId = newTransactionId();
    const spent = { transactionId, customer: { customerId: paid.id }, amount: 12_000 };
    expect(await api.post(scene.key, '/transactions/stored-value/redeem', spent)).toMatchObject({ status: 200 });
    await staff.customers.merge({ keptId: kept.id, mergedId: paid.id });
    expect(await api.post(scene.key, '/transactions/void', { transactionIds: [transactionId] })).toMatchObject({
      status: 200,
    });
    expectError(await cashOut({ customer: { customerId: kept.id } }), 402, 'insufficient_balance');
  });

  test('customer_blocked', async () => {
    const { id } = await richCustomer();
    await blockCustomer(api.owner, id);
    expectError(await cashOut({ customer: { customerId: id } }), 402, 'customer_blocked');
  });

  test('points_owed while the customer owes points, if the merchant refuses that', async () => {
    const { id } = await richCustomer();
    await oweFifty(api, scene.key, id);
    await api.owner`update merchants set refuses_owing = true where id = ${scene.merchant.id}`;
    onTestFinished(async () => {
      await api.owner`update merchants set refuses_owing = false where id = ${scene.merchant.id}`;
    });
    expectError(await cashOut({ customer: { customerId: id } }), 402, 'points_owed');
  });

  test('limit_exceeded beyond what a key may give in a day', async () => {
    const { merchant, key, customer } = await createScene(api, { key_daily_value: 12_000 });
    const offer = await createFixedPackage(api.owner, merchant.id, { amount: 10_000, bonus: 0 });
    await topUp(customer.id, { key, offer });
    const body = (amount: number) => ({ customer: { customerId: customer.id }, amount });
    expectSuccess(await cashOut(body(2_000), key));
    const { details } = expectError(await cashOut(body(1), key), 402, 'limit_exceeded');
    expect(details).toEqual({ limit: 'keyDailyValue', maximum: 12_000, used: 12_000 });
  });

  test('transaction_id_conflict and transaction_voided', async () => {
    const { id } = await richCustomer();
    const request = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 100 };
    expectSuccess(await cashOut(request));
    const { details } = expectError(await cashOut({ ...request, amount: 101 }), 402, 'transaction_id_conflict');
    expect(details).toEqual({ type: 'cashOut', status: 'completed' });
    await api.post(scene.key, '/transactions/void', { transactionIds: [request.transactionId] });
    expectError(await cashOut(request), 402, 'transaction_voided');
  });
});

test('403 store_forbidden', async () => {
  const answer = await cashOut({ customer: { customerId: scene.customer.id }, storeCode: 'SOUTH' });
  expectError(answer, 403, 'store_forbidden');
});

describe('404', () => {
  test('customer_not_found is no outcome: the id may be sent again', async () => {
    const { id } = await richCustomer();
    const transactionId = newTransactionId();
    expectError(await cashOut({ transactionId, customer: { customerId: newId() } }), 404, 'customer_not_found');
    expectSuccess(await cashOut({ transactionId, customer: { customerId: id } }));
  });

  test('transaction_not_found: the top-up is another customer’s, or no top-up', async () => {
    const { id } = await richCustomer();
    const other = await topUp((await richCustomer()).id);
    const sent = (topUpTransactionId: string) => cashOut({ customer: { customerId: id }, topUpTransactionId });
    expectError(await sent(other), 404, 'transaction_not_found');
    expectError(await sent('none'), 404, 'transaction_not_found');
  });

  test('store_not_found', async () => {
    const answer = await cashOut(
      { customer: { customerId: scene.customer.id }, storeCode: 'EAST' },
      scene.merchant.key,
    );
    expectError(answer, 404, 'store_not_found');
  });
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
