import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { operationSuite, stateOf } from '../expectations';
import { createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('voidTransactions');
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

const voidAll = (transactionIds: string[], key = scene.key, rest: Record<string, unknown> = {}) =>
  api.post(key, '/transactions/void', { transactionIds, ...rest });

async function topUp(customerId: string, key = scene.key): Promise<string> {
  const transactionId = newTransactionId();
  const body = { transactionId, customer: { customerId }, packageId };
  expect((await api.post(key, '/transactions/stored-value/top-up', body)).status).toBe(200);
  return transactionId;
}

async function redeem(customerId: string, amount: number, status = 200): Promise<string> {
  const transactionId = newTransactionId();
  const body = { transactionId, customer: { customerId }, amount };
  expect((await api.post(scene.key, '/transactions/stored-value/redeem', body)).status).toBe(status);
  return transactionId;
}

async function balanceOf(phone: string) {
  const { body } = await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`);
  return body.storedValue;
}

/** One who topped up once, and then redeemed 25.00. */
async function visitor() {
  const customer = await createCustomer(api.owner, scene.merchant.id);
  const topUpId = await topUp(customer.id);
  const before = await balanceOf(customer.phone);
  return { ...customer, topUpId, before, redemptionId: await redeem(customer.id, 2_500) };
}

describe('200', () => {
  test('gives a redemption back to the lots it came from', async () => {
    const { id, phone, before, redemptionId } = await visitor();
    const effect = {
      returned: { principal: 500, bonus: 2_000, points: 0 },
      expired: { principal: 0, bonus: 0, points: 0 },
      taken: { principal: 0, bonus: 0, points: 0 },
      shortfall: 0,
      vouchers: [],
      storedValue: { balance: 12_000, principal: 10_000, bonus: 2_000 },
      points: { balance: 0, worth: 0 },
      printText: [
        'Test Kitchen',
        'Voided                            $25.00',
        'Stored value returned             $25.00',
        'Balance                          $120.00',
      ].join('\n'),
    };
    expect(expectSuccess(await voidAll([redemptionId], scene.key, { reason: 'Bill cancelled' }))).toEqual({
      results: [{ transactionId: redemptionId, status: 'voided', type: 'redeemStoredValue', customerId: id, effect }],
    });
    const { body } = await api.get(scene.key, `/transactions/${redemptionId}`);
    expect(body).toMatchObject({ status: 'voided', effect });
    expect(await balanceOf(phone)).toEqual(before);
    const [row] = await api.owner`
      select v.reason from voids v join transactions t on t.void_id = v.id where t.transaction_id = ${redemptionId}`;
    expect(row?.reason).toBe('Bill cancelled');
  });

  test('takes a top-up and its bonus back', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    const topUpId = await topUp(id);
    const { results } = expectSuccess(await voidAll([topUpId]));
    expect(results).toMatchObject([
      {
        transactionId: topUpId,
        status: 'voided',
        type: 'topUp',
        customerId: id,
        effect: { taken: { principal: 10_000, bonus: 2_000 }, storedValue: { balance: 0 } },
      },
    ]);
    expect(await balanceOf(phone)).toEqual({ balance: 0, principal: 0, bonus: 0, expiring: [] });
  });

  test('gives back what was spent even to one who holds the most that there is, and whose balance serves on', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    const most = 99_999_999_999;
    const largest = await createFixedPackage(api.owner, scene.merchant.id, { amount: most, bonus: 0 });
    const fill = async () => {
      const body = { transactionId: newTransactionId(), customer: { customerId: id }, packageId: largest };
      expect((await api.post(scene.key, '/transactions/stored-value/top-up', body)).status).toBe(200);
    };
    await fill();
    const redemptionId = await redeem(id, most);
    await fill();
    expectSuccess(await voidAll([redemptionId]));
    expect(await balanceOf(phone)).toMatchObject({ balance: 2 * most, principal: 2 * most });
    await redeem(id, most);
    await redeem(id, 1);
    expect(await balanceOf(phone)).toMatchObject({ balance: most - 1 });
  });

  test('undoes a whole bill at once, named in any order, and answers in that order', async () => {
    for (const order of [0, 1]) {
      const { phone, topUpId, redemptionId } = await visitor();
      const ids = order === 0 ? [topUpId, redemptionId] : [redemptionId, topUpId];
      const { results } = expectSuccess(await voidAll(ids));
      expect(results.map(({ transactionId }: { transactionId: string }) => transactionId)).toEqual(ids);
      expect((await balanceOf(phone)).balance).toBe(0);
    }
  });

  test('works for several customers', async () => {
    const [a, b] = [await visitor(), await visitor()];
    expectSuccess(await voidAll([a.redemptionId, b.redemptionId]));
    expect(await balanceOf(a.phone)).toEqual(a.before);
    expect(await balanceOf(b.phone)).toEqual(b.before);
  });

  test('says so when sent again, and moves nothing', async () => {
    const { id, phone, redemptionId } = await visitor();
    const first = expectSuccess(await voidAll([redemptionId])).results[0];
    const before = await balanceOf(phone);
    expect(expectSuccess(await voidAll([redemptionId])).results).toEqual([
      {
        transactionId: redemptionId,
        status: 'already_voided',
        type: 'redeemStoredValue',
        customerId: id,
        effect: first.effect,
      },
    ]);
    expect(await balanceOf(phone)).toEqual(before);
  });

  test('voids a refused transaction with nothing to undo', async () => {
    const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
    const refused = await redeem(id, 100, 402);
    const { results } = expectSuccess(await voidAll([refused]));
    expect(results).toEqual([{ transactionId: refused, status: 'voided', type: 'redeemStoredValue', customerId: id }]);
    expect((await balanceOf(phone)).balance).toBe(0);
  });

  test('records an unknown id as voided', async () => {
    const unknown = newTransactionId();
    expect(expectSuccess(await voidAll([unknown])).results).toEqual([{ transactionId: unknown, status: 'not_found' }]);
    expect(expectSuccess(await voidAll([unknown])).results).toEqual([
      { transactionId: unknown, status: 'already_voided' },
    ]);
    const late = { transactionId: unknown, customer: { customerId: scene.customer.id }, packageId };
    const answer = await api.post(scene.key, '/transactions/stored-value/top-up', late);
    expect(answer.body.error.code).toBe('transaction_voided');
  });

  test('expired value comes back and expires at once', async () => {
    const { id, phone, redemptionId } = await visitor();
    await api.owner`update lots set expires_at = now() - interval '1 second' where customer_id = ${id} and part = 'bonus'`;
    const { results } = expectSuccess(await voidAll([redemptionId]));
    expect(results[0].effect).toMatchObject({
      returned: { principal: 500, bonus: 0 },
      expired: { principal: 0, bonus: 2_000 },
      storedValue: { balance: 10_000, principal: 10_000, bonus: 0 },
    });
    expect(results[0].effect.printText.split('\n').slice(2)).toEqual([
      'Stored value returned              $5.00',
      'Stored value expired              $20.00',
      'Balance                          $100.00',
    ]);
    expect(await balanceOf(phone)).toEqual({ balance: 10_000, principal: 10_000, bonus: 0, expiring: [] });
    const kinds = await api.owner`
      select kind, sum(amount)::int as amount from ledger_entries where customer_id = ${id} and part = 'bonus'
      group by kind order by kind::text`;
    expect(kinds.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['expiry', -2_000],
      ['grant', 2_000],
      ['spend', -2_000],
      ['void', 2_000],
    ]);
  });

  test('lets expired value live on for as many days as the merchant grants, without what else had expired', async () => {
    const other = await createScene(api);
    await api.owner`update merchants set returned_value_days = 7 where id = ${other.merchant.id}`;
    const offer = await createFixedPackage(api.owner, other.merchant.id, {
      amount: 10_000,
      bonus: 2_000,
      bonus_expires_in_days: 30,
    });
    const { id, phone } = await createCustomer(api.owner, other.merchant.id);
    const [topUpId, redemptionId] = [newTransactionId(), newTransactionId()];
    const customer = { customerId: id };
    await api.post(other.key, '/transactions/stored-value/top-up', {
      transactionId: topUpId,
      customer,
      packageId: offer,
    });
    await api.post(other.key, '/transactions/stored-value/redeem', {
      transactionId: redemptionId,
      customer,
      amount: 900,
    });
    await api.owner`update lots set expires_at = now() - interval '1 second' where customer_id = ${id} and part = 'bonus'`;
    const { results } = expectSuccess(await voidAll([redemptionId], other.key));
    expect(results[0].effect).toMatchObject({ returned: { bonus: 900 }, expired: { bonus: 0 } });
    const { body } = await api.get(other.key, `/customers/phone/${encodeURIComponent(phone)}/balances`);
    expect(body.storedValue).toMatchObject({ bonus: 900, expiring: [{ amount: 900 }] });
    const days = (Date.parse(body.storedValue.expiring[0].expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(8.1);
    expectSuccess(await voidAll([topUpId], other.key));
    expect(await ledgerViolations(api)).toEqual([]);
  });

  test('is about the ids of its own store only', async () => {
    const { redemptionId, phone } = await visitor();
    const before = await balanceOf(phone);
    const { results } = expectSuccess(await voidAll([redemptionId], scene.merchant.stores[1].key));
    expect(results).toEqual([{ transactionId: redemptionId, status: 'not_found' }]);
    expect(await balanceOf(phone)).toEqual(before);
    expect((await api.get(scene.key, `/transactions/${redemptionId}`)).body.status).toBe('completed');
  });

  test('takes 100 ids of all sorts', async () => {
    const { redemptionId, topUpId } = await visitor();
    const ids = [redemptionId, ...Array.from({ length: 98 }, newTransactionId), topUpId];
    const { results } = expectSuccess(await voidAll(ids));
    expect(results).toHaveLength(100);
    expect(results.filter(({ status }: { status: string }) => status === 'not_found')).toHaveLength(98);
  });
});

test('400 invalid_request for none, for too many, and for repeated ids', async () => {
  const tooMany = Array.from({ length: 101 }, newTransactionId);
  for (const ids of [[], tooMany, ['a', 'b', 'a']]) {
    const { issues } = expectError(await voidAll(ids), 400, 'invalid_request');
    expect(issues[0].path).toBe('transactionIds');
  }
  const { issues } = expectError(await voidAll(['good', 'not good', 'x'.repeat(65)]), 400, 'invalid_request');
  expect(issues.map(({ path }: { path: string }) => path)).toEqual(['transactionIds.1', 'transactionIds.2']);
});

test('401 invalid_api_key', async () => {
  expectError(await voidAll([newTransactionId()], 'no key'), 401, 'invalid_api_key');
});

describe('402 void_refused', () => {
  test('for a top-up that was spent, and all the others stay as they are', async () => {
    const spent = await visitor();
    const other = await visitor();
    const unknown = newTransactionId();
    const before = await stateOf(api, scene.merchant.id);
    const answer = await voidAll([other.redemptionId, spent.topUpId, unknown]);
    expect(expectError(answer, 402, 'void_refused').details).toEqual({
      blocking: [
        {
          transactionId: spent.topUpId,
          code: 'top_up_spent',
          spentBy: [{ transactionId: spent.redemptionId, type: 'redeemStoredValue', storeCode: 'NORTH' }],
        },
      ],
    });
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
    expect((await api.get(scene.key, `/transactions/${unknown}`)).status).toBe(404);
  });

  test('names each transaction that prevents it', async () => {
    const [a, b] = [await visitor(), await visitor()];
    const { blocking } = expectError(await voidAll([a.topUpId, b.topUpId]), 402, 'void_refused').details;
    expect(blocking.map(({ transactionId }: { transactionId: string }) => transactionId).sort()).toEqual(
      [a.topUpId, b.topUpId].sort(),
    );
  });

  test('is no outcome: it can be voided once the redemption was', async () => {
    const { topUpId, redemptionId } = await visitor();
    expectError(await voidAll([topUpId]), 402, 'void_refused');
    expectSuccess(await voidAll([redemptionId]));
    expectSuccess(await voidAll([topUpId]));
  });
});

test('403 store_forbidden', async () => {
  expectError(await voidAll(['x'], scene.key, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
});

test('404 store_not_found', async () => {
  expectError(await voidAll(['x'], scene.merchant.key, { storeCode: 'EAST' }), 404, 'store_not_found');
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

coversReference();
