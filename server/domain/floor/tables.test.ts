import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { callAs, createStaff } from '@/server/testing/staff';
import { laksaBill } from '@/server/testing/table-bill';
import { createTables } from '@/server/testing/tables';
import { putBill } from '../bills/put';
import { newId } from '../kernel/ids';
import { changeOrderingSettings } from '../qr-ordering/ordering-settings';
import { generateQrCode, invalidateQrCode } from '../qr-ordering/qr-codes';
import { callFromTable } from '../qr-ordering/table-calls';
import { getCardPage } from './card-page';
import type { FloorTable } from './tables';

const database = sharedDatabase();

/** Creates a merchant, with calls by its manager and its cashier. */
async function newFloor() {
  const scene = await createTables(database);
  const manager = await createStaff(database.owner, scene.services, scene.merchant.id, 'manager');
  return { ...scene, tables: callAs(manager).tables, cashierTables: callAs(scene.cashier).tables };
}

const code = (error: unknown) => (error as { code: string }).code;
const openPage = async ({ services }: Awaited<ReturnType<typeof newFloor>>, token: string) =>
  (await getCardPage(services, { token, client: '192.0.2.1' }, null)).state;

/** The tokens in the cards' codes, by table. */
async function tokensOf(floor: Awaited<ReturnType<typeof newFloor>>): Promise<Record<string, string>> {
  const { newCardToken } = await import('./card-token');
  const rows = await database.owner<{ id: string; name: string; cardNumber: number }[]>`
    select id, name, card_number as "cardNumber" from dining_tables
    where store_id = ${floor.storeId} and removed_at is null`;
  return Object.fromEntries(rows.map((row) => [row.name, newCardToken(floor.services.tokenKey, row)]));
}

describe('a floor', () => {
  test('has its tables by area and number, with the bills that are open there', async () => {
    const { tables, cashierTables, storeId, till } = await newFloor();
    await tables.add({ storeId, names: '2, 10, 1', area: 'Terrace', seats: 4 });
    await tables.add({ storeId, names: 'Bar' });
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: ' bar ' });
    const { tables: listed } = await cashierTables.list({ storeId });
    expect(listed.map(({ name, area, seats }) => [area, name, seats])).toEqual([
      ['', 'Bar', null],
      ['Terrace', '1', 4],
      ['Terrace', '2', 4],
      ['Terrace', '10', 4],
    ]);
    expect(listed.map(({ visits }) => visits.map((visit) => visit.billId))).toEqual([['B-1'], [], [], []]);
    expect(listed[0]?.visits[0]).toMatchObject({ qrCodeId, billUid: null, total: 0 });
    await putBill(till, { ...laksaBill('B-1'), table: 'Bar' });
    const [row] = await database.owner`select id from bills where store_id = ${storeId}`;
    const [bar] = (await cashierTables.list({ storeId })).tables;
    expect(bar?.visits).toMatchObject([{ qrCodeId, billId: 'B-1', billUid: row?.id, total: 2_750, due: 2_750 }]);
  });

  test('stands as staff arranged it, areas with their first table; new tables come behind', async () => {
    const { tables, cashierTables, storeId } = await newFloor();
    await tables.add({ storeId, names: '1-3', area: 'Terrace' });
    await tables.add({ storeId, names: 'A,B', area: 'Bar' });
    const listed = async () => (await cashierTables.list({ storeId })).tables;
    const ids = new Map((await listed()).map(({ name, tableId }) => [name, tableId]));
    const arrange = (names: string[]) =>
      tables.arrange({ storeId, tableIds: names.map((name) => ids.get(name) ?? newId()) });
    await arrange(['3', '1', '2', 'B', 'A']);
    expect((await listed()).map(({ name }) => name)).toEqual(['3', '1', '2', 'B', 'A']);
    await tables.add({ storeId, names: '4', area: 'Terrace' });
    await tables.add({ storeId, names: 'Z', area: 'Attic' });
    expect((await listed()).map(({ name }) => name)).toEqual(['3', '1', '2', '4', 'B', 'A', 'Z']);
    expect((await cashierTables.cards({ storeId })).cards.map(({ table }) => table)).toEqual(
      '3 1 2 4 B A Z'.split(' '),
    );
    // A table that is gone meanwhile is skipped.
    await arrange(['A', 'gone', 'B', '1', '2', '3']);
    expect((await listed()).map(({ name }) => name)).toEqual(['A', 'B', '1', '2', '3', '4', 'Z']);
  });

  test('shows what happens at each table, from the first guest to the last payment', async () => {
    const { tables, cashierTables, storeId, till, services } = await newFloor();
    await tables.add({ storeId, names: '1-2' });
    const first = async () => {
      const { state, total, due, guests, calls } = (await cashierTables.list({ storeId })).tables[0] as FloorTable;
      return { state, total, due, guests, calls };
    };
    const nothing = { total: 0, due: 0, calls: [] };
    expect(await first()).toEqual({ state: 'free', guests: null, ...nothing });
    const { qrCodeId, url } = await generateQrCode(till, { billId: 'B-1', table: '1', guests: 3 });
    expect(await first()).toEqual({ state: 'seated', guests: 3, ...nothing });
    await putBill(till, { ...laksaBill('B-1'), table: '1' });
    expect(await first()).toEqual({ state: 'ordered', guests: 3, total: 2_750, due: 2_750, calls: [] });
    const visit = { token: url.split('/q/')[1] ?? '', client: '192.0.2.1' };
    await callFromTable(services, visit, { kind: 'bill' });
    expect(await first()).toMatchObject({ state: 'billAsked', calls: ['bill'] });
    await putBill(till, { ...laksaBill('B-1', 2), table: '1', paidAtTill: [{ amount: 2_750, lines: [] }] });
    expect(await first()).toMatchObject({ state: 'paid', total: 2_750, due: 0 });
    await putBill(till, { ...laksaBill('B-2'), table: '1' });
    expect(await first()).toMatchObject({ state: 'billAsked', guests: 3, total: 5_500, due: 2_750 });
    await invalidateQrCode(till, { qrCodeId });
    expect(await first()).toMatchObject({ state: 'ordered', calls: [] });
  });

  test('moves guests with their orders, unless the till names the table of their bill', async () => {
    const { tables, cashierTables, storeId, till } = await newFloor();
    const [one, two] = (await tables.add({ storeId, names: '1-2' })).tableIds as [string, string];
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '1' });
    const states = async () => (await cashierTables.list({ storeId })).tables.map(({ state }) => state);
    await Promise.all([1, 2].map(() => cashierTables.moveGuests({ qrCodeId, tableId: two })));
    expect(await states()).toEqual(['free', 'seated']);
    const moves = await database.owner`select from audit_log where action = 'qrCode.move' and subject_id = ${qrCodeId}`;
    expect(moves).toHaveLength(1);
    const { table: _, ...withoutTable } = laksaBill('B-1');
    await putBill(till, withoutTable);
    await cashierTables.moveGuests({ qrCodeId, tableId: one });
    expect(await states()).toEqual(['ordered', 'free']);
    await putBill(till, { ...laksaBill('B-1', 2), table: '2' });
    expect(await states()).toEqual(['free', 'ordered']);
    const onTill = expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining('on the till') });
    await expect(cashierTables.moveGuests({ qrCodeId, tableId: one })).rejects.toEqual(onTill);
    await tables.remove({ tableIds: [one] });
    await expect(cashierTables.moveGuests({ qrCodeId, tableId: one })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('makes its store one at which guests order, until it has no table any more', async () => {
    const { cashier, tables, storeId } = await newFloor();
    const withTables = async () =>
      (await callAs(cashier).stores.list()).stores.filter((one) => one.hasTables).map((one) => one.storeId);
    expect(await withTables()).toEqual([]);
    const { tableIds } = await tables.add({ storeId, names: '1' });
    expect(await withTables()).toEqual([storeId]);
    await tables.remove({ tableIds });
    expect(await withTables()).toEqual([]);
  });

  test('names where each card leads, as its printed code does', async () => {
    const floor = await newFloor();
    await floor.tables.add({ storeId: floor.storeId, names: '1' });
    const [table] = (await floor.cashierTables.list({ storeId: floor.storeId })).tables;
    const { pathname } = new URL(table?.cardUrl ?? '');
    expect(pathname).toBe(`/t/${(await tokensOf(floor))['1']}`);
    expect(await openPage(floor, pathname.slice(3))).toBe('menu');
  });

  test('has each name once, in any letter case and width; two who add the same at once add it once', async () => {
    const { tables, storeId } = await newFloor();
    const adding = await Promise.allSettled(['A1-A5', 'ａ3, B1'].map((names) => tables.add({ storeId, names })));
    expect(adding.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { tables: listed } = await tables.list({ storeId });
    expect([5, 2]).toContain(listed.length);
    const [first, second] = listed;
    const renamed = tables.change({ tableId: first?.tableId ?? '', name: (second?.name ?? '').toLowerCase() });
    await expect(renamed).rejects.toSatisfy((error) => code(error) === 'BAD_REQUEST');
    // Changing the case of its own name is no clash.
    await tables.change({ tableId: first?.tableId ?? '', name: (first?.name ?? '').toLowerCase(), seats: 2 });
  });

  test('a removed table makes way for another of its name, and its card stops working', async () => {
    const floor = await newFloor();
    const { tables, storeId } = floor;
    const { tableIds } = await tables.add({ storeId, names: '1' });
    const old = (await tokensOf(floor))['1'] ?? '';
    expect(await openPage(floor, old)).toBe('menu');
    expect(await tables.remove({ tableIds })).toEqual({ removed: 1 });
    expect(await tables.remove({ tableIds })).toEqual({ removed: 0 });
    expect(await openPage(floor, old)).toBe('unknown');
    await tables.add({ storeId, names: '1' });
    expect(await openPage(floor, (await tokensOf(floor))['1'] ?? '')).toBe('menu');
  });

  test('is changed by managers only, and printed by everyone', async () => {
    const { tables, cashierTables, storeId } = await newFloor();
    const { tableIds } = await tables.add({ storeId, names: '1' });
    await expect(cashierTables.add({ storeId, names: '2' })).rejects.toThrow();
    await expect(cashierTables.remove({ tableIds })).rejects.toThrow();
    expect((await cashierTables.cards({ storeId })).cards).toHaveLength(1);
  });
});

describe('a card', () => {
  test('stays valid when its table is renamed, and dies when it is replaced', async () => {
    const floor = await newFloor();
    const { tables, storeId } = floor;
    const [tableId = ''] = (await tables.add({ storeId, names: '1' })).tableIds;
    const first = (await tokensOf(floor))['1'] ?? '';
    await tables.change({ tableId, name: 'Window', area: 'Hall', seats: 2 });
    expect(await openPage(floor, first)).toBe('menu');
    await tables.replaceCard({ tableId });
    expect(await openPage(floor, first)).toBe('unknown');
    expect(await openPage(floor, (await tokensOf(floor)).Window ?? '')).toBe('menu');
  });

  test('replaced by two at once, the code that is printed afterwards works', async () => {
    const floor = await newFloor();
    const { tables, storeId } = floor;
    const [tableId = ''] = (await tables.add({ storeId, names: '1' })).tableIds;
    await Promise.all([tables.replaceCard({ tableId }), tables.replaceCard({ tableId })]);
    expect(await openPage(floor, (await tokensOf(floor))['1'] ?? '')).toBe('menu');
  });

  test('is printed by area or by table', async () => {
    const { tables, storeId } = await newFloor();
    await tables.add({ storeId, names: '1-3', area: 'Hall' });
    const { tableIds } = await tables.add({ storeId, names: '4-5' });
    const names = async (input: { area?: string; tableIds?: string[] }) =>
      (await tables.cards({ storeId, ...input })).cards.map(({ table }) => table);
    expect(await names({})).toEqual(['4', '5', '1', '2', '3']);
    expect(await names({ area: 'Hall' })).toEqual(['1', '2', '3']);
    expect(await names({ area: '' })).toEqual(['4', '5']);
    expect(await names({ tableIds: tableIds.slice(1) })).toEqual(['5']);
  });

  test('is printed with what it opens, by the merchant’s setting', async () => {
    const { tables, cashierTables, storeId, cashier } = await newFloor();
    await tables.add({ storeId, names: '1' });
    expect(await cashierTables.cards({ storeId })).toMatchObject({ cardPage: 'menu', cards: [{ table: '1' }] });
    await changeOrderingSettings(cashier, { tableCardPage: 'bill' });
    expect(await cashierTables.cards({ storeId })).toMatchObject({ cardPage: 'bill' });
  });
});
