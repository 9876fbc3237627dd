import { beforeAll, describe, expect, test } from 'vitest';
import { createMenu, createOrder } from '@/server/testing/factory-ordering';
import { operationSuite, stateOf } from '../expectations';
import { createScene, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();

/** A merchant of one's own: each test starts with nothing sold out. */
async function newScene(): Promise<Scene> {
  const scene = await createScene(api);
  await createMenu(api.owner, scene.merchant.id);
  return scene;
}
let shared: Scene;
beforeAll(async () => {
  shared = await newScene();
});

const add = ({ key }: { key: string }, plus: unknown, rest: object = {}) =>
  api.post(key, '/stock-outs', { plus, ...rest });
const restore = ({ key }: { key: string }, plus: unknown, rest: object = {}) =>
  api.post(key, '/stock-outs/restore', { plus, ...rest });
const list = ({ key }: { key: string }, query = '') => api.get(key, `/stock-outs${query}`);
const plusOf = ({ items }: { items: { plu: string }[] }) => items.map(({ plu }) => plu);
const laksa = { plu: 'N001', name: 'Laksa', known: true };
const unknown = { plu: 'X900', name: null, known: false };

async function order(scene: Scene, plu: string) {
  const { qrCodeId } = (await api.post(scene.key, '/qr-codes', { billId: newTransactionId() })).body;
  return createOrder(api.db, scene.merchant.id, { qrCodeId, lines: [{ plu, quantity: 1 }] });
}
const soldOut = expect.objectContaining({ code: 'items_unavailable', details: { plus: ['N001'] } });

describe('stockOut', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('stockOut');

  test('200: known and unknown items, in the order asked, each once', async () => {
    const scene = await newScene();
    expect(expectSuccess(await add(scene, ['X900', 'N001', 'X900']))).toEqual({
      storeCode: 'NORTH',
      items: [
        { ...unknown, status: 'stocked_out', until: null },
        { ...laksa, status: 'stocked_out', until: null },
      ],
    });
    const again = expectSuccess(await add(scene, ['N001', 'D001']));
    expect(again.items.map(({ status }: { status: string }) => status)).toEqual(['already_stocked_out', 'stocked_out']);
  });

  test('200: orders refuse the item from that moment, at this store only, and take it when it is back', async () => {
    const scene = await newScene();
    await order(scene, 'N001');
    expectSuccess(await add(scene, ['N001']));
    await expect(order(scene, 'N001')).rejects.toEqual(soldOut);
    await order(scene, 'D001');
    await order({ ...scene, key: scene.merchant.stores[1].key }, 'N001');
    expect((await restore(scene, ['N001'])).status).toBe(200);
    await order(scene, 'N001');
  });

  test('200: until a time: then it is available automatically, and can be stocked out again', async () => {
    const scene = await newScene();
    const until = new Date(Date.now() + 3_600_000);
    const there = new Date(until.getTime() + 8 * 3_600_000).toISOString().replace('Z', '+08:00');
    const { items } = expectSuccess(await add(scene, ['N001'], { until: there }));
    expect(items).toEqual([{ ...laksa, status: 'stocked_out', until: until.toISOString() }]);
    await expect(order(scene, 'N001')).rejects.toEqual(soldOut);
    await api.owner`update stock_outs set until = now() where merchant_id = ${scene.merchant.id}`;
    await order(scene, 'N001');
    expect((await list(scene)).body.items).toEqual([]);
    expect(expectSuccess(await add(scene, ['N001'])).items).toEqual([{ ...laksa, status: 'stocked_out', until: null }]);
    await expect(order(scene, 'N001')).rejects.toEqual(soldOut);
  });

  test('200: a later time, an omitted time, or no time for an item that is already out', async () => {
    const scene = await newScene();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await add(scene, ['N001']);
    const timed = { ...laksa, status: 'already_stocked_out', until };
    expect(expectSuccess(await add(scene, ['N001'], { until })).items).toEqual([timed]);
    expect(expectSuccess(await add(scene, ['N001'])).items).toEqual([timed]);
    expect(expectSuccess(await add(scene, ['N001'], { until: null })).items).toEqual([{ ...timed, until: null }]);
    const rows = await api.owner`
      select after from audit_log where merchant_id = ${scene.merchant.id} and action = 'stockOut.add' order by id`;
    expect(rows.map(({ after }) => JSON.parse(after).until)).toEqual([null, until, null]);
  });

  test('200: 500 at once; an item that left the menu is no longer known', async () => {
    const scene = await newScene();
    await api.owner`update menu_items set archived_at = now() where merchant_id = ${scene.merchant.id} and plu = 'D001'`;
    const plus = ['D001', ...Array.from({ length: 499 }, (_, i) => `P${i}`)];
    const { items } = expectSuccess(await add(scene, plus));
    expect(plusOf({ items })).toEqual(plus);
    expect(
      items.every(({ known, status }: { known: boolean; status: string }) => !known && status === 'stocked_out'),
    ).toBe(true);
    expect(items[0]).toEqual({ plu: 'D001', name: null, known: false, status: 'stocked_out', until: null });
  });

  test('200: `until` is per store', async () => {
    const scene = await newScene();
    const south = { key: scene.merchant.stores[1].key };
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const untilOf = async (answer: ReturnType<typeof add>) => expectSuccess(await answer).items[0].until;
    expect(await untilOf(add(scene, ['N001']))).toBeNull();
    expect(await untilOf(add(south, ['N001'], { until }))).toBe(until);
    expect([await untilOf(add(scene, ['N001'])), await untilOf(add(south, ['N001']))]).toEqual([null, until]);
  });

  test('200: the audit log records what was added, and a change of the time', async () => {
    const scene = await newScene();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await add(scene, ['N001', 'X900']);
    await add(scene, ['N001']);
    await add(scene, ['N001'], { until });
    await add(scene, ['N001'], { until });
    const rows = await api.owner`
      select after from audit_log where merchant_id = ${scene.merchant.id} and action = 'stockOut.add' order by id`;
    expect(rows.map(({ after }) => JSON.parse(after))).toEqual([
      { plus: ['N001', 'X900'], until: null },
      { plus: ['N001'], until },
    ]);
  });

  test('400: one invalid PLU rejects the request and changes nothing; a time in the past', async () => {
    const before = await stateOf(api, shared.merchant.id);
    for (const plus of [[], ['N001', ''], ['N001', 7], Array.from({ length: 501 }, (_, i) => `P${i}`)]) {
      expectError(await add(shared, plus), 400, 'invalid_request');
    }
    for (const until of [new Date().toISOString(), '2026-01-01', '9999-12-31T23:59:59-12:00', '3000-01-01T00:00:00Z']) {
      const { issues } = expectError(await add(shared, ['N001'], { until }), 400, 'invalid_request');
      expect(issues).toEqual([{ path: 'until', message: expect.any(String) }]);
    }
    expect(await stateOf(api, shared.merchant.id)).toEqual(before);
  });

  test('401, 403 and 404', async () => {
    expectError(await add({ key: 'no key' }, ['N001']), 401, 'invalid_api_key');
    expectError(await add(shared, ['N001'], { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await add({ key: shared.merchant.key }, ['N001'], { storeCode: 'EAST' }), 404, 'store_not_found');
  });

  test('20 concurrent overlapping lists in opposite orders', async () => {
    const scene = await newScene();
    const plus = Array.from({ length: 100 }, (_, i) => `P${i}`);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => add(scene, i % 2 === 0 ? plus : plus.toReversed(), { until })),
    );
    const statuses = answers.flatMap((answer) => expectSuccess(answer).items).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'stocked_out')).toHaveLength(100);
  });

  coversReference();
});

describe('restoreStock', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('restoreStock');

  test('200: returns for each item whether it was out', async () => {
    const scene = await newScene();
    await add(scene, ['N001', 'X900']);
    expect(expectSuccess(await restore(scene, ['X900', 'D001', 'N001', 'N001']))).toEqual({
      storeCode: 'NORTH',
      items: [
        { ...unknown, status: 'restored' },
        { plu: 'D001', name: 'Kopi', known: true, status: 'not_stocked_out' },
        { ...laksa, status: 'restored' },
      ],
    });
    expect(expectSuccess(await restore(scene, ['N001'])).items[0].status).toBe('not_stocked_out');
    expect((await list(scene)).body.items).toEqual([]);
  });

  test('200: an item that became available automatically was not out', async () => {
    const scene = await newScene();
    await add(scene, ['N001'], { until: new Date(Date.now() + 60_000).toISOString() });
    await api.owner`update stock_outs set until = now() where merchant_id = ${scene.merchant.id}`;
    expect(expectSuccess(await restore(scene, ['N001'])).items[0].status).toBe('not_stocked_out');
  });

  test('200: at this store only', async () => {
    const scene = await newScene();
    const south = { key: scene.merchant.stores[1].key };
    await add(scene, ['N001']);
    await add(south, ['N001']);
    expectSuccess(await restore(scene, ['N001']));
    expect(plusOf((await list(south)).body)).toEqual(['N001']);
  });

  test('400, 401, 403 and 404', async () => {
    expectError(await restore(shared, []), 400, 'invalid_request');
    expectError(await restore({ key: 'no key' }, ['N001']), 401, 'invalid_api_key');
    expectError(await restore(shared, ['N001'], { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await restore({ key: shared.merchant.key }, ['N001'], { storeCode: 'EAST' }), 404, 'store_not_found');
  });

  coversReference();
});

describe('listStockOuts', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('listStockOuts');

  test('200: what the store is out of, by PLU', async () => {
    const scene = await newScene();
    expect(expectSuccess(await list(scene))).toEqual({ storeCode: 'NORTH', items: [], nextCursor: null });
    await add(scene, ['X900', 'N001']);
    await add({ key: scene.merchant.stores[1].key }, ['D001']);
    const stockedOutAt = expect.stringMatching(/Z$/);
    expect(expectSuccess(await list(scene))).toEqual({
      storeCode: 'NORTH',
      items: [
        { ...laksa, until: null, stockedOutAt },
        { ...unknown, until: null, stockedOutAt },
      ],
      nextCursor: null,
    });
    const wide = expectSuccess(await list({ key: scene.merchant.key }, '?storeCode=SOUTH'));
    expect({ storeCode: wide.storeCode, plus: plusOf(wide) }).toEqual({ storeCode: 'SOUTH', plus: ['D001'] });
  });

  test.each([1, 7, 24, 25, 26])('200: pages of %i hold every item once', async (limit) => {
    const scene = await newScene();
    // Also PLUs that only a URL-encoded or long cursor can carry.
    const plus = [...Array.from({ length: 22 }, (_, i) => `P${i}`), 'ラーメン', '%&=+ ', 'é'.repeat(64)];
    await add(scene, plus);
    const found: string[] = [];
    let query = `?limit=${limit}`;
    for (let page = 0; page < 30; page++) {
      const body = expectSuccess(await list(scene, query));
      expect(body.items.length).toBeLessThanOrEqual(limit);
      found.push(...plusOf(body));
      if (body.nextCursor === null) break;
      query = `?limit=${limit}&after=${body.nextCursor}`;
    }
    expect(found.toSorted()).toEqual(plus.toSorted());
  });

  test('400: invalid limits and cursors', async () => {
    for (const limit of ['0', '101', '-1', '1.5', 'ten', '', '1e1', '0x10', '%2010', '1,0']) {
      expect(expectError(await list(shared, `?limit=${limit}`), 400, 'invalid_request').issues[0].path).toBe('limit');
    }
    for (const after of ['', '!', 'YQBi', 'YR', 'Cg', encodeURIComponent('N001,'), 'x'.repeat(401)]) {
      expect(expectError(await list(shared, `?after=${after}`), 400, 'invalid_request').issues[0].path).toBe('after');
    }
    expectError(await list(shared, '?page=2'), 400, 'invalid_request');
  });

  test('401, 403 and 404', async () => {
    expectError(await list({ key: 'no key' }), 401, 'invalid_api_key');
    expectError(await list(shared, '?storeCode=SOUTH'), 403, 'store_forbidden');
    expectError(await list({ key: shared.merchant.key }, '?storeCode=EAST'), 404, 'store_not_found');
  });

  coversReference();
});
