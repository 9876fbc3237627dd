/** CSV exports of lists follow the screen's filter, and contain only their own merchant's data. */
import { parse } from 'csv-parse';
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { type ApiRequest, saveApiRequests } from '@/server/domain/access/api-requests';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { addToDate, dateIn } from '@/server/domain/kernel/calendar';
import { newId } from '@/server/domain/kernel/ids';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { topUp } from '@/server/domain/top-ups/top-up';
import { redeemVoucher } from '@/server/domain/vouchers/redeem';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { createMenuScene } from '@/server/testing/menu';
import { createStaff } from '@/server/testing/staff';
import { exports } from './exports';

const database = sharedDatabase();

/** Returns an owner's procedures and CSV files. */
async function createScene() {
  const scene = await createMenuScene(database, 'owner');
  async function read(list: string, query: Record<string, string> = {}): Promise<Record<string, string>[]> {
    const text = await new Response(exports[list]?.open(scene.staff, query)).text();
    return parse(text, { columns: true, bom: true }).toArray();
  }
  return { ...scene, read };
}

test('sold-out items beyond one page, by store, category and search', async () => {
  const { call, read, north, south, addCategory, addItem } = await createScene();
  const food = await addCategory('Food');
  await addItem(food, 'N001', { name: 'Laksa' });
  const plus = Array.from({ length: 1_001 }, (_, n) => `X-${n}`);
  const until = null;
  await call.stockOuts.mark({ items: plus.map((plu) => ({ storeId: north.id, plu, until })) });
  await call.stockOuts.mark({ items: [{ storeId: south.id, plu: 'N001', until: 'tomorrow' }] });
  const all = await read('stock-outs');
  expect(new Set(all.map(({ store, plu }) => `${store} ${plu}`)).size).toBe(1_002);
  expect(all).toHaveLength(1_002);
  const [laksa, ...others] = await read('stock-outs', { storeId: south.id });
  expect(others).toEqual([]);
  expect(laksa).toMatchObject({ store: 'Store SOUTH', plu: 'N001', name: 'Laksa', category: 'Food' });
  expect(laksa).toMatchObject({ markedBy: 'Test owner', markedAtTill: '' });
  expect(Date.parse(laksa?.until ?? '')).toBeGreaterThan(Date.now());
  expect(await read('stock-outs', { categoryId: food, search: 'lak' })).toEqual([laksa]);
  expect(await read('stock-outs', { search: 'X-100' })).toHaveLength(2);
  expect(await (await createScene()).read('stock-outs')).toEqual([]);
});

test('packages in order, with amounts as people write them; archived ones separately', async () => {
  const { call, read, north } = await createScene();
  const common = { bonusExpiresInDays: 30, validFrom: null, validUntil: '2999-12-31' };
  const fixed = { kind: 'fixed' as const, name: 'Pay 100', amount: 10_000, bonusAmount: 2_050 };
  const open = { kind: 'open' as const, name: 'Any', minAmount: 500, maxAmount: 1_000, bonusBasisPoints: 1_025 };
  await call.packages.create({ ...common, ...fixed, allStores: false, storeIds: [north.id] });
  const { packageId } = await call.packages.create({ ...common, ...open, allStores: true, storeIds: [] });
  const [first, second] = await read('packages');
  expect(first).toMatchObject({ name: 'Pay 100', amount: '100', bonusAmount: '20.5', stores: 'NORTH', minAmount: '' });
  expect(first).toMatchObject({ status: 'onOffer', bonusExpiresInDays: '30', validUntil: '2999-12-31' });
  expect(second).toMatchObject({ amount: '', minAmount: '5', maxAmount: '10', bonusPercent: '10.25', stores: 'all' });
  await call.packages.setArchived({ packageId, isArchived: true });
  expect((await read('packages', { status: 'archived' })).map(({ name }) => name)).toEqual(['Any']);
  expect((await read('packages')).map(({ name }) => name)).toEqual(['Pay 100']);
});

test('stores by name, code and state', async () => {
  const { call, read, south } = await createScene();
  await call.stores.close({ storeId: south.id });
  const codes = async (query?: Record<string, string>) => (await read('stores', query)).map((row) => row.storeCode);
  expect(await codes()).toEqual(['NORTH', 'SOUTH']);
  expect(await codes({ state: 'closed' })).toEqual(['SOUTH']);
  expect(await codes({ search: ' store nor' })).toEqual(['NORTH']);
  expect(await codes({ search: 'nor', state: 'closed' })).toEqual([]);
  expect((await read('stores', { state: 'closed' }))[0]?.closedAt).not.toBe('');
});

test('reports, with amounts as people write them', async () => {
  const { merchant, services, read, north } = await createScene();
  const { owner } = database;
  const till = await authenticateKey(services, north.key);
  const { id: customerId } = await createCustomer(owner, merchant.id);
  const customer = { customerId };
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200 });
  const campaignId = await createCampaign(owner, merchant.id, { name: 'Five off' });
  const voucherCode = await createVoucher(owner, merchant.id, { campaignId, customerId });
  await createVoucher(owner, merchant.id, { campaignId, customerId });
  await topUp(till, { transactionId: 'top-up', customer, packageId });
  await redeemStoredValue(till, { transactionId: 'lunch', customer, amount: 325 });
  await redeemVoucher(till, { transactionId: 'voucher', customer, voucherCode, bill: { amount: 2_000 } });
  const today = dateIn({ timeZone: 'Asia/Singapore', dayStartsAt: 0 }, services.clock.now());
  const period = { from: addToDate(today, -7), to: today };
  expect(await read('report-sales', period)).toEqual([
    {
      day: today,
      store: 'Store NORTH',
      saleCount: '0',
      sales: '0',
      topUpCount: '1',
      topUps: '10',
      redemptionCount: '1',
      redemptions: '3.25',
      pointsRedeemed: '0',
      voucherCount: '1',
      discount: '5',
      changedAt: '',
    },
  ]);
  expect(await read('report-vouchers', period)).toEqual([
    { campaign: 'Five off', issued: '2', redeemed: '1', expired: '0', discount: '5' },
  ]);
});

test('members and invitations, without links; for owners only', async () => {
  const { call, services, merchant, read } = await createScene();
  await createStaff(database.owner, services, merchant.id, 'cashier');
  const { link } = await call.staff.invite({ email: 'new@example.com', role: 'manager', language: 'en' });
  const rows = await read('staff');
  expect(rows.map(({ role, state }) => [role, state])).toEqual([
    ['owner', 'member'],
    ['cashier', 'member'],
    ['manager', 'invited'],
  ]);
  expect(rows[2]).toMatchObject({ name: '', email: 'new@example.com', joinedAt: '' });
  expect(JSON.stringify(rows)).not.toContain(link.split('/').at(-1));
  expect(exports.staff?.roles).toEqual(['owner']);
});

test('a key’s requests by outcome; of no other key, and for owners only', async () => {
  const { call, services, merchant, read } = await createScene();
  const { apiKeyId } = await call.apiKeys.create({ name: 'Till', storeId: null });
  const other = await call.apiKeys.create({ name: 'Other', storeId: null });
  let at = Date.parse('2026-11-20T04:00:00Z');
  const request = (status: number, of = apiKeyId): ApiRequest => ({
    merchantId: merchant.id,
    apiKeyId: of,
    id: newId(++at),
    operation: 'ping',
    status,
    errorCode: status < 400 ? null : 'invalid_request',
    durationMs: 3,
    createdAt: new Date('2026-11-20T04:00:00Z'),
  });
  await saveApiRequests(services, [request(200), request(400), request(200, other.apiKeyId)]);
  expect((await read('api-requests', { apiKeyId })).map(({ status }) => status)).toEqual(['400', '200']);
  expect(await read('api-requests', { apiKeyId, outcome: 'refused' })).toMatchObject([
    { time: '2026-11-20T04:00:00.000Z', operation: 'ping', status: '400', errorCode: 'invalid_request' },
  ]);
  await expect((await createScene()).read('api-requests', { apiKeyId })).rejects.toMatchObject({
    code: 'api_key_not_found',
  });
  expect(exports['api-requests']?.roles).toEqual(['owner']);
});

test('customers with their names and numbers are only for those who have just proved who they are', () => {
  const sensitive = Object.keys(exports).filter((name) => exports[name]?.isSensitive);
  expect(sensitive).toEqual(['customers', 'messages', 'report-balances']);
});
