import { expect, test } from 'vitest';
import { alwaysRecorded, type EventType, eventTypes } from '@/db/kinds/lists';
import { waitForEvents } from '@/server/testing/events';
import { createFixedPackage } from '@/server/testing/factory';
import { createMenu, createOrder } from '@/server/testing/factory-ordering';
import { operationSuite } from '../expectations';
import { createScene, newTransactionId, restApi, type Scene } from '../harness';
import { newEmail } from '../operations';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('listEvents');

const newScene = async (settings = {}): Promise<Scene> => {
  const scene = await createScene(api, settings);
  await createMenu(api.owner, scene.merchant.id);
  return scene;
};
const list = async (key: string | undefined, query: Record<string, string | number> = {}) => {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`])).toString();
  await waitForEvents(api.owner);
  return api.get(key, text === '' ? '/events' : `/events?${text}`);
};
interface Listed {
  id: string;
  type: string;
  storeCode: string | null;
  data: Record<string, unknown>;
}
const others = eventTypes.filter((type) => type !== alwaysRecorded);
const isOfStores = (type: EventType) => !type.startsWith('customer.') && type !== 'balance.changed';
const typesOf = ({ items }: { items: Listed[] }) => items.map(({ type }) => type);

/** A code, an order on it that is accepted, and the bill settled. */
async function serveTable({ merchant }: Scene, key = merchant.stores[0].key) {
  const { qrCodeId } = (await api.post(key, '/qr-codes', { billId: newTransactionId(), table: '7' })).body;
  const { orderId } = await createOrder(api.db, merchant.id, { qrCodeId });
  await api.post(key, `/orders/${orderId}/status`, { status: 'accepted' });
  return { qrCodeId, orderId };
}
const enrol = ({ merchant }: Scene) =>
  api.post(merchant.key, '/customers', { givenName: 'Ada', lastName: 'Tan', email: newEmail() });

test('200: what happened, in order, as the look-ups show it', async () => {
  const scene = await newScene();
  const { key, merchant, customer } = scene;
  const packageId = await createFixedPackage(api.owner, merchant.id, { amount: 10_000, bonus: 2_000 });
  const { orderId } = await serveTable(scene);
  const transactionId = newTransactionId();
  await api.post(key, '/transactions/stored-value/top-up', {
    transactionId,
    packageId,
    customer: { customerId: customer.id },
  });
  const completed = (await api.get(key, `/transactions/${transactionId}`)).body;
  const redeemedId = newTransactionId();
  await api.post(key, '/transactions/stored-value/redeem', {
    transactionId: redeemedId,
    amount: 500,
    customer: { customerId: customer.id },
  });
  await api.post(key, '/transactions/void', { transactionIds: [redeemedId] });
  const enrolled = (await enrol(scene)).body;
  const { items, hasMore, nextAfter } = expectSuccess(await list(merchant.key));
  expect(typesOf({ items })).toEqual([
    ...['qr_code.opened', 'order.placed', 'order.updated', 'transaction.completed', 'transaction.completed'],
    ...['transaction.voided', 'balance.changed', 'customer.enrolled'],
  ]);
  const dataOf = (type: string) => items.find((one: Listed) => one.type === type)?.data;
  expect(dataOf('order.updated')).toEqual(
    (await api.get(key, '/orders')).body.items.find((one: { orderId: string }) => one.orderId === orderId),
  );
  expect(dataOf('transaction.completed')).toEqual(completed);
  expect(dataOf('transaction.voided')).toEqual((await api.get(key, `/transactions/${redeemedId}`)).body);
  // The voided transaction tells of the balance of then.
  expect(dataOf('transaction.voided')).toMatchObject({ answer: { storedValue: { balance: 11_500 } } });
  const { storedValue, points } = dataOf('balance.changed') ?? {};
  expect(storedValue).toEqual({ balance: 12_000, principal: 10_000, bonus: 2_000 });
  const balances = (await api.get(key, `/customers/email/${customer.email}/balances`)).body;
  expect(balances).toMatchObject({ storedValue, points });
  const { vouchersIssued, ...profile } = enrolled;
  expect(dataOf('customer.enrolled')).toEqual(profile);
  expect(items.map(({ storeCode }: Listed) => storeCode)).toEqual([...Array(6).fill('NORTH'), null, null]);
  expect({ hasMore, nextAfter }).toEqual({ hasMore: false, nextAfter: items.at(-1).id });
});

test('200: pages go on from `nextAfter`, which stays where there is nothing new', async () => {
  const scene = await newScene();
  const { key } = scene.merchant;
  expect(expectSuccess(await list(key))).toEqual({ items: [], nextAfter: null, hasMore: false });
  await serveTable(scene);
  const first = expectSuccess(await list(key, { limit: 2 }));
  expect([typesOf(first), first.hasMore]).toEqual([['qr_code.opened', 'order.placed'], true]);
  const second = expectSuccess(await list(key, { limit: 2, after: first.nextAfter }));
  expect([typesOf(second), second.hasMore]).toEqual([['order.updated'], false]);
  const { nextAfter } = second;
  expect(expectSuccess(await list(key, { after: nextAfter }))).toEqual({ items: [], nextAfter, hasMore: false });
  await enrol(scene);
  expect(typesOf(expectSuccess(await list(key, { after: nextAfter })))).toEqual(['customer.enrolled']);
});

test('200: some types only; the place to go on from passes the others', async () => {
  const scene = await newScene();
  const { key } = scene.merchant;
  await serveTable(scene);
  const page = expectSuccess(await list(key, { types: 'order.placed,customer.enrolled' }));
  expect([typesOf(page), page.hasMore]).toEqual([['order.placed'], false]);
  const all = expectSuccess(await list(key));
  expect(page.nextAfter).toBe(all.items.at(-1).id);
});

test("200: a store's key gets its store's events, and none of customers; a merchant-wide key gets all, or a store's", async () => {
  const scene = await newScene();
  const [north, south] = scene.merchant.stores;
  await serveTable(scene);
  await api.post(south.key, '/stock-outs', { plus: ['N001'] });
  await enrol(scene);
  const ofNorth = ['qr_code.opened', 'order.placed', 'order.updated'];
  expect(typesOf(expectSuccess(await list(north.key)))).toEqual(ofNorth);
  expect(typesOf(expectSuccess(await list(north.key, { storeCode: 'NORTH' })))).toEqual(ofNorth);
  expect(typesOf(expectSuccess(await list(south.key)))).toEqual(['stock_out.changed']);
  expect(typesOf(expectSuccess(await list(scene.merchant.key, { storeCode: 'SOUTH' })))).toEqual(['stock_out.changed']);
  const all = [...ofNorth, 'stock_out.changed', 'customer.enrolled'];
  expect(typesOf(expectSuccess(await list(scene.merchant.key)))).toEqual(all);
});

test('400: what is no id, no type or no limit', async () => {
  const { merchant } = await newScene();
  const issuesOf = async (query: Record<string, string>) =>
    expectError(await list(merchant.key, query), 400, 'invalid_request').issues.map(
      ({ path }: { path: string }) => path,
    );
  expect(await issuesOf({ after: 'x' })).toEqual(['after']);
  expect(await issuesOf({ types: 'order.placed,order.eaten' })).toEqual(['types.1']);
  expect(await issuesOf({ types: '' })).toEqual(['types.0']);
  expect(await issuesOf({ limit: '101' })).toEqual(['limit']);
  expect(await issuesOf({ storecode: 'NORTH' })).toEqual(['storecode']);
});

test('400: types that no store has, for a store', async () => {
  const { key, merchant } = await newScene();
  for (const type of ['customer.enrolled', 'balance.changed']) {
    const types = `order.placed,${type}`;
    for (const answer of [await list(key, { types }), await list(merchant.key, { types, storeCode: 'NORTH' })]) {
      expect(expectError(answer, 400, 'invalid_request').issues).toMatchObject([{ path: 'types' }]);
    }
    expectSuccess(await list(merchant.key, { types }));
  }
});

test('401: without a key', async () => {
  expectError(await list(undefined), 401, 'invalid_api_key');
});

test('402: where the merchant records none, or not these', async () => {
  const none = await newScene({ records_events: false, event_types: [] });
  expect(expectError(await list(none.merchant.key), 402, 'events_not_recorded').details).toEqual({ types: others });
  const some = await newScene({ records_events: false, event_types: ['order.placed'] });
  await serveTable(some);
  expect(typesOf(expectSuccess(await list(some.merchant.key, { types: 'order.placed' })))).toEqual(['order.placed']);
  expect(expectError(await list(some.merchant.key), 402, 'events_not_recorded').details).toEqual({
    types: others.filter((type) => type !== 'order.placed'),
  });
  // A store's key waits for no events of customers.
  const ofStores = await newScene({ records_events: false, event_types: eventTypes.filter(isOfStores) });
  await serveTable(ofStores);
  expectSuccess(await list(ofStores.key));
  expectError(await list(ofStores.merchant.key), 402, 'events_not_recorded');
  const wanted = { types: 'order.placed,order.updated' };
  expect(expectError(await list(some.merchant.key, wanted), 402, 'events_not_recorded').details).toEqual({
    types: ['order.updated'],
  });
});

test("403 and 404: another store's code, an unknown one, and an unknown event or another merchant's", async () => {
  const scene = await newScene();
  expectError(await list(scene.key, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
  expectError(await list(scene.merchant.key, { storeCode: 'EAST' }), 404, 'store_not_found');
  const other = await newScene();
  await serveTable(other);
  const theirs = expectSuccess(await list(other.merchant.key)).nextAfter;
  for (const after of [theirs, '01981f2e-7c1a-7d3e-9b54-0c2f5a8e4d11']) {
    expectError(await list(scene.merchant.key, { after }), 404, 'event_not_found');
  }
});

coversReference();
