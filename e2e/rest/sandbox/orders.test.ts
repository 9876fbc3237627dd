/** Orders that a till's test places, as a phone would. */
import { describe, expect, test } from 'vitest';
import { waitForEvents } from '@/server/testing/events';
import { createMenu, createOptionGroup } from '@/server/testing/factory-ordering';
import { operationSuite } from '../expectations';
import { createScene, restApi } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('placeSandboxOrder', {
  // A code that expires between being looked up and being ordered with.
  elsewhere: ['qr_code_not_found'],
});

async function newTable(settings?: Parameters<typeof createScene>[1]) {
  const scene = await createScene(api, settings);
  const { merchant, key } = scene;
  await createMenu(api.owner, merchant.id);
  const milk = { name: 'Milk', minimum: 1, maximum: 1 };
  await createOptionGroup(api.owner, merchant.id, 'D001', {
    ...milk,
    options: [
      { name: 'Condensed', price: 0 },
      { name: 'Oat', price: 120, plu: 'M02' },
    ],
  });
  const place = (body: object, by = key) => api.post(by, '/sandbox/orders', { billId: 'B-1', table: '12', ...body });
  const orders = async () => (await api.get(key, '/orders')).body.items;
  return { ...scene, place, orders };
}

const laksa = { lines: [{ plu: 'N001' }] };

describe('200', () => {
  test('at the menu’s prices, with options by PLU or name, in the list and as an event', async () => {
    const { place, orders, merchant, key } = await newTable();
    await api.owner`update merchants set event_types = null where id = ${merchant.id}`;
    const lines = [
      { plu: 'N001', quantity: 2, note: 'less spicy' },
      { plu: 'D001', options: ['M02'] },
      { plu: 'D001', options: ['condensed'] },
    ];
    const placed = expectSuccess(await place({ lines, guestName: 'Mei', note: 'window seat' }));
    expect(placed).toMatchObject({ total: 2_260, waitsForStaff: false });
    const { orderId, qrCodeId } = placed;
    const ids = { orderId, qrCodeId };
    const [order, ...others] = await orders();
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      ...ids,
      status: 'placed',
      billId: 'B-1',
      table: '12',
      total: 2_260,
      guestName: 'Mei',
    });
    expect(order.note).toBe('window seat');
    expect(order.lines).toMatchObject([
      { plu: 'N001', quantity: 2, amount: 1_780, note: 'less spicy', options: [] },
      { plu: 'D001', quantity: 1, amount: 300, options: [{ name: 'Oat', price: 120, plu: 'M02' }] },
      { plu: 'D001', quantity: 1, amount: 180, options: [{ name: 'Condensed', price: 0, plu: null }] },
    ]);
    await waitForEvents(api.owner);
    const { items } = (await api.get(key, '/events?types=order.placed')).body;
    expect(items.map(({ data }: { data: { orderId: string } }) => data.orderId)).toEqual([orderId]);
  });

  test('a repeat is another order, on the code that the bill has', async () => {
    const { place, orders, key } = await newTable();
    const { qrCodeId } = (await api.post(key, '/qr-codes', { billId: 'B-1', table: '7' })).body;
    for (const _ of [1, 2]) expect(expectSuccess(await place(laksa)).qrCodeId).toBe(qrCodeId);
    expect((await orders()).map(({ table }: { table: string }) => table)).toEqual(['7', '7']);
  });

  test('the first ones on a bill that guests opened by a card wait for staff, three at most', async () => {
    const { place, orders, key } = await newTable();
    const { qrCodeId } = (await api.post(key, '/qr-codes', { billId: 'B-1' })).body;
    await api.owner`update qr_codes set opened_by = 'diner' where id = ${qrCodeId}`;
    for (const _ of [1, 2, 3]) expect(expectSuccess(await place(laksa)).waitsForStaff).toBe(true);
    expectError(await place(laksa), 402, 'qr_code_closed');
    expect(await orders()).toEqual([]);
  });
});

test.each([
  ['an unknown option', [{ plu: 'N001' }, { plu: 'D001', options: ['Soy'] }], 'lines.1.options.0', /option of Kopi/],
  ['too few options', [{ plu: 'D001' }], 'lines.0.options', /1 to 1 of "Milk"/],
  ['too many options', [{ plu: 'D001', options: ['Oat', 'Condensed'] }], 'lines.0.options', /1 to 1 of "Milk"/],
])('400: %s', async (_, lines, path, message) => {
  const { place, orders } = await newTable();
  const { issues } = expectError(await place({ lines }), 400, 'invalid_request');
  expect(issues).toMatchObject([{ path, message: expect.stringMatching(message) }]);
  expect(await orders()).toEqual([]);
});

test('a merchant-wide key names the store', async () => {
  const { place, merchant } = await newTable();
  expectError(await place(laksa, merchant.key), 400, 'invalid_request');
  expectSuccess(await place({ ...laksa, storeCode: 'NORTH' }, merchant.key));
});

test('401, 403, 404: no key, and stores of others', async () => {
  const { place, merchant } = await newTable();
  expectError(await api.post(undefined, '/sandbox/orders', laksa), 401, 'invalid_api_key');
  expectError(await place({ ...laksa, storeCode: 'SOUTH' }), 403, 'store_forbidden');
  expectError(await place({ ...laksa, storeCode: 'NOWHERE' }, merchant.key), 404, 'store_not_found');
});

test('402: sold out, or not on the menu', async () => {
  const { place, key } = await newTable();
  await api.post(key, '/stock-outs', { plus: ['N001'] });
  expect(expectError(await place(laksa), 402, 'items_unavailable').details).toEqual({ plus: ['N001'] });
  const unknown = await place({ lines: [{ plu: 'N404' }] });
  expect(expectError(unknown, 402, 'items_unavailable').details).toEqual({ plus: ['N404'] });
});

coversReference();
