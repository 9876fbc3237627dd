import { expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { createFixedPackage, createMerchant } from '@/server/testing/factory';
import { createMenu } from '@/server/testing/factory-ordering';
import { newId } from '../kernel/ids';
import { readFirstSteps } from './first-steps';

const database = ownDatabase();
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);

test('the first steps are gone once they are done, or a week after the first transaction', async () => {
  const { owner, db } = database;
  const { id, stores } = await createMerchant(owner);
  const read = (now = new Date()) => withMerchant(db, id, (tx) => readFirstSteps(tx, now));
  const none = { store: true, menu: false, package: false, tables: false, key: true, call: false, sale: false };
  expect(await read()).toEqual(none);
  await createMenu(owner, id);
  await createFixedPackage(owner, id, { amount: 1_000, bonus: 0 });
  const { id: storeId } = stores[0];
  const uid = newId();
  await owner`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, amount, occurred_at)
    values (${id}, ${uid}, ${storeId}, 'first', 'sale', 'completed', 500, now())`;
  await owner`insert into sales ${owner({
    merchant_id: id,
    transaction_uid: uid,
    subtotal: 500,
    discount: 0,
    service_charge: 0,
    tax: 0,
    rounding: 0,
    total: 500,
    points_earned: 0,
    closed_at: new Date(),
  })}`;
  expect(await read()).toEqual({ ...none, menu: true, package: true, sale: true });
  expect(await read(inDays(6))).not.toBeNull();
  expect(await read(inDays(8))).toBeNull();
});
