import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { blockCustomer, createCustomer, createFixedPackage, createOpenPackage } from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('topUpStoredValue', {
  elsewhere: ['top_up_request_not_found', 'top_up_request_closed', 'counter_code_mismatch'],
});
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
      'Paid                             $100.00',
      'Bonus                             $20.00',
      'Added to balance                 $120.00',
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

  test('accepts the minimum and the maximum of an open package', async () => {
    for (const amount of [2_000, 50_000]) expectSuccess(await topUp({ packageId: openPackageId, amount }));
  });

  test('adds up, and stores what the POS sent', async () => {
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

  test('late, from an offline till, uses the offer at the time of payment', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const create = (settings: object) =>
      createFixedPackage(api.owner, scene.merchant.id, { amount: 500, bonus: 0, ...settings });
    const paid = (id: string, minutes: number) => topUp({ packageId: id, occurredAt: ago(minutes).toISOString() });
    for (const past of [await create({ valid_until: ago(10) }), await create({ archived_at: ago(10) })]) {
      expectSuccess(await paid(past, 20));
      expectError(await paid(past, 5), 402, 'package_unavailable');
    }
    const later = await create({ valid_from: ago(10) });
    expectSuccess(await paid(later, 5));
    expectError(await paid(later, 20), 402, 'package_unavailable');
  });

  test('writes no bonus where there is none', async () => {
    const plain = await createFixedPackage(api.owner, scene.merchant.id, { amount: 700, bonus: 0 });
    expect(expectSuccess(await topUp({ packageId: plain }))).toMatchObject({ bonus: 0, bonusExpiresAt: null });
  });
});

describe('400 invalid_request', () => {
  test('for an amount that the package does not take', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ amount: 9_999 }, "must be the package's 100.00 SGD"],
      [{ packageId: openPackageId }, 'is required for an open package'],
      [{ packageId: openPackageId, amount: 1_999 }, 'must be from 20.00 SGD to 500.00 SGD'],
      [{ packageId: openPackageId, amount: 50_001 }, 'must be from 20.00 SGD to 500.00 SGD'],
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

  test('limit_exceeded beyond what a key may give in a day, the bonus included, for good', async () => {
    const { merchant, key, customer } = await createScene(api, { key_daily_value: 12_000 });
    const offer = await createFixedPackage(api.owner, merchant.id, { amount: 5_000, bonus: 1_000 });
    const body = (transactionId = newTransactionId()) => ({
      transactionId,
      packageId: offer,
      customer: { phone: customer.phone },
    });
    expectSuccess(await topUp(body(), key));
    expectSuccess(await topUp(body(), key));
    const refused = body();
    const { details } = expectError(await topUp(refused, key), 402, 'limit_exceeded');
    expect(details).toEqual({ limit: 'keyDailyValue', maximum: 12_000, used: 12_000 });
    expectError(await topUp(refused, key), 402, 'limit_exceeded');
    expectError(await topUp(body(), key), 402, 'limit_exceeded');
  });

  test('balance_limit_exceeded beyond the maximum of any balance', async () => {
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

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
