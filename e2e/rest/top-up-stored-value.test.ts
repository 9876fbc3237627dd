import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/core/ids';
import {
  blockCustomer,
  createCustomer,
  createFixedPackage,
  createOpenPackage,
  createTopUpRequest,
} from '@/server/testing/factory';
import { operationSuite } from './expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from './harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('topUpStoredValue');
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
  api.post(key, '/transactions/stored-value/top-up', {
    transactionId: newTransactionId(),
    customer: { customerId: scene.customer.id },
    packageId,
    ...body,
  });

/** The last millisecond of the day that is `days` after `from`, in Singapore: eight hours ahead, no summer time. */
function endOfDayInSingapore(from: string, days: number): string {
  const eightHours = 8 * 3_600_000;
  const aDay = 24 * 3_600_000;
  const today = Math.floor((Date.parse(from) + eightHours) / aDay);
  return new Date((today + days + 1) * aDay - eightHours - 1).toISOString();
}

describe('200', () => {
  test('credits what was paid and the bonus of a fixed package', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    const transactionId = newTransactionId();
    const answer = expectSuccess(await topUp({ transactionId, customer: { phone }, billId: 'B-1', staffId: 'S-1' }));
    expect(answer).toEqual({
      transactionId,
      status: 'completed',
      type: 'topUp',
      customerId: id,
      packageId,
      principal: 10_000,
      bonus: 2_000,
      credited: 12_000,
      storedValue: { balance: 12_000, principal: 10_000, bonus: 2_000 },
      currency: 'SGD',
      bonusExpiresAt: endOfDayInSingapore(answer.occurredAt, 30),
      occurredAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      printText: expect.any(String),
    });
    expect(answer.printText.split('\n')).toEqual([
      'Test Kitchen',
      'Top-up                           $120.00',
      'Paid                             $100.00',
      'Bonus                             $20.00',
      'Balance                          $120.00',
    ]);
  });

  test('takes the amount of a fixed package when it is the same', async () => {
    expect(expectSuccess(await topUp({ amount: 10_000 })).principal).toBe(10_000);
  });

  test('rounds the bonus of an open package down to the minor unit', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    const answer = expectSuccess(
      await topUp({ customer: { customerId: id }, packageId: openPackageId, amount: 2_009 }),
    );
    expect(answer).toMatchObject({ principal: 2_009, bonus: 200, credited: 2_209, bonusExpiresAt: null });
  });

  test('takes the least and the most of an open package', async () => {
    for (const amount of [2_000, 50_000]) expectSuccess(await topUp({ packageId: openPackageId, amount }));
  });

  test('adds up, and keeps what the POS said', async () => {
    const { id, email } = await createCustomer(api.owner, scene.merchant.id);
    const said = { billId: 'B 2 / 店', staffId: 'staff', receiptNumber: 'R-9' };
    const transactionId = newTransactionId();
    await topUp({ customer: { email } });
    const { storedValue } = expectSuccess(await topUp({ transactionId, customer: { email }, ...said }));
    expect(storedValue).toEqual({ balance: 24_000, principal: 20_000, bonus: 4_000 });
    const [row] = await api.owner`
      select customer_id, bill_id, staff_id, receipt_number from transactions where transaction_id = ${transactionId}`;
    expect({ ...row }).toEqual({
      customer_id: id,
      bill_id: said.billId,
      staff_id: said.staffId,
      receipt_number: said.receiptNumber,
    });
  });

  test('writes no bonus where there is none', async () => {
    const plain = await createFixedPackage(api.owner, scene.merchant.id, { amount: 700, bonus: 0 });
    expect(expectSuccess(await topUp({ packageId: plain }))).toMatchObject({ bonus: 0, bonusExpiresAt: null });
  });
});

describe('400 invalid_request', () => {
  test('for an amount that the package does not take', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ amount: 9_999 }, "must be the package's 10000"],
      [{ packageId: openPackageId }, 'is required for an open package'],
      [{ packageId: openPackageId, amount: 1_999 }, 'must be from 2000 to 50000'],
      [{ packageId: openPackageId, amount: 50_001 }, 'must be from 2000 to 50000'],
    ];
    for (const [body, message] of cases) {
      const { issues } = expectError(await topUp(body), 400, 'invalid_request');
      expect(issues).toEqual([{ path: 'amount', message }]);
    }
  });

  test('is no outcome: the same id may be sent again', async () => {
    const transactionId = newTransactionId();
    expectError(await topUp({ transactionId, amount: 1 }), 400, 'invalid_request');
    expectSuccess(await topUp({ transactionId }));
  });
});

test('401 invalid_api_key', async () => {
  expectError(await topUp({}, 'sk_sandbox_nonsense'), 401, 'invalid_api_key');
});

describe('402', () => {
  test('package_unavailable outside its dates, archived, and at another store', async () => {
    const { merchant } = scene;
    const create = (settings: object) =>
      createFixedPackage(api.owner, merchant.id, { amount: 500, bonus: 0, ...settings });
    const unavailable = [
      await create({ valid_from: new Date(Date.now() + 3_600_000) }),
      await create({ valid_until: new Date(Date.now() - 1_000) }),
      await create({ archived_at: new Date() }),
      await create({ storeIds: [merchant.stores[1].id] }),
    ];
    for (const id of unavailable) expectError(await topUp({ packageId: id }), 402, 'package_unavailable');
    expectSuccess(await topUp({ packageId: unavailable[3] }, merchant.stores[1].key));
  });

  test('customer_blocked; the balances can still be read', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    await blockCustomer(api.owner, id);
    expectError(await topUp({ customer: { customerId: id } }), 402, 'customer_blocked');
    expectSuccess(await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`));
  });

  test('balance_limit_exceeded, and not at the limit itself', async () => {
    const { merchant, key, customer } = await createScene(api, { balance_limit: 12_000 });
    const offer = await createFixedPackage(api.owner, merchant.id, { amount: 5_000, bonus: 1_000 });
    const again = () => topUp({ packageId: offer, customer: { phone: customer.phone } }, key);
    expectSuccess(await again());
    expect(expectSuccess(await again()).storedValue.balance).toBe(12_000);
    const { details } = expectError(await again(), 402, 'balance_limit_exceeded');
    expect(details).toEqual({ limit: 12_000, balance: 12_000, credited: 6_000 });
  });

  test('balance_limit_exceeded past the most that a balance can be', async () => {
    const { id } = await createCustomer(api.owner, scene.merchant.id);
    const most = await createFixedPackage(api.owner, scene.merchant.id, { amount: 99_999_999_999, bonus: 0 });
    const answer = expectSuccess(await topUp({ packageId: most, customer: { customerId: id } }));
    expect(answer.storedValue.balance).toBe(99_999_999_999);
    expectError(await topUp({ customer: { customerId: id } }), 402, 'balance_limit_exceeded');
  });

  test('transaction_id_conflict and transaction_voided', async () => {
    const transactionId = newTransactionId();
    expectSuccess(await topUp({ transactionId }));
    expectError(await topUp({ transactionId, billId: 'another' }), 402, 'transaction_id_conflict');
    await api.post(scene.key, '/transactions/void', { transactionIds: [transactionId] });
    expectError(await topUp({ transactionId }), 402, 'transaction_voided');
  });
});

test('403 store_forbidden', async () => {
  expectError(await topUp({ storeCode: 'SOUTH' }), 403, 'store_forbidden');
});

describe('404', () => {
  test('customer_not_found', async () => {
    for (const customer of [{ customerId: newId() }, { phone: '+6580000001' }, { email: 'nobody@example.com' }]) {
      expectError(await topUp({ customer }), 404, 'customer_not_found');
    }
  });

  test('package_not_found is no outcome: the same id may be sent again', async () => {
    const transactionId = newTransactionId();
    expectError(await topUp({ transactionId, packageId: newId() }), 404, 'package_not_found');
    expectSuccess(await topUp({ transactionId }));
  });

  test('store_not_found', async () => {
    expectError(await topUp({ storeCode: 'EAST' }, scene.merchant.key), 404, 'store_not_found');
  });
});

describe('with a counterCode', () => {
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

  test('credits what was offered when it was begun, at any store and whatever became of the package', async () => {
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
    for (const wrong of [
      { customer: { customerId: scene.customer.id } },
      { packageId: openPackageId },
      { amount: 10_001 },
    ]) {
      expectError(await topUp({ ...body, ...wrong }), 402, 'counter_code_mismatch');
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

  test('404 top_up_request_not_found for a code of nobody, and of another merchant; it is no outcome', async () => {
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

  test('a refusal of the balance leaves the code as it is', async () => {
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
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
