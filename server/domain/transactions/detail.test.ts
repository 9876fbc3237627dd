import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { callAs } from '@/server/testing/staff';
import { openStage } from '@/server/testing/transaction-stage';
import { verifyLedger } from '../ledger/verify';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';

const database = ownDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database);
});
beforeEach(() => stage.newCustomer());
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

test('the detail tells all: what moved, who voided it and why, what went with it, and its bill', async () => {
  const { packageId, manager, north, next, uidOf, voidAll } = stage;
  const [a, b] = [next(), next()];
  await topUp(north, { ...a, packageId, billId: 'Bill-7', staffId: 'Mei' });
  await redeemStoredValue(north, { ...b, amount: 2_500, billId: 'Bill-7' });
  const uids = [await uidOf(a.transactionId), await uidOf(b.transactionId)] as [string, string];
  await voidAll(...uids);
  const detail = await callAs(manager).transactions.get({ uid: uids[0] });
  expect(detail).toMatchObject({
    transactionId: a.transactionId,
    type: 'topUp',
    status: 'voided',
    billAmount: 10_000,
    storedValue: 12_000,
    customer: { id: stage.customer().id, name: 'Ada Tester' },
    staffId: 'Mei',
    apiKeyName: 'Test',
    packageName: 'Package',
    answer: { type: 'topUp', bonus: 2_000 },
    refusal: null,
    pointsShortfall: 0,
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
  const { manager, north, sold, adjusted } = stage;
  const sale = await callAs(manager).transactions.get({ uid: await sold(north, 1_250) });
  expect(sale.sale).toMatchObject({
    subtotal: 1_250,
    total: 1_250,
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
