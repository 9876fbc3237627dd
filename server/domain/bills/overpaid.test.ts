/** A bill with too much paid on it is on Home until staff have settled it, and again if it is overpaid again. */
import { beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { billOf } from '@/server/testing/bill-payments';
import { callAs, createStaff } from '@/server/testing/staff';
import { openStage } from '@/server/testing/transaction-stage';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { closeBill } from './close';
import { putBill } from './put';
import { reopenBill } from './reopen';

const database = ownDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database);
});

/** A bill of 20.00 that was sold whole, although 10.00 were redeemed on it. */
async function overpay() {
  const { north, paid, next, manager } = stage;
  const billId = newId();
  await paid(north);
  await putBill(north, billOf(billId, 2_000));
  await redeemStoredValue(north, { ...next(), billId, amount: 1_000 });
  const sell = () => {
    const { currency: _, revision: _revision, ...sums } = billOf(billId, 2_000);
    const payments = [{ method: 'cash', amount: 2_000 }];
    return submitSale(north, { ...sums, transactionId: newId(), payments, closedAt: new Date().toISOString() });
  };
  await sell();
  const [row] = await database.owner`select id from bills where bill_id = ${billId}`;
  const billUid = row?.id as string;
  const onHome = async () =>
    ((await callAs(manager).home.attention()).overpaidBills ?? [])
      .filter((one) => one.billUid === billUid)
      .map(({ amount }) => amount);
  const settle = (amount: number) => callAs(manager).bills.settleOverpaid({ billUid, amount });
  return { billId, billUid, sell, onHome, settle };
}

test('staff settle it once, with what they saw, and the bill tells who and when', async () => {
  const { billUid, onHome, settle } = await overpay();
  expect(await onHome()).toEqual([1_000]);
  await expect(settle(900)).rejects.toMatchObject({ cause: { code: 'edited_meanwhile' } });
  await Promise.all([settle(1_000), settle(1_000)]);
  await settle(1_000);
  expect(await onHome()).toEqual([]);
  const { changes } = await callAs(stage.manager).bills.get({ billUid });
  const settled = changes.filter(({ action }) => action === 'bill.settleOverpaid');
  expect(settled).toMatchObject([{ by: expect.any(String), details: { amount: 1_000 } }]);
  const entries = await database.owner`
    select actor_kind from audit_log where subject_id = ${billUid} and action = 'bill.settleOverpaid'`;
  expect([...entries]).toEqual([{ actor_kind: 'staff' }]);
});

test('a bill that is overpaid again is listed again, with what came since', async () => {
  const { onHome, settle, sell, billId } = await overpay();
  await settle(1_000);
  await sell();
  expect(await onHome()).toEqual([2_000]);
  await expect(settle(3_000)).rejects.toMatchObject({ cause: { code: 'edited_meanwhile' } });
  await settle(2_000);
  expect(await onHome()).toEqual([]);
  // Found again as it was: nothing new to settle.
  await reopenBill(stage.north, { billId });
  await closeBill(stage.north, { billId });
  expect(await onHome()).toEqual([]);
});

test('neither cashiers nor staff of another store settle it', async () => {
  const { billUid, onHome } = await overpay();
  const { merchant, manager } = stage;
  const cashier = await createStaff(database.owner, manager, merchant.id, 'cashier');
  const elsewhere = await createStaff(database.owner, manager, merchant.id, 'manager', [merchant.stores[1].id]);
  const input = { billUid, amount: 1_000 };
  await expect(callAs(cashier).bills.settleOverpaid(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(callAs(elsewhere).bills.settleOverpaid(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await onHome()).toEqual([1_000]);
});
