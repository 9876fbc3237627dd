import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { createMenu, createOrder } from '@/server/testing/factory-ordering';
import { operationSuite, stateOf } from '../expectations';
import { createScene, restApi, type Scene } from '../harness';

const api = restApi();
let shared: Scene;

interface Table {
  scene: Scene;
  qrCodeId: string;
  /** Places so many orders; answers their ids, oldest first. */
  place(count: number): Promise<string[]>;
}

async function newTable(): Promise<Table> {
  const scene = await createScene(api);
  await createMenu(api.owner, scene.merchant.id);
  const { qrCodeId } = (await api.post(scene.key, '/qr-codes', { billId: 'B-1', table: '12' })).body;
  const place = async (count: number) => {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push((await createOrder(api.db, scene.merchant.id, { qrCodeId })).orderId);
    return ids;
  };
  return { scene, qrCodeId, place };
}

beforeAll(async () => {
  shared = (await newTable()).scene;
});

const list = (key: string, query = '') => api.get(key, `/orders${query}`);
const setStatus = (key: string, orderId: string, status: unknown, rest: object = {}) =>
  api.post(key, `/orders/${orderId}/status`, { status, ...rest });
const idsOf = ({ items }: { items: { orderId: string }[] }) => items.map(({ orderId }) => orderId);

describe('listOrders', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('listOrders');

  test('200: no orders yet', async () => {
    expect(expectSuccess(await list(shared.key))).toEqual({ items: [], nextCursor: null });
  });

  test('200: an order with its lines, priced from the menu', async () => {
    const { scene, qrCodeId } = await newTable();
    const lines = [
      { plu: 'N001', quantity: 2, note: 'less spicy' },
      { plu: 'D001', quantity: 1 },
    ];
    const { orderId } = await createOrder(api.db, scene.merchant.id, {
      qrCodeId,
      guestName: 'Mei',
      note: 'window seat',
      lines,
    });
    const line = { options: [], note: '' };
    expect(expectSuccess(await list(scene.key)).items).toEqual([
      {
        orderId,
        number: 1,
        qrCodeId,
        billId: 'B-1',
        table: '12',
        status: 'placed',
        total: 1_960,
        note: 'window seat',
        guestName: 'Mei',
        lines: [
          { plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 890, amount: 1_780, ...line, note: 'less spicy' },
          { plu: 'D001', name: 'Kopi', quantity: 1, unitPrice: 180, amount: 180, ...line },
        ],
        placedAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test('200: a price that changes later changes no order', async () => {
    const { scene, place } = await newTable();
    await place(1);
    const before = (await list(scene.key)).text;
    await api.owner`update menu_items set price = 1, name = 'Sale' where merchant_id = ${scene.merchant.id}`;
    expect((await list(scene.key)).text).toBe(before);
  });

  test("200: oldest first, of the key's store", async () => {
    const { scene, place } = await newTable();
    const ids = await place(3);
    expect(idsOf(expectSuccess(await list(scene.key)))).toEqual(ids);
    expect(expectSuccess(await list(scene.merchant.stores[1].key)).items).toEqual([]);
    expect(idsOf(expectSuccess(await list(scene.merchant.key, '?storeCode=NORTH')))).toEqual(ids);
  });

  test.each([1, 4, 9, 10, 11])('200: pages of %i hold every order once', async (limit) => {
    const { scene, place } = await newTable();
    const ids = await place(10);
    const found: string[] = [];
    let query = `?limit=${limit}`;
    for (let page = 0; page < 12; page++) {
      const body = expectSuccess(await list(scene.key, query));
      expect(body.items.length).toBeLessThanOrEqual(limit);
      found.push(...idsOf(body));
      if (body.nextCursor === null) break;
      query = `?limit=${limit}&after=${body.nextCursor}`;
    }
    expect(found).toEqual(ids);
  });

  test('200: by status, also across pages', async () => {
    const { scene, place } = await newTable();
    const ids = await place(6);
    for (const id of ids.filter((_, i) => i % 2 === 0)) await setStatus(scene.key, id, 'accepted');
    const odd = ids.filter((_, i) => i % 2 === 1);
    expect(idsOf(expectSuccess(await list(scene.key, '?status=placed')))).toEqual(odd);
    const first = expectSuccess(await list(scene.key, '?status=placed&limit=2'));
    const second = expectSuccess(await list(scene.key, `?status=placed&limit=2&after=${first.nextCursor}`));
    expect([...idsOf(first), ...idsOf(second)]).toEqual(odd);
    expect(second.nextCursor).toBeNull();
    for (const status of ['ready', 'served', 'cancelled']) {
      expect(expectSuccess(await list(scene.key, `?status=${status}`)).items).toEqual([]);
    }
  });

  test('400: invalid statuses, limits and cursors', async () => {
    const { key } = shared;
    const pathsOf = async (query: string) =>
      expectError(await list(key, query), 400, 'invalid_request').issues.map(({ path }: { path: string }) => path);
    for (const status of ['', 'new', 'Placed', 'placed,ready']) {
      expect(await pathsOf(`?status=${status}`)).toEqual(['status']);
    }
    for (const limit of ['0', '101', '1.5', 'all', '1e1', ''])
      expect(await pathsOf(`?limit=${limit}`)).toEqual(['limit']);
    const notOurs = Buffer.from('N001').toString('base64url');
    for (const after of ['', 'x', notOurs, newId()]) expect(await pathsOf(`?after=${after}`)).toContain('after');
    expect(await pathsOf('?status=placed&status=ready')).toEqual(['status']);
    expect(await pathsOf('?sort=asc')).toEqual(['sort']);
  });

  test('401, 403 and 404', async () => {
    expectError(await list('no key'), 401, 'invalid_api_key');
    expectError(await list(shared.key, '?storeCode=SOUTH'), 403, 'store_forbidden');
    expectError(await list(shared.merchant.key, '?storeCode=EAST'), 404, 'store_not_found');
  });

  coversReference();
});

describe('setOrderStatus', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('setOrderStatus');
  const all = ['placed', 'accepted', 'ready', 'served', 'cancelled'];
  const allowed: Record<string, string[]> = {
    placed: ['accepted', 'ready', 'served', 'cancelled'],
    accepted: ['ready', 'served', 'cancelled'],
    ready: ['served', 'cancelled'],
    served: [],
    cancelled: [],
  };
  const moves = all.flatMap((from) => all.filter((to) => to !== 'placed').map((to) => [from, to] as const));

  test.each(moves)('from %s to %s', async (from, to) => {
    const { scene, place } = await newTable();
    const [orderId = ''] = await place(1);
    const stands = from === 'placed' ? null : expectSuccess(await setStatus(scene.key, orderId, from));
    const answer = await setStatus(scene.key, orderId, to);
    const [listed] = (await list(scene.key)).body.items;
    if (from === to) {
      // The same again: nothing moves, the time of the last move neither.
      expect(expectSuccess(answer)).toEqual(stands);
    } else if (allowed[from]?.includes(to)) {
      const moved = expectSuccess(answer);
      expect(moved).toEqual({ ...listed, status: to });
      expect(Date.parse(moved.updatedAt)).toBeGreaterThanOrEqual(Date.parse(moved.placedAt));
    } else {
      const { details } = expectError(answer, 402, 'order_status_refused');
      expect(details).toEqual({ status: from, requested: to });
      expect(listed.status).toBe(from);
    }
  });

  test('the audit log has each change once', async () => {
    const { scene, place } = await newTable();
    const [orderId = ''] = await place(1);
    for (const status of ['accepted', 'accepted', 'served', 'cancelled']) await setStatus(scene.key, orderId, status);
    const rows = await api.owner`
      select before, after from audit_log where subject_id = ${orderId} and action = 'order.status' order by id`;
    const statusIn = (text: string) => all.filter((status) => text.includes(`"${status}"`)).join();
    expect(rows.map(({ before, after }) => [statusIn(before), statusIn(after)])).toEqual([
      ['placed', 'accepted'],
      ['accepted', 'served'],
    ]);
  });

  test('10 concurrent tills: served or cancelled, with the same result for all', async () => {
    const { scene, place } = await newTable();
    const [orderId = ''] = await place(1);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => setStatus(scene.key, orderId, i % 2 === 0 ? 'served' : 'cancelled')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const [final] = (await list(scene.key)).body.items;
    for (const { status, body } of answers) if (status === 200) expect(body).toEqual(final);
  });

  test('the orders of a settled bill can still be served', async () => {
    const { scene, qrCodeId, place } = await newTable();
    const [orderId = ''] = await place(1);
    await api.post(scene.key, '/qr-codes/invalidate', { qrCodeId });
    expect(expectSuccess(await setStatus(scene.key, orderId, 'served')).status).toBe('served');
  });

  test('400, 401, 403 and 404; an order of another store does not exist', async () => {
    const { scene, place } = await newTable();
    const [orderId = ''] = await place(1);
    const before = await stateOf(api, scene.merchant.id);
    for (const status of ['placed', 'done', '', null, undefined]) {
      const { issues } = expectError(await setStatus(scene.key, orderId, status), 400, 'invalid_request');
      expect(issues[0].path).toBe('status');
    }
    expectError(await setStatus(scene.key, 'x', 'served'), 400, 'invalid_request');
    expectError(await setStatus(scene.key, orderId, 'served', { orderId }), 400, 'invalid_request');
    expectError(await setStatus('no key', orderId, 'served'), 401, 'invalid_api_key');
    expectError(await setStatus(scene.key, orderId, 'served', { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    const elsewhere = { storeCode: 'EAST' };
    expectError(await setStatus(scene.merchant.key, orderId, 'served', elsewhere), 404, 'store_not_found');
    expectError(await setStatus(scene.key, newId(), 'served'), 404, 'order_not_found');
    expectError(await setStatus(scene.merchant.stores[1].key, orderId, 'served'), 404, 'order_not_found');
    expect(await stateOf(api, scene.merchant.id)).toEqual(before);
    expectSuccess(await setStatus(scene.merchant.key, orderId, 'served', { storeCode: 'NORTH' }));
  });

  coversReference();
});

test('a diner who taps twice orders once', async () => {
  const { scene, qrCodeId } = await newTable();
  const order = { qrCodeId, clientOrderId: newId() };
  const placed = await Promise.all(Array.from({ length: 10 }, () => createOrder(api.db, scene.merchant.id, order)));
  expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(1);
  expect(idsOf((await list(scene.key)).body)).toEqual([placed[0]?.orderId]);
});
