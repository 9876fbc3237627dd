/** Voids of voucher and points redemptions and of sales: what each gives back, and in which order that works. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { expectError, stateOf } from '../expectations';
import { type Answer, createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';
import { plainSale } from '../ordering-operations';

const api = restApi();
let scene: Scene;
let campaignId: string;

beforeAll(async () => {
  scene = await createScene(api);
  campaignId = await createCampaign(api.owner, scene.merchant.id);
});

function ok(answer: Answer) {
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const voidAll = (...transactionIds: string[]) => api.post(scene.key, '/transactions/void', { transactionIds });

/** A customer with the acts that it takes here; each answers its transactionId. */
async function visitor() {
  const { id, phone } = await createCustomer(api.owner, scene.merchant.id);
  const customer = { customerId: id };
  const post = async (path: string, body: object) => {
    const transactionId = newTransactionId();
    ok(await api.post(scene.key, path, { transactionId, customer, ...body }));
    return transactionId;
  };
  return {
    id,
    customer,
    buy: async (points: number) => {
      const sale = plainSale(points * 100, { customer });
      ok(await api.post(scene.key, '/sales', sale));
      return String(sale.transactionId);
    },
    spend: (points: number) => post('/transactions/points/redeem', { points }),
    use: (voucherCode: string) => post('/transactions/voucher/redeem', { voucherCode, bill: { amount: 5_000 } }),
    newVoucher: () => createVoucher(api.owner, scene.merchant.id, { campaignId, customerId: id }),
    balances: async () => ok(await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`)),
    points: async () =>
      ok(await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`)).points.balance as number,
  };
}

describe('a voucher redemption', () => {
  test('the voucher is usable again', async () => {
    const { id, use, newVoucher, balances } = await visitor();
    const code = await newVoucher();
    const before = await balances();
    const transactionId = await use(code);
    expect((await balances()).vouchers).toEqual([]);
    expect(ok(await voidAll(transactionId)).results).toMatchObject([
      { transactionId, status: 'voided', type: 'redeemVoucher', customerId: id },
    ]);
    expect(await balances()).toEqual(before);
    await use(code);
  });

  test('sent again: already voided, and the next use of the voucher stays', async () => {
    const { id, customer, use, newVoucher } = await visitor();
    const code = await newVoucher();
    const first = await use(code);
    await voidAll(first);
    await use(code);
    expect(ok(await voidAll(first)).results).toMatchObject([
      { transactionId: first, status: 'already_voided', type: 'redeemVoucher', customerId: id },
    ]);
    const again = { transactionId: newTransactionId(), customer, voucherCode: code, bill: { amount: 5_000 } };
    expectError(await api.post(scene.key, '/transactions/voucher/redeem', again), 402, 'voucher_redeemed');
  });

  test('a voucher whose time ran out meanwhile is given back, and expired', async () => {
    const { customer, use, newVoucher } = await visitor();
    const code = await newVoucher();
    const transactionId = await use(code);
    await api.owner`update vouchers set expires_at = now() - interval '1 second' where voucher_code = ${code}`;
    ok(await voidAll(transactionId));
    const again = { transactionId: newTransactionId(), customer, voucherCode: code, bill: { amount: 5_000 } };
    expectError(await api.post(scene.key, '/transactions/voucher/redeem', again), 402, 'voucher_expired');
  });
});

describe('a points redemption', () => {
  test('the points go back to their lots, with their own expiry', async () => {
    const { id, buy, spend, balances } = await visitor();
    await buy(100);
    await buy(50);
    await api.owner`update lots set expires_at = now() + interval '5 days' where customer_id = ${id} and granted = 50`;
    const before = await balances();
    const transactionId = await spend(70);
    expect(ok(await voidAll(transactionId)).results).toMatchObject([
      { transactionId, status: 'voided', type: 'redeemPoints', customerId: id },
    ]);
    expect(await balances()).toEqual(before);
  });

  test('points whose time ran out meanwhile come back and expire at once, both written', async () => {
    const { id, buy, spend, points } = await visitor();
    await buy(100);
    const transactionId = await spend(60);
    await api.owner`update lots set expires_at = now() - interval '1 second' where customer_id = ${id}`;
    ok(await voidAll(transactionId));
    expect(await points()).toBe(0);
    const kinds = await api.owner`select kind, amount from ledger_entries where customer_id = ${id} order by id`;
    expect(kinds.map(({ kind, amount }) => [kind, Number(amount)])).toEqual([
      ['grant', 100],
      ['spend', -60],
      ['void', 60],
      ['expiry', -100],
    ]);
  });
});

describe('a sale', () => {
  test('takes back what it earned', async () => {
    const { id, buy, points } = await visitor();
    await buy(30);
    const transactionId = await buy(100);
    expect(ok(await voidAll(transactionId)).results).toMatchObject([
      { transactionId, status: 'voided', type: 'sale', customerId: id },
    ]);
    expect(await points()).toBe(30);
  });

  test('without a customer, or of nothing', async () => {
    const body = plainSale(5_000);
    ok(await api.post(scene.key, '/sales', body));
    expect(ok(await voidAll(String(body.transactionId))).results).toMatchObject([
      { transactionId: body.transactionId, status: 'voided', type: 'sale' },
    ]);
    const { buy } = await visitor();
    ok(await voidAll(await buy(0)));
  });

  test('what was spent is taken from other points, soonest to expire first', async () => {
    const { id, buy, spend, balances } = await visitor();
    const first = await buy(100);
    await spend(80);
    await buy(50);
    await buy(60);
    await api.owner`update lots set expires_at = now() + interval '5 days' where customer_id = ${id} and granted = 60`;
    ok(await voidAll(first));
    const { balance, expiring } = (await balances()).points;
    expect(balance).toBe(30);
    expect(expiring).toEqual([]);
  });

  test('points that cannot be taken back are returned, also when sent again; the balance is never negative', async () => {
    const { id, buy, spend, points } = await visitor();
    const sale = await buy(100);
    await spend(80);
    await buy(30);
    const result = { transactionId: sale, type: 'sale', customerId: id, pointsShortfall: 50 };
    expect(ok(await voidAll(sale)).results).toMatchObject([{ ...result, status: 'voided' }]);
    expect(ok(await voidAll(sale)).results).toMatchObject([{ ...result, status: 'already_voided' }]);
    expect(await points()).toBe(0);
  });

  test('the points owed are taken when a later void gives points back', async () => {
    const { buy, spend, points } = await visitor();
    const sale = await buy(100);
    const spent = await spend(80);
    const [result] = ok(await voidAll(sale)).results;
    expect(result.pointsShortfall).toBe(80);
    ok(await voidAll(spent));
    expect(await points()).toBe(0);
    const [paid] = ok(await voidAll(sale)).results;
    expect(paid.pointsShortfall).toBeUndefined();
  });

  test('what comes back beyond the debt is the customer’s', async () => {
    const { buy, spend, points } = await visitor();
    const sale = await buy(100);
    await buy(40);
    const spent = await spend(140);
    const [result] = ok(await voidAll(sale)).results;
    expect(result.pointsShortfall).toBe(100);
    ok(await voidAll(spent));
    expect(await points()).toBe(40);
  });

  test.each([
    ['sale first', (sale: string, spent: string) => [sale, spent]],
    ['redemption first', (sale: string, spent: string) => [spent, sale]],
  ])('in one batch with the redemption of its points there is no shortfall: %s', async (_, order) => {
    const { buy, spend, points } = await visitor();
    const sale = await buy(100);
    const spent = await spend(80);
    const { results } = ok(await voidAll(...order(sale, spent)));
    expect(results.map((one: { pointsShortfall?: number }) => one.pointsShortfall)).toEqual([undefined, undefined]);
    expect(await points()).toBe(0);
  });
});

describe('a whole bill', () => {
  test('of every type, in any order, in one batch', async () => {
    const packageId = await createFixedPackage(api.owner, scene.merchant.id, { amount: 10_000, bonus: 2_000 });
    for (const sort of [(ids: string[]) => ids, (ids: string[]) => ids.toReversed()]) {
      const { customer, buy, spend, use, newVoucher, balances } = await visitor();
      await buy(100);
      const code = await newVoucher();
      const before = await balances();
      const post = async (path: string, body: object) => {
        const transactionId = newTransactionId();
        ok(await api.post(scene.key, path, { transactionId, customer, ...body }));
        return transactionId;
      };
      const ids = [
        await post('/transactions/stored-value/top-up', { packageId }),
        await use(code),
        await spend(100),
        await post('/transactions/stored-value/redeem', { amount: 11_000 }),
        await buy(20),
        await spend(20),
      ];
      const { results } = ok(await voidAll(...sort(ids)));
      expect(results.map(({ status }: { status: string }) => status)).toEqual(ids.map(() => 'voided'));
      expect(await balances()).toEqual(before);
    }
  });

  test('is all or nothing: a spent top-up keeps the voucher redeemed and the points earned', async () => {
    const packageId = await createFixedPackage(api.owner, scene.merchant.id, { amount: 1_000, bonus: 0 });
    const { customer, buy, use, newVoucher } = await visitor();
    const topUp = { transactionId: newTransactionId(), customer, packageId };
    ok(await api.post(scene.key, '/transactions/stored-value/top-up', topUp));
    const redeem = { transactionId: newTransactionId(), customer, amount: 1_000 };
    ok(await api.post(scene.key, '/transactions/stored-value/redeem', redeem));
    const ids = [await use(await newVoucher()), await buy(10), topUp.transactionId];
    const before = await stateOf(api, scene.merchant.id);
    const { details } = expectError(await voidAll(...ids), 402, 'void_refused');
    expect(details.blocking).toMatchObject([{ transactionId: topUp.transactionId, code: 'top_up_spent' }]);
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
  });

  test('refused redemptions have nothing to undo', async () => {
    const { id, customer } = await visitor();
    const transactionId = newTransactionId();
    const refused = await api.post(scene.key, '/transactions/points/redeem', { transactionId, customer, points: 1 });
    expectError(refused, 402, 'insufficient_points');
    expect(ok(await voidAll(transactionId)).results).toMatchObject([
      { transactionId, status: 'voided', type: 'redeemPoints', customerId: id },
    ]);
  });
});

test('void against its voucher redemption, 30 times: the voucher is free in the end', async () => {
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const { customer, newVoucher, balances } = await visitor();
      const voucherCode = await newVoucher();
      const transactionId = newTransactionId();
      const body = { transactionId, customer, voucherCode, bill: { amount: 5_000 } };
      const [original, voided] = await Promise.all([
        api.post(scene.key, '/transactions/voucher/redeem', body),
        voidAll(transactionId),
      ]);
      if (original.status === 200) expect(ok(voided).results[0].status).toBe('voided');
      else expectError(original, 402, 'transaction_voided');
      expect((await balances()).vouchers).toHaveLength(1);
    }),
  );
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
