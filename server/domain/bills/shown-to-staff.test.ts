import { beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import { refusalOf } from '@/server/testing/menu';
import { callAs, createStaff } from '@/server/testing/staff';
import { createBillScene } from '@/server/testing/table-bill';
import { openStage } from '@/server/testing/transaction-stage';
import { newId } from '../kernel/ids';
import { generateQrCode } from '../qr-ordering/qr-codes';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { voidTransactions } from '../transactions/void';
import { closeBill, voidBill } from './close';
import { putBill } from './put';
import { reopenBill } from './reopen';

const database = ownDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database);
});

const billOf = (total: number, rest: { billId: string; revision?: number }) => ({
  revision: 1,
  table: '12',
  currency: 'SGD',
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: total, amount: total }],
  subtotal: total,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total,
  ...rest,
});

test('a store’s bills by state, newest first, each with what was redeemed on it', async () => {
  const { north, south, merchant, manager, paid, next } = stage;
  const [first, second, closed, cancelled] = [newId(), newId(), newId(), newId()];
  await paid(north);
  for (const billId of [first, second, closed, cancelled]) await putBill(north, billOf(1_000, { billId }));
  await putBill(south, billOf(700, { billId: first }));
  for (const billId of [first, closed]) await redeemStoredValue(north, { ...next(), billId, amount: 1_000 });
  await redeemStoredValue(south, { ...next(), billId: first, amount: 100 });
  await closeBill(north, { billId: closed });
  await voidBill(north, { billId: cancelled });
  const storeId = merchant.stores[0].id;
  const list = async (state: 'open' | 'closed' | 'void', limit = 50) =>
    (await callAs(manager).bills.list({ storeId, state, limit })).items;
  expect(await list('open')).toMatchObject([
    { billId: second, state: 'open', table: '12', redeemed: 0, due: 1_000 },
    { billId: first, state: 'paid', redeemed: 1_000, due: 0 },
  ]);
  expect(await list('closed')).toMatchObject([{ billId: closed, state: 'closed', redeemed: 1_000 }]);
  expect(await list('void')).toMatchObject([{ billId: cancelled, state: 'void' }]);
  expect(await list('open', 1)).toMatchObject([{ billId: second }]);
  const everywhere = { state: 'open', limit: 2 } as const;
  const page = await callAs(manager).bills.list(everywhere);
  expect(page.items).toMatchObject([
    { billId: first, storeId: merchant.stores[1].id, due: 600 },
    { billId: second, storeId },
  ]);
  const { items } = await callAs(manager).bills.list({ ...everywhere, after: page.nextCursor as string });
  expect(items[0]).toMatchObject({ billId: first, storeId });
  const { openBills } = await callAs(manager).home.attention();
  expect(openBills.count).toBeGreaterThanOrEqual(3);
});

test('all that happened on a bill, for staff of its store alone', async () => {
  const { north, merchant, manager } = stage;
  const billId = newId();
  await putBill(north, billOf(1_000, { billId }));
  await putBill(north, billOf(2_000, { billId, revision: 4 }));
  await voidBill(north, { billId, reason: 'Wrong table' });
  const [row] = await database.owner`select id from bills where bill_id = ${billId}`;
  const story = await callAs(manager).bills.get({ billUid: row?.id });
  expect(story).toMatchObject({ billId, revision: 4, state: 'void', total: 2_000, storeId: merchant.stores[0].id });
  expect(story.changes.map(({ action, by, details }) => ({ action, by, ...details }))).toEqual([
    { action: 'bill.open', by: 'Test', revision: 1, total: 1_000 },
    { action: 'bill.update', by: 'Test', revision: 4, total: 2_000 },
    { action: 'bill.void', by: 'Test', total: 2_000, reason: 'Wrong table' },
  ]);
  const southern = await createStaff(database.owner, testServices(database.db), merchant.id, 'cashier', [
    merchant.stores[1].id,
  ]);
  expect(await refusalOf(callAs(southern).bills.get({ billUid: row?.id }))).toMatchObject({ code: 'bill_not_found' });
});

test('the story has each sale on the bill, and its void with the reason', async () => {
  const { north, manager, merchant, next } = stage;
  const billId = newId();
  await putBill(north, billOf(1_000, { billId }));
  const sold = {
    lines: billOf(1_000, { billId }).lines,
    subtotal: 1_000,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: 1_000,
  };
  const sale = () => ({
    ...sold,
    transactionId: next().transactionId,
    billId,
    payments: [{ method: 'cash', amount: 1_000 }],
    closedAt: new Date().toISOString(),
  });
  const wrong = sale();
  await submitSale(north, wrong);
  await voidTransactions(north, { transactionIds: [wrong.transactionId], reason: 'Wrong payment' });
  await submitSale(north, sale());
  const list = await callAs(manager).bills.list({ storeId: merchant.stores[0].id, state: 'closed', limit: 1 });
  const { changes, sales } = await callAs(manager).bills.get({ billUid: list.items[0]?.billUid ?? '' });
  expect(sales).toHaveLength(1);
  expect(changes.flatMap(({ saleUid, action, details }) => (saleUid ? [{ action, ...details }] : []))).toEqual([
    { action: 'sale.record', total: 1_000 },
    { action: 'sale.void', total: 1_000, reason: 'Wrong payment' },
    { action: 'sale.record', total: 1_000 },
  ]);
});

test('the story tells who paid, what went back of it and why, and who redeemed what', async () => {
  const { north, manager, paid, next, merchant } = stage;
  const { owner } = database;
  const billId = newId();
  await paid(north);
  const { qrCodeId } = await generateQrCode(north, { billId, table: '12', guests: 3 });
  await putBill(north, billOf(5_000, { billId }));
  const redeemed = { ...next(), amount: 1_000 };
  await redeemStoredValue(north, { ...redeemed, billId });
  // A transaction of another store has the same id.
  await owner`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, customer_id, amount, occurred_at, created_at)
    select merchant_id, gen_random_uuid(), ${merchant.stores[1].id}, transaction_id, type, 'refused', customer_id, amount, occurred_at, created_at
    from transactions where transaction_id = ${redeemed.transactionId}`;
  const [row] = await owner`select id from bills where bill_id = ${billId}`;
  const [mei, other] = [newId(), newId()];
  const pay = async (payment: { amount: number; kept: number; guest: string; name?: string; heldFor?: string }) => {
    const { amount, kept, guest, name = '', heldFor = '10 minutes' } = payment;
    const id = newId();
    await owner`
      insert into bill_payments
        (merchant_id, id, bill_uid, state, amount, kept_amount, held_until, created_at, taken_at, guest_id, guest_name)
      values (${merchant.id}, ${id}, ${row?.id}, 'taken', ${amount}, ${kept}, now() + ${heldFor}::interval, now(), now(),
        ${guest}, ${name})`;
    await owner`
      update bills set paid_amount = paid_amount + ${kept}, limit_amount = limit_amount + ${kept} where id = ${row?.id}`;
    return id;
  };
  const first = await pay({ amount: 2_500, kept: 2_500, guest: mei, name: 'Mei' });
  const late = await pay({ amount: 2_500, kept: 0, guest: other, heldFor: '-1 minute' });
  const last = await pay({ amount: 1_500, kept: 1_500, guest: other });
  // The bill shrinks and is closed. The excess is returned from the newest payment.
  await putBill(north, billOf(4_000, { billId, revision: 2 }));
  await closeBill(north, { billId });
  await owner`update bill_payments set returned_amount = 1000, returned_at = now() where id = ${last}`;
  const story = await callAs(manager).bills.get({ billUid: row?.id });
  expect(story.code).toEqual({ qrCodeId, guests: 3 });
  expect(story.redemptions).toMatchObject([{ type: 'redeemStoredValue', amount: 1_000, customerName: 'Ada Tester' }]);
  const { uid = '' } = story.redemptions[0] ?? {};
  expect(await callAs(manager).transactions.get({ uid })).toMatchObject({ uid, storedValue: -1_000 });
  expect(story.payments).toMatchObject([
    { paymentId: first, guestName: 'Mei', guestNumber: 1, returned: 0, outstanding: 0, returnedFor: null },
    { paymentId: late, guestName: null, guestNumber: 2, returned: 2_500, outstanding: 2_500, returnedFor: 'late' },
    { paymentId: last, guestName: null, guestNumber: 2, returned: 1_000, outstanding: 0, returnedFor: 'excess' },
  ]);
  expect(
    (await callAs(manager).bills.list({ storeId: merchant.stores[0].id, state: 'closed', limit: 1 })).items,
  ).toMatchObject([{ billId, guests: 3, paid: 3_000, redeemed: 1_000 }]);
});

test('a refused refund stands on Home, for managers of the bill’s store, until the money is back or a month has passed', async () => {
  const { north, merchant, manager } = stage;
  const { owner, db } = database;
  const billId = newId();
  await putBill(north, billOf(1_000, { billId }));
  const [row] = await owner`select id from bills where bill_id = ${billId}`;
  const payment = {
    merchant_id: merchant.id,
    bill_uid: row?.id,
    state: 'taken',
    amount: 1_000,
    held_until: new Date(),
  };
  const late = { ...payment, id: newId(), tip: 100, created_at: new Date(), taken_at: new Date() };
  await owner`insert into bill_payments ${owner(late)}`;
  const ofStore = (role: 'manager' | 'cashier', store: 0 | 1) =>
    createStaff(owner, testServices(db), merchant.id, role, [merchant.stores[store].id]);
  const marks = async (staff: typeof manager) => (await callAs(staff).home.attention()).refusedRefunds;
  expect(await marks(manager)).toEqual([]);
  await owner`update bill_payments set refund_refused_at = now() where id = ${late.id}`;
  const mark = { billUid: row?.id, billId, table: '12', amount: 1_100 };
  expect(await marks(manager)).toEqual([mark]);
  expect(await marks(await ofStore('manager', 0))).toEqual([mark]);
  expect(await marks(await ofStore('manager', 1))).toEqual([]);
  expect(await marks(await ofStore('cashier', 0))).toBeNull();
  await owner`update bill_payments set returned_amount = 300 where id = ${late.id}`;
  expect(await marks(manager)).toEqual([{ ...mark, amount: 800 }]);
  await owner`update bill_payments set taken_at = now() - interval '31 days' where id = ${late.id}`;
  expect(await marks(manager)).toEqual([]);
  await owner`update bill_payments set taken_at = now(), returned_amount = 1100 where id = ${late.id}`;
  expect(await marks(manager)).toEqual([]);
});

test('the history has what guests and the till redeemed and took back, and what staff refunded of it, in order', async () => {
  const scene = await createBillScene(database);
  const { owner } = database;
  const table = await scene.openTable();
  const customer = await scene.addCustomer();
  const phone = await scene.phoneAt(table, customer);
  const office = callAs(scene.manager);
  const voucherCode = await scene.giveVoucher(customer);
  const voucher = { kind: 'voucher' as const, voucherCode, amount: 500, requestId: newId() };
  const { transactionId } = await phone.bill.redeem(voucher);
  await phone.bill.takeBack({ transactionId });
  const atTill = { transactionId: newId(), billId: table.billId, customer: { customerId: customer.id } };
  await redeemStoredValue(scene.till, { ...atTill, amount: 900 });
  await voidTransactions(scene.till, { transactionIds: [atTill.transactionId] });
  const byPhone = await phone.bill.redeem({ kind: 'storedValue', amount: 1_000, requestId: newId() });
  await phone.bill.redeem({ kind: 'points', points: 20, requestId: newId() });
  const uidOf = async (id: string) =>
    (await owner`select uid from transactions where transaction_id = ${id}`)[0]?.uid as string;
  const refund = { refundId: newId(), uid: await uidOf(byPhone.transactionId), amount: 400, reason: 'Cold soup' };
  await office.transactions.refundPart(refund);
  const [row] = await owner`select id from bills where bill_id = ${table.billId}`;
  const { changes, redemptions } = await office.bills.get({ billUid: row?.id });
  const told = changes.map(({ action, by, details, redemption }) => [
    ...[action, by, details.amount ?? details.total, redemption?.type, redemption?.voucherName, details.reason],
  ]);
  const till = 'Test';
  const staff = (await owner`select name from users where id = ${scene.manager.staff.userId}`)[0]?.name;
  const none = undefined;
  expect(told).toEqual([
    ['bill.open', till, 2_750, none, none, none],
    ['redemption.redeem', null, 500, 'redeemVoucher', 'Five off', none],
    ['redemption.takeBack', null, 500, 'redeemVoucher', 'Five off', none],
    ['redemption.redeem', till, 900, 'redeemStoredValue', null, none],
    ['redemption.takeBack', till, 900, 'redeemStoredValue', null, none],
    ['redemption.redeem', null, 1_000, 'redeemStoredValue', null, none],
    ['redemption.redeem', null, 200, 'redeemPoints', null, none],
    ['redemption.takeBack', staff, 400, 'redeemStoredValue', null, 'Cold soup'],
  ]);
  expect(redemptions.map(({ type, amount }) => [type, amount])).toEqual([
    ['redeemPoints', 200],
    ['redeemStoredValue', 600],
  ]);

  await closeBill(scene.till, { billId: table.billId });
  const [rest] = redemptions.filter(({ amount }) => amount === 600);
  const more = { refundId: newId(), uid: await uidOf(rest?.transactionId as string), amount: 100, reason: 'Cold tea' };
  await office.transactions.refundPart(more);
  const closed = await office.bills.get({ billUid: row?.id });
  expect(closed).toMatchObject({ state: 'closed', redeemed: 700 });
  expect(closed.changes.filter(({ action }) => action.startsWith('redemption')).length).toBe(8);
});

test('a transaction leads to its bill, and the audit log names a bill by its number and table', async () => {
  const { north, manager, paid, next } = stage;
  await paid(north);
  const billId = newId();
  await putBill(north, billOf(1_000, { billId }));
  const { transactionId } = await redeemStoredValue(north, { ...next(), billId, amount: 100 });
  const [row] = await database.owner`
    select b.id, t.uid from bills b join transactions t using (bill_id) where b.bill_id = ${billId}`;
  expect(transactionId).toBeTruthy();
  expect((await callAs(manager).transactions.get({ uid: row?.uid })).billUid).toBe(row?.id);
  const { items } = await callAs(manager).auditLog.list({ subjectKind: 'bill', subjectId: row?.id });
  expect(items.map(({ subject }) => subject.name)).toEqual([`${billId} (12)`]);
});

test('a closed bill adds up: what the till took with and without sales, what is missing, what is too much, and rounding', async () => {
  const { north, manager, merchant, paid, next } = stage;
  await paid(north);
  const add = async (story: (billId: string) => Promise<unknown>) => {
    const billId = newId();
    await putBill(north, billOf(2_002, { billId }));
    await story(billId);
    const [row] = await database.owner`select id from bills where bill_id = ${billId}`;
    const bill = await callAs(manager).bills.get({ billUid: row?.id });
    const { total, salesRounding, redeemed, takenAtTill, settledAtTill, unsettled, overpaid, due } = bill;
    expect(total + salesRounding - redeemed - bill.paid - takenAtTill - settledAtTill - unsettled + overpaid).toBe(due);
    return { billId, salesRounding, redeemed, takenAtTill, settledAtTill, unsettled, overpaid };
  };
  const sell = (billId: string, taken: number, rest: { rounding?: number; closesBill?: boolean } = {}) => {
    const { rounding = 0 } = rest;
    const { currency: _, table: _table, revision: _revision, ...sums } = billOf(taken - rounding, { billId });
    return submitSale(north, {
      ...sums,
      ...rest,
      total: taken,
      transactionId: newId(),
      payments: [{ method: 'cash', amount: taken }],
      closedAt: '2026-11-20T12:00:00+08:00',
    });
  };
  const none = { salesRounding: 0, redeemed: 0, takenAtTill: 0, settledAtTill: 0, unsettled: 0, overpaid: 0 };
  const closed = await add((billId) => closeBill(north, { billId }));
  expect(closed).toMatchObject({ ...none, settledAtTill: 2_002 });
  expect(await add((billId) => sell(billId, 1_500, { closesBill: true }))).toMatchObject({
    ...none,
    takenAtTill: 1_500,
    unsettled: 502,
  });
  expect(await add((billId) => sell(billId, 2_000, { rounding: -2 }))).toMatchObject({
    ...none,
    takenAtTill: 2_000,
    salesRounding: -2,
  });
  const twice = await add(async (billId) => {
    await redeemStoredValue(north, { ...next(), billId, amount: 1_000 });
    await sell(billId, 2_002);
  });
  expect(twice).toMatchObject({ ...none, redeemed: 1_000, takenAtTill: 2_002, overpaid: 1_000 });
  // Opened again, it is listed as such, open or closed.
  await reopenBill(north, { billId: closed.billId });
  const reopened = async () =>
    (await callAs(manager).bills.list({ storeId: merchant.stores[0].id, state: 'reopened' })).items;
  expect((await reopened())[0]).toMatchObject({ billId: closed.billId, state: 'open', settledAtTill: 0 });
  await closeBill(north, { billId: closed.billId });
  expect((await reopened())[0]).toMatchObject({ billId: closed.billId, state: 'closed', settledAtTill: 2_002 });
});
