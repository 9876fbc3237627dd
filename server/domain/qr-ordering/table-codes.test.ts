import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { newId } from '@/server/domain/kernel/ids';
import { createOrder } from '@/server/testing/factory-ordering';
import { callAs } from '@/server/testing/staff';
import { createTables } from '@/server/testing/tables';
import { setOrderStatus } from './order-status';
import { generateQrCode, getQrCode, invalidateQrCode } from './qr-codes';
import { getTablePage } from './table-page';

const database = sharedDatabase();

/** A separate merchant, its cashier, and the till of its first store. */
async function newScene() {
  const tables = await createTables(database);
  return { ...tables, qrCodes: callAs(tables.cashier).qrCodes };
}

const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
const codeOf = ({ qrCodeId }: { qrCodeId: string }) => ({ qrCodeId });
const codesOf = ({ qrCodeId }: { qrCodeId: string }) => ({ qrCodeIds: [qrCodeId] });
const code = (error: unknown) => (error as { code: string }).code;

describe('the list', () => {
  test('has open, settled and expired codes, newest first; expired by time, even if not marked yet', async () => {
    const { qrCodes, till, storeId, cashier } = await newScene();
    const [a, b, c, d] = [
      await generateQrCode(till, { billId: 'A', table: '1' }),
      await generateQrCode(till, { billId: 'B', expiresInMinutes: 5 }),
      await generateQrCode(till, { billId: 'C' }),
      await generateQrCode(till, { billId: 'D' }),
    ].map(({ qrCodeId }) => qrCodeId);
    await invalidateQrCode(till, { qrCodeId: c });
    await database.owner`update qr_codes set status = 'expired' where id = ${d ?? ''}`;
    const in10Minutes = callAs({ ...cashier, clock: { now: () => hours(1 / 6) } }).qrCodes;
    const ids = async (status: 'active' | 'invalidated' | 'expired' | 'all', caller = in10Minutes) =>
      (await caller.list({ storeId, status })).items.map(({ qrCodeId }) => qrCodeId);
    expect(await ids('active', qrCodes)).toEqual([b, a]);
    expect(await ids('active')).toEqual([a]);
    expect(await ids('invalidated')).toEqual([c]);
    expect(await ids('expired')).toEqual([d, b]);
    expect(await ids('all')).toEqual([d, c, b, a]);
    const { items } = await in10Minutes.list({ storeId, status: 'all' });
    expect(items.map(({ status }) => status)).toEqual(['expired', 'invalidated', 'expired', 'active']);
    const canBeScanned = async (qrCodeId: string) => (await in10Minutes.get({ qrCodeId })).scan !== null;
    expect(await Promise.all([d, c, b, a].map((id) => canBeScanned(id ?? '')))).toEqual([false, false, false, true]);
  });

  test.each(['active', 'all'] as const)('pages through what is %s, forwards and back', async (status) => {
    const { qrCodes, till, storeId } = await newScene();
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.unshift((await generateQrCode(till, { billId: `bill-${n}` })).qrCodeId);
    const first = await qrCodes.list({ storeId, status, limit: 3 });
    const second = await qrCodes.list({ storeId, status, limit: 3, after: first.nextCursor ?? '' });
    const third = await qrCodes.list({ storeId, status, limit: 3, after: second.nextCursor ?? '' });
    const back = await qrCodes.list({ storeId, status, limit: 3, before: third.previousCursor ?? '' });
    const idsOf = (page: typeof first) => page.items.map(({ qrCodeId }) => qrCodeId);
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(made);
    expect(third.nextCursor).toBeNull();
    expect(first.previousCursor).toBeNull();
    expect(idsOf(back)).toEqual(idsOf(second));
  });

  test('is searched by table and by bill, within one store', async () => {
    const { qrCodes, till, storeId, merchant } = await newScene();
    const byTable = await generateQrCode(till, { billId: 'B-1', table: '12' });
    const byBill = await generateQrCode(till, { billId: '12', table: '7' });
    const both = await generateQrCode(till, { billId: 'Terrace', table: 'Terrace' });
    await generateQrCode(till, { billId: '120', table: '121' });
    const find = async (search: string, store = storeId) =>
      (await qrCodes.list({ storeId: store, search })).items.map(({ qrCodeId }) => qrCodeId);
    expect(await find('12')).toEqual([byBill.qrCodeId, byTable.qrCodeId]);
    expect(await find('Terrace')).toEqual([both.qrCodeId]);
    expect(await find('12', merchant.stores[1].id)).toEqual([]);
  });

  test('counts and totals orders without cancelled ones, and those not served yet', async () => {
    const { qrCodes, till, storeId, merchant } = await newScene();
    const { qrCodeId } = await generateQrCode(till, { billId: 'B' });
    const order = { qrCodeId, lines: [{ plu: 'N001', quantity: 2 }] };
    await createOrder(database.db, merchant.id, order);
    const { orderId } = await createOrder(database.db, merchant.id, order);
    const third = await createOrder(database.db, merchant.id, { qrCodeId, lines: [{ plu: 'D001', quantity: 1 }] });
    await setOrderStatus(till, { orderId, status: 'cancelled' });
    const [listed] = (await qrCodes.list({ storeId })).items;
    expect(listed).toMatchObject({ qrCodeId, orderCount: 2, total: 1_960, unserved: { count: 2, total: 1_960 } });
    const detail = await qrCodes.get({ qrCodeId });
    expect(detail).toMatchObject({ total: 1_960, unserved: { count: 2, total: 1_960 } });
    expect(detail.orders.map(({ status }) => status)).toEqual(['placed', 'cancelled', 'placed']);
    expect(detail.orders[2]).toEqual(third);
    await setOrderStatus(till, { orderId: third.orderId, status: 'served' });
    const unserved = { count: 1, total: 1_960 - third.total };
    expect((await qrCodes.list({ storeId })).items[0]).toMatchObject({ total: 1_960, unserved });
    expect(await qrCodes.get({ qrCodeId })).toMatchObject({ total: 1_960, unserved });
  });
});

describe('a code created by staff', () => {
  test('opens the table’s page, is also the till’s code for the bill, and is audited', async () => {
    const { qrCodes, till, storeId, services, cashier } = await newScene();
    const made = await qrCodes.generate({ storeId, table: '12', billId: 'B-12', guests: 4, openHours: 1 });
    expect(made.isNew).toBe(true);
    const detail = await qrCodes.get(codeOf(made));
    expect(detail).toMatchObject({ billId: 'B-12', table: '12', guests: 4, status: 'active', total: 0, orders: [] });
    expect((Date.parse(detail.expiresAt) - Date.now()) / 60_000).toBeCloseTo(60, 0);
    const token = detail.scan?.url.split('/q/')[1] ?? '';
    expect(await getTablePage(services, { token, client: '192.0.2.1' }, 'en')).toMatchObject({
      state: 'open',
      table: '12',
    });
    expect(await generateQrCode(till, { billId: 'B-12' })).toMatchObject({
      qrCodeId: made.qrCodeId,
      url: detail.scan?.url,
      imageSvg: detail.scan?.imageSvg,
    });
    const again = await qrCodes.generate({ storeId, table: '7', billId: 'B-12', openHours: 1 });
    expect(again).toEqual({ qrCodeId: made.qrCodeId, isNew: false });
    const trail = await database.owner`
      select actor_kind, actor_id, action, after from audit_log where subject_id = ${made.qrCodeId}`;
    expect(trail).toHaveLength(1);
    expect(trail[0]).toMatchObject({ actor_kind: 'staff', actor_id: cashier.staff.userId, action: 'qrCode.generate' });
    expect(JSON.parse(trail[0]?.after)).toMatchObject({ storeId, table: '12', billId: 'B-12', guests: 4 });
    expect(trail[0]?.after).not.toContain(token);
  });

  test('gets a bill number of its own if the till has none', async () => {
    const { qrCodes, storeId } = await newScene();
    const table = { storeId, table: '12', openHours: 4 };
    const codes = [await qrCodes.generate(table), await qrCodes.generate(table)];
    const bills = await Promise.all(codes.map(async (one) => (await qrCodes.get(codeOf(one))).billId));
    expect(bills[0]).toMatch(/^T-[2-9A-HJ-NP-Z]{8}$/);
    expect(new Set(bills).size).toBe(2);
  });

  test('is found by the till, whatever spaces surround bill and table', async () => {
    const { qrCodes, till, storeId } = await newScene();
    const made = await qrCodes.generate({ storeId, table: ' 12 ', billId: ' 1042\t', openHours: 4 });
    expect(await qrCodes.get(codeOf(made))).toMatchObject({ billId: '1042', table: '12' });
    expect((await generateQrCode(till, { billId: '1042' })).qrCodeId).toBe(made.qrCodeId);
    const blank = await qrCodes.generate({ storeId, table: '12', billId: '  ', openHours: 4 });
    expect((await qrCodes.get(codeOf(blank))).billId).toMatch(/^T-/);
    await expect(qrCodes.generate({ storeId, table: '  ', openHours: 4 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('can’t be created at a closed store', async () => {
    const { qrCodes, storeId } = await newScene();
    await database.owner`update stores set closed_at = now() where id = ${storeId}`;
    await expect(qrCodes.generate({ storeId, table: '12', openHours: 4 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      cause: { code: 'store_not_found' },
    });
    expect((await qrCodes.list({ storeId, status: 'all' })).items).toEqual([]);
  });

  test('requested ten times at once for one bill is one code, audited once', async () => {
    const { qrCodes, storeId } = await newScene();
    const wish = { storeId, table: '3', billId: 'one', openHours: 4 };
    const made = await Promise.all(Array.from({ length: 10 }, () => qrCodes.generate(wish)));
    expect(new Set(made.map(({ qrCodeId }) => qrCodeId)).size).toBe(1);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    const trail = await database.owner`select from audit_log where subject_id = ${made[0]?.qrCodeId ?? ''}`;
    expect(trail).toHaveLength(1);
  });
});

describe('a code closed by staff', () => {
  test('takes no more orders, shows no URL, and closes once', async () => {
    const { qrCodes, till, merchant, services, storeId } = await newScene();
    const made = await qrCodes.generate({ storeId, table: '12', openHours: 4 });
    const token = (await qrCodes.get(codeOf(made))).scan?.url.split('/q/')[1] ?? '';
    await createOrder(database.db, merchant.id, made);
    await Promise.all([qrCodes.invalidateSeveral(codesOf(made)), qrCodes.invalidateSeveral(codesOf(made))]);
    await expect(createOrder(database.db, merchant.id, made)).rejects.toMatchObject({ code: 'qr_code_closed' });
    expect(await getTablePage(services, { token, client: '192.0.2.1' }, 'en')).toMatchObject({ state: 'closed' });
    const closed = await qrCodes.get(codeOf(made));
    expect(closed).toMatchObject({ status: 'invalidated', scan: null });
    expect(closed.orders).toHaveLength(1);
    expect(await getQrCode(till, codeOf(made))).toMatchObject({
      status: 'invalidated',
      invalidatedAt: closed.invalidatedAt,
    });
    await qrCodes.invalidateSeveral(codesOf(made));
    expect((await qrCodes.get(codeOf(made))).invalidatedAt).toBe(closed.invalidatedAt);
    const trail = await database.owner`
      select from audit_log where action = 'qrCode.invalidate' and subject_id = ${made.qrCodeId}`;
    expect(trail).toHaveLength(1);
  });

  test('with 20 orders at that moment: each is on the bill before, or refused', async () => {
    const { qrCodes, merchant, storeId } = await newScene();
    const made = await qrCodes.generate({ storeId, table: '12', openHours: 4 });
    const placing = Array.from({ length: 20 }, () =>
      createOrder(database.db, merchant.id, made).then(
        () => 'placed',
        (error) => code(error),
      ),
    );
    const [outcomes] = await Promise.all([Promise.all(placing), qrCodes.invalidateSeveral(codesOf(made))]);
    const { orders, invalidatedAt } = await qrCodes.get(codeOf(made));
    expect(orders).toHaveLength(outcomes.filter((outcome) => outcome === 'placed').length);
    expect(outcomes.filter((outcome) => outcome !== 'placed' && outcome !== 'qr_code_closed')).toEqual([]);
    for (const { placedAt } of orders) expect(placedAt <= (invalidatedAt ?? '')).toBe(true);
  });
});

test('the cards to print are those of one store’s open codes, by table', async () => {
  const { qrCodes, till, storeId, merchant } = await newScene();
  for (const table of ['10', '9', 'Bar 2', '1']) await generateQrCode(till, { billId: `bill ${table}`, table });
  await invalidateQrCode(till, { billId: 'bill 1' });
  const { storeName, cards } = await qrCodes.cards({ storeId });
  expect(storeName).toBe('Store NORTH');
  expect(cards.map(({ table }) => table)).toEqual(['9', '10', 'Bar 2']);
  const [card] = cards;
  expect(card?.scan).toEqual((await qrCodes.get({ qrCodeId: card?.qrCodeId ?? '' })).scan);
  expect((await qrCodes.cards({ storeId: merchant.stores[1].id })).cards).toEqual([]);
});

test('with more than a hundred open codes, the requested ones and the newest get a card', async () => {
  const { qrCodes, till, storeId, cashier } = await newScene();
  const old = [await generateQrCode(till, { billId: 'old' }), await generateQrCode(till, { billId: 'older' })];
  await database.owner`
    insert into qr_codes (merchant_id, id, store_id, bill_id, token_hash, expires_at, created_at)
    select ${cashier.merchant.id}, ('ffffffff-0000-4000-8000-00000000' || n)::uuid, ${storeId}, n, sha256(n::bytea), now() + interval '1 day', now()
    from generate_series(1001, 1099) s (i) cross join lateral (select i::text as n) t`;
  const bills = async (qrCodeIds: string[]) => {
    const { cards, isCut } = await qrCodes.cards({ storeId, qrCodeIds });
    return { count: cards.length, isCut, old: cards.filter(({ billId }) => billId.startsWith('old')).length };
  };
  expect(await bills(old.map(({ qrCodeId }) => qrCodeId))).toEqual({ count: 100, isCut: true, old: 2 });
  await invalidateQrCode(till, { billId: 'older' });
  expect(await bills([])).toEqual({ count: 100, isCut: false, old: 1 });
});

test('another merchant’s codes and stores do not exist', async () => {
  const { qrCodes, storeId } = await newScene();
  const made = await qrCodes.generate({ storeId, table: '12', billId: 'B', openHours: 4 });
  const other = (await newScene()).qrCodes;
  const refusal = (work: Promise<unknown>) => work.then(() => 'done', code);
  expect(await refusal(other.get(codeOf(made)))).toBe('NOT_FOUND');
  expect(await refusal(other.invalidateSeveral(codesOf(made)))).toBe('NOT_FOUND');
  expect(await refusal(other.cards({ storeId }))).toBe('NOT_FOUND');
  expect(await refusal(other.generate({ storeId, table: '1', openHours: 1 }))).toBe('NOT_FOUND');
  expect((await other.list({ storeId, status: 'all' })).items).toEqual([]);
  expect(await refusal(qrCodes.get({ qrCodeId: newId() }))).toBe('NOT_FOUND');
  expect((await qrCodes.get(codeOf(made))).status).toBe('active');
});
