import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import type { PosContext } from '../core/context';
import { newId } from '../core/ids';
import { balancesByPhone } from '../customers/balances';
import { verifyLedger } from '../ledger/verify';
import { authenticate } from '../merchants/authenticate';
import { redeemPoints } from '../points/redeem';
import { submitSale } from '../sales/submit';
import type { StaffContext } from '../staff/context';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../stored-value/top-up';
import { formatVoucherCode } from '../vouchers/code';
import { redeemVoucher } from '../vouchers/redeem';
import { voidTransactions } from './void';

let database: TestDatabase;
let merchant: TestMerchant;
let manager: StaffContext;
let north: PosContext;
let south: PosContext;
let packageId: string;
let customer: { id: string; phone: string };
let serial = 0;

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
  const { owner, db } = database;
  merchant = await createMerchant(owner);
  packageId = await createFixedPackage(owner, merchant.id, { amount: 10_000, bonus: 2_000 });
  manager = await createStaff(owner, testServices(db), merchant.id, 'manager');
  [north, south] = (await Promise.all(merchant.stores.map(({ key }) => authenticate(testServices(db), key)))) as [
    PosContext,
    PosContext,
  ];
});
beforeEach(async () => {
  customer = await createCustomer(database.owner, merchant.id);
});
afterAll(async () => {
  try {
    expect(await verifyLedger(database.owner)).toEqual([]);
  } finally {
    await database.drop();
  }
});

const next = () => ({ transactionId: `t-${++serial}`, customer: { customerId: customer.id } });
type Till = (input: ReturnType<typeof next>) => Promise<{ transactionId: string }>;

/** Carries a transaction out, and answers its uid. */
async function run(work: Till): Promise<string> {
  const { transactionId } = await work(next());
  return uidOf(transactionId);
}
async function uidOf(transactionId: string): Promise<string> {
  const [row] = await database.owner`select uid from transactions where transaction_id = ${transactionId}`;
  return row?.uid as string;
}
const paid = (till: PosContext) => run((input) => topUp(till, { ...input, packageId }));
const redeemed = (till: PosContext, amount: number) => run((input) => redeemStoredValue(till, { ...input, amount }));
const sold = (till: PosContext, amount: number) =>
  run((input) =>
    submitSale(till, {
      ...input,
      lines: [{ plu: 'A', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
      ...{ subtotal: amount, discount: 0, serviceCharge: 0, tax: 0, total: amount },
      payments: [{ method: 'cash', amount }],
      closedAt: new Date().toISOString(),
    }),
  );
async function adjusted(amount: number): Promise<string> {
  const direction = amount > 0 ? ('add' as const) : ('take' as const);
  const what = { customerId: customer.id, part: 'principal' as const, direction, amount: Math.abs(amount) };
  const input = { ...what, adjustmentId: newId(), expiresOn: null, reason: 'Goodwill' };
  await callAs(manager).customers.adjust(input);
  const [row] = await database.owner`
    select uid from transactions where customer_id = ${customer.id} and type = 'adjustment' order by uid desc limit 1`;
  return row?.uid as string;
}
const preview = (...uids: string[]) => callAs(manager).transactions.voidPreview({ uids });
const voidAs = (effect: string, ...uids: string[]) =>
  callAs(manager).transactions.void({ uids, reason: 'Rung up twice', effect });
/** As the screen does it: look, then confirm. */
async function voidAll(...uids: string[]) {
  const { effect } = await preview(...uids);
  return (await voidAs(effect, ...uids)).results.map(({ status }) => status);
}
async function held() {
  const { storedValue, points } = await balancesByPhone(north, { phone: customer.phone });
  return { principal: storedValue.principal, bonus: storedValue.bonus, points: points.balance };
}
const causeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (one) => one,
  );
  return error?.cause as { code: string; details: { blocking: unknown } } | undefined;
};

describe('what the preview shows is what the void does', () => {
  test('for a bill of several stores, with an adjustment', async () => {
    await paid(north);
    const before = await held();
    const uids = [await redeemed(south, 3_000), await adjusted(-500), await adjusted(700), await sold(north, 900)];
    const shown = await preview(...uids);
    expect(shown.transactions.map(({ outcome }) => outcome)).toEqual(['voided', 'voided', 'voided', 'voided']);
    expect(shown.transactions.map(({ store }) => store?.name ?? null).sort()).toEqual(
      [null, null, 'Store NORTH', 'Store SOUTH'].sort(),
    );
    const now = { customerId: customer.id, name: 'Ada Tester', before: await held(), after: before };
    expect(shown.customers).toEqual([now]);
    expect(await held()).toEqual(now.before);
    expect(await voidAll(...uids)).toEqual(['voided', 'voided', 'voided', 'voided']);
    expect(await held()).toEqual(before);
  });

  test('for points that were spent and are owed', async () => {
    const sale = await sold(north, 4_000);
    await run((input) => redeemPoints(north, { ...input, points: 30 }));
    const shown = await preview(sale);
    expect(shown.transactions[0]).toMatchObject({ outcome: 'voided', pointsShortfall: 30 });
    expect(shown.customers[0]).toMatchObject({ before: { points: 10 }, after: { points: 0 } });
    const { results } = await voidAs(shown.effect, sale);
    expect(results).toEqual([{ uid: sale, status: 'voided', pointsShortfall: 30 }]);
    expect((await held()).points).toBe(0);
  });

  test('for vouchers: one can be used again, one has expired meanwhile', async () => {
    const campaignId = await createCampaign(database.owner, merchant.id, { stackable: true });
    const codes = [1, 2].map(() => createVoucher(database.owner, merchant.id, { campaignId, customerId: customer.id }));
    const [good, late] = (await Promise.all(codes)) as [string, string];
    const use = (voucherCode: string) =>
      run((input) => redeemVoucher(north, { ...input, voucherCode, bill: { amount: 5_000 } }));
    const uids = [await use(good), await use(late)];
    await database.owner`update vouchers set expires_at = now() - interval '1 second' where voucher_code = ${late}`;
    const { vouchers } = await preview(...uids);
    expect(vouchers).toEqual(
      [
        { voucherCode: formatVoucherCode(good), campaignName: 'Five off', becomes: 'usable' },
        { voucherCode: formatVoucherCode(late), campaignName: 'Five off', becomes: 'expired' },
      ].sort((a, b) => (a.voucherCode < b.voucherCode ? -1 : 1)),
    );
    await voidAll(...uids);
    await use(good);
    await expect(use(late)).rejects.toMatchObject({ code: 'voucher_expired' });
  });

  test('and for nothing else: where something changed meanwhile it is refused', async () => {
    const uids = [await paid(north), await sold(north, 5_000)];
    const { effect } = await preview(...uids);
    await run((input) => redeemPoints(south, { ...input, points: 20 }));
    expect((await causeOf(voidAs(effect, ...uids)))?.code).toBe('void_changed');
    expect(await held()).toEqual({ principal: 10_000, bonus: 2_000, points: 30 });
    expect(await voidAll(...uids)).toEqual(['voided', 'voided']);
  });
});

describe('what stands in the way', () => {
  test('is named with what spent it, wherever that was, and nothing is voided', async () => {
    const granted = await paid(north);
    const spenders = [await adjusted(-100), await redeemed(south, 2_500), await redeemed(north, 500)];
    const other = await sold(north, 900);
    const before = await held();
    const { transactions, effect } = await preview(granted, other);
    const [, blocked] = transactions;
    expect(transactions.map(({ outcome }) => outcome)).toEqual(['voided', 'blocked']);
    expect(blocked?.blocking?.code).toBe('top_up_spent');
    expect(blocked?.blocking?.spentBy.map(({ uid }) => uid)).toEqual(spenders.toReversed());
    expect(blocked?.blocking?.spentBy[1]).toMatchObject({ type: 'redeemStoredValue', storeCode: 'SOUTH' });
    const refusal = await causeOf(voidAs(effect, granted, other));
    expect(refusal).toMatchObject({ code: 'void_refused', details: { blocking: [blocked?.blocking] } });
    expect(await held()).toEqual(before);
    expect(await voidAll(granted, other, ...spenders)).toEqual(Array(5).fill('voided'));
    expect(await held()).toEqual({ principal: 0, bonus: 0, points: 0 });
  });

  test('a POS is told, too', async () => {
    const granted = next();
    await topUp(north, { ...granted, packageId });
    const spent = next();
    await redeemStoredValue(south, { ...spent, amount: 100 });
    await adjusted(-100);
    await expect(voidTransactions(north, { transactionIds: [granted.transactionId] })).rejects.toMatchObject({
      details: {
        blocking: [
          {
            transactionId: granted.transactionId,
            code: 'top_up_spent',
            spentBy: [
              { transactionId: null, type: 'adjustment', storeCode: null },
              { transactionId: spent.transactionId, type: 'redeemStoredValue', storeCode: 'SOUTH' },
            ],
          },
        ],
      },
    });
  });

  test('an adjustment whose value was spent, and an expiry', async () => {
    const granted = await adjusted(1_000);
    await redeemed(north, 400);
    expect((await preview(granted)).transactions[0]?.blocking?.code).toBe('adjustment_spent');
    const topUpUid = await paid(north);
    const used = await redeemed(north, 2_500);
    await database.owner`update lots set expires_at = now() - interval '1 second' where transaction_uid = ${topUpUid} and part = 'bonus'`;
    await voidAll(used);
    const [expiry] = await database.owner`
      select uid from transactions where customer_id = ${customer.id} and type = 'expiry'`;
    const { transactions, effect } = await preview(expiry?.uid);
    expect(transactions[0]?.blocking).toMatchObject({ code: 'not_voidable', spentBy: [] });
    expect((await causeOf(voidAs(effect, expiry?.uid)))?.code).toBe('void_refused');
  });
});

test('voiding again says so, whatever was looked at, and leaves the first reason', async () => {
  const uid = await paid(north);
  const { effect } = await preview(uid);
  await voidAs(effect, uid);
  for (const told of [effect, 'another']) {
    expect((await voidAs(told, uid)).results).toEqual([{ uid, status: 'alreadyVoided', pointsShortfall: 0 }]);
  }
  expect((await preview(uid)).transactions[0]?.outcome).toBe('alreadyVoided');
  const rows = await database.owner`
    select a.actor_id, a.after from audit_log a join transactions t on t.void_id::text = a.subject_id
    where t.uid = ${uid} and a.action = 'transactions.void'`;
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ actor_id: manager.staff.userId, after: JSON.stringify({ uids: [uid] }) });
});

test('the detail tells all: what moved, who voided it and why, what went with it, and its bill', async () => {
  const [a, b] = [next(), next()];
  await topUp(north, { ...a, packageId, billId: 'Bill-7', staffId: 'Mei' });
  await redeemStoredValue(north, { ...b, amount: 2_500, billId: 'Bill-7' });
  const uids = [await uidOf(a.transactionId), await uidOf(b.transactionId)] as [string, string];
  await voidAll(...uids);
  const detail = await callAs(manager).transactions.get({ uid: uids[0] });
  expect(detail).toMatchObject({
    ...{ transactionId: a.transactionId, type: 'topUp', status: 'voided', billAmount: 10_000, storedValue: 12_000 },
    ...{
      customer: { id: customer.id, name: 'Ada Tester' },
      staffId: 'Mei',
      apiKeyName: 'Test',
      packageName: 'Package',
    },
    ...{ answer: { type: 'topUp', bonus: 2_000 }, refusal: null, pointsShortfall: 0 },
    void: { reason: 'Rung up twice', by: { kind: 'staff', name: 'Test manager' }, others: [{ uid: uids[1] }] },
    sameBill: [{ uid: uids[1], type: 'redeemStoredValue', status: 'voided' }],
  });
  expect(detail.entries.map(({ part, kind, amount }) => [part, kind, amount])).toEqual([
    ['principal', 'grant', 10_000],
    ['bonus', 'grant', 2_000],
    ['principal', 'void', -10_000],
    ['bonus', 'void', -2_000],
  ]);
  const refused = next();
  await redeemStoredValue(north, { ...refused, amount: 1 }).catch(() => {});
  const told = await callAs(manager).transactions.get({ uid: await uidOf(refused.transactionId) });
  expect(told).toMatchObject({ status: 'refused', answer: null, refusal: { code: 'insufficient_balance' } });
});

test('the detail of a sale has its lines and payments, that of an adjustment its reason', async () => {
  const sale = await callAs(manager).transactions.get({ uid: await sold(north, 1_250) });
  expect(sale.sale).toMatchObject({
    ...{ subtotal: 1_250, total: 1_250 },
    lines: [{ plu: 'A', name: 'Laksa', quantity: 1, unitPrice: 1_250, amount: 1_250 }],
    payments: [{ method: 'cash', amount: 1_250 }],
  });
  const adjustment = await callAs(manager).transactions.get({ uid: await adjusted(300) });
  expect(adjustment).toMatchObject({
    store: null,
    adjustment: { reason: 'Goodwill', by: 'Test manager' },
    sameBill: [],
  });
});

test('what belongs to another merchant does not exist', async () => {
  const uid = await paid(north);
  const other = await createMerchant(database.owner);
  const stranger = callAs(await createStaff(database.owner, testServices(database.db), other.id, 'owner'));
  const [own] = await database.owner`
    insert into transactions (merchant_id, uid, type, status, occurred_at)
    values (${other.id}, ${newId()}, 'expiry', 'completed', now()) returning uid`;
  const notFound = { code: 'NOT_FOUND' };
  await expect(stranger.transactions.get({ uid })).rejects.toMatchObject(notFound);
  for (const uids of [[uid], [own?.uid, uid]]) {
    await expect(stranger.transactions.voidPreview({ uids })).rejects.toMatchObject(notFound);
    const wanted = { uids, reason: 'Mine', effect: '' };
    await expect(stranger.transactions.void(wanted)).rejects.toMatchObject(notFound);
  }
  expect((await held()).principal).toBe(10_000);
});

describe('at the same moment', () => {
  test('two of the staff, with the same look: one voids, the other finds it voided', async () => {
    for (let round = 0; round < 8; round++) {
      const uids = [await paid(north), await redeemed(south, 700)];
      const { effect } = await preview(...uids);
      const both = await Promise.all([voidAs(effect, ...uids), voidAs(effect, ...uids.toReversed())]);
      const told = both.map(({ results }) => results.map(({ status }) => status).join()).sort();
      expect(told).toEqual(['alreadyVoided,alreadyVoided', 'voided,voided']);
      expect((await held()).principal).toBe(0);
    }
  });

  test('staff and a POS: it is voided once, by one of them', async () => {
    for (let round = 0; round < 12; round++) {
      const [a, b] = [next(), next()];
      await topUp(north, { ...a, packageId });
      await redeemStoredValue(north, { ...b, amount: 1_000 });
      const uids = [await uidOf(b.transactionId), await uidOf(a.transactionId)];
      const { effect } = await preview(...uids);
      const byPos = () => voidTransactions(north, { transactionIds: [a.transactionId, b.transactionId] });
      const byStaff = () => voidAs(effect, ...uids);
      const [pos, staff] = await Promise.all(
        round % 2 === 0 ? [byPos(), byStaff()] : [byStaff(), byPos()].toReversed(),
      );
      const told = [pos, staff].map((answer) => (answer as { results: { status: string }[] }).results[0]?.status);
      expect(['voided,alreadyVoided', 'already_voided,voided']).toContain(told.join());
      expect(await held()).toEqual({ principal: 0, bonus: 0, points: 0 });
    }
  });

  test('a void of a top-up and a redeem of its value: nothing is spent twice', async () => {
    for (let round = 0; round < 12; round++) {
      const uid = await paid(north);
      const { effect } = await preview(uid);
      const spend = () =>
        redeemStoredValue(south, { ...next(), amount: 9_000 }).then(
          () => 'redeemed',
          ({ code }) => code,
        );
      const undo = () =>
        voidAs(effect, uid).then(
          () => 'voided',
          ({ cause }) => cause.code,
        );
      const [spent, undone] = await Promise.all(round % 2 === 0 ? [spend(), undo()] : [undo(), spend()].toReversed());
      expect([
        ['redeemed', 'void_refused'],
        ['insufficient_balance', 'voided'],
      ]).toContainEqual([spent, undone]);
      const { principal, bonus } = await held();
      expect(principal + bonus).toBe(spent === 'redeemed' ? 3_000 : 0);
      customer = await createCustomer(database.owner, merchant.id);
    }
  });
});
