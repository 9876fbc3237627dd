import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import {
  blockCustomer,
  createCustomer,
  createFixedPackage,
  createMerchant,
  createOpenPackage,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import type { StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';

const database = sharedDatabase();
let merchant: TestMerchant;
let cashier: StaffContext;
let fixed: string;
let open: string;
let elsewhere: string;

beforeAll(async () => {
  const { owner, db } = database;
  merchant = await createMerchant(owner, { balance_limit: 50_000 });
  cashier = await createStaff(owner, testServices(db), merchant.id, 'cashier');
  fixed = await createFixedPackage(owner, merchant.id, { amount: 10_000, bonus: 2_000, bonus_expires_in_days: 30 });
  open = await createOpenPackage(owner, merchant.id, { min: 1_000, max: 20_000, basisPoints: 1_000 });
  elsewhere = await createFixedPackage(owner, merchant.id, {
    amount: 500,
    bonus: 0,
    storeIds: [merchant.stores[1].id],
  });
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const newCustomer = async () => (await createCustomer(database.owner, merchant.id)).id;
const given = (customerId: string) => ({
  topUpId: newId(),
  customerId,
  storeId: merchant.stores[0].id,
  packageId: fixed,
  amount: null,
  paymentMethod: 'cash' as const,
});
type Given = Omit<ReturnType<typeof given>, 'amount'> & { amount: number | null };
const topUp = (input: Given) => callAs(cashier).customers.topUp(input);
const balanceOf = async (customerId: string) =>
  (await callAs(cashier).customers.get({ customerId })).storedValue.balance;

describe('topping up at the counter', () => {
  test('credits a package as a till does, with receipt, author and payment method', async () => {
    const customerId = await newCustomer();
    const { uid, answer } = await topUp(given(customerId));
    expect(answer).toMatchObject({ principal: 10_000, bonus: 2_000, storedValue: { balance: 12_000 } });
    expect(answer.printText).toContain('100.00');
    expect(await balanceOf(customerId)).toBe(12_000);
    expect(await callAs(cashier).transactions.get({ uid })).toMatchObject({
      type: 'topUp',
      status: 'completed',
      apiKeyName: null,
      store: { name: 'Store NORTH' },
      taken: { by: 'Test cashier', paymentMethod: 'cash' },
    });
    const [audited] = await database.owner`
      select action, actor_id, after from audit_log where subject_id = ${customerId} order by id desc limit 1`;
    expect(audited).toMatchObject({ action: 'customer.topUp', actor_id: cashier.staff.userId });
    expect(JSON.parse(audited?.after)).toMatchObject({ amount: 10_000, bonus: 2_000, paymentMethod: 'cash' });
  });

  test('takes a custom amount within the range of its package', async () => {
    const customerId = await newCustomer();
    const custom = { ...given(customerId), packageId: open };
    expect((await topUp({ ...custom, amount: 5_000 })).answer).toMatchObject({ principal: 5_000, bonus: 500 });
    const refused = (await topUp({ ...custom, topUpId: newId(), amount: 999 }).catch((error) => error)).cause;
    expect(refused.issues).toMatchObject([{ path: 'amount' }]);
    expect(await balanceOf(customerId)).toBe(5_500);
  });

  test('counts in its store in reports', async () => {
    const { owner, db } = database;
    const services = testServices(db, { now: () => new Date('2026-03-10T04:00:00Z') });
    const { id: merchantId, stores } = await createMerchant(owner);
    const [{ id: storeId }, other] = stores;
    const staff = callAs(await createStaff(owner, services, merchantId));
    const packageId = await createFixedPackage(owner, merchantId, { amount: 10_000, bonus: 2_000 });
    const { id: customerId } = await createCustomer(owner, merchantId);
    await staff.customers.topUp({
      topUpId: newId(),
      customerId,
      storeId,
      packageId,
      amount: null,
      paymentMethod: 'cash',
    });
    const day = { from: '2026-03-10', to: '2026-03-10' };
    const sales = await staff.reports.sales(day);
    expect(sales.stores).toMatchObject([{ storeId, topUps: 10_000, topUpCount: 1 }]);
    expect((await staff.reports.sales({ ...day, storeId: other.id })).total.topUps).toBe(0);
    const { stores: balances } = await staff.reports.liability(day);
    expect(balances.map((one) => [one.storeId, one.part, one.granted])).toEqual([
      [storeId, 'principal', 10_000],
      [storeId, 'bonus', 2_000],
    ]);
  });

  test('is credited once per id, however often and concurrently it is sent', async () => {
    const customerId = await newCustomer();
    const input = given(customerId);
    const results = await Promise.all(Array.from({ length: 5 }, () => topUp(input)));
    expect(await topUp(input)).toEqual(results[0]);
    expect(new Set(results.map(({ uid }) => uid)).size).toBe(1);
    expect(await balanceOf(customerId)).toBe(12_000);
  });

  test('refuses an id that was used for another top-up, also at another store or at the same moment', async () => {
    const [one, other] = [await newCustomer(), await newCustomer()];
    const input = given(one);
    const outcomes = await Promise.allSettled([topUp(input), topUp({ ...input, customerId: other })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const second = { ...input, customerId: (await balanceOf(one)) > 0 ? one : other };
    await expect(topUp({ ...second, storeId: merchant.stores[1].id })).rejects.toThrow('Another top-up was made');
    await expect(topUp({ ...second, packageId: open, amount: 10_000 })).rejects.toThrow('Another top-up was made');
  });

  test('refuses a blocked customer, a package of another store, a closed store, and more than the limit', async () => {
    const customerId = await newCustomer();
    const codeOf = async (input: Partial<Given>) =>
      (await topUp({ ...given(customerId), ...input }).catch((error) => error)).cause?.code;
    expect(await codeOf({ packageId: elsewhere })).toBe('package_unavailable');
    expect(await codeOf({ packageId: newId() })).toBe('package_not_found');
    const { storeId } = await callAs(await createStaff(database.owner, cashier, merchant.id)).stores.create({
      storeCode: 'CLOSED',
      name: 'Closed',
    });
    await database.owner`update stores set closed_at = now() where id = ${storeId}`;
    expect(await codeOf({ storeId })).toBe('store_not_found');
    for (let times = 0; times < 4; times++) await topUp(given(customerId));
    expect(await codeOf({})).toBe('balance_limit_exceeded');
    await blockCustomer(database.owner, customerId);
    expect(await codeOf({})).toBe('customer_blocked');
    expect(await balanceOf(customerId)).toBe(48_000);
  });

  test('offers the packages of the store', async () => {
    const customerId = await newCustomer();
    const offers = async (at: 0 | 1) =>
      (await callAs(cashier).customers.topUpOffers({ storeId: merchant.stores[at].id, customerId })).offers.map(
        ({ packageId }) => packageId,
      );
    expect((await offers(0)).sort()).toEqual([fixed, open].sort());
    expect((await offers(1)).sort()).toEqual([fixed, open, elsewhere].sort());
  });

  test('says before the payment how much the limits leave', async () => {
    const customerId = await newCustomer();
    const limitedTo = (customerDailyValue: number | null) =>
      callAs({ ...cashier, merchant: { ...cashier.merchant, customerDailyValue } }).customers;
    const offers = (limit: number | null) =>
      limitedTo(limit).topUpOffers({ storeId: merchant.stores[0].id, customerId });
    expect(await offers(null)).toMatchObject({ leftToday: null, leftOfBalance: 50_000 });
    await limitedTo(20_000).topUp(given(customerId));
    expect(await offers(20_000)).toMatchObject({ leftToday: 8_000, leftOfBalance: 38_000 });
    expect(await offers(5_000)).toMatchObject({ leftToday: 0 });
  });
});
