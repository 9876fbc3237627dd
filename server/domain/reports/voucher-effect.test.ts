/** What vouchers bring: bills with and without, and who came back. */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { newId } from '../kernel/ids';
import { costPerExtraVisit } from './voucher-effect';

const database = ownDatabase();

async function createScene() {
  const { owner } = database;
  const merchant = await createMerchant(owner, { time_zone: 'UTC' });
  const services = testServices(database.db, { now: () => new Date('2026-11-20T12:00:00Z') });
  const call = callAs(await createStaff(owner, services, merchant.id));
  const record = async (type: string, customerId: string | null, billId: string, amount: number, at: string) => {
    const occurredAt = new Date(at);
    const uid = newId(occurredAt.getTime());
    await owner`insert into transactions ${owner({
      merchant_id: merchant.id,
      uid,
      type,
      status: 'completed',
      store_id: merchant.stores[0].id,
      transaction_id: uid,
      customer_id: customerId,
      bill_id: billId,
      amount,
      occurred_at: occurredAt,
      created_at: occurredAt,
    })}`;
  };
  const newGuest = async () => (await createCustomer(owner, merchant.id)).id;
  return { record, newGuest, call };
}

test('compares bills with a voucher and without, and counts guests who came back within 30 days once', async () => {
  const { record, newGuest, call } = await createScene();
  const [ada, ben, cleo, dan] = [await newGuest(), await newGuest(), await newGuest(), await newGuest()];
  await record('redeemVoucher', ada, 'B-1', 500, '2026-10-01T11:00:00Z');
  await record('redeemVoucher', ada, 'B-1', 100, '2026-10-01T11:00:01Z');
  await record('sale', ada, 'B-1', 5_000, '2026-10-01T12:00:00Z');
  await record('redeemVoucher', ben, 'B-2', 500, '2026-10-02T11:00:00Z');
  await record('sale', ben, 'B-2', 3_000, '2026-10-02T12:00:00Z');
  // The same evening, too late, and in time.
  await record('sale', ben, 'B-3', 700, '2026-10-02T16:00:00Z');
  await record('sale', ben, 'B-4', 700, '2026-11-02T12:00:00Z');
  await record('sale', ada, 'B-5', 900, '2026-10-20T12:00:00Z');
  await record('sale', cleo, 'B-6', 1_000, '2026-10-04T12:00:00Z');
  await record('sale', cleo, 'B-7', 1_100, '2026-10-13T12:00:00Z');
  await record('sale', dan, 'B-8', 1_200, '2026-10-08T12:00:00Z');
  await record('sale', null, 'B-9', 2_300, '2026-10-08T12:30:00Z');
  const effect = await call.reports.voucherEffect({ from: '2026-10-01', to: '2026-10-31' });
  expect(effect.withVoucher).toEqual({ bills: 2, average: 4_000, guests: 2, cameBack: 1 });
  expect(effect.without).toMatchObject({ bills: 6, average: 1_200 });
  // Every third day is in the sample: the 4th, the 13th.
  expect(effect.without).toMatchObject({ guests: 1, cameBack: 1 });
});

test('a period without bills has no averages', async () => {
  const { call } = await createScene();
  const none = { bills: 0, average: null, guests: 0, cameBack: 0 };
  expect(await call.reports.voucherEffect({ from: '2026-10-01', to: '2026-10-07' })).toEqual({
    withVoucher: none,
    without: none,
    costPerExtraVisit: null,
  });
});

test.each([
  ['half as many again', { guests: 100, cameBack: 60 }, { guests: 50, cameBack: 20 }, 500],
  ['no more often', { guests: 100, cameBack: 40 }, { guests: 50, cameBack: 20 }, null],
  ['nobody to compare with', { guests: 100, cameBack: 40 }, { guests: 0, cameBack: 0 }, null],
])('each extra visit costs its share of the discounts: %s', (_, redeemed, others, expected) => {
  expect(costPerExtraVisit(10_000, redeemed, others)).toBe(expected);
});
