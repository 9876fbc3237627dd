import { beforeEach, expect, test, vi } from 'vitest';
import { withMerchant } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import type { StaffContext } from '../kernel/context';
import { say } from '../kernel/say';
import { openCode } from '../qr-ordering/bill-code';
import { generateQrCode } from '../qr-ordering/qr-codes';

const database = sharedDatabase();
let merchant: TestMerchant;
let manager: StaffContext;

beforeEach(async () => {
  merchant = await createMerchant(database.owner);
  manager = await createStaff(database.owner, testServices(database.db), merchant.id, 'manager');
});

const list = async () => (await callAs(manager).stores.list()).stores;
const audited = () => database.owner`
  select action, subject_id, before, after from audit_log where merchant_id = ${merchant.id} order by created_at, id`;
const till = () => authenticateKey(testServices(database.db), merchant.stores[0].key);

const unset = { address: '', phone: '', dayStartsAt: null };
const codeTaken = { issues: [{ path: 'storeCode', sentence: say('storeCodeTaken') }] };

test('a code is unique whatever its case, for a new store and a changed one', async () => {
  const { id: storeId } = merchant.stores[0];
  const create = callAs(manager).stores.create({ storeCode: 'north', name: 'Another' });
  await expect(create).rejects.toMatchObject({ cause: codeTaken });
  const change = callAs(manager).stores.change({ storeId, storeCode: 'South' });
  await expect(change).rejects.toMatchObject({ cause: codeTaken });
  await callAs(manager).stores.change({ storeId, storeCode: 'north' });
  expect((await list()).map(({ storeCode }) => storeCode).sort()).toEqual(['SOUTH', 'north']);
});

test('a pair of codes from before that differ by case stays until one changes', async () => {
  const [old] = await database.owner`
    insert into stores ${database.owner({
      merchant_id: merchant.id,
      id: crypto.randomUUID(),
      store_code: 'north',
      name: 'Old',
      is_code_shared: true,
    })} returning id`;
  const storeId = String(old?.id);
  await callAs(manager).stores.change({ storeId, name: 'Older' });
  const third = callAs(manager).stores.create({ storeCode: 'North', name: 'Third' });
  await expect(third).rejects.toMatchObject({ cause: codeTaken });
  await callAs(manager).stores.change({ storeId, storeCode: 'WEST' });
  const again = callAs(manager).stores.create({ storeCode: 'west', name: 'Again' });
  await expect(again).rejects.toMatchObject({ cause: codeTaken });
});

test('a store has an address and a phone number; the number has to look like one', async () => {
  const contact = { address: '391 Orchard Road, Singapore 238872', phone: '+65 6123 4567' };
  const { storeId } = await callAs(manager).stores.create({ storeCode: 'EAST', name: 'East', ...contact });
  const found = async () => (await list()).find((store) => store.storeId === storeId);
  expect(await found()).toMatchObject(contact);
  await callAs(manager).stores.change({ storeId, name: 'East Coast' });
  expect(await found()).toMatchObject({ name: 'East Coast', ...contact });
  await callAs(manager).stores.change({ storeId, phone: '' });
  expect(await found()).toMatchObject({ ...contact, phone: '' });
  const wrong = callAs(manager).stores.change({ storeId, phone: 'ring the bell' });
  await expect(wrong).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a store is created, and its code is then taken', async () => {
  const { storeId } = await callAs(manager).stores.create({ storeCode: ' EAST ', name: 'East Coast' });
  expect(await list()).toMatchObject([
    { storeId, storeCode: 'EAST', name: 'East Coast', closedAt: null, isCodeFixed: false },
    { storeCode: 'NORTH' },
    { storeCode: 'SOUTH' },
  ]);
  expect(await audited()).toMatchObject([{ action: 'store.create', subject_id: storeId }]);
  await expect(callAs(manager).stores.create({ storeCode: 'EAST', name: 'Another' })).rejects.toMatchObject({
    cause: { code: 'invalid_request', issues: [{ path: 'storeCode', sentence: say('storeCodeTaken') }] },
  });
});

test('of many at once, one gets the code; another merchant can have it, too', async () => {
  const create = () => callAs(manager).stores.create({ storeCode: 'WEST', name: 'West' });
  const outcomes = await Promise.allSettled([create(), create(), create(), create()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const other = await createMerchant(database.owner);
  const stranger = await createStaff(database.owner, testServices(database.db), other.id);
  await callAs(stranger).stores.create({ storeCode: 'WEST', name: 'West' });
});

test('the name can always change; the code until a till has used it', async () => {
  const { id: storeId } = merchant.stores[0];
  await callAs(manager).stores.change({ storeId, storeCode: 'HARBOUR' });
  await generateQrCode(await till(), { billId: 'b1' });
  await callAs(manager).stores.change({ storeId, storeCode: 'HARBOUR', name: 'Harbour Front' });
  await expect(callAs(manager).stores.change({ storeId, storeCode: 'BAY' })).rejects.toMatchObject({
    cause: { issues: [{ path: 'storeCode' }] },
  });
  expect((await list()).find((store) => store.storeId === storeId)).toMatchObject({
    storeCode: 'HARBOUR',
    name: 'Harbour Front',
    isCodeFixed: true,
  });
  const changes = (await audited()).filter(({ action }) => action === 'store.change');
  expect(changes.map(({ before, after }) => [JSON.parse(before), JSON.parse(after)])).toEqual([
    [
      { storeCode: 'NORTH', name: 'Store NORTH', ...unset },
      { storeCode: 'HARBOUR', name: 'Store NORTH', ...unset },
    ],
    [
      { storeCode: 'HARBOUR', name: 'Store NORTH', ...unset },
      { storeCode: 'HARBOUR', name: 'Harbour Front', ...unset },
    ],
  ]);
  await expect(callAs(manager).stores.change({ storeId, storeCode: 'SOUTH' })).rejects.toMatchObject({
    cause: { issues: [{ path: 'storeCode' }] },
  });
});

test('a store closes and opens again; repeating either does nothing', async () => {
  const { id: storeId } = merchant.stores[0];
  await callAs(manager).stores.close({ storeId });
  await callAs(manager).stores.close({ storeId });
  expect((await list()).map(({ storeCode, closedAt }) => [storeCode, closedAt !== null])).toEqual([
    ['SOUTH', false],
    ['NORTH', true],
  ]);
  await expect(till()).rejects.toMatchObject({ code: 'invalid_api_key' });
  await callAs(manager).stores.reopen({ storeId });
  await callAs(manager).stores.reopen({ storeId });
  expect((await till()).boundStore?.storeCode).toBe('NORTH');
  expect((await audited()).map(({ action }) => action)).toEqual(['store.close', 'store.reopen']);
});

test('a store can’t close while diners can order, and can afterwards', async () => {
  const { id: storeId } = merchant.stores[0];
  const code = await generateQrCode(await till(), { billId: 'b2' });
  await expect(callAs(manager).stores.close({ storeId })).rejects.toMatchObject({
    cause: { code: 'store_in_use', details: { activeQrCodes: 1 } },
  });
  await database.owner`
    update qr_codes set expires_at = now() - interval '1 second' where id = ${code.qrCodeId}`;
  await callAs(manager).stores.close({ storeId });
});

test('a store can’t close while a code is being created there', async () => {
  const { id: storeId } = merchant.stores[0];
  const services = testServices(database.db);
  let closing: Promise<unknown> | undefined;
  await withMerchant(database.db, merchant.id, async (tx) => {
    await openCode(tx, { ...services, merchant: { eventTypes: [] } }, storeId, { billId: 'b3' });
    closing = callAs(manager).stores.close({ storeId });
    closing.catch(() => {});
    await vi.waitUntil(
      async () => {
        const waiting = await database.owner`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      },
      { timeout: 40_000 },
    );
  });
  await expect(closing).rejects.toMatchObject({ cause: { code: 'store_in_use' } });
});

test('another merchant’s store does not exist', async () => {
  const other = await createMerchant(database.owner);
  const stranger = await createStaff(database.owner, testServices(database.db), other.id);
  const { id: storeId } = merchant.stores[0];
  const { stores, apiKeys } = callAs(stranger);
  const attempts = [
    () => stores.change({ storeId, name: 'Mine' }),
    () => stores.close({ storeId }),
    () => stores.reopen({ storeId }),
    () => apiKeys.create({ name: 'Mine', storeId }),
  ];
  // Screens show no ids.
  const missing = { code: 'NOT_FOUND', message: 'There is no such store.' };
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(missing);
  expect((await list()).map(({ name, closedAt }) => [name, closedAt])).toEqual([
    ['Store NORTH', null],
    ['Store SOUTH', null],
  ]);
});
