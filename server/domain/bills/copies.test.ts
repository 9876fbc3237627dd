/** Copies of one request that wait for the same bill in two instances: one outcome, and the same answer for each. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appRole, connectDatabase, type Database } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { waitForLocks } from '@/db/testing/locks';
import { billOf } from '@/server/testing/bill-payments';
import { createMerchant, testServices } from '@/server/testing/factory';
import { authenticateKey } from '../access/authenticate';
import type { PosContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { putBill } from './put';

const database = ownDatabase();
let other: Database;

beforeAll(() => {
  other = connectDatabase(database.url, { role: appRole, max: 4 });
});
afterAll(() => other.close());

test('a sale that names what it expects to be due, sent twice at once', async () => {
  const { owner, db } = database;
  const merchant = await createMerchant(owner);
  const tills = await Promise.all([db, other].map((one) => authenticateKey(testServices(one), merchant.stores[0].key)));
  const billId = newId();
  await putBill(tills[0] as PosContext, billOf(billId, 2_000));
  const { lines, subtotal, discount, serviceCharge, tax, total } = billOf(billId, 500);
  const sale = {
    transactionId: newId(),
    billId,
    lines,
    subtotal,
    discount,
    serviceCharge,
    tax,
    total,
    payments: [{ method: 'cash', amount: 500 }],
    closedAt: new Date().toISOString(),
    expectedDue: 2_000,
  };
  const held = await owner.reserve();
  await held`begin`;
  await held`select from bills where bill_id = ${billId} for update`;
  const answers = Promise.all(tills.map((till) => submitSale(till, sale)));
  await waitForLocks(owner, 2);
  await held`commit`;
  held.release();
  const [first, second] = await answers;
  expect(second).toEqual(first);
  expect(tills.map(({ replayed }) => replayed ?? false).sort()).toEqual([false, true]);
});
