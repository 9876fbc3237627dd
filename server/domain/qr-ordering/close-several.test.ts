import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createOrder } from '@/server/testing/factory-ordering';
import { refusalOf } from '@/server/testing/menu';
import { callAs } from '@/server/testing/staff';
import { createTables } from '@/server/testing/tables';
import { newId } from '../kernel/ids';
import { generateQrCode } from './qr-codes';

const database = sharedDatabase();

/** A separate merchant with open codes, and its cashier's procedures. */
async function createScene(count: number) {
  const tables = await createTables(database);
  const { qrCodes } = callAs(tables.cashier);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await generateQrCode(tables.till, { billId: `B-${n}` })).qrCodeId);
  const statuses = () => Promise.all(ids.map(async (qrCodeId) => (await qrCodes.get({ qrCodeId })).status));
  const trail = () => database.owner<{ subject_id: string }[]>`
    select subject_id from audit_log where merchant_id = ${tables.merchant.id} and action = 'qrCode.invalidate'`;
  return { ...tables, qrCodes, ids, statuses, trail };
}

test('several codes close together: each is audited and announced once, whoever else closes them at the same moment', async () => {
  const { qrCodes, ids, statuses, trail, merchant } = await createScene(5);
  const [, ...others] = ids;
  const heard: string[] = [];
  const { unlisten } = await database.owner.listen('merchant_changes', (payload) => heard.push(payload));
  const closings = await Promise.all([
    qrCodes.invalidateSeveral({ qrCodeIds: ids }),
    qrCodes.invalidateSeveral({ qrCodeIds: others.toReversed() }),
    qrCodes.invalidateSeveral({ qrCodeIds: [ids[2] as string] }),
  ]);
  expect(await statuses()).toEqual(Array(5).fill('invalidated'));
  expect((await trail()).map((row) => row.subject_id).sort()).toEqual([...ids].sort());
  expect((closings[0]?.closed ?? 0) + (closings[1]?.closed ?? 0)).toBeGreaterThanOrEqual(4);
  const told = ids.map((about) => JSON.stringify({ merchantId: merchant.id, topic: 'qrCodes', about }));
  await expect.poll(() => [...heard].sort()).toEqual(told.sort());
  await unlisten();
  await expect(createOrder(database.db, merchant.id, { qrCodeId: ids[0] as string })).rejects.toMatchObject({
    code: 'qr_code_closed',
  });
});

test('closing them again changes nothing', async () => {
  const { qrCodes, ids, trail } = await createScene(2);
  await qrCodes.invalidateSeveral({ qrCodeIds: ids });
  const { invalidatedAt } = await qrCodes.get({ qrCodeId: ids[0] as string });
  expect(await qrCodes.invalidateSeveral({ qrCodeIds: [...ids, ...ids] })).toEqual({ closed: 0 });
  expect((await qrCodes.get({ qrCodeId: ids[0] as string })).invalidatedAt).toBe(invalidatedAt);
  expect(await trail()).toHaveLength(2);
});

test('with an unknown code, or another merchant’s, none closes', async () => {
  const { qrCodes, ids, statuses, trail } = await createScene(2);
  const theirs = await createScene(1);
  for (const foreign of [newId(), theirs.ids[0] as string]) {
    const refused = await refusalOf(qrCodes.invalidateSeveral({ qrCodeIds: [...ids, foreign] }));
    expect(refused).toEqual({ code: 'qr_code_not_found', paths: [] });
  }
  expect([...(await statuses()), ...(await theirs.statuses())]).toEqual(['active', 'active', 'active']);
  expect(await trail()).toEqual([]);
});
