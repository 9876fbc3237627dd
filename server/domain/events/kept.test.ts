/** How long events are kept, and which settings choose them. */
import { expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import type { EventType, EventTypeOf } from '@/db/kinds/lists';
import { ownDatabase } from '@/db/testing/database';
import { waitForEvents } from '@/server/testing/events';
import { createCustomer, createMerchant, recordingEvents, testProfile, testServices } from '@/server/testing/factory';
import { refusalOf } from '@/server/testing/menu';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { sendEvents } from '../kernel/events';
import { newId } from '../kernel/ids';
import { refreshEventTypes } from '../merchants/event-types';
import { forgetOldEvents } from './forget';
import { listEvents } from './list';

const database = ownDatabase();

const dayMs = 24 * 60 * 60_000;

async function createScene(settings = {}) {
  const merchant = await createMerchant(database.owner, settings);
  const services = testServices(database.db);
  const owner = await createStaff(database.owner, services, merchant.id);
  const till = () => authenticateKey(services, merchant.key);
  return { merchant, services, owner, till };
}

/** Writes events of these ages, in days. */
async function writeAged(merchantId: string, ages: number[]): Promise<void> {
  await withMerchant(database.db, merchantId, async (tx) => {
    const at = { type: 'order.placed' as const, storeId: null, occurredAt: new Date() };
    sendEvents(
      tx,
      ages.map((age) => ({ ...at, data: { age } })),
    );
  });
  const rows = await database.owner`select id, data from events where merchant_id = ${merchantId}`;
  for (const { id, data } of rows) {
    const aged = newId(Date.now() - data.age * dayMs);
    await database.owner`update events set id = ${aged} where merchant_id = ${merchantId} and id = ${id}`;
  }
}

test('events are deleted after 31 days, but for the last one that a reader may go on from', async () => {
  const { merchant, services, till } = await createScene(recordingEvents);
  const quiet = await createScene(recordingEvents);
  await writeAged(merchant.id, [50, 40, 35, 32, 20, 1]);
  await writeAged(quiet.merchant.id, [90, 60]);
  await waitForEvents(database.owner);
  const before = await listEvents(await till(), { limit: 100 });
  const last = await listEvents(await quiet.till(), { limit: 100 });
  await forgetOldEvents(services);
  const agesOf = async (of: typeof till) =>
    (await listEvents(await of(), { limit: 100 })).items.map(({ data }) => data?.age);
  expect([await agesOf(till), await agesOf(quiet.till)]).toEqual([[32, 20, 1], [60]]);
  // A reader that read the last event in time has missed nothing.
  expect(await listEvents(await quiet.till(), { limit: 100, after: last.nextAfter ?? '' })).toMatchObject({
    items: [],
  });
  const gone = before.items[0]?.id as string;
  expect(await refusalOf(listEvents(await till(), { limit: 100, after: gone }))).toEqual({
    code: 'event_not_found',
    paths: [],
  });
  await forgetOldEvents(services);
  expect(await agesOf(till)).toEqual([32, 20, 1]);
});

test('the events of an erased customer have no data any more, and those of others stay', async () => {
  const { merchant, owner, till } = await createScene(recordingEvents);
  const call = callAs(owner);
  const enrolled = async (givenName: string) =>
    (await call.customers.enrol({ ...testProfile, givenName, email: `${newId()}@example.com` })).customerId;
  const [ada, ben] = [await enrolled('Ada'), await enrolled('Ben')];
  const { id: duplicate } = await createCustomer(database.owner, merchant.id);
  await call.customers.merge({ keptId: ada, mergedId: duplicate });
  await call.customers.erase({ customerId: ada });
  await waitForEvents(database.owner);
  const { items } = await listEvents(await till(), { limit: 100 });
  expect(items.map(({ type, data }) => [type, data?.customerId ?? data])).toEqual([
    ['customer.enrolled', null],
    ['customer.enrolled', ben],
    ['customer.merged', duplicate],
    ['customer.updated', null],
    ['balance.changed', ada],
    ['customer.erased', ada],
    ['customer.erased', duplicate],
  ]);
  const rows = await database.owner`select data::text from events where merchant_id = ${merchant.id}`;
  expect(rows.filter(({ data }) => data?.includes('Ada'))).toEqual([]);
});

test('the setting and the endpoints say what is recorded; a disabled endpoint wants nothing', async () => {
  const { merchant, owner, till } = await createScene();
  const settings = callAs(owner).settings;
  const wanted = async () => (await till()).merchant.eventTypes;
  const refresh = () => withMerchant(database.db, merchant.id, (tx) => refreshEventTypes(tx, new Date()));
  const addEndpoint = async (types: EventType[] | null, state = 'enabled') => {
    const id = newId();
    const row = { merchant_id: merchant.id, id, url: 'https://example.com', event_types: types, state };
    const off = state === 'disabled' ? { disabled_at: new Date(), disabled_reason: 'gone' } : {};
    await database.owner`
      insert into webhook_endpoints ${database.owner({ ...row, ...off, secret: Buffer.alloc(8), queued_xid: 0, queued_seq: 0 })}`;
    await refresh();
    return id;
  };
  expect(await wanted()).toEqual([]);
  expect(await refusalOf(listEvents(await till(), { limit: 1 }))).toMatchObject({ code: 'events_not_recorded' });
  await addEndpoint(['order.updated', 'order.placed']);
  await addEndpoint(['order.placed', 'stock_out.changed'], 'paused');
  await addEndpoint(null, 'disabled');
  expect(await wanted()).toEqual(['order.placed', 'order.updated', 'stock_out.changed']);
  const all = await addEndpoint(null);
  expect(await wanted()).toBeNull();
  await database.owner`delete from webhook_endpoints where id = ${all}`;
  // Endpoints that are added at the same moment all count.
  const others = ['qr_code.opened', 'qr_code.settled', 'balance.changed', 'customer.updated'] as const;
  await Promise.all(others.map((type) => addEndpoint([type])));
  expect(await wanted()).toEqual(expect.arrayContaining([...others, 'order.placed']));
  await database.owner`delete from webhook_endpoints where event_types && ${others as unknown as string[]}`;
  await refresh();
  await settings.change({ recordsEvents: true });
  expect(await wanted()).toBeNull();
  await settings.change({ recordsEvents: false });
  expect(await wanted()).toEqual(['order.placed', 'order.updated', 'stock_out.changed']);
});

test('where nothing was recorded for a while, an event says so, to a store’s key, too', async () => {
  const { merchant, services, owner, till } = await createScene(recordingEvents);
  const [north] = merchant.stores;
  const { settings, webhooks } = callAs(owner);
  const write = (...types: EventTypeOf<'store'>[]) =>
    withMerchant(database.db, merchant.id, async (tx) =>
      sendEvents(
        tx,
        types.map((type) => ({ type, storeId: north.id, occurredAt: new Date(), data: {} })),
      ),
    );
  await write('order.placed');
  await waitForEvents(database.owner);
  const { nextAfter } = await listEvents(await till(), { limit: 100 });
  await settings.change({ recordsEvents: false });
  await settings.change({ recordsEvents: false });
  await settings.change({ recordsEvents: true });
  // It is already recorded, so nothing changes.
  await webhooks.create({ url: 'https://hooks.example.com', description: '', eventTypes: null });
  await write('order.updated');
  await waitForEvents(database.owner);
  const rest = { after: nextAfter ?? '', limit: 100 };
  for (const ctx of [await till(), await authenticateKey(services, north.key)]) {
    const { items } = await listEvents(ctx, rest);
    expect(items.map(({ type, data }) => [type, data])).toEqual([
      ['recording.changed', { types: [] }],
      ['recording.changed', { types: null }],
      ['order.updated', {}],
    ]);
    const named = await listEvents(ctx, { ...rest, types: ['recording.changed'] });
    expect(named.items).toHaveLength(2);
  }
});
