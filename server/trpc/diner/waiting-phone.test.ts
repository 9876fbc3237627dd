/**
 * A phone came by a table's card, which may be a photo of it, and staff have accepted no order by the card. By
 * construction: each procedure about a table refuses the phone and changes nothing, unless it is listed with its reason.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { putBill } from '@/server/domain/bills/put';
import { findBillOfCard } from '@/server/domain/floor/card-page';
import { newCardToken } from '@/server/domain/floor/card-token';
import { newId } from '@/server/domain/kernel/ids';
import { newVoucherCode } from '@/server/domain/kernel/voucher-code';
import { stockOut } from '@/server/domain/stock-outs/stock-outs';
import { followTable } from '@/server/live/table';
import { createMenu } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { createBillScene, laksaBill, phoneAt } from '@/server/testing/table-bill';
import { rowsOf } from '@/server/testing/tenancy/rows';
import { listProcedures } from '../procedures';
import { dinerRouter } from './router';

/** What such a phone may do, and why. */
const allowed: Record<string, string> = {
  'table.get': 'the menu and its own orders; tested here',
  'table.placeOrder': 'waits until staff accept it',
  'table.callStaff': 'as the card itself does before a bill is open; staff come and see who is there',
  'table.changes': 'tested here',
};
/** These are not about a table: a phone has no more there by its card's token. */
const isElsewhere = (path: string) => /^(identity|account|topUps|card)\./.test(path);

const payment = () => ({ paymentId: newId(), guestId: newId() });
const inputs: Record<string, () => unknown> = {
  'table.withdrawCall': () => ({ kind: 'bill' }),
  'bill.get': () => ({ guestId: newId() }),
  'bill.offers': () => ({ language: null }),
  'bill.redeem': () => ({ kind: 'voucher', amount: 1, requestId: newId(), voucherCode: newVoucherCode() }),
  'bill.takeBack': () => ({ transactionId: 'diner:1' }),
  'bill.sendsReceipt': () => undefined,
  'bill.sendReceipt': () => undefined,
  'bill.pay': () => ({ ...payment(), amount: 1_000 }),
  'bill.payment': payment,
  'bill.cancelPayment': payment,
  'cart.benefits': () => ({ lines: [{ plu: 'N001', quantity: 1, unitPrice: 500 }] }),
};

const refused = listProcedures(dinerRouter)
  .map(({ path }) => path)
  .filter((path) => !isElsewhere(path) && !(path in allowed));

const database = ownDatabase();
let scene: Awaited<ReturnType<typeof openScene>>;

/** Guests with an open bill at a table with a card, who have called, and a phone of a customer that came by the card. */
async function openScene() {
  const bills = await createBillScene(database);
  const { services, merchant } = bills;
  await createMenu(database.owner, merchant.id);
  const { tables, orders } = callAs(await createStaff(database.owner, services, merchant.id, 'manager'));
  const [id = ''] = (await tables.add({ storeId: merchant.stores[0].id, names: '12' })).tableIds;
  const table = await bills.openTable();
  const guests = await phoneAt(services, { merchant, token: table.token }, null);
  await guests.table.callStaff({ kind: 'bill' });
  const card = { token: newCardToken(services.tokenKey, { id, cardNumber: 1 }), client: '192.0.2.1' };
  const token = ((await findBillOfCard(services, card)).path ?? '').slice('/q/'.length);
  const customer = await bills.addCustomer();
  const phone = await phoneAt(services, { merchant, token }, customer);
  const follow = (signal: AbortSignal) => followTable(services, { token, client: '192.0.2.9' }, signal);
  return { ...bills, table, guests, phone, token, orders, follow };
}

const leaving = new AbortController();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => leaving.abort());

test('every procedure about a table is refused or allowed for a reason', () => {
  expect(Object.keys(inputs).sort()).toEqual([...refused].sort());
});

test.each(refused)('%s is refused and changes nothing', async (path) => {
  const { phone, merchant } = scene;
  const [group = '', name = ''] = path.split('.');
  const procedures = phone as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  const before = await rowsOf(database.owner, merchant.id);
  await expect(procedures[group]?.[name]?.(inputs[path]?.())).rejects.toMatchObject({
    cause: { code: 'qr_code_not_found' },
  });
  expect(await rowsOf(database.owner, merchant.id)).toEqual(before);
});

test('the page has nothing of the guests', async () => {
  const { guests, phone } = scene;
  expect(await guests.table.get({ language: null })).toMatchObject({ calls: ['bill'], bill: { due: 2_750 } });
  expect(await phone.table.get({ language: null })).toMatchObject({ calls: [], bill: null, orders: [] });
});

test('the stream tells of the menu only, until staff accept an order', async () => {
  const { guests, phone, orders, follow, table, till } = scene;
  const heard: string[] = [];
  const listening = (async () => {
    for await (const topic of follow(leaving.signal)) heard.push(topic);
  })();
  await expect.poll(() => heard).toContain('menu');
  heard.length = 0;
  const kopi = { plu: 'D001', quantity: 1, unitPrice: 180 };
  await guests.table.placeOrder({ clientOrderId: newId(), guestId: newId(), lines: [kopi] });
  await putBill(till, laksaBill(table.billId, 2));
  await guests.table.withdrawCall({ kind: 'bill' });
  const { orderId } = await phone.table.placeOrder({ clientOrderId: newId(), guestId: newId(), lines: [kopi] });
  await stockOut(till, { plus: ['N001'] });
  await expect.poll(() => heard).toContain('menu');
  expect(heard).not.toContain('orders');
  expect(heard).not.toContain('payments');
  await orders.acceptTable({ qrCodeId: table.qrCodeId, orderIds: [orderId] });
  await expect.poll(() => heard).toEqual(expect.arrayContaining(['orders', 'payments']));
  leaving.abort();
  await listening;
});
