/** A key gives sign-up vouchers to so many customers a day, and people who top up their own customers are reported. */
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { enrolCustomer } from '../customers/enrol';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';

const database = sharedDatabase();
let serial = 0;
const newPhone = () => `+659${3_000_000 + ++serial}`;

async function newStage(settings: Record<string, unknown> = {}) {
  const { owner, db } = database;
  let now = new Date('2026-03-10T02:00:00Z');
  const merchant = await createMerchant(owner, { key_daily_sign_ups: 3, enrol_on_sale: true, ...settings });
  await createCampaign(owner, merchant.id, { trigger: 'join' });
  const services = testServices(db, { now: () => now });
  const till = () => authenticateKey(services, merchant.stores[0].key);
  const enrol = async () => {
    const { vouchersIssued } = await enrolCustomer(await till(), { givenName: 'A', lastName: 'B', phone: newPhone() });
    return vouchersIssued.length;
  };
  const sell = async () =>
    submitSale(await till(), {
      transactionId: newId(),
      customer: { phone: newPhone() },
      closedAt: now.toISOString(),
      lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: 1_000, amount: 1_000 }],
      subtotal: 1_000,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      total: 1_000,
      payments: [{ method: 'cash', amount: 1_000 }],
    });
  const reports = (action: string) =>
    owner`select after from audit_log where merchant_id = ${merchant.id} and action = ${action}`.then((rows) =>
      rows.map(({ after }) => JSON.parse(after)),
    );
  const nextDay = () => {
    now = new Date(now.getTime() + 24 * 60 * 60_000);
  };
  return { owner, services, merchant, enrol, sell, reports, nextDay };
}

test('a sale that enrols past the limit of its key is recorded, without the voucher, and reported once', async () => {
  const { owner, merchant, services, enrol, sell, reports, nextDay } = await newStage();
  expect([await enrol(), await enrol(), (await sell()).vouchersIssued?.length]).toEqual([1, 1, 1]);
  const past = await sell();
  expect(past).toMatchObject({ type: 'sale', pointsEarned: 10, vouchersIssued: [] });
  expect([await enrol(), (await sell()).vouchersIssued?.length]).toEqual([0, 0]);
  expect(await reports('limit.exceeded')).toEqual([{ keyDailySignUps: 3, attemptedSignUps: 4 }]);
  const boss = callAs(await createStaff(owner, services, merchant.id, 'owner'));
  expect(await boss.home.attention()).toMatchObject({ limitsReached: 1 });
  nextDay();
  expect(await enrol()).toBe(1);
});

test('sixteen enrolments at once give as many vouchers as the limit allows', async () => {
  const { enrol, sell, reports } = await newStage();
  const given = await Promise.all(
    [...Array(16).keys()].map((n) =>
      n % 2 ? enrol() : sell().then(({ vouchersIssued = [] }) => vouchersIssued.length),
    ),
  );
  expect(given.reduce((sum, one) => sum + one, 0)).toBe(3);
  expect(await reports('limit.exceeded')).toHaveLength(1);
});

test('vouchers that wait for a verified phone are not counted, and without a limit all are given', async () => {
  const waiting = await newStage({ sign_up_needs_phone: true });
  for (let n = 0; n < 5; n++) expect(await waiting.enrol()).toBe(0);
  expect(await waiting.reports('limit.exceeded')).toEqual([]);
  const unlimited = await newStage({ key_daily_sign_ups: null });
  for (let n = 0; n < 5; n++) expect(await unlimited.enrol()).toBe(1);
});

test('who enrols and tops up again and again is reported once a day, with figures; others and owners are not', async () => {
  const { owner, merchant, services, reports } = await newStage();
  const packageId = await createFixedPackage(owner, merchant.id, {
    amount: 1_000,
    bonus: 100,
    bonus_expires_in_days: 9,
  });
  const storeId = merchant.stores[0].id;
  const [cashier, other] = [
    callAs(await createStaff(owner, services, merchant.id, 'cashier', [storeId])),
    callAs(await createStaff(owner, services, merchant.id, 'cashier', [storeId])),
  ];
  const boss = callAs(await createStaff(owner, services, merchant.id, 'owner'));
  const enrol = async (by: typeof boss) => {
    const profile = { givenName: 'Made', lastName: 'Up', email: null, birthday: null, tags: [] };
    return (await by.customers.enrol({ ...profile, phone: newPhone() })).customerId;
  };
  const topUp = (by: typeof boss, customerId: string) =>
    by.customers.topUp({ topUpId: newId(), customerId, storeId, packageId, amount: null, paymentMethod: 'cash' });
  const [mine, mine2, bosses] = [await enrol(cashier), await enrol(cashier), await enrol(boss)];
  for (let n = 0; n < 6; n++) await topUp(other, mine);
  for (let n = 0; n < 6; n++) await topUp(boss, bosses);
  for (const customerId of [mine, mine, mine2, mine, bosses]) await topUp(cashier, customerId);
  expect(await reports('staff.ownCustomers')).toEqual([]);
  await Promise.all([topUp(cashier, mine), topUp(cashier, mine2)]);
  expect(await reports('staff.ownCustomers')).toEqual([{ topUps: 5, ownCustomers: 2, value: 5_500 }]);
  for (const customerId of [mine, mine2, bosses, bosses]) await topUp(cashier, customerId);
  expect(await reports('staff.ownCustomers')).toHaveLength(1);
  expect(await boss.home.attention()).toMatchObject({ ownCustomers: 1 });
});
