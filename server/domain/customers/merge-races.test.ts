/** Changes to a customer during a merge, and what they find afterwards. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { waitForLocks } from '@/db/testing/locks';
import {
  createCustomer,
  createFixedPackage,
  type TestCustomer,
  testProfile,
  testServices,
} from '@/server/testing/factory';
import { createCampaign, createVoucher, issueQrCode } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { openStage } from '@/server/testing/transaction-stage';
import { findCustomerByPhone } from '../diners/codes';
import { joinProgramme } from '../diners/identify';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { allCustomers, type Segment } from '../vouchers/campaign-schemas';
import { redeemVoucher } from '../vouchers/redeem';
import { forgetPin } from './forget-pin';
import { optPhoneOut } from './opt-out';

const database = sharedDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database);
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const newCustomer = () => createCustomer(database.owner, stage.merchant.id);
const pair = async () => ({ kept: await newCustomer(), merged: await newCustomer() });
const call = () => callAs(stage.manager);
const merge = ({ kept, merged }: { kept: TestCustomer; merged: TestCustomer }) =>
  call().customers.merge({ keptId: kept.id, mergedId: merged.id });
const by = ({ id }: TestCustomer) => ({ transactionId: newId(), customer: { customerId: id } });
const fill = (customer: TestCustomer, packageId = stage.packageId) =>
  topUp(stage.north, { ...by(customer), packageId });
const sell = (customer: TestCustomer, amount: number) =>
  submitSale(stage.north, {
    ...by(customer),
    lines: [{ plu: 'A', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
    subtotal: amount,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: amount,
    payments: [{ method: 'cash', amount }],
    closedAt: new Date().toISOString(),
  });
const total = async ({ id }: TestCustomer) => {
  const [row] = await database.owner`select (principal + bonus)::int as total from balances where customer_id = ${id}`;
  return row?.total as number;
};
const vouchersOf = async ({ id }: TestCustomer) =>
  (await database.owner`select voucher_code from vouchers where customer_id = ${id}`).length;

const waiting = (count: number) => waitForLocks(database.owner, count);

/** Starts `work` while the merge holds its locks and has not committed. */
async function duringMerge<T>(customers: { kept: TestCustomer; merged: TestCustomer }, work: () => Promise<T>) {
  const started = await database.owner.begin(async (sql) => {
    await sql`select from customers where id = ${customers.merged.id} for update`;
    const merging = merge(customers);
    await waiting(1);
    const working = work();
    await waiting(2);
    return { merging, working };
  });
  await started.merging;
  return started.working;
}

describe('at the moment of a merge', () => {
  test('a till’s transactions of the merged customer are the kept one’s, also a dry run', async () => {
    const customers = await pair();
    await fill(customers.merged);
    const campaignId = await createCampaign(database.owner, stage.merchant.id);
    const newVoucher = () =>
      createVoucher(database.owner, stage.merchant.id, { campaignId, customerId: customers.merged.id });
    // One each: the dry run may come second.
    const [voucherCode, otherCode] = [await newVoucher(), await newVoucher()];
    const redemption = { voucherCode, bill: { amount: 10_000, lines: [] } };
    const tried = { ...redemption, voucherCode: otherCode, dryRun: true };
    const answers = await duringMerge(customers, () =>
      Promise.all([
        redeemStoredValue(stage.north, { ...by(customers.merged), amount: 100 }),
        fill(customers.merged),
        sell(customers.merged, 500),
        redeemVoucher(stage.north, { ...by(customers.merged), ...tried } as never),
        redeemVoucher(stage.north, { ...by(customers.merged), ...redemption } as never),
      ]),
    );
    expect(answers.map(({ customerId }) => customerId)).toEqual(Array(5).fill(customers.kept.id));
    expect(await total(customers.kept)).toBe(23_900);
  });

  test('a new PIN is the kept customer’s', async () => {
    const customers = await pair();
    await duringMerge(customers, () => forgetPin(stage.north, { customer: { phone: customers.merged.phone } }));
    const ids = [customers.kept.id, customers.merged.id];
    const rows = await database.owner`
      select p.customer_id, m.state::text from customer_pins p join messages m using (merchant_id, customer_id)
      where customer_id in ${database.owner(ids)}`;
    expect([...rows]).toEqual([{ customer_id: customers.kept.id, state: expect.not.stringMatching('failed') }]);
  });

  test('a voucher issued just before moves, and none is issued to the merged customer after', async () => {
    const customers = await pair();
    const { owner, db } = database;
    const campaignId = await createCampaign(owner, stage.merchant.id);
    const started = await owner.begin(async (sql) => {
      // Stops the issue between its voucher and its commit.
      await sql`lock table voucher_tallies in exclusive mode`;
      const issuing = issueQrCode(db, stage.merchant.id, { campaignId, customerId: customers.merged.id });
      await waiting(1);
      const merging = merge(customers);
      await waiting(2);
      return { issuing, merging };
    });
    await Promise.all([started.issuing, started.merging]);
    expect([await vouchersOf(customers.kept), await vouchersOf(customers.merged)]).toEqual([1, 0]);
    const others = await pair();
    const audience = { kind: 'customers' as const, customerIds: [others.merged.id] };
    const issued = await duringMerge(others, () => call().vouchers.issue({ issueId: newId(), campaignId, audience }));
    expect(issued).toMatchObject({ issued: 0 });
    expect([await vouchersOf(others.kept), await vouchersOf(others.merged)]).toEqual([0, 0]);
  });

  test('what either of them chose about messages holds', async () => {
    const { owner, db } = database;
    for (const who of ['kept', 'merged'] as const) {
      const customers = await pair();
      const merging = await owner.begin(async (sql) => {
        await sql`select from customers where id = ${customers.merged.id} for update`;
        const started = merge(customers);
        await waiting(1);
        if (who === 'merged') {
          await sql`update customers set messages_opted_out_at = now() where id = ${customers.merged.id}`;
        } else {
          const { phone } = customers.kept;
          const session = { sessionId: newId(), phone, customerId: null, verifiedAt: new Date() };
          const profile = { givenName: 'Ada', lastName: 'Tester', email: null, birthday: null };
          const choice = { consent: true as const, wantsMessages: false, language: 'en' as const };
          await joinProgramme(
            testServices(db),
            { merchant: stage.north.merchant, ...session },
            { ...profile, ...choice },
          );
        }
        return { started };
      });
      await merging.started;
      const { wantsMessages } = await call().customers.get({ customerId: customers.kept.id });
      expect({ who, wantsMessages }).toEqual({ who, wantsMessages: false });
    }
  });

  test('a further merge leaves no chain, whichever comes first', async () => {
    for (let round = 0; round < 6; round++) {
      const [a, b, c] = [await newCustomer(), await newCustomer(), await newCustomer()];
      await Promise.all([fill(a), fill(b)]);
      const merges = [() => merge({ kept: b, merged: a }), () => merge({ kept: c, merged: b })];
      const [first, second] = round % 2 === 0 ? merges : merges.toReversed();
      const done = await Promise.allSettled([first?.(), second?.()]);
      const isBoth = done.every(({ status }) => status === 'fulfilled');
      expect(await total(c)).toBe(isBoth ? 24_000 : 12_000);
      expect([await total(a), await total(b)]).toEqual([isBoth ? 0 : 12_000, 0]);
      const chains = await database.owner`
        select from customers a join customers b on b.id = a.merged_into where b.merged_into is not null`;
      expect(chains).toHaveLength(0);
    }
  });
});

describe('after a merge', () => {
  test('a till gets the first response to what it had sent', async () => {
    const customers = await pair();
    const input = { ...by(customers.merged), packageId: stage.packageId };
    const first = await topUp(stage.north, input);
    await merge(customers);
    expect(await topUp(stage.north, input)).toEqual(first);
    expect(await total(customers.kept)).toBe(12_000);
  });

  test('staff’s top-up and adjustment that are sent again are what they were', async () => {
    const customers = await pair();
    const customerId = customers.merged.id;
    const payment = { amount: null, paymentMethod: 'cash' as const, storeId: stage.merchant.stores[0].id };
    const topUpInput = { ...payment, topUpId: newId(), customerId, packageId: stage.packageId };
    const adjustment = { part: 'principal' as const, direction: 'add' as const, amount: 500, expiresOn: null };
    const adjustInput = { ...adjustment, adjustmentId: newId(), customerId, reason: 'A complaint' };
    const first = await call().customers.topUp(topUpInput);
    await call().customers.adjust(adjustInput);
    await merge(customers);
    expect(await call().customers.topUp(topUpInput)).toEqual(first);
    await call().customers.adjust(adjustInput);
    expect(await total(customers.kept)).toBe(12_500);
    const other = { ...topUpInput, topUpId: newId() };
    await expect(call().customers.topUp(other)).rejects.toThrow('merged');
  });

  test('bonus that never expires is still spent before what was paid with it', async () => {
    const customers = await pair();
    const forGood = { amount: 1_000, bonus: 200, bonus_expires_in_days: null };
    await fill(customers.merged, await createFixedPackage(database.owner, stage.merchant.id, forGood));
    await merge(customers);
    const { storedValue } = await redeemStoredValue(stage.north, { ...by(customers.kept), amount: 150 });
    expect(storedValue).toMatchObject({ principal: 1_000, bonus: 50 });
  });

  test('earlier visits count for the kept customer, who joined when the first of both did', async () => {
    const customers = await pair();
    const { owner } = database;
    await sell(customers.merged, 30_000);
    await sell(customers.kept, 20_000);
    await owner`update customers set joined_at = '2020-05-05' where id = ${customers.merged.id}`;
    await merge(customers);
    const { visits, customer } = await call().customers.get({ customerId: customers.kept.id });
    expect(visits).toMatchObject({ count: 2, spent: 50_000 });
    expect(customer.joinedAt).toBe('2020-05-05T00:00:00.000Z');
    const reach = async (segment: Partial<Segment>) =>
      (await call().vouchers.countSegment({ segment: { ...allCustomers, ...segment } })).customers;
    expect(await reach({ minSpent: 50_000 })).toBe(1);
    expect(await reach({ minSpent: 50_001 })).toBe(0);
    const [north] = stage.merchant.stores;
    const old = { joinedBefore: '2020-06-01' };
    expect(await reach({ ...old, lastVisitedStoreId: north.id })).toBe(1);
    expect(await reach({ ...old, notSeenSince: '2020-06-01' })).toBe(0);
    const gone = await pair();
    await sell(gone.merged, 100);
    await owner`update customers set joined_at = '2019-01-01' where id = ${gone.kept.id}`;
    await merge(gone);
    expect(await reach({ joinedBefore: '2019-06-01', lastVisitedStoreId: north.id })).toBe(1);
    expect(await reach({ joinedBefore: '2019-06-01', notSeenSince: '2019-07-01' })).toBe(0);
  });

  test('the merged phone signs in to the kept customer, and opts it out; the merged sessions end', async () => {
    const customers = await pair();
    const { owner, db } = database;
    const row = { merchant_id: stage.merchant.id, customer_id: customers.merged.id, phone: customers.merged.phone };
    const times = { verified_at: new Date(), expires_at: new Date(Date.now() + 60_000) };
    await owner`insert into diner_sessions ${owner({ ...row, ...times, id: newId(), token_hash: Buffer.from(newId()) })}`;
    await merge(customers);
    expect(await owner`select from diner_sessions where customer_id = ${customers.merged.id}`).toHaveLength(0);
    const found = withMerchant(db, stage.merchant.id, (tx) => findCustomerByPhone(tx, customers.merged.phone));
    expect(await found).toBe(customers.kept.id);
    await optPhoneOut(testServices(db), customers.merged.phone);
    expect((await call().customers.get({ customerId: customers.kept.id })).wantsMessages).toBe(false);
  });

  test('staff may give the kept customer the number and the address that the other still has', async () => {
    const customers = await pair();
    await merge(customers);
    const { phone, email } = customers.merged;
    const edit = async () => {
      const { revision } = await call().customers.get({ customerId: customers.kept.id });
      return call().customers.edit({ ...testProfile, customerId: customers.kept.id, revision, phone, email });
    };
    await edit();
    const { customer, merged } = await call().customers.get({ customerId: customers.kept.id });
    expect(customer).toMatchObject({ phone, email });
    expect(merged).toMatchObject([{ phone: null, email: null }]);
  });

  test('the merged customer is not listed as blocked, and the audit log names both', async () => {
    const customers = await pair();
    await merge(customers);
    const blocked = await call().customers.list({ isBlocked: true });
    expect(blocked.items.map(({ customerId }) => customerId)).not.toContain(customers.merged.id);
    const owner = await createStaff(database.owner, stage.manager, stage.merchant.id, 'owner');
    const { items } = await callAs(owner).auditLog.list({});
    expect(items[0]).toMatchObject({
      action: 'customer.merge',
      after: { mergedId: customers.merged.id },
      names: { [customers.merged.id]: 'Ada Tester' },
    });
  });

  test('erasing the kept customer erases what the merged one left', async () => {
    const customers = await pair();
    const { owner } = database;
    const { id: customerId, phone } = customers.merged;
    const message = {
      merchant_id: stage.merchant.id,
      kind: 'code',
      channel: 'whatsapp',
      state: 'sent',
      updated_at: new Date(),
    };
    await owner`insert into messages ${owner([
      { ...message, id: newId(), customer_id: customerId, phone: null, secret: null },
      { ...message, id: newId(), customer_id: null, phone, secret: null },
    ] as never)}`;
    await merge(customers);
    const boss = await createStaff(owner, stage.manager, stage.merchant.id, 'owner');
    await callAs(boss).customers.erase({ customerId: customers.kept.id });
    expect(await owner`select from messages where phone = ${phone}`).toHaveLength(0);
    const [alias] = await owner`
      select given_name, last_name, phone, email, birthday, erased_at is not null as erased from customers
      where id = ${customerId}`;
    expect(alias).toEqual({
      given_name: 'Erased customer',
      last_name: '',
      phone: null,
      email: null,
      birthday: null,
      erased: true,
    });
    expect(await owner`select from customer_terms where customer_id = ${customerId}`).toHaveLength(0);
  });
});
