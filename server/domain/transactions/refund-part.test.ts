import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { getHistory } from '../diners/history';
import { getReceipt } from '../diners/receipt';
import type { DinerCustomer } from '../identity';
import type { PosContext, StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { expireValueOf } from '../ledger/expire';
import { verifyLedger } from '../ledger/verify';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { lookUpTransaction } from './lookup';
import { voidTransactions } from './void';

const start = new Date('2026-03-10T02:00:00Z');
const dayMs = 24 * 60 * 60_000;
let now = start;
const database = ownDatabase();
let merchant: TestMerchant;
let manager: StaffContext;
let cashier: StaffContext;
let till: PosContext;
let packageId: string;

beforeAll(async () => {
  const { owner, db } = database;
  merchant = await createMerchant(owner);
  const services = testServices(db, { now: () => now });
  await owner`update merchants set cashier_refund_limit = 500 where id = ${merchant.id}`;
  manager = await createStaff(owner, services, merchant.id, 'manager');
  cashier = await createStaff(owner, services, merchant.id, 'cashier');
  till = await authenticateKey(services, merchant.stores[0].key);
  packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200, bonus_expires_in_days: 3 });
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const newCustomer = async () => (await createCustomer(database.owner, merchant.id)).id;
const pay = (customerId: string) => topUp({ ...till }, { transactionId: newId(), customer: { customerId }, packageId });
const redemption = (customerId: string, amount: number) => ({
  transactionId: newId(),
  customer: { customerId },
  amount,
  billId: 'B-7',
});
const redeem = (input: ReturnType<typeof redemption>) => redeemStoredValue({ ...till }, input);
/** The uid of the transaction that has the id now. */
const uidOf = async (transactionId: string): Promise<string> => {
  const [row] = await database.owner`select uid from transactions where transaction_id = ${transactionId}`;
  return row?.uid;
};
const refund = (uid: string, amount: number, { by = manager, refundId = newId() } = {}) =>
  callAs(by).transactions.refundPart({ refundId, uid, amount, reason: 'Cold soup' });
const offered = async (uid: string, by: StaffContext) => (await callAs(by).transactions.get({ uid })).maxRefund;
const held = async (customerId: string) => {
  const { storedValue } = await callAs(manager).customers.get({ customerId });
  return { principal: storedValue.principal, bonus: storedValue.bonus };
};
/** Creates a customer with 10.00 paid and 2.00 bonus, who redeemed `amount`. */
async function spent(amount: number) {
  const customerId = await newCustomer();
  await pay(customerId);
  const input = redemption(customerId, amount);
  const answer = await redeem(input);
  return { customerId, input, answer, uid: await uidOf(input.transactionId) };
}

describe('refunding a part of a redemption', () => {
  test('returns what was spent last, and records the rest with author and reason', async () => {
    const { customerId, input, uid } = await spent(700);
    expect(await held(customerId)).toEqual({ principal: 500, bonus: 0 });
    const { restUid } = await refund(uid, 300);
    expect(await held(customerId)).toEqual({ principal: 800, bonus: 0 });
    const rest = await callAs(cashier).transactions.get({ uid: restUid });
    expect(rest).toMatchObject({
      type: 'redeemStoredValue',
      status: 'completed',
      transactionId: input.transactionId,
      storedValue: -400,
      billId: 'B-7',
      restOf: { uid, amount: 300, totalAmount: 300 },
    });
    const voided = await callAs(manager).transactions.get({ uid });
    expect(voided).toMatchObject({
      status: 'voided',
      void: { reason: 'Cold soup', by: { kind: 'staff', name: 'Test manager' } },
      refundedTo: { uid: restUid, amount: 300 },
    });
    const [audited] = await database.owner`
      select after from audit_log where merchant_id = ${merchant.id} order by id desc limit 1`;
    expect(JSON.parse(audited?.after)).toEqual({ amount: 300, reason: 'Cold soup', customerId });
  });

  test('people see one redemption with what came back, when, by whom and why', async () => {
    const { customerId, input, uid } = await spent(700);
    const { restUid } = await refund(uid, 300);
    const { restUid: lastUid } = await refund(restUid, 100, { by: cashier });
    const refunds = [
      { amount: 100, at: now, by: 'Test cashier', reason: 'Cold soup' },
      { amount: 300, at: now, by: 'Test manager', reason: 'Cold soup' },
    ];
    const { items } = await callAs(manager).customers.ledger({ customerId });
    const redeemed = items.filter(({ type }) => type === 'redeemStoredValue');
    expect(new Set(redeemed.filter(({ isReplaced }) => isReplaced).map((one) => one.uid))).toEqual(
      new Set([restUid, uid]),
    );
    expect(redeemed.filter(({ isReplaced }) => !isReplaced)).toMatchObject([
      { uid: lastUid, transactionId: input.transactionId, moved: { principal: -100, bonus: -200 }, refunds },
    ]);
    expect(await callAs(cashier).transactions.get({ uid: lastUid })).toMatchObject({ refunds });
    expect(await callAs(manager).transactions.get({ uid })).toMatchObject({ refunds: [] });
    const diner = { merchant: manager.merchant, customerId } as DinerCustomer;
    const history = await getHistory(manager, diner, {});
    const cameBack = refunds.map(({ amount, at }) => ({ amount, at }));
    expect(history.items.filter(({ type }) => type === 'redeemStoredValue')).toMatchObject([
      { uid: lastUid, isVoided: false, refunds: cameBack },
    ]);
    expect(await getReceipt(manager, diner, { uid: lastUid })).toMatchObject({ refunds: cameBack });
  });

  test('a till sees nothing of it: its repeated request, its look-up and its void work as before', async () => {
    const { customerId, input, answer, uid } = await spent(700);
    await refund(uid, 300);
    const ctx = { ...till };
    expect(await redeemStoredValue(ctx, input)).toEqual(answer);
    expect(ctx.replayed).toBe(true);
    expect(await lookUpTransaction({ ...till }, { transactionId: input.transactionId })).toMatchObject({
      status: 'completed',
      answer,
    });
    await expect(redeem({ ...input, amount: 701 })).rejects.toMatchObject({ code: 'transaction_id_conflict' });
    expect(await voidTransactions({ ...till }, { transactionIds: [input.transactionId] })).toMatchObject({
      results: [{ status: 'voided' }],
    });
    expect(await held(customerId)).toEqual({ principal: 1_000, bonus: 200 });
  });

  test('what expired in the meantime does not come back, and nothing else pays for it', async () => {
    const { customerId, uid } = await spent(700);
    now = new Date(now.getTime() + 5 * dayMs);
    await pay(customerId);
    const { restUid } = await refund(uid, 100);
    expect(await held(customerId)).toEqual({ principal: 1_600, bonus: 200 });
    await refund(restUid, 500);
    expect(await held(customerId)).toEqual({ principal: 2_000, bonus: 200 });
  });

  test.each([
    ['all of it', 700, 'must be less than'],
    ['more than all', 701, 'must be less than'],
  ])('of %s is refused at the amount', async (_, amount, message) => {
    const { uid } = await spent(700);
    await expect(refund(uid, amount)).rejects.toThrow(message);
  });

  test('is refused for anything but a completed redemption of stored value', async () => {
    const { customerId, uid } = await spent(700);
    const { transactionId } = await pay(customerId);
    await expect(refund(await uidOf(transactionId), 100)).rejects.toThrow('Only a completed redemption');
    await refund(uid, 100);
    await expect(refund(uid, 100)).rejects.toThrow('Nothing was refunded');
    await expect(refund(newId(), 100)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a cashier refunds up to the limit of a redemption in all, a manager beyond it', async () => {
    const { uid } = await spent(1_100);
    await expect(refund(uid, 501, { by: cashier })).rejects.toThrow('up to 5.00 SGD');
    expect(await offered(uid, cashier)).toBe(500);
    const { restUid } = await refund(uid, 400, { by: cashier });
    expect(await offered(restUid, cashier)).toBe(100);
    await expect(refund(restUid, 101, { by: cashier })).rejects.toThrow('Ask a manager');
    const next = await refund(restUid, 100, { by: cashier });
    // The screen offers nothing that would be refused.
    expect(await offered(next.restUid, cashier)).toBeNull();
    expect(await offered(next.restUid, manager)).toBe(599);
    expect(await offered(restUid, manager)).toBeNull();
    await refund(next.restUid, 200);
  });
});

describe('at the same moment', () => {
  test('the same refund, sent several times, is made once', async () => {
    const { customerId, uid } = await spent(700);
    const refundId = newId();
    const results = await Promise.all(Array.from({ length: 5 }, () => refund(uid, 300, { refundId })));
    expect(new Set(results.map(({ restUid }) => restUid)).size).toBe(1);
    expect(await held(customerId)).toEqual({ principal: 800, bonus: 0 });
    await expect(refund(uid, 301, { refundId })).rejects.toThrow('Another refund was made');
  });

  test('of two refunds one is made', async () => {
    const { customerId, uid } = await spent(700);
    const outcomes = await Promise.allSettled([refund(uid, 300), refund(uid, 300)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await held(customerId)).toEqual({ principal: 800, bonus: 0 });
  });

  test('a refund and a till’s void: in the end all of it has come back', async () => {
    for (let round = 0; round < 12; round++) {
      const { customerId, input, uid } = await spent(700);
      const byTill = () => voidTransactions({ ...till }, { transactionIds: [input.transactionId] });
      const both = round % 2 === 0 ? [refund(uid, 300), byTill()] : [byTill(), refund(uid, 300)];
      await Promise.allSettled(both);
      expect(await byTill()).toMatchObject({ results: [{ status: 'already_voided' }] });
      expect(await held(customerId)).toEqual({ principal: 1_000, bonus: 200 });
    }
  });
});

test('after refunds a customer has what another has who paid only the rest, also if the worker wrote value off', async () => {
  const amount = fc.integer({ min: 1, max: 1_200 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        topUps: fc.integer({ min: 1, max: 3 }),
        spent: fc.integer({ min: 2, max: 1_200 }),
        refunds: fc.array(fc.record({ amount, days: fc.nat(4), topsUp: fc.boolean(), expires: fc.boolean() }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      async ({ topUps, spent: total, refunds }) => {
        now = start;
        const [one, other] = [await newCustomer(), await newCustomer()];
        for (let times = 0; times < topUps; times++) {
          now = new Date(now.getTime() + dayMs / 2);
          for (const customerId of [one, other]) await pay(customerId);
        }
        let rest = total;
        const input = redemption(one, total);
        await redeem(input);
        for (const { amount: wanted } of refunds) rest -= wanted < rest ? wanted : 0;
        await redeem(redemption(other, rest));
        let left = total;
        for (const { amount: wanted, days, topsUp, expires } of refunds) {
          now = new Date(now.getTime() + days * dayMs);
          if (expires) await expireValueOf(manager, { merchantId: merchant.id });
          if (topsUp) for (const customerId of [one, other]) await pay(customerId);
          if (wanted >= left) continue;
          await refund(await uidOf(input.transactionId), wanted);
          left -= wanted;
        }
        expect(left).toBe(rest);
        expect(await held(one)).toEqual(await held(other));
        await redeem(redemption(one, 1)).catch(() => {});
        await redeem(redemption(other, 1)).catch(() => {});
        expect(await held(one)).toEqual(await held(other));
      },
    ),
    { numRuns: 20 },
  );
  expect(await verifyLedger(database.owner)).toEqual([]);
});
