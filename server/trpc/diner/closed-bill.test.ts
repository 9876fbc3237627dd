/** A table's bill on its phones once the till has closed it, and what is ordered before and after that. */
import { beforeAll, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { closeBill, voidBill } from '@/server/domain/bills/close';
import { putBill } from '@/server/domain/bills/put';
import { reopenBill } from '@/server/domain/bills/reopen';
import { newId } from '@/server/domain/kernel/ids';
import { listOrders } from '@/server/domain/qr-ordering/orders';
import { invalidateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { submitSale } from '@/server/domain/sales/submit';
import { reasonOf } from '@/server/testing/diners';
import { createMenu } from '@/server/testing/factory-ordering';
import { callAs } from '@/server/testing/staff';
import { createBillScene, laksaBill } from '@/server/testing/table-bill';

const database = sharedDatabase();
let scene: Awaited<ReturnType<typeof createBillScene>>;

beforeAll(async () => {
  scene = await createBillScene(database);
  await createMenu(database.owner, scene.merchant.id);
});

const kopi = { plu: 'D001', quantity: 1, unitPrice: 180 };

/** Opens a table with a bill, and a phone at it with its `guestId`. */
async function sitDown(customer: { id: string; phone: string } | null = null) {
  const table = await scene.openTable();
  const phone = await scene.phoneAt(table, customer);
  const guestId = newId();
  return {
    table,
    phone,
    guestId,
    order: () => phone.table.placeOrder({ clientOrderId: newId(), guestId, lines: [kopi] }),
    page: async (as = guestId) => {
      const page = await phone.table.get({ language: null, guestId: as });
      if (page.state !== 'open') throw new Error(page.state);
      return page;
    },
  };
}

const sale = (billId: string, customer: { phone: string }) => ({
  transactionId: newId(),
  billId,
  customer: { phone: customer.phone },
  ...laksaSums(billId),
  payments: [{ method: 'visa', amount: 2_750 }],
  closedAt: new Date().toISOString(),
});
const laksaSums = (billId: string) => {
  const { lines, subtotal, discount, serviceCharge, tax, total } = laksaBill(billId);
  return { lines, subtotal, discount, serviceCharge, tax, total };
};

test('an order remembers how many units of its items were on the bill before it', async () => {
  const { table, order, page } = await sitDown();
  await order();
  const more = laksaBill(table.billId, 2);
  const lines = [...more.lines, { plu: 'D001', name: 'Kopi', quantity: 2, unitPrice: 0, amount: 0 }];
  await putBill(scene.till, { ...more, lines });
  await order();
  expect((await page()).orders.map(({ lines }) => lines[0]?.onBillBefore)).toEqual([1, 3]);
  expect((await listOrders(scene.till, { limit: 50 })).items.length).toBeGreaterThan(0);
});

test('the diner who paid sees the closed bill, with thanks and points, also once the code is closed', async () => {
  const customer = await scene.addCustomer();
  const { table, phone, guestId } = await sitDown(customer);
  await submitSale(scene.till, sale(table.billId, customer));
  const closed = await phone.bill.get({ guestId });
  expect(closed).toMatchObject({
    state: 'closed',
    due: 0,
    available: 0,
    paidAtTill: [{ amount: 2_750, lines: [] }],
    thanks: { name: expect.stringMatching(/./), pointsEarned: 25 },
  });
  await invalidateQrCode(scene.till, { billId: table.billId });
  expect(await phone.bill.get({ guestId })).toEqual(closed);
  await database.owner`
    update bills set closed_at = closed_at - interval '25 hours' where bill_id = ${table.billId}`;
  expect(await reasonOf(phone.bill.get({ guestId }))).toBe('qr_code_closed');
});

test('a phone that ordered sees the closed bill and its button, and another phone neither', async () => {
  const { table, phone, guestId, order, page } = await sitDown();
  await order();
  await closeBill(scene.till, { billId: table.billId });
  expect(await phone.bill.get({ guestId })).toMatchObject({
    state: 'closed',
    due: 0,
    paidAtTill: [{ amount: 2_750 }],
    thanks: null,
  });
  expect((await page()).bill).toEqual({ total: 2_750, due: 0, state: 'closed' });
  const stranger = newId();
  expect(await phone.bill.get({ guestId: stranger })).toBeNull();
  expect(await phone.bill.get({ guestId: null })).toBeNull();
  expect((await page(stranger)).bill).toBeNull();
  await invalidateQrCode(scene.till, { billId: table.billId });
  expect(await reasonOf(phone.bill.get({ guestId: stranger }))).toBe('qr_code_closed');
});

test('a void bill is shown to no phone', async () => {
  const { table, phone, guestId, order, page } = await sitDown();
  await order();
  await voidBill(scene.till, { billId: table.billId });
  expect(await phone.bill.get({ guestId })).toBeNull();
  expect((await page()).bill).toBeNull();
});

test.each(['closing', 'sale'])('after the %s of its bill, the first order waits for staff', async (ending) => {
  const customer = await scene.addCustomer();
  const { table, order, page } = await sitDown();
  expect((await order()).number).toBeGreaterThan(0);
  if (ending === 'sale') await submitSale(scene.till, sale(table.billId, customer));
  else await closeBill(scene.till, { billId: table.billId });
  expect((await page()).firstOrderWaits).toBe(true);
  const held = await order();
  expect(held.number).toBeLessThan(0);
  const { orders } = callAs(scene.manager);
  const { qrCodeId } = table;
  expect(await orders.acceptTable({ qrCodeId, orderIds: [held.orderId] })).toEqual({ accepted: 1 });
  expect((await page()).firstOrderWaits).toBe(false);
  expect((await order()).number).toBeGreaterThan(0);
});

test('after the sale of a bill whose till sends none, the first order waits, too', async () => {
  const customer = await scene.addCustomer();
  const table = await scene.openTable(null);
  const phone = await scene.phoneAt(table, null);
  const order = () => phone.table.placeOrder({ clientOrderId: newId(), guestId: newId(), lines: [kopi] });
  expect((await order()).number).toBeGreaterThan(0);
  await submitSale(scene.till, sale(table.billId, customer));
  expect((await order()).number).toBeLessThan(0);
});

test('a bill that is opened again takes orders at once', async () => {
  const { table, order, page, phone, guestId } = await sitDown();
  await order();
  await closeBill(scene.till, { billId: table.billId });
  await reopenBill(scene.till, { billId: table.billId });
  expect(await phone.bill.get({ guestId })).toMatchObject({ state: 'open', due: 2_750, thanks: null });
  expect((await page()).bill).toMatchObject({ state: 'open', due: 2_750 });
  expect((await order()).number).toBeGreaterThan(0);
});
