/**
 * Staff of one store, and customers who also visit another. The customers' value belongs to the merchant, but another
 * store's business is hidden from staff.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { openStage } from '@/server/testing/transaction-stage';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';

const database = ownDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;
/** The manager of the northern store. */
let call: ReturnType<typeof callAs>;
let cashier: ReturnType<typeof callAs>;

beforeAll(async () => {
  stage = await openStage(database);
  const { id, stores } = stage.merchant;
  const hire = async (role: 'manager' | 'cashier') =>
    callAs(await createStaff(database.owner, testServices(database.db), id, role, [stores[0].id]));
  call = await hire('manager');
  cashier = await hire('cashier');
});
beforeEach(() => stage.newCustomer());
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const causeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error.cause as { code: string; sentence: { key: string }; details: Record<string, unknown> },
  );
const here = () => ({ customerId: stage.customer().id });

describe('a customer’s history', () => {
  test('shows the kind, amounts and time of what happened elsewhere, and neither where nor what for', async () => {
    const { north, south, paid, redeemed, sold } = stage;
    const [topUp, there, here_] = [await paid(south), await sold(south, 700), await redeemed(north, 500)];
    await sold(north, 900);
    const { items } = await call.customers.ledger(here());
    expect(items.map(({ type, storeName, isElsewhere }) => [type, storeName, isElsewhere])).toEqual([
      ['sale', 'Store NORTH', false],
      ['redeemStoredValue', 'Store NORTH', false],
      ['sale', null, true],
      ['topUp', null, true],
    ]);
    expect(items.at(-1)).toMatchObject({
      uid: topUp,
      transactionId: null,
      billId: null,
      voucher: null,
      moved: { principal: 10_000, bonus: 2_000 },
      balance: { principal: 10_000, bonus: 2_000 },
    });
    expect(items[1]?.transactionId).toMatch(/^t-/);
    const sales = (await call.customers.sales(here())).items;
    expect(sales.map(({ total, storeName, isElsewhere }) => [total, storeName, isElsewhere])).toEqual([
      [900, 'Store NORTH', false],
      [700, null, true],
    ]);
    const lots = (await call.customers.lots(here())).items;
    expect(lots.filter(({ part }) => part !== 'points')).toMatchObject([
      { type: 'topUp', transactionUid: null, storeName: null, isElsewhere: true },
      { type: 'topUp', transactionUid: null, storeName: null, isElsewhere: true },
    ]);
    expect(JSON.stringify([items, sales, lots])).not.toMatch(/SOUTH/);
    for (const uid of [topUp, there]) {
      expect((await causeOf(call.transactions.get({ uid })))?.code).toBe('transaction_not_found');
    }
    const detail = await call.transactions.get({ uid: here_ });
    expect(detail.entries.map(({ grantedBy }) => grantedBy)).toEqual([null]);
  });

  test('and figures count all stores', async () => {
    const { north, south, paid, sold } = stage;
    await paid(south);
    await sold(south, 700);
    await sold(north, 900);
    const { visits, storedValue } = await cashier.customers.get(here());
    expect(visits).toMatchObject({ count: 2, spent: 1_600 });
    expect(storedValue).toMatchObject({ principal: 10_000, bonus: 2_000 });
  });
});

describe('voiding', () => {
  test('is refused where another store spent the value, without saying which', async () => {
    const { north, south, paid, redeemed } = stage;
    const uid = await paid(north);
    await redeemed(south, 500);
    const shown = await call.transactions.voidPreview({ uids: [uid] });
    expect(shown.transactions).toMatchObject([{ outcome: 'blocked', blocking: { code: 'top_up_spent', spentBy: [] } }]);
    const refused = await causeOf(call.transactions.void({ uids: [uid], reason: 'Twice', effect: shown.effect }));
    expect(refused).toMatchObject({ code: 'void_refused', sentence: { key: 'valueSpent' } });
    expect(JSON.stringify(refused?.details)).not.toMatch(/SOUTH/);
    // Staff of all stores see it.
    expect((await stage.preview(uid)).transactions[0]?.blocking?.spentBy).toMatchObject([{ storeCode: 'SOUTH' }]);
    // Everyone sees it for their own store.
    await redeemed(north, 300);
    const { transactions } = await call.transactions.voidPreview({ uids: [uid] });
    expect(transactions[0]?.blocking?.spentBy).toMatchObject([{ storeCode: 'NORTH' }]);
  });

  test('gives back what another store granted, and takes points that another store’s sale owes', async () => {
    const { north, south, paid, redeemed, sold, held, voidAll } = stage;
    await paid(south);
    const uid = await redeemed(north, 11_000);
    const { effect, customers } = await call.transactions.voidPreview({ uids: [uid] });
    expect(customers).toMatchObject([{ after: { principal: 10_000, bonus: 2_000 } }]);
    await call.transactions.void({ uids: [uid], reason: 'Twice', effect });
    expect(await held()).toMatchObject({ principal: 10_000, bonus: 2_000 });
    // The preview by someone of all stores has the same effect.
    const again = await redeemed(north, 100);
    expect((await call.transactions.voidPreview({ uids: [again] })).effect).toBe((await stage.preview(again)).effect);
    expect(await voidAll(await sold(south, 500))).toEqual(['voided']);
  });

  test('of another store’s transaction finds none, alone or with an own one', async () => {
    const { north, south, paid } = stage;
    const [own, other] = [await paid(north), await paid(south)];
    for (const uids of [[other], [own, other]]) {
      expect((await causeOf(call.transactions.voidPreview({ uids })))?.code).toBe('transaction_not_found');
      const voiding = call.transactions.void({ uids, reason: 'Twice', effect: 'x' });
      expect((await causeOf(voiding))?.code).toBe('transaction_not_found');
    }
  });
});

test('a part of a redemption is refunded to value that another store granted', async () => {
  const { north, south, paid, redeemed, held } = stage;
  await paid(south);
  const uid = await redeemed(north, 11_000);
  await call.transactions.refundPart({ refundId: newId(), uid, amount: 4_000, reason: 'Wrong dish' });
  expect(await held()).toMatchObject({ principal: 5_000, bonus: 0 });
  const other = await redeemed(south, 1_000);
  const refund = { refundId: newId(), uid: other, amount: 400, reason: 'Wrong dish' };
  expect((await causeOf(call.transactions.refundPart(refund)))?.code).toBe('transaction_not_found');
});

test('a top-up is taken for their store only, with an id that no store has used', async () => {
  const { merchant, packageId, held } = stage;
  const [north, south] = merchant.stores.map(({ id }) => id) as [string, string];
  const topUp = { ...here(), topUpId: newId(), packageId, amount: null, paymentMethod: 'cash' as const };
  const refusal = async (storeId: string) => causeOf(cashier.customers.topUp({ ...topUp, storeId }));
  expect(await refusal(south)).toMatchObject({ code: 'store_not_found' });
  expect((await refusal(south))?.sentence).toEqual((await refusal(newId()))?.sentence);
  await callAs(stage.manager).customers.topUp({ ...topUp, storeId: south });
  expect((await refusal(north))?.code).toBe('transaction_id_conflict');
  await cashier.customers.topUp({ ...topUp, topUpId: newId(), storeId: north });
  expect(await held()).toMatchObject({ principal: 20_000 });
});
