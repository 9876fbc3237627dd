import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { blockCustomer, createCustomer, createFixedPackage } from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { plainBill } from '../ordering-operations';
import { oweFifty } from './owing';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('redeemStoredValue', {
  elsewhere: ['pin_required', 'pin_not_set', 'pin_invalid', 'pin_locked'],
});
let scene: Scene;
let packageId: string;

beforeAll(async () => {
  scene = await createScene(api);
  packageId = await createFixedPackage(api.owner, scene.merchant.id, {
    amount: 10_000,
    bonus: 2_000,
    bonus_expires_in_days: 30,
  });
});

async function topUp(customerId: string, offer = packageId): Promise<string> {
  const body = { transactionId: newTransactionId(), customer: { customerId }, packageId: offer };
  const answer = await api.post(scene.key, '/transactions/stored-value/top-up', body);
  expect(answer.status, answer.text).toBe(200);
  return body.transactionId;
}

/** A customer who topped up once: 100.00 and 20.00 bonus. */
async function richCustomer() {
  const customer = await createCustomer(api.owner, scene.merchant.id);
  await topUp(customer.id);
  return customer;
}

const redeem = (body: Record<string, unknown>, key = scene.key) =>
  api.post(key, '/transactions/stored-value/redeem', { transactionId: newTransactionId(), amount: 100, ...body });

describe('200', () => {
  test('spends value that expires soonest first, and returns the balance', async () => {
    const { phone, id } = await richCustomer();
    const transactionId = newTransactionId();
    const answer = expectSuccess(await redeem({ transactionId, customer: { phone }, amount: 2_500 }));
    expect(answer).toEqual({
      transactionId,
      status: 'completed',
      type: 'redeemStoredValue',
      customerId: id,
      amountRedeemed: 2_500,
      remainingDue: 0,
      bonusUsed: 2_000,
      principalUsed: 500,
      storedValue: { balance: 9_500, principal: 9_500, bonus: 0 },
      currency: 'SGD',
      occurredAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      printText: expect.any(String),
    });
    expect(answer.printText.split('\n')).toEqual([
      'Test Kitchen',
      'Stored value used                 $25.00',
      'Balance                           $95.00',
    ]);
  });

  test('takes the whole balance to the last cent', async () => {
    const { id } = await richCustomer();
    const answer = expectSuccess(await redeem({ customer: { customerId: id }, amount: 12_000 }));
    expect(answer).toMatchObject({ amountRedeemed: 12_000, remainingDue: 0, storedValue: { balance: 0 } });
  });

  test('takes the available balance with allowPartial', async () => {
    const { email } = await richCustomer();
    const customer = { email: email.toUpperCase() };
    const answer = expectSuccess(await redeem({ customer, amount: 15_000, allowPartial: true }));
    expect(answer).toMatchObject({ amountRedeemed: 12_000, remainingDue: 3_000, storedValue: { balance: 0 } });
  });

  test('takes no more than requested with allowPartial', async () => {
    const { id } = await richCustomer();
    const answer = expectSuccess(await redeem({ customer: { customerId: id }, amount: 1_500, allowPartial: true }));
    expect(answer).toMatchObject({ amountRedeemed: 1_500, remainingDue: 0, storedValue: { balance: 10_500 } });
  });

  test('replays the first response, byte for byte', async () => {
    const { id } = await richCustomer();
    const request = { transactionId: newTransactionId(), customer: { customerId: id } };
    const first = await redeem(request);
    const again = await redeem({ pin: '9999', ...request });
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('spends across lots: the soonest to expire, then the oldest, and principal that never expires last', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    const [older, newer] = [await topUp(id), await topUp(id)];
    const offer = { amount: 1_000, bonus: 300, bonus_expires_in_days: 3 };
    const sooner = await topUp(id, await createFixedPackage(api.owner, scene.merchant.id, offer));
    const spend = async (amount: number) => {
      const transactionId = newTransactionId();
      expectSuccess(await redeem({ transactionId, customer: { customerId: id }, amount }));
      const spent = await api.owner`
        select g.transaction_id as of, e.part, e.amount::int from ledger_entries e
        join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
        join lots l on l.merchant_id = e.merchant_id and l.id = e.lot_id
        join transactions g on g.merchant_id = l.merchant_id and g.uid = l.transaction_uid
        where t.transaction_id = ${transactionId} order by l.expires_at nulls last, l.id`;
      return spent.map((entry) => [entry.of, entry.part, entry.amount]);
    };
    expect(await spend(1_300)).toEqual([
      [sooner, 'bonus', -300],
      [older, 'bonus', -1_000],
    ]);
    expect(await spend(3_200)).toEqual([
      [older, 'bonus', -1_000],
      [newer, 'bonus', -2_000],
      [older, 'principal', -200],
    ]);
  });

  test('spends a bonus that never expires before what was paid for it', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    await topUp(id, await createFixedPackage(api.owner, scene.merchant.id, { amount: 1_000, bonus: 200 }));
    const answer = expectSuccess(await redeem({ customer: { customerId: id }, amount: 300 }));
    expect(answer).toMatchObject({ bonusUsed: 200, principalUsed: 100 });
  });
});

test('400 invalid_request', async () => {
  const { issues } = expectError(await redeem({ amount: 0 }), 400, 'invalid_request');
  expect(issues.map(({ path }: { path: string }) => path)).toEqual(['customer', 'amount']);
});

test('401 invalid_api_key', async () => {
  expectError(await redeem({ customer: { customerId: scene.customer.id } }, 'no key'), 401, 'invalid_api_key');
});

describe('402', () => {
  test('insufficient_balance is the final outcome of the id', async () => {
    const { id } = await richCustomer();
    const request = { transactionId: newTransactionId(), customer: { customerId: id }, amount: 12_001 };
    const refusal = expectError(await redeem(request), 402, 'insufficient_balance');
    expect(refusal).toMatchObject({
      message: 'The stored-value balance is 120.00 SGD; 120.01 SGD was requested.',
      details: { balance: 12_000, requested: 12_001 },
    });
    await topUp(id);
    const again = await redeem(request);
    expect(expectError(again, 402, 'insufficient_balance').details).toEqual(refusal.details);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('insufficient_balance for an empty balance, also with allowPartial', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    const request = { customer: { customerId: id }, amount: 1 };
    expectError(await redeem(request), 402, 'insufficient_balance');
    expectError(await redeem({ ...request, allowPartial: true }), 402, 'insufficient_balance');
  });

  test('insufficient_balance where the rest has expired', async () => {
    const { id } = await richCustomer();
    await api.owner`update lots set expires_at = now() - interval '1 second' where customer_id = ${id} and part = 'bonus'`;
    const answer = await redeem({ customer: { customerId: id }, amount: 10_001 });
    expect(expectError(answer, 402, 'insufficient_balance').details.balance).toBe(10_000);
    const partly = expectSuccess(await redeem({ customer: { customerId: id }, amount: 10_001, allowPartial: true }));
    expect(partly).toMatchObject({ amountRedeemed: 10_000, remainingDue: 1, bonusUsed: 0 });
  });

  test('customer_blocked, whatever the balance; once unblocked, a new id works', async () => {
    const { id } = await richCustomer();
    await blockCustomer(api.owner, id);
    const request = { transactionId: newTransactionId(), customer: { customerId: id } };
    expectError(await redeem(request), 402, 'customer_blocked');
    expectError(
      await redeem({ ...request, transactionId: newTransactionId(), amount: 99_999 }),
      402,
      'customer_blocked',
    );
    await api.owner`update balances set blocked_at = null where customer_id = ${id}`;
    expectError(await redeem(request), 402, 'customer_blocked');
    expectSuccess(await redeem({ ...request, transactionId: newTransactionId() }));
  });

  test('points_owed while the customer owes points, if the merchant refuses that', async () => {
    const { id } = await richCustomer();
    await oweFifty(api, scene.key, id);
    await api.owner`update merchants set refuses_owing = true where id = ${scene.merchant.id}`;
    onTestFinished(async () => {
      await api.owner`update merchants set refuses_owing = false where id = ${scene.merchant.id}`;
    });
    expectError(await redeem({ transactionId: newTransactionId(), customer: { customerId: id } }), 402, 'points_owed');
  });

  test('transaction_id_conflict and transaction_voided', async () => {
    const { id } = await richCustomer();
    const request = { transactionId: newTransactionId(), customer: { customerId: id } };
    expectSuccess(await redeem(request));
    const { details } = expectError(await redeem({ ...request, amount: 101 }), 402, 'transaction_id_conflict');
    expect(details).toEqual({ type: 'redeemStoredValue', status: 'completed' });
    await api.post(scene.key, '/transactions/void', { transactionIds: [request.transactionId] });
    expectError(await redeem(request), 402, 'transaction_voided');
  });

  test('bill_closed: the bill has ended', async () => {
    const { id } = await richCustomer();
    const billId = newTransactionId();
    await api.put(scene.key, `/bills/${billId}`, plainBill(5_000));
    await api.post(scene.key, `/bills/${billId}/close`, {});
    expect(
      expectError(await redeem({ customer: { customerId: id }, billId, amount: 100 }), 402, 'bill_closed').details,
    ).toEqual({ state: 'closed' });
  });

  test('bill_due_exceeded: more than its open bill needs, and the same id keeps this outcome', async () => {
    const { id } = await richCustomer();
    const billId = newTransactionId();
    await api.put(scene.key, `/bills/${billId}`, plainBill(500));
    const request = (amount: number) => ({
      transactionId: newTransactionId(),
      customer: { customerId: id },
      billId,
      amount,
    });
    const first = request(501);
    const { details, message } = expectError(await redeem(first), 402, 'bill_due_exceeded');
    expect(details).toEqual({ due: 500, held: 0, requested: 501 });
    expect(message).toBe('Only 5.00 SGD of this bill is open to pay now; 5.01 SGD was requested.');
    await api.put(scene.key, `/bills/${billId}`, plainBill(600, { revision: 2 }));
    expectError(await redeem(first), 402, 'bill_due_exceeded');
    expect(expectSuccess(await redeem(request(501))).amountRedeemed).toBe(501);
    expectError(await redeem(request(100)), 402, 'bill_due_exceeded');
    expectSuccess(await redeem(request(99)));
  });
});

test('403 store_forbidden', async () => {
  const answer = await redeem({ customer: { customerId: scene.customer.id }, storeCode: 'SOUTH' });
  expectError(answer, 403, 'store_forbidden');
});

test('404 customer_not_found is no outcome: the id may be sent again', async () => {
  const { id } = await richCustomer();
  const transactionId = newTransactionId();
  expectError(await redeem({ transactionId, customer: { customerId: newId() } }), 404, 'customer_not_found');
  expectSuccess(await redeem({ transactionId, customer: { customerId: id } }));
});

test('404 store_not_found', async () => {
  const answer = await redeem({ customer: { customerId: scene.customer.id }, storeCode: 'EAST' }, scene.merchant.key);
  expectError(answer, 404, 'store_not_found');
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
