import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import type { PosContext, StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { redeemVoucher } from '../vouchers/redeem';

const database = sharedDatabase();
let merchant: TestMerchant;
let manager: StaffContext;
let pos: PosContext;
let packageId: string;

beforeAll(async () => {
  const services = testServices(database.db);
  merchant = await createMerchant(database.owner);
  manager = await createStaff(database.owner, services, merchant.id, 'manager');
  pos = await authenticateKey(services, merchant.stores[0].key);
  packageId = await createFixedPackage(database.owner, merchant.id, { amount: 1_000, bonus: 200 });
});

const customers = () => callAs(manager).customers;
const newCustomer = () => createCustomer(database.owner, merchant.id);

describe('the history', () => {
  test('is paged, newest first, without refused transactions', async () => {
    const { id: customerId } = await newCustomer();
    for (let n = 0; n < 3; n++)
      await topUp({ ...pos }, { transactionId: `top-up-${customerId}-${n}`, customer: { customerId }, packageId });
    await redeemStoredValue({ ...pos }, { transactionId: newId(), customer: { customerId }, amount: 5_000 }).catch(
      () => {},
    );
    const first = await customers().ledger({ customerId, limit: 2 });
    const second = await customers().ledger({ customerId, limit: 2, after: first.nextCursor ?? '' });
    const ids = [...first.items, ...second.items].map(({ transactionId }) => transactionId);
    expect(ids).toEqual([2, 1, 0].map((n) => `top-up-${customerId}-${n}`));
    expect(first.items[0]).toMatchObject({
      type: 'topUp',
      storeName: 'Store NORTH',
      moved: { principal: 1_000, bonus: 200 },
    });
    expect(second.nextCursor).toBeNull();
  });

  test('has usable vouchers, and past ones', async () => {
    const { id: customerId } = await newCustomer();
    const campaignId = await createCampaign(database.owner, merchant.id);
    const used = await createVoucher(database.owner, merchant.id, { campaignId, customerId });
    await createVoucher(database.owner, merchant.id, { campaignId, customerId, expiresAt: new Date(0) });
    const transaction = { transactionId: newId(), customer: { customerId }, voucherCode: used, bill: { amount: 900 } };
    await redeemVoucher({ ...pos }, transaction);
    const states = async (isPast: boolean) =>
      (await customers().vouchers({ customerId, isPast })).items.map(({ state }) => state);
    expect([await states(false), await states(true)]).toEqual([['expired'], ['redeemed']]);
  });
});

test('each entry tells the balance after it, on every page, and the voucher that was redeemed', async () => {
  const { id: customerId } = await newCustomer();
  const customer = { customerId };
  const fill = async () => {
    const transactionId = newId();
    await topUp({ ...pos }, { transactionId, customer, packageId });
    return transactionId;
  };
  await fill();
  const voided = await fill();
  await redeemStoredValue({ ...pos }, { transactionId: newId(), customer, amount: 300 });
  await voidTransactions({ ...pos }, { transactionIds: [voided] });
  const campaignId = await createCampaign(database.owner, merchant.id);
  const voucherCode = await createVoucher(database.owner, merchant.id, { campaignId, customerId });
  await redeemVoucher({ ...pos }, { transactionId: newId(), customer, voucherCode, bill: { amount: 900 } });
  await fill();
  const first = await customers().ledger({ customerId, limit: 3 });
  const second = await customers().ledger({ customerId, limit: 3, after: first.nextCursor ?? '' });
  const all = [...first.items, ...second.items];
  const seen = all.map(({ type, balance: { principal, bonus } }) => [type, principal + bonus]);
  // The second top-up was voided and does not count.
  expect(seen).toEqual([
    ['topUp', 2_100],
    ['redeemVoucher', 900],
    ['redeemStoredValue', 900],
    ['topUp', 1_200],
    ['topUp', 1_200],
  ]);
  expect(all.map(({ voucher }) => voucher?.voucherCode ?? null).filter(Boolean)).toEqual([
    expect.stringMatching(/^.{5}-.{5}$/),
  ]);
  const back = await customers().ledger({ customerId, limit: 3, before: second.previousCursor ?? '' });
  expect(back.items.map(({ balance }) => balance)).toEqual(first.items.map(({ balance }) => balance));
});

describe('the profile', () => {
  test('counts the sales that were not voided, and what was paid in them', async () => {
    const { id: customerId } = await newCustomer();
    const buy = (transactionId: string, total: number, closedAt: string) =>
      submitSale(
        { ...pos },
        {
          transactionId,
          closedAt,
          occurredAt: closedAt,
          subtotal: total,
          discount: 0,
          serviceCharge: 0,
          tax: 0,
          total,
          customer: { customerId },
          lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: total, amount: total }],
          payments: [{ method: 'cash', amount: total }],
        },
      );
    const visits = async () => (await customers().get({ customerId })).visits;
    expect(await visits()).toEqual({ count: 0, isMore: false, spent: 0, lastAt: null });
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const [first, last] = [ago(48), ago(24)];
    await buy(newId(), 1_200, first.toISOString());
    await buy(newId(), 800, last.toISOString());
    const mistake = newId();
    await buy(mistake, 5_000, ago(1).toISOString());
    await topUp({ ...pos }, { transactionId: newId(), customer: { customerId }, packageId });
    await voidTransactions({ ...pos }, { transactionIds: [mistake] });
    expect(await visits()).toEqual({ count: 2, isMore: false, spent: 2_000, lastAt: last });
  });

  test('shows a locked PIN until the lock ends', async () => {
    const { id: customerId } = await createCustomer(database.owner, merchant.id, { pin: '4831' });
    const lock = (until: Date) =>
      database.owner`update customer_pins set locked_until = ${until} where customer_id = ${customerId}`;
    const lockedUntil = async () => (await customers().get({ customerId })).pinLockedUntil;
    const until = new Date(Date.now() + 3_600_000);
    await lock(until);
    expect(await lockedUntil()).toEqual(until);
    await lock(new Date());
    expect(await lockedUntil()).toBeNull();
  });
});
