import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import {
  blockCustomer,
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
import { verifyLedger } from '../ledger/verify';
import { redeemPoints } from '../points/redeem';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { redeemVoucher } from '../vouchers/redeem';
import { balancesByEmail, balancesByPhone } from './balances';
import { enrolCustomer } from './enrol';

const start = new Date('2026-03-10T02:00:00Z');
let now = start;
const database = ownDatabase();
let merchant: TestMerchant;
let manager: StaffContext;
let ownerOfAll: StaffContext;
let pos: PosContext;
let packageId: string;

beforeAll(async () => {
  const { owner, db } = database;
  merchant = await createMerchant(owner);
  const services = testServices(db, { now: () => now });
  manager = await createStaff(owner, services, merchant.id, 'manager');
  ownerOfAll = await createStaff(owner, services, merchant.id, 'owner');
  pos = await authenticateKey(services, merchant.stores[0].key);
  packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200, bonus_expires_in_days: 3 });
});
beforeEach(() => {
  now = start;
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const newCustomer = () => createCustomer(database.owner, merchant.id);
const customers = () => callAs(manager).customers;
const merge = (kept: { id: string }, merged: { id: string }) =>
  customers().merge({ keptId: kept.id, mergedId: merged.id });
const fill = async (customer: { id: string }, transactionId: string = newId()) => {
  await topUp({ ...pos }, { transactionId, customer: { customerId: customer.id }, packageId });
  return transactionId;
};
const spend = async (customer: object, amount: number, transactionId: string = newId()) => {
  await redeemStoredValue({ ...pos }, { transactionId, customer, amount });
  return transactionId;
};
const sell = async ({ id }: { id: string }, amount: number, transactionId: string = newId()) => {
  const lines = [{ plu: 'N1', name: 'Laksa', quantity: 1, unitPrice: amount, amount }];
  const sums = { subtotal: amount, discount: 0, serviceCharge: 0, tax: 0, total: amount };
  const payments = [{ method: 'cash', amount }];
  const closedAt = now.toISOString();
  await submitSale({ ...pos }, { transactionId, customer: { customerId: id }, lines, ...sums, payments, closedAt });
  return transactionId;
};
const spendPoints = async ({ id }: { id: string }, points: number, transactionId: string = newId()) => {
  await redeemPoints({ ...pos }, { transactionId, customer: { customerId: id }, points });
  return transactionId;
};
const held = async ({ id }: { id: string }) => {
  const { storedValue, points } = await customers().get({ customerId: id });
  return { principal: storedValue.principal, bonus: storedValue.bonus, points: points.balance };
};
const codeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown) => thrown,
  );
  return (error?.cause ?? error)?.code as string | undefined;
};

describe('merging', () => {
  test('moves value with its expiry and age, and shows it beforehand', async () => {
    const [kept, merged] = [await newCustomer(), await newCustomer()];
    await fill(merged);
    now = new Date(now.getTime() + 60_000);
    await fill(kept);
    await spend({ customerId: merged.id }, 100);
    const preview = await customers().mergePreview({ keptId: kept.id, mergedId: merged.id });
    expect(preview).toMatchObject({
      kept: { principal: 1_000, bonus: 200 },
      merged: { principal: 1_000, bonus: 100, phone: merged.phone },
      after: { principal: 2_000, bonus: 300, phone: kept.phone },
    });
    await merge(kept, merged);
    expect(await held(kept)).toEqual({ principal: 2_000, bonus: 300, points: 0 });
    expect(await held(merged)).toEqual({ principal: 0, bonus: 0, points: 0 });
    const lots = await database.owner`
      select part, remaining::int, created_at, expires_at is null as forever from lots
      where customer_id = ${kept.id} and remaining > 0 order by created_at, part`;
    expect([...lots]).toEqual([
      { part: 'principal', remaining: 1_000, created_at: start, forever: true },
      { part: 'bonus', remaining: 100, created_at: start, forever: false },
      { part: 'principal', remaining: 1_000, created_at: now, forever: true },
      { part: 'bonus', remaining: 200, created_at: now, forever: false },
    ]);
  });

  test('lets the old id, phone and e-mail find the kept customer, also after a further merge', async () => {
    const [kept, merged, last] = [await newCustomer(), await newCustomer(), await newCustomer()];
    await fill(merged);
    await merge(kept, merged);
    await merge(last, kept);
    await spend({ customerId: merged.id }, 10);
    await spend({ phone: merged.phone as string }, 10);
    const byPhone = await balancesByPhone({ ...pos }, { phone: merged.phone as string });
    expect(byPhone.customer.customerId).toBe(last.id);
    expect(byPhone.storedValue.balance).toBe(1_180);
    const byEmail = await balancesByEmail({ ...pos }, { email: merged.email as string });
    expect(byEmail.customer.customerId).toBe(last.id);
    const again = enrolCustomer({ ...pos }, { givenName: 'A', lastName: 'B', phone: merged.phone as string });
    expect(await again.catch((error) => error)).toMatchObject({
      code: 'customer_exists',
      details: { customerId: last.id },
    });
    expect(await customers().get({ customerId: merged.id })).toMatchObject({ mergedInto: { customerId: last.id } });
    expect((await customers().get({ customerId: last.id })).merged.map(({ customerId }) => customerId).sort()).toEqual(
      [kept.id, merged.id].sort(),
    );
  });

  test('gives the kept customer the contact details that only the other has', async () => {
    const [kept, merged] = [await newCustomer(), await newCustomer()];
    await database.owner`update customers set phone = null where id = ${kept.id}`;
    await merge(kept, merged);
    const { customer } = await customers().get({ customerId: kept.id });
    expect(customer).toMatchObject({ phone: merged.phone, email: kept.email });
  });

  test('moves vouchers, each occasion once, and counts both for the limit of a customer', async () => {
    const { owner } = database;
    const [kept, merged] = [await newCustomer(), await newCustomer()];
    const campaignId = await createCampaign(owner, merchant.id);
    const code = async ({ id }: { id: string }) => {
      await createVoucher(owner, merchant.id, { campaignId, customerId: id });
      const [row] =
        await owner`select id, voucher_code from vouchers where customer_id = ${id} order by id desc limit 1`;
      await owner`update vouchers set occasion = 'birthday 2026' where id = ${row?.id}`;
      await owner`insert into voucher_counts values (${merchant.id}, ${campaignId}, ${id}, 1)
        on conflict (merchant_id, campaign_id, customer_id) do update set issued_count = 1`;
      return row?.voucher_code as string;
    };
    await code(kept);
    const voucherCode = await code(merged);
    await merge(kept, merged);
    const bill = { amount: 100_000, lines: [] };
    const redeemed = redeemVoucher({ ...pos }, {
      transactionId: newId(),
      customer: { customerId: merged.id },
      voucherCode,
      bill,
    } as never);
    expect(await redeemed).toMatchObject({ customerId: kept.id });
    const [counted] = await owner`select issued_count from voucher_counts where customer_id = ${kept.id}`;
    expect(counted?.issued_count).toBe(2);
  });

  test('twice, also at once, does it once; the other way round is refused', async () => {
    const [kept, merged] = [await newCustomer(), await newCustomer()];
    await fill(merged);
    await Promise.all([merge(kept, merged), merge(kept, merged), merge(kept, merged)]);
    await merge(kept, merged);
    expect(await held(kept)).toEqual({ principal: 1_000, bonus: 200, points: 0 });
    expect(await codeOf(merge(merged, kept))).toBe('customer_not_found');
    expect(await codeOf(merge(await newCustomer(), merged))).toBe('customer_not_found');
    const [one, two] = [await newCustomer(), await newCustomer()];
    const both = await Promise.allSettled([merge(one, two), merge(two, one)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is refused with oneself, for blocked or erased customers, for another merchant’s, and for cashiers', async () => {
    const [one, blocked, erased] = [await newCustomer(), await newCustomer(), await newCustomer()];
    await blockCustomer(database.owner, blocked.id);
    await callAs(ownerOfAll).customers.erase({ customerId: erased.id });
    expect(await codeOf(merge(one, one))).toBe('invalid_request');
    expect(await codeOf(merge(one, blocked))).toBe('customer_blocked');
    expect(await codeOf(merge(one, erased))).toBe('customer_not_found');
    const other = await createMerchant(database.owner);
    const foreign = await createCustomer(database.owner, other.id);
    expect(await codeOf(merge(one, foreign))).toBe('customer_not_found');
    expect(await codeOf(merge(foreign, one))).toBe('customer_not_found');
    const cashier = await createStaff(database.owner, manager, merchant.id, 'cashier');
    const ids = { keptId: one.id, mergedId: (await newCustomer()).id };
    await expect(callAs(cashier).customers.merge(ids)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAs(cashier).customers.mergePreview(ids)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('leaves nothing to change on the merged customer; erasing the kept one erases both', async () => {
    const [kept, merged] = [await newCustomer(), await newCustomer()];
    await customers().addNote({ customerId: merged.id, text: 'Window seat' });
    await merge(kept, merged);
    expect(await codeOf(callAs(ownerOfAll).customers.erase({ customerId: merged.id }))).toBe('customer_not_found');
    expect(await codeOf(customers().addNote({ customerId: merged.id, text: 'x' }))).toBe('customer_not_found');
    expect((await customers().notes({ customerId: kept.id })).map(({ text }) => text)).toEqual(['Window seat']);
    await callAs(ownerOfAll).customers.erase({ customerId: kept.id });
    const rows = await database.owner`
      select phone, email, erased_at is not null as erased from customers where id in ${database.owner([kept.id, merged.id])}`;
    expect([...rows]).toEqual(Array(2).fill({ phone: null, email: null, erased: true }));
  });

  test('refuses voids of what the merged customer was credited, and of the merge itself', async () => {
    const [kept, merged] = [await newCustomer(), await newCustomer()];
    const paid = await fill(merged);
    const spent = await spend({ customerId: merged.id }, 300);
    const voided = await spend({ customerId: merged.id }, 50);
    await voidTransactions({ ...pos }, { transactionIds: [voided] });
    await merge(kept, merged);
    const refused = voidTransactions({ ...pos }, { transactionIds: [paid] });
    expect(await refused.catch((error) => error)).toMatchObject({
      code: 'void_refused',
      details: { blocking: [{ transactionId: paid, code: 'customer_merged', spentBy: [] }] },
    });
    const repeated = await voidTransactions({ ...pos }, { transactionIds: [voided] });
    expect(repeated.results).toMatchObject([{ status: 'already_voided' }]);
    const rows = await database.owner`
      select uid from transactions where customer_id in ${database.owner([kept.id, merged.id])}
      and status = 'completed' and type in ('topUp', 'adjustment')`;
    expect(rows.length).toBeGreaterThan(2);
    for (const { uid } of rows) {
      const { effect, transactions } = await callAs(manager).transactions.voidPreview({ uids: [uid] });
      expect(transactions[0]?.blocking).toMatchObject({ code: 'customer_merged' });
      const work = callAs(manager).transactions.void({ uids: [uid], reason: 'Not meant', effect });
      expect(await codeOf(work)).toBe('void_refused');
    }
    const [redemption] = await database.owner`select uid from transactions where transaction_id = ${spent}`;
    const refund = { refundId: newId(), uid: redemption?.uid, amount: 10, reason: 'Cold soup' };
    expect((await callAs(manager).transactions.get({ uid: refund.uid })).maxRefund).toBeNull();
    expect(await codeOf(callAs(manager).transactions.refundPart(refund))).toBe('refund_refused');
  });

  test('gives what the merged customer spent back to the kept one, by tills and by staff', async () => {
    const [kept, merged] = [await newCustomer(), await newCustomer()];
    await fill(merged);
    const spent = [await spend({ customerId: merged.id }, 300), await spend({ customerId: merged.id }, 100)];
    await merge(kept, merged);
    const { results } = await voidTransactions({ ...pos }, { transactionIds: [spent[0] as string] });
    expect(results).toMatchObject([
      {
        status: 'voided',
        customerId: merged.id,
        effect: {
          returned: { principal: 100, bonus: 200, points: 0 },
          storedValue: { balance: 1_100, principal: 900, bonus: 200 },
        },
      },
    ]);
    const [row] = await database.owner`select uid from transactions where transaction_id = ${spent[1] as string}`;
    const uids = [row?.uid as string];
    const { effect, customers: changed } = await callAs(manager).transactions.voidPreview({ uids });
    expect(changed).toMatchObject([{ customerId: kept.id, before: { principal: 900 }, after: { principal: 1_000 } }]);
    await callAs(manager).transactions.void({ uids, reason: 'Not meant', effect });
    expect(await held(kept)).toEqual({ principal: 1_000, bonus: 200, points: 0 });
    expect(await held(merged)).toEqual({ principal: 0, bonus: 0, points: 0 });
  });

  test('takes what a merged customer’s sale earned from the kept one, along two merges, and notes what is missing', async () => {
    const [last, kept, merged] = [await newCustomer(), await newCustomer(), await newCustomer()];
    const sale = await sell(merged, 5_000);
    const points = await spendPoints(merged, 30);
    await merge(kept, merged);
    await spendPoints(kept, 15);
    await merge(last, kept);
    const { results } = await voidTransactions({ ...pos }, { transactionIds: [sale] });
    expect(results).toMatchObject([
      { pointsShortfall: 45, effect: { taken: { points: 5 }, shortfall: 45, points: { balance: 0 } } },
    ]);
    // The points that come back pay what is owed.
    const again = await voidTransactions({ ...pos }, { transactionIds: [points] });
    expect(again.results).toMatchObject([{ effect: { returned: { points: 30 }, points: { balance: 0 } } }]);
    const [row] = await database.owner`select points_shortfall from transactions where transaction_id = ${sale}`;
    expect(Number(row?.points_shortfall)).toBe(15);
    expect((await held(last)).points).toBe(0);
  });

  test('voids race merges, and no value is lost or doubled', async () => {
    for (let round = 0; round < 8; round++) {
      const [kept, merged] = [await newCustomer(), await newCustomer()];
      await fill(merged);
      const spent = await Promise.all([1, 2, 3, 4].map(() => spend({ customerId: merged.id }, 50)));
      const earned = await sell(merged, 2_000);
      await Promise.all([
        merge(kept, merged),
        ...spent.map((transactionId) => voidTransactions({ ...pos }, { transactionIds: [transactionId] })),
        voidTransactions({ ...pos }, { transactionIds: [earned] }),
      ]);
      expect(await held(kept)).toEqual({ principal: 1_000, bonus: 200, points: 0 });
    }
  });

  test('while tills top up and redeem for the merged customer, nothing is lost or refused', async () => {
    for (let round = 0; round < 8; round++) {
      const [kept, merged] = [await newCustomer(), await newCustomer()];
      await fill(merged);
      const work = await Promise.allSettled([
        ...[1, 2, 3].map(() => fill(merged)),
        ...[10, 20, 30].map((amount) => spend({ phone: merged.phone as string }, amount)),
        merge(kept, merged),
        ...[1, 2, 3].map(() => fill(merged)),
        spend({ customerId: merged.id }, 40),
      ]);
      expect(work.filter(({ status }) => status === 'rejected')).toEqual([]);
      const { principal, bonus } = await held(kept);
      expect(principal + bonus).toBe(7 * 1_200 - 100);
      expect(await held(merged)).toEqual({ principal: 0, bonus: 0, points: 0 });
    }
  });
});

test('the sums of each part are the same before and after, and the ledger adds up', async () => {
  const part = fc.constantFrom('principal' as const, 'bonus' as const, 'points' as const);
  const grant = fc.record({
    part,
    amount: fc.integer({ min: 1, max: 900 }),
    toKept: fc.boolean(),
    expires: fc.boolean(),
  });
  const property = fc.asyncProperty(
    fc.array(grant, { maxLength: 8 }),
    fc.integer({ min: 1, max: 900 }),
    async (grants, spending) => {
      now = start;
      const [kept, merged] = [await newCustomer(), await newCustomer()];
      for (const { part: one, amount, toKept, expires } of grants) {
        const expiresOn = expires && one !== 'principal' ? '2026-03-12' : null;
        const given = {
          adjustmentId: newId(),
          part: one,
          direction: 'add' as const,
          amount,
          expiresOn,
          reason: 'Test',
        };
        await customers().adjust({ customerId: (toKept ? kept : merged).id, ...given });
      }
      await codeOf(spend({ customerId: merged.id }, spending));
      const [before, other] = [await held(kept), await held(merged)];
      await merge(kept, merged);
      const sum = {
        principal: before.principal + other.principal,
        bonus: before.bonus + other.bonus,
        points: before.points + other.points,
      };
      expect(await held(kept)).toEqual(sum);
      const all = sum.principal + sum.bonus;
      if (all > 0) await spend({ customerId: merged.id }, all);
      expect(await held(kept)).toEqual({ principal: 0, bonus: 0, points: sum.points });
    },
  );
  await fc.assert(property, { numRuns: 40 });
  expect(await verifyLedger(database.owner)).toEqual([]);
});
