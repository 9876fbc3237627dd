import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import { createMenuScene, refusalOf } from '@/server/testing/menu';
import { callAs, createStaff } from '@/server/testing/staff';
import { announcementOf, changesChannel } from '../kernel/changes';
import type { PosContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { endStockOuts } from './end';
import { listStockOuts, restoreItem, stockOut } from './stock-outs';

const database = sharedDatabase();

const noon = new Date('2026-03-10T12:00:00+08:00');

/** Creates a merchant at noon, with laksa and kopi on its menu, a cashier, and the till of its northern store. */
async function createScene() {
  const scene = await createMenuScene(database);
  const { merchant, services, staff, north } = scene;
  const clock = { now: () => noon };
  const cashier = await createStaff(database.owner, testServices(database.db, clock), merchant.id, 'cashier');
  const [key] =
    await database.owner`select id from api_keys where merchant_id = ${merchant.id} and store_id = ${north.id}`;
  const boundStore = { id: north.id, storeCode: north.storeCode, name: 'North' };
  const rest = { merchant: staff.merchant, apiKeyId: key?.id, environment: 'sandbox' as const, boundStore };
  const till: PosContext = { ...services, clock, ...rest };
  const [drinks, food] = [await scene.addCategory('Drinks'), await scene.addCategory('Food')];
  await scene.addItem(food, 'N001', { name: 'Laksa' });
  await scene.addItem(drinks, 'D001', { name: 'Kopi' });
  const call = callAs(cashier);
  const list = async (filter = {}) =>
    (await call.stockOuts.list(filter)).items.map(({ plu, storeName }) => `${plu} ${storeName}`);
  return { ...scene, call, cashier, till, clock, drinks, food, list };
}
type Scene = Awaited<ReturnType<typeof createScene>>;

const at = ({ id: storeId }: { id: string }, plu: string, until: string | null = null) => ({ storeId, plu, until });
const missing = { code: 'store_not_found', paths: [] };
const onTill = async ({ till }: Scene) => (await listStockOuts(till, { limit: 100 })).items.map(({ plu }) => plu);

describe('what is sold out', () => {
  test('is listed for all stores in menu order, unknown PLUs last, with who marked it and when', async () => {
    const scene = await createScene();
    const { call, till, north, south, drinks, food, cashier } = scene;
    await stockOut(till, { plus: ['X900', 'N001'] });
    await call.stockOuts.mark({ items: [at(south, 'D001'), at(south, 'N001')] });
    const { items, isMore, ...rest } = await call.stockOuts.list({});
    const tomorrow = new Date('2026-03-10T16:00:00.000Z');
    const byTill = { until: null, tomorrow, markedAt: noon, markedBy: 'Test', markedAtTill: true };
    const byCashier = { ...byTill, markedBy: cashier.staff.name, markedAtTill: false };
    const inNorth = { storeId: north.id, storeName: 'Store NORTH' };
    const inSouth = { storeId: south.id, storeName: 'Store SOUTH' };
    const laksa = { plu: 'N001', name: 'Laksa', categoryId: food, categoryName: 'Food' };
    expect(items).toEqual([
      { ...inSouth, plu: 'D001', name: 'Kopi', categoryId: drinks, categoryName: 'Drinks', ...byCashier },
      { ...inNorth, ...laksa, ...byTill },
      { ...inSouth, ...laksa, ...byCashier },
      { ...inNorth, plu: 'X900', name: null, categoryId: null, categoryName: null, ...byTill },
    ]);
    expect([isMore, rest]).toEqual([false, { tomorrow }]);
    expect(await onTill(scene)).toEqual(['N001', 'X900']);
  });

  test('is listed by store, category and text', async () => {
    const { call, north, south, food, list } = await createScene();
    await call.stockOuts.mark({ items: [at(north, 'N001'), at(south, 'N001'), at(north, 'D001'), at(north, 'X_1')] });
    expect(await list({ storeId: south.id })).toEqual(['N001 Store SOUTH']);
    expect(await list({ categoryId: food })).toEqual(['N001 Store NORTH', 'N001 Store SOUTH']);
    expect(await list({ search: 'kop' })).toEqual(['D001 Store NORTH']);
    expect(await list({ search: 'x_' })).toEqual(['X_1 Store NORTH']);
    expect(await list({ search: '%' })).toEqual([]);
  });

  test('of another merchant is not listed, and their stores do not exist', async () => {
    const theirs = await createScene();
    await stockOut(theirs.till, { plus: ['N001'] });
    const { call, list, north } = await createScene();
    expect(await list()).toEqual([]);
    for (const store of [theirs.north, { id: newId() }]) {
      expect(await refusalOf(call.stockOuts.mark({ items: [at(north, 'N001'), at(store, 'N001')] }))).toEqual(missing);
      expect(await refusalOf(call.stockOuts.restore({ items: [{ storeId: store.id, plu: 'N001' }] }))).toEqual(missing);
    }
    expect([await list(), await theirs.list()]).toEqual([[], ['N001 Store NORTH']]);
  });
});

describe('marking', () => {
  test('lasts until the next business day, a given time, or until restored; a new time replaces the old one', async () => {
    const scene = await createScene();
    const { call, north, south, clock, list } = scene;
    const later = new Date(noon.getTime() + 3_600_000).toISOString();
    const first = await call.stockOuts.mark({
      items: [at(north, 'N001', 'tomorrow'), at(south, 'N001', later), at(north, 'D001')],
    });
    expect(first.added.map(({ plu, until }) => [plu, until?.toISOString() ?? null]).sort()).toEqual(
      [
        ['D001', null],
        ['N001', later],
        ['N001', '2026-03-10T16:00:00.000Z'],
      ].sort(),
    );
    const second = await call.stockOuts.mark({ items: [at(north, 'N001'), at(north, 'D001')] });
    const before = { storeId: north.id, plu: 'N001', until: new Date('2026-03-10T16:00:00.000Z') };
    expect(second).toEqual({ added: [], changed: [before] });
    clock.now = () => new Date(noon.getTime() + 2 * 3_600_000);
    expect(await list()).toEqual(['D001 Store NORTH', 'N001 Store NORTH']);
    clock.now = () => noon;
  });

  test('an item again after its time is over marks it anew, by the new person', async () => {
    const { call, till, north, clock } = await createScene();
    await stockOut(till, { plus: ['N001'], until: new Date(noon.getTime() + 60_000).toISOString() });
    clock.now = () => new Date(noon.getTime() + 120_000);
    expect((await call.stockOuts.mark({ items: [at(north, 'N001')] })).added).toHaveLength(1);
    expect((await call.stockOuts.list({})).items).toMatchObject([{ markedAtTill: false, markedAt: clock.now() }]);
    clock.now = () => noon;
  });

  test('with a past time, or an item twice, is refused as a whole', async () => {
    const { call, till, north, list } = await createScene();
    const past = at(north, 'N001', noon.toISOString());
    expect((await refusalOf(stockOut(till, { plus: ['N001'], until: noon.toISOString() }))).paths).toEqual(['until']);
    expect((await refusalOf(call.stockOuts.mark({ items: [at(north, 'D001'), past] }))).paths).toEqual(['until']);
    const twice = [at(north, 'D001'), at(north, 'D001', 'tomorrow')];
    expect((await refusalOf(call.stockOuts.mark({ items: twice }))).paths).toEqual(['items']);
    expect(await list()).toEqual([]);
  });

  test('by many at the same moment, till and staff, creates one entry each', async () => {
    const { call, till, north, list, merchant } = await createScene();
    const plus = Array.from({ length: 40 }, (_, i) => `P${String(i).padStart(2, '0')}`);
    const items = plus.toReversed().map((plu) => at(north, plu, 'tomorrow'));
    const [marked, stockedOut] = await Promise.all([
      Promise.all([1, 2, 3, 4].map(() => call.stockOuts.mark({ items }))),
      Promise.all([1, 2, 3, 4].map(() => stockOut(till, { plus }))),
    ]);
    const isNew = ({ status }: { status: string }) => status === 'stocked_out';
    const added = [
      ...marked.flatMap((answer) => answer.added),
      ...stockedOut.flatMap(({ items: answered }) => answered.filter(isNew)),
    ];
    expect(added.map(({ plu }) => plu).sort()).toEqual(plus);
    expect(await list()).toEqual(plus.map((plu) => `${plu} Store NORTH`));
    const restored = await Promise.all(
      [1, 2, 3].map(() => call.stockOuts.restore({ items: plus.map((plu) => ({ storeId: north.id, plu })) })),
    );
    expect(restored.flatMap((answer) => answer.restored)).toHaveLength(40);
    expect(await database.owner`select from stock_outs where merchant_id = ${merchant.id}`).toHaveLength(0);
  });
});

test('can be undone with what it returns, and so can restoring', async () => {
  const { call, north, south, list } = await createScene();
  await call.stockOuts.mark({ items: [at(north, 'N001', 'tomorrow')] });
  const before = await call.stockOuts.list({});
  const { added, changed } = await call.stockOuts.mark({ items: [at(north, 'N001'), at(south, 'N001')] });
  await call.stockOuts.restore({ items: added.map(({ storeId, plu }) => ({ storeId, plu })) });
  const again = (list: typeof changed) => list.map((one) => ({ ...one, until: one.until?.toISOString() ?? null }));
  await call.stockOuts.mark({ items: again(changed) });
  expect(await call.stockOuts.list({})).toEqual(before);
  const { restored } = await call.stockOuts.restore({ items: [{ storeId: north.id, plu: 'N001' }] });
  expect(await list()).toEqual([]);
  await call.stockOuts.mark({ items: again(restored) });
  expect(await call.stockOuts.list({})).toEqual(before);
});

test('open screens are notified of changes by staff and tills, and of nothing else', async () => {
  const { call, till, north, merchant } = await createScene();
  const heard: string[] = [];
  const { unlisten } = await database.owner.listen('merchant_changes', (payload) => heard.push(payload));
  const change = JSON.stringify({ merchantId: merchant.id, topic: 'stockOuts' });
  await stockOut(till, { plus: ['N001'] });
  await stockOut(till, { plus: ['N001'] });
  await restoreItem(till, { plus: ['N001'] });
  await restoreItem(till, { plus: ['N001'] });
  await call.stockOuts.mark({ items: [at(north, 'N001')] });
  await call.stockOuts.mark({ items: [at(north, 'N001')] });
  await call.stockOuts.restore({ items: [{ storeId: north.id, plu: 'N001' }] });
  await expect.poll(() => heard).toEqual([change, change, change, change]);
  await unlisten();
});

test('the audit log names the items, the store, and the times before and after', async () => {
  const { call, cashier, north, south, merchant } = await createScene();
  await call.stockOuts.mark({ items: [at(north, 'N001'), at(south, 'N001')] });
  await call.stockOuts.mark({ items: [at(north, 'N001', 'tomorrow'), at(south, 'N001')] });
  await call.stockOuts.restore({ items: [{ storeId: north.id, plu: 'N001' }] });
  const rows = await database.owner`
    select actor_id, action, subject_id, before, after from audit_log
    where merchant_id = ${merchant.id} and action like 'stockOut.%'`;
  const tomorrow = '2026-03-10T16:00:00.000Z';
  const told = rows.map((row) => [row.action, row.subject_id, JSON.parse(row.before), JSON.parse(row.after)]);
  const later = [
    ['stockOut.add', north.id, [{ plu: 'N001', until: null }], [{ plu: 'N001', until: tomorrow }]],
    ['stockOut.restore', north.id, [{ plu: 'N001', until: tomorrow }], []],
  ];
  expect([told.length, told]).toEqual([4, expect.arrayContaining(later)]);
  expect(new Set(rows.map(({ actor_id }) => actor_id))).toEqual(new Set([cashier.staff.userId]));
});

test('tomorrow is the start of the store’s next day: the merchant’s hour, unless the store has its own', async () => {
  const { call, merchant, north, south } = await createScene();
  await database.owner`update merchants set day_starts_at = 5 where id = ${merchant.id}`;
  await database.owner`update stores set day_starts_at = 2 where id = ${south.id}`;
  await call.stockOuts.mark({ items: [at(north, 'N001', 'tomorrow'), at(south, 'N001', 'tomorrow')] });
  const { items, tomorrow } = await call.stockOuts.list({});
  const times = items.map(({ until, tomorrow }) => [until?.toISOString(), tomorrow.toISOString()]);
  const [five, two] = ['2026-03-10T21:00:00.000Z', '2026-03-10T18:00:00.000Z'];
  expect([times, tomorrow.toISOString()]).toEqual([
    [
      [five, five],
      [two, two],
    ],
    five,
  ]);
});

test('ended stock-outs notify open screens once, by each sandbox’s own clock', async () => {
  const scene = await createScene();
  const { call, north, merchant, list } = scene;
  const ahead = await createScene();
  await database.owner`update merchants set clock_ahead_seconds = 7200 where id = ${ahead.merchant.id}`;
  const told: string[] = [];
  const { unlisten } = await database.owner.listen(changesChannel, (payload) => told.push(payload));
  const [soon, later] = ['2026-03-10T13:00:00+08:00', '2026-03-10T15:00:00+08:00'];
  await call.stockOuts.mark({ items: [at(north, 'N001', soon), at(north, 'D001', later), at(north, 'X900')] });
  await ahead.call.stockOuts.mark({ items: [at(ahead.north, 'N001', later)] });
  const services = (time: string) => ({ ...scene.till, systemClock: { now: () => new Date(time) } });
  const tellings = async (time: string) => {
    told.length = 0;
    await endStockOuts(services(time));
    // Arrives after all earlier events.
    await database.owner.notify(changesChannel, 'end');
    await expect.poll(() => told).toContain('end');
    return told.slice(0, -1).sort();
  };
  const before = '2026-03-10T12:59:59+08:00';
  // Skips events of other tests, and of the marking itself.
  await tellings(before);
  expect(await tellings(before)).toEqual([]);
  const both = [merchant.id, ahead.merchant.id].map((id) => JSON.parse(announcementOf(id, 'stockOuts')));
  expect((await tellings(soon)).map((payload) => JSON.parse(payload))).toEqual(expect.arrayContaining(both));
  expect([await list(), await ahead.list()]).toEqual([['D001 Store NORTH', 'X900 Store NORTH'], []]);
  expect(await tellings(soon)).toEqual([]);
  await unlisten();
});
