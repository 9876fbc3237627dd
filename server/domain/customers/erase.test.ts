/**
 * What erasure keeps, and that erased customers get no messages and are no longer counted. For what it removes see
 * `changes-by-staff.test.ts`.
 */
import { expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { topUp } from '../top-ups/top-up';
import { allCustomers } from '../vouchers/campaign-schemas';
import { readSegment } from '../vouchers/segment';

const database = sharedDatabase();

const noon = new Date('2026-03-10T04:00:00Z');
const day = 24 * 60 * 60_000;

async function createScene() {
  const { owner, db } = database;
  let now = noon;
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner);
  const staff = await createStaff(owner, services, merchant.id);
  const { id: customerId } = await createCustomer(owner, merchant.id);
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  return { merchant, services, staff, customers: callAs(staff).customers, customerId, pass };
}

test('an erased customer is in no segment, and keeps the first block’s date', async () => {
  const { merchant, customers, customerId, pass } = await createScene();
  const { id: other } = await createCustomer(database.owner, merchant.id);
  const members = async () => {
    const part = { after: null, take: 10, days: { timeZone: 'UTC', dayStartsAt: 0 }, now: noon };
    const read = withMerchant(database.db, merchant.id, (tx) => readSegment(tx, allCustomers, part));
    return (await read).customerIds;
  };
  const blockedAt = async (id: string) => {
    const [row] = await database.owner`select blocked_at from balances where customer_id = ${id}`;
    return row?.blocked_at;
  };
  expect(await members()).toEqual([customerId, other].sort());
  await customers.block({ customerId: other, reason: 'Fraud' });
  pass(day);
  await customers.erase({ customerId });
  await customers.erase({ customerId: other });
  expect(await members()).toEqual([]);
  expect([await blockedAt(customerId), await blockedAt(other)]).toEqual([new Date(noon.getTime() + day), noon]);
});

test('unused vouchers are cancelled; those cancelled before keep their time and reason, and expired ones stay expired', async () => {
  const { merchant, customers, customerId, pass } = await createScene();
  const { owner } = database;
  const campaignId = await createCampaign(owner, merchant.id);
  await createVoucher(owner, merchant.id, { campaignId, customerId });
  await createVoucher(owner, merchant.id, { campaignId, customerId });
  const [first] = await owner`select id from vouchers where customer_id = ${customerId} order by id limit 1`;
  await owner`update vouchers set cancelled_at = ${noon}, cancel_reason = 'a mistake' where id = ${first?.id}`;
  await createVoucher(owner, merchant.id, { campaignId, customerId, expiresAt: new Date(noon.getTime() + day) });
  pass(day);
  await customers.erase({ customerId });
  const rows = await owner`
    select cancelled_at, cancel_reason from vouchers where customer_id = ${customerId} order by cancelled_at`;
  expect([...rows]).toEqual([
    { cancelled_at: noon, cancel_reason: 'a mistake' },
    { cancelled_at: new Date(noon.getTime() + day), cancel_reason: 'the customer was erased' },
    { cancelled_at: null, cancel_reason: null },
  ]);
});

test('the customer’s language is deleted', async () => {
  const { customers, customerId } = await createScene();
  await database.owner`update customers set language = 'zh' where id = ${customerId}`;
  await customers.erase({ customerId });
  const [row] = await database.owner`select language from customers where id = ${customerId}`;
  expect(row?.language).toBeNull();
});

test('the list shows what can be spent now, without expired bonus', async () => {
  const { merchant, services, customers, customerId, pass } = await createScene();
  const offer = { amount: 1_000, bonus: 200, bonus_expires_in_days: 5 };
  const packageId = await createFixedPackage(database.owner, merchant.id, offer);
  const till = await authenticateKey(services, merchant.stores[0].key);
  await topUp(till, { transactionId: newId(), customer: { customerId }, packageId });
  const shown = async () => (await customers.list({})).items.map(({ storedValue }) => storedValue);
  expect(await shown()).toEqual([1_200]);
  pass(6 * day);
  expect(await shown()).toEqual([1_000]);
});
