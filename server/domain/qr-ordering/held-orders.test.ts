/** The first order by a table's card waits for staff. */

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, type Database } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { createTables } from '@/server/testing/tables';
import { findBillOfCard } from '../floor/card-page';
import { newCardToken } from '../floor/card-token';
import { startOrdering } from '../floor/start-ordering';
import { newId } from '../kernel/ids';
import { openTableOf } from './diner-table';
import { listOrders } from './orders';
import { placeTableOrder } from './place-order';
import { generateQrCode, getQrCode, invalidateQrCode } from './qr-codes';
import { getTablePage } from './table-page';

const database = sharedDatabase();
let parallel: Database;
beforeAll(async () => {
  parallel = connectDatabase(database.url, { role: 'loyalty_app', max: 8, statementTimeoutMs: 20_000 });
  await Promise.all(Array.from({ length: 8 }, () => parallel.pool.run(sql`select from pg_sleep(0.05)`)));
});
afterAll(() => parallel.close());

const line = { plu: 'D001', quantity: 1, unitPrice: 180 };
const client = '192.0.2.1';
/** The phone that used the card. */
const guestId = newId();

/** Creates a merchant whose guests may open bills, with a card on table 7. Each caller has its own connection. */
async function newScene() {
  const scene = await createTables(database);
  const { merchant, storeId } = scene;
  const { owner } = database;
  await owner`update merchants set records_events = true, event_types = null where id = ${merchant.id}`;
  await owner`
    insert into ordering_settings (merchant_id, table_card_page, updated_at) values (${merchant.id}, 'bill', now())`;
  const services = testServices(parallel);
  const staff = await createStaff(owner, services, merchant.id, 'manager');
  const { tables, orders, qrCodes } = callAs(staff);
  const [tableId = ''] = (await tables.add({ storeId, names: '7' })).tableIds;
  const card = { token: newCardToken(services.tokenKey, { id: tableId, cardNumber: 1 }), client };
  const visitOf = (path: string) => ({ token: path.slice('/q/'.length), client });
  const seenAt = async (qrCodeId: string) => {
    const seen = (await orders.board({ storeId })).waiting.find((table) => table.qrCodeId === qrCodeId);
    return { qrCodeId, orderIds: seen?.orders.map(({ orderId }) => orderId) ?? [newId()] };
  };
  return {
    ...scene,
    services,
    orders,
    qrCodes,
    card,
    /** Opens the table's bill as its guests do. */
    start: async () => visitOf((await startOrdering(services, card)).path),
    /** Opens the page of the bill that the till has opened. */
    arrive: async () => visitOf((await findBillOfCard(services, card)).path ?? ''),
    order: (visit: { token: string; client: string }, lines = [line], phone = guestId) =>
      placeTableOrder(services, visit, { clientOrderId: newId(), guestId: phone, lines }),
    waiting: async () => (await orders.board({ storeId })).waiting,
    /** Accept or decline the orders that the board shows for a table. */
    acceptSeen: async (qrCodeId: string) => orders.acceptTable(await seenAt(qrCodeId)),
    declineSeen: async (qrCodeId: string) => orders.declineTable(await seenAt(qrCodeId)),
    placed: async () => (await orders.board({ storeId })).placed.orders,
    atTill: async (after?: string) => listOrders(scene.till, { limit: 50, after }),
    events: async () =>
      (
        await owner<{ type: string }[]>`
        select type from events where merchant_id = ${merchant.id} and type ~ '^(qr_code|order)' order by xid, seq`
      ).map(({ type }) => type),
    pageOf: async (visit: { token: string; client: string }) => getTablePage(services, visit, null, guestId),
    codeAt: async () => (await tables.list({ storeId })).tables[0]?.visits.at(-1) ?? null,
  };
}

describe('on a bill that its guests opened', () => {
  test('the first order waits: no till, board, report or event knows of it, until staff accept it', async () => {
    const {
      start,
      order,
      waiting,
      placed,
      atTill,
      events,
      orders,
      acceptSeen,
      pageOf,
      codeAt,
      till,
      qrCodes,
      storeId,
    } = await newScene();
    const visit = await start();
    expect(await events()).toEqual([]);
    await order(visit);
    const { items } = await atTill();
    expect([items, await placed(), await events()]).toEqual([[], [], []]);
    const [table] = await waiting();
    expect(table).toMatchObject({ table: '7', isNew: true, orders: [{ lines: [{ plu: 'D001' }] }] });
    const qrCodeId = table?.qrCodeId ?? '';
    expect((await getQrCode(till, { qrCodeId })).orders).toEqual([]);
    expect((await qrCodes.list({ storeId })).items).toMatchObject([{ orderCount: 0, total: 0 }]);
    const page = await pageOf(visit);
    expect(page).toMatchObject({ state: 'open', firstOrderWaits: true, orders: [{ status: 'placed' }] });
    const [held] = page.state === 'open' ? page.orders : [];
    expect(held?.number).toBeLessThan(0);
    await expect(orders.setStatus({ orderId: held?.orderId ?? '', status: 'served' })).rejects.toThrow();

    expect(await acceptSeen(qrCodeId)).toEqual({ accepted: 1 });
    expect(await waiting()).toEqual([]);
    expect((await atTill()).items).toMatchObject([{ orderId: held?.orderId, table: '7', status: 'placed' }]);
    expect(await placed()).toHaveLength(1);
    expect(await events()).toEqual(['qr_code.opened', 'order.placed']);
    expect(await codeAt()).toMatchObject({ qrCodeId });

    // From now on, its orders are like any others, and the bill lasts as long.
    await order(visit);
    expect(await waiting()).toEqual([]);
    expect((await atTill()).items).toHaveLength(2);
    expect(await pageOf(visit)).toMatchObject({ firstOrderWaits: false });
    const { expiresAt } = await getQrCode(till, { qrCodeId });
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(3 * 3_600_000);
  });

  test('declined, it is closed, its guests read why, and tills never learn of it', async () => {
    const { start, order, waiting, atTill, events, acceptSeen, pageOf, codeAt, declineSeen } = await newScene();
    const visit = await start();
    await order(visit);
    const qrCodeId = (await waiting())[0]?.qrCodeId ?? '';
    expect(await declineSeen(qrCodeId)).toEqual({ declined: 1 });
    expect(await declineSeen(qrCodeId)).toEqual({ declined: 0 });
    expect([await waiting(), (await atTill()).items, await events(), await codeAt()]).toEqual([[], [], [], null]);
    expect((await pageOf(visit)).state).toBe('declined');
    await expect(order(visit)).rejects.toMatchObject({ code: 'qr_code_closed' });
    await expect(acceptSeen(qrCodeId)).rejects.toMatchObject({ cause: { code: 'qr_code_closed' } });
    // The next guests start anew.
    expect(await start()).not.toEqual(visit);
  });

  test('few orders can wait, of few lines', async () => {
    const { start, order, waiting } = await newScene();
    const visit = await start();
    const many = Array.from({ length: 31 }, (_, at) => ({ ...line, note: String(at) }));
    await expect(order(visit, many)).rejects.toMatchObject({ code: 'qr_code_closed' });
    for (let n = 0; n < 3; n++) await order(visit);
    await expect(order(visit)).rejects.toMatchObject({ code: 'qr_code_closed' });
    expect((await waiting())[0]?.orders).toHaveLength(3);
  });

  test('staff accept what they have seen: an order that came meanwhile waits for them to look again', async () => {
    const { start, order, waiting, atTill, events, orders, pageOf, declineSeen } = await newScene();
    const visit = await start();
    const noodles = await order(visit);
    const qrCodeId = (await waiting())[0]?.qrCodeId ?? '';
    const bottle = await order(visit, [line], newId());
    expect(await orders.acceptTable({ qrCodeId, orderIds: [noodles.orderId] })).toEqual({ accepted: 1 });
    expect((await atTill()).items.map(({ orderId }) => orderId)).toEqual([noodles.orderId]);
    // The bill is the guests' by now: declining the remaining order does not close it.
    expect(await waiting()).toMatchObject([{ isNew: false, orders: [{ orderId: bottle.orderId }] }]);
    expect(await declineSeen(qrCodeId)).toEqual({ declined: 1 });
    expect(await pageOf(visit)).toMatchObject({
      state: 'open',
      orders: [{ status: 'placed' }, { status: 'cancelled' }],
    });
    expect(await orders.acceptTable({ qrCodeId, orderIds: [bottle.orderId] })).toEqual({ accepted: 0 });
    expect(await events()).toEqual(['qr_code.opened', 'order.placed']);
  });

  test('staff decline single orders: the bill closes with the last, and not under one that they have not seen', async () => {
    const { start, order, waiting, orders, pageOf, declineSeen } = await newScene();
    const visit = await start();
    const bottle = await order(visit, [line], newId());
    const qrCodeId = (await waiting())[0]?.qrCodeId ?? '';
    const noodles = await order(visit);
    expect(await orders.declineTable({ qrCodeId, orderIds: [bottle.orderId] })).toEqual({ declined: 1 });
    expect(await waiting()).toMatchObject([{ isNew: true, orders: [{ orderId: noodles.orderId }] }]);
    expect((await pageOf(visit)).state).toBe('open');
    expect(await declineSeen(qrCodeId)).toEqual({ declined: 1 });
    expect((await pageOf(visit)).state).toBe('declined');
  });

  test('a merchant whose cards show the menu opens none', async () => {
    const { start, merchant } = await newScene();
    await database.owner`update ordering_settings set table_card_page = 'menu' where merchant_id = ${merchant.id}`;
    await expect(start()).rejects.toMatchObject({ code: 'card_ordering_off' });
  });

  test('a till that opens one for the table takes over: the card leads to its code from then on', async () => {
    const { start, till, arrive, pageOf, codeAt } = await newScene();
    const visit = await start();
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '7' });
    expect((await codeAt())?.qrCodeId).toBe(qrCodeId);
    expect(await pageOf(await arrive())).toMatchObject({ qrCodeId });
    expect(await pageOf(visit)).toMatchObject({ state: 'open' });
  });
});

describe('on a bill that the till opened', () => {
  test('the first order by the card waits, and one by the bill’s own code does not', async () => {
    const { till, arrive, order, waiting, atTill, acceptSeen, pageOf, services } = await newScene();
    const { url, qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '7' });
    await order({ token: url.split('/q/')[1] ?? '', client }, [line], newId());
    const { items } = await atTill();
    expect(items).toHaveLength(1);
    const byCard = await arrive();
    // It sees nothing of the other guests yet.
    expect(await pageOf(byCard)).toMatchObject({ state: 'open', orders: [], bill: null });
    await expect(openTableOf(services, byCard)).rejects.toMatchObject({ code: 'qr_code_not_found' });
    await order(byCard);
    expect((await atTill()).items).toHaveLength(1);
    expect(await waiting()).toMatchObject([{ qrCodeId, isNew: false }]);
    await acceptSeen(qrCodeId);
    await order(byCard);
    expect((await atTill()).items).toHaveLength(3);
    expect(await pageOf(byCard)).toMatchObject({ orders: [{}, {}, {}] });
    expect(await openTableOf(services, byCard)).toMatchObject({ qrCodeId });
  });

  test('a till that reads on from an order that was placed later misses none that was accepted since', async () => {
    const { till, arrive, order, atTill, acceptSeen } = await newScene();
    const { url, qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '7' });
    await order(await arrive());
    for (let n = 0; n < 51; n++) await order({ token: url.split('/q/')[1] ?? '', client });
    const first = await atTill();
    await acceptSeen(qrCodeId);
    const { items } = await atTill(first.nextCursor ?? '');
    expect([first.items.length, items.length]).toEqual([50, 2]);
  });

  test('declined, the bill stays open, and the next order by the card waits again', async () => {
    const { till, arrive, order, waiting, pageOf, declineSeen } = await newScene();
    const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '7' });
    const visit = await arrive();
    await order(visit);
    await declineSeen(qrCodeId);
    expect(await pageOf(visit)).toMatchObject({
      state: 'open',
      firstOrderWaits: true,
      orders: [{ status: 'cancelled' }],
    });
    await order(visit);
    expect(await waiting()).toHaveLength(1);
    await invalidateQrCode(till, { qrCodeId });
    expect(await waiting()).toEqual([]);
  });
});

test('what staff declined takes no room on a bill, nor in its lists', async () => {
  const { till, arrive, order, waiting, atTill, acceptSeen, pageOf, merchant, declineSeen } = await newScene();
  const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '7' });
  const visit = await arrive();
  const { orderId } = await order(visit);
  await declineSeen(qrCodeId);
  // As after 200 attempts by a stranger.
  await database.owner`
    insert into orders (merchant_id, id, store_id, qr_code_id, client_order_id, number, status, total, placed_at, updated_at)
    select merchant_id, gen_random_uuid(), store_id, qr_code_id, gen_random_uuid(), -1000 - n, status, total, placed_at, updated_at
    from orders, generate_series(1, 200) n where merchant_id = ${merchant.id} and id = ${orderId}`;
  for (let n = 0; n < 3; n++) await order(visit);
  expect((await waiting())[0]?.orders).toHaveLength(3);
  await acceptSeen(qrCodeId);
  const last = await order(visit);
  expect((await atTill()).items).toHaveLength(4);
  expect((await getQrCode(till, { qrCodeId })).orders).toHaveLength(4);
  const page = await pageOf(visit);
  expect(page.state === 'open' ? page.orders.map((one) => one.orderId) : []).toContain(last.orderId);
});

describe('at the same moment', () => {
  test('five phones that start at a table open one bill', async () => {
    const { start, qrCodes, storeId } = await newScene();
    const visits = await Promise.all(Array.from({ length: 5 }, () => start()));
    expect(new Set(visits.map(({ token }) => token)).size).toBe(1);
    expect((await qrCodes.list({ storeId })).items).toHaveLength(1);
  });

  test('accepting and declining, each twice, has one effect', async () => {
    for (let round = 0; round < 5; round++) {
      const { start, order, waiting, atTill, events, orders } = await newScene();
      const visit = await start();
      await order(visit);
      const [table] = await waiting();
      const qrCodeId = table?.qrCodeId ?? '';
      const orderIds = table?.orders.map(({ orderId }) => orderId) ?? [];
      const done = await Promise.allSettled([
        orders.acceptTable({ qrCodeId, orderIds }),
        orders.declineTable({ qrCodeId, orderIds }),
        orders.acceptTable({ qrCodeId, orderIds }),
        orders.declineTable({ qrCodeId, orderIds }),
      ]);
      const values = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const accepted = values.filter((value) => 'accepted' in value && value.accepted === 1).length;
      const declined = values.filter((value) => 'declined' in value && value.declined === 1).length;
      expect(accepted + declined).toBe(1);
      expect((await atTill()).items).toHaveLength(accepted);
      expect(await events()).toEqual(accepted ? ['qr_code.opened', 'order.placed'] : []);
      expect(await waiting()).toEqual([]);
    }
  });

  test('orders that come while staff accept wait unseen, or follow as any others: none is lost or twice', async () => {
    const { start, order, waiting, atTill, orders } = await newScene();
    const visit = await start();
    const { orderId } = await order(visit);
    const qrCodeId = (await waiting())[0]?.qrCodeId ?? '';
    await Promise.all([order(visit), orders.acceptTable({ qrCodeId, orderIds: [orderId] }), order(visit)]);
    const numbers = (await atTill()).items.map(({ number }) => number);
    const unseen = (await waiting())[0]?.orders ?? [];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length + unseen.length).toBe(3);
    expect((await atTill()).items).toContainEqual(expect.objectContaining({ orderId }));
    expect(unseen.map((one) => one.orderId)).not.toContain(orderId);
  });
});
