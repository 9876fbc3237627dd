import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createOrder } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { createTables } from '@/server/testing/tables';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { setOrderStatus } from './order-status';
import { listOrders } from './orders';
import { generateQrCode } from './qr-codes';

const database = sharedDatabase();

/** A separate merchant with an open table at its first store. */
async function newScene() {
  const tables = await createTables(database);
  const { merchant, cashier, services, till } = tables;
  const { qrCodeId } = await generateQrCode(till, { billId: 'B-1', table: '12' });
  const place = () => createOrder(database.db, merchant.id, { qrCodeId });
  /** Places an order at the second store. */
  const placeElsewhere = async (now = new Date()) => {
    const otherTill = await authenticateKey(services, merchant.stores[1].key);
    const code = await generateQrCode(otherTill, { billId: newId(), table: '12' });
    const { orderId } = await createOrder(database.db, merchant.id, { qrCodeId: code.qrCodeId });
    await database.owner`update orders set placed_at = ${now} where id = ${orderId}`;
    return orderId;
  };
  return { ...tables, orders: callAs(cashier).orders, place, placeElsewhere };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

async function boardOf({ orders, storeId }: Pick<Scene, 'orders'> & { storeId?: string }) {
  const board = await orders.board({ storeId });
  const done = await orders.done({ storeId });
  const ids = (list: { orderId: string }[]) => list.map(({ orderId }) => orderId);
  const { placed, accepted, ready } = board;
  return [ids(placed.orders), ids(accepted.orders), ids(ready.orders), ids(done.items)];
}

test('an order moves from status to status, and a POS sees each change', async () => {
  const scene = await newScene();
  const { orders, till, place, storeId, merchant, cashier } = scene;
  const first = await place();
  const { orderId } = first;
  const { orderId: second } = await place();
  expect((await orders.board({ storeId })).placed).toEqual({
    orders: [{ ...first, storeId }, expect.anything()],
    isCut: false,
  });
  expect(await boardOf(scene)).toEqual([[orderId, second], [], [], []]);

  const accepted = await orders.setStatus({ orderId, status: 'accepted' });
  expect((await listOrders(till, { limit: 50, status: 'accepted' })).items).toEqual([accepted]);
  expect(await boardOf(scene)).toEqual([[second], [orderId], [], []]);

  await orders.setStatus({ orderId, status: 'ready' });
  expect(await boardOf(scene)).toEqual([[second], [], [orderId], []]);
  await setOrderStatus(till, { orderId: second, status: 'cancelled' });
  await orders.setStatus({ orderId, status: 'served' });
  expect(await boardOf(scene)).toEqual([[], [], [], [second, orderId]]);
  expect(await boardOf({ orders, storeId: merchant.stores[1].id })).toEqual([[], [], [], []]);

  const trail = await database.owner`
    select actor_kind, actor_id, before, after from audit_log where subject_id = ${orderId} order by id`;
  const step = (before: string, after: string) => ({
    actor_kind: 'staff',
    actor_id: cashier.staff.userId,
    before: JSON.stringify({ status: before }),
    after: JSON.stringify({ status: after }),
  });
  expect([...trail]).toEqual([step('placed', 'accepted'), step('accepted', 'ready'), step('ready', 'served')]);
});

test('a step back is refused; the current status again changes nothing', async () => {
  const { orders, place } = await newScene();
  const { orderId } = await place();
  const moved = await orders.setStatus({ orderId, status: 'ready' });
  expect(await orders.setStatus({ orderId, status: 'ready' })).toEqual(moved);
  await expect(orders.setStatus({ orderId, status: 'accepted' })).rejects.toMatchObject({
    code: 'CONFLICT',
    cause: { code: 'order_status_refused', details: { status: 'ready', requested: 'accepted' } },
  });
  const rows = await database.owner`select from audit_log where subject_id = ${orderId}`;
  expect(rows).toHaveLength(1);
});

test('kitchen and waiter at the same moment: both see it served, or both cancelled', async () => {
  const { orders, place, storeId, till } = await newScene();
  const { orderId } = await place();
  const outcomes = await Promise.allSettled([
    orders.setStatus({ orderId, status: 'served' }),
    orders.setStatus({ orderId, status: 'cancelled' }),
    setOrderStatus(till, { orderId, status: 'served' }),
    setOrderStatus(till, { orderId, status: 'cancelled' }),
  ]);
  const [final] = (await orders.done({ storeId })).items;
  const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(won.map((one) => ({ ...one, storeId }))).toEqual([final, final]);
});

test('orders older than half a day are not on the board', async () => {
  const { cashier, storeId, place, orders } = await newScene();
  const open = await place();
  const done = await place();
  await orders.setStatus({ orderId: done.orderId, status: 'served' });
  const at = (hours: number) => {
    const clock = { now: () => new Date(Date.now() + hours * 3_600_000) };
    return boardOf({ orders: callAs({ ...cashier, clock }).orders, storeId });
  };
  expect(await at(11.9)).toEqual([[open.orderId], [], [], [done.orderId]]);
  expect(await at(12.1)).toEqual([[], [], [], []]);
});

test('a column holds a hundred orders and shows if older ones are left out; done ones are paged', async () => {
  const scene = await newScene();
  const { orders, storeId, place, merchant } = scene;
  const { orderId } = await place();
  await database.owner`
    insert into orders (merchant_id, id, store_id, number, qr_code_id, client_order_id, status, total, placed_at, updated_at)
    select merchant_id, gen_random_uuid(), store_id, number + n, qr_code_id, gen_random_uuid(),
      (case when n <= 100 then 'placed' when n % 2 = 0 then 'served' else 'cancelled' end)::order_status,
      total, placed_at, updated_at
    from orders, generate_series(1, 103) n where id = ${orderId}`;
  const { placed } = await orders.board({ storeId });
  expect(placed.isCut).toBe(true);
  expect(placed.orders).toHaveLength(100);
  expect(placed.orders.map((order) => order.orderId)).not.toContain(orderId);
  const numbers = async (ids: string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const [row] = await database.owner`select number from orders where merchant_id = ${merchant.id} and id = ${id}`;
        return row?.number;
      }),
    );
  expect(await numbers(placed.orders.slice(0, 2).map((order) => order.orderId))).toEqual([2, 3]);
  const first = await orders.done({ storeId, limit: 2 });
  const second = await orders.done({ storeId, limit: 2, after: first.nextCursor ?? '' });
  const done = [...first.items, ...second.items].map((order) => order.orderId);
  expect(await numbers(done)).toEqual([104, 103, 102]);
  expect(second.nextCursor).toBeNull();
});

test('the board of all stores has the orders of each, in the order in which they were placed', async () => {
  const { orders, place, placeElsewhere, merchant, storeId } = await newScene();
  const stranger = await newScene();
  await stranger.place();
  const { orderId: first } = await place();
  const second = await placeElsewhere();
  const { orderId: third } = await place();
  await placeElsewhere(new Date(Date.now() - 12.1 * 3_600_000));
  expect(await boardOf({ orders })).toEqual([[first, second, third], [], [], []]);
  const stores = (await orders.board({})).placed.orders.map((one) => one.storeId);
  expect(stores).toEqual([storeId, merchant.stores[1].id, storeId]);
  for (const orderId of [third, second, first]) await orders.setStatus({ orderId, status: 'served' });
  expect(await boardOf({ orders })).toEqual([[], [], [], [third, second, first]]);
  const page = await orders.done({ limit: 2 });
  const rest = await orders.done({ limit: 2, after: page.nextCursor ?? '' });
  expect([...page.items, ...rest.items].map(({ orderId }) => orderId)).toEqual([third, second, first]);
  expect(rest.nextCursor).toBeNull();
  await orders.undo({ orderId: second, from: 'served', to: 'placed' });
  expect(await boardOf({ orders })).toEqual([[second], [], [], [third, first]]);
});

test('a column of all stores holds the hundred newest, too', async () => {
  const { orders, place, placeElsewhere } = await newScene();
  const oldest = await placeElsewhere();
  const { orderId } = await place();
  await database.owner`
    insert into orders (merchant_id, id, store_id, number, qr_code_id, client_order_id, status, total, placed_at, updated_at)
    select merchant_id, gen_random_uuid(), store_id, number + n, qr_code_id, gen_random_uuid(), status, total,
      placed_at + n * interval '1 millisecond', updated_at
    from orders, generate_series(1, 99) n where id = ${orderId}`;
  const { placed } = await orders.board({});
  expect([placed.isCut, placed.orders.length, placed.orders[0]?.orderId]).toEqual([true, 100, orderId]);
  await orders.setStatus({ orderId, status: 'accepted' });
  const { placed: fewer } = await orders.board({});
  expect([fewer.isCut, fewer.orders.length, fewer.orders[0]?.orderId]).toEqual([false, 100, oldest]);
});

test('old orders are cleared at once, of one store or of all, and tills and the audit log know of each', async () => {
  const scene = await newScene();
  const { orders, till, place, placeElsewhere, storeId } = scene;
  const [old, accepted, young] = [await place(), await place(), await place()].map(({ orderId }) => orderId) as [
    string,
    string,
    string,
  ];
  await orders.setStatus({ orderId: accepted, status: 'accepted' });
  const hourAgo = new Date(Date.now() - 61 * 60_000);
  await database.owner`update orders set placed_at = ${hourAgo} where id in ${database.owner([old, accepted])}`;
  await placeElsewhere(hourAgo);
  expect(await orders.clearOld({ storeId, minutes: 120 })).toEqual({ cleared: 0 });
  const both = await Promise.all([1, 2].map(() => orders.clearOld({ storeId, minutes: 60 })));
  expect(both.map(({ cleared }) => cleared).sort()).toEqual([0, 2]);
  expect(await boardOf(scene)).toEqual([[young], [], [], expect.arrayContaining([old, accepted])]);
  expect((await listOrders(till, { limit: 50, status: 'served' })).items).toHaveLength(2);
  const trail = await database.owner`
    select before from audit_log where subject_id = ${accepted} and action = 'order.status' order by id desc`;
  expect(trail[0]?.before).toBe(JSON.stringify({ status: 'accepted' }));
  expect(await orders.clearOld({ minutes: 60 })).toEqual({ cleared: 1 });
});

test('another merchant’s order does not exist', async () => {
  const { place, storeId } = await newScene();
  const { orderId } = await place();
  const stranger = await newScene();
  await expect(stranger.orders.setStatus({ orderId, status: 'served' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await boardOf({ orders: stranger.orders, storeId })).toEqual([[], [], [], []]);
});

test('open orders of all stores that have waited for the merchant’s limit need attention; done and old ones do not', async () => {
  const { cashier, merchant, services, place, placeElsewhere, orders, storeId } = await newScene();
  const owner = await createStaff(database.owner, services, merchant.id, 'owner');
  await place();
  const served = await place();
  await orders.setStatus({ orderId: served.orderId, status: 'served' });
  const lateAt = async (minutes: number) => {
    const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
    return (await callAs({ ...cashier, clock }).home.attention()).lateOrders;
  };
  const [none, one] = [
    { count: 0, storeId: null },
    { count: 1, storeId },
  ];
  expect([await lateAt(14), await lateAt(15), await lateAt(721)]).toEqual([none, one, none]);
  await callAs(owner).settings.change({ lateOrderMinutes: 30 });
  expect([await lateAt(29), await lateAt(30)]).toEqual([none, one]);
  await placeElsewhere();
  expect(await lateAt(30), 'of two stores').toEqual({ count: 2, storeId: null });
  const stranger = await newScene();
  const clock = { now: () => new Date(Date.now() + 60 * 60_000) };
  expect((await callAs({ ...stranger.cashier, clock }).home.attention()).lateOrders).toEqual(none);
});

test('staff take a step back once, from the status it led to, and a POS sees it', async () => {
  const { orders, place, till, cashier } = await newScene();
  const { orderId } = await place();
  await orders.setStatus({ orderId, status: 'accepted' });
  await orders.setStatus({ orderId, status: 'ready' });
  const undo = { orderId, from: 'ready', to: 'accepted' } as const;
  const refusal = { cause: { code: 'order_status_refused' } };
  await expect(orders.undo({ orderId, from: 'served', to: 'ready' }), 'already ready').resolves.toMatchObject({
    status: 'ready',
  });
  await expect(orders.undo({ orderId, from: 'accepted', to: 'placed' })).rejects.toMatchObject(refusal);
  const late = callAs({ ...cashier, clock: { now: () => new Date(Date.now() + 61_000) } }).orders;
  await expect(late.undo(undo)).rejects.toMatchObject(refusal);
  const both = await Promise.all([orders.undo(undo), orders.undo(undo)]);
  expect(both).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }]);
  expect((await listOrders(till, { limit: 50, status: 'accepted' })).items).toEqual([both[0]]);
  const trail = await database.owner`select after from audit_log where subject_id = ${orderId} order by id`;
  expect(trail.map(({ after }) => JSON.parse(after).status)).toEqual(['accepted', 'ready', 'accepted']);
});

test('no step is taken back once a till has moved the order on, nor out of a cancellation, nor by another merchant', async () => {
  const { orders, place, till } = await newScene();
  const { orderId } = await place();
  await orders.setStatus({ orderId, status: 'accepted' });
  const undo = { orderId, from: 'accepted', to: 'placed' } as const;
  const stranger = await newScene();
  await expect(stranger.orders.undo(undo)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await setOrderStatus(till, { orderId, status: 'cancelled' });
  await expect(orders.undo(undo)).rejects.toMatchObject({ cause: { details: { status: 'cancelled' } } });
  const { orderId: billed } = await place();
  await setOrderStatus(till, { orderId: billed, status: 'accepted' });
  await orders.setStatus({ orderId: billed, status: 'accepted' });
  await expect(orders.undo({ ...undo, orderId: billed })).rejects.toMatchObject({
    cause: { details: { status: 'accepted', requested: 'placed' } },
  });
});
