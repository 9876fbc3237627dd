/**
 * A change is written with its events or not at all, and costs nothing if the merchant does not want them. The tests
 * use a database in which no event can be written: it refuses a change with wanted events, and does not affect a change
 * without.
 */
import { describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import {
  alwaysRecorded,
  type EventType,
  eventTypes,
  hasProfile,
  isCustomerEvent,
  profileColumns,
} from '@/db/kinds/lists';
import { ownDatabase } from '@/db/testing/database';
import { codeOf } from '@/db/testing/error-code';
import { documentedSchemas, problemsOf } from '@/e2e/rest/document';
import {
  createCustomer,
  createTopUpRequest,
  type MerchantSettings,
  recordingEvents,
  testProfile,
  testServices,
} from '@/server/testing/factory';
import {
  createCampaign,
  createMenu,
  createOptionGroup,
  createOrder,
  createVoucher,
} from '@/server/testing/factory-ordering';
import { callAs } from '@/server/testing/staff';
import { rowsOf } from '@/server/testing/tenancy/rows';
import { openStage } from '@/server/testing/transaction-stage';
import { closeBill, voidBill } from '../bills/close';
import { putBill } from '../bills/put';
import { continueImport, importBatch } from '../customer-imports/run';
import { undoBatch } from '../customer-imports/undo';
import { receiveFile } from '../customer-imports/upload';
import { adjustBalance } from '../customers/adjust';
import { editCustomer, profileRevision } from '../customers/edit';
import { enrolByStaff, enrolCustomer } from '../customers/enrol';
import { eraseCustomer } from '../customers/erase';
import { mergeCustomers } from '../customers/merge';
import { undoMerge } from '../customers/undo-merge';
import { updateCustomer } from '../customers/update';
import { joinProgramme } from '../diners/identify';
import { followDisputes } from '../disputes';
import type { NewEvent } from '../kernel/events';
import { newId } from '../kernel/ids';
import { expireValueOf } from '../ledger/expire';
import { redeemPoints } from '../points/redeem';
import { closeTableCodes } from '../qr-ordering/close-several';
import { getOrderBoard, setBoardOrderStatus, undoBoardMove } from '../qr-ordering/order-board';
import { setOrderStatus } from '../qr-ordering/order-status';
import { generateQrCode, invalidateQrCode } from '../qr-ordering/qr-codes';
import { answerCall, callFromTable, withdrawCall } from '../qr-ordering/table-calls';
import { generateTableCode } from '../qr-ordering/table-codes';
import { submitSale } from '../sales/submit';
import { endStockOutsOf } from '../stock-outs/end';
import { markSoldOut, restoreSoldOut } from '../stock-outs/sold-out';
import { restoreItem, stockOut } from '../stock-outs/stock-outs';
import { creditOnline } from '../stored-value/credit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { topUpByStaff } from '../top-ups/top-up-by-staff';
import { refundPart } from '../transactions/refund-part';
import { voidTransactions } from '../transactions/void';
import { redeemVoucher } from '../vouchers/redeem';

const database = ownDatabase();

async function createScene(settings: MerchantSettings) {
  const stage = await openStage(database, { enrol_on_sale: true, ...settings });
  await createMenu(database.owner, stage.merchant.id);
  const code = async () => (await generateQrCode(stage.north, { billId: newId() })).qrCodeId;
  const visitor = async () => {
    const { qrCodeId, url } = await generateQrCode(stage.north, { billId: newId() });
    return { qrCodeId, token: url.split('/q/')[1] ?? '', client: '192.0.2.1' };
  };
  const order = async () => createOrder(database.db, stage.merchant.id, { qrCodeId: await code() });
  const adjustment = (amount = 500) => ({
    customerId: stage.customer().id,
    adjustmentId: newId(),
    part: 'bonus' as const,
    direction: 'add' as const,
    amount,
    expiresOn: null,
    reason: 'Goodwill',
  });
  const uidOfAdjustment = async (id: string) => {
    const [row] = await database.owner`select transaction_uid from adjustments where id = ${id}`;
    return row?.transaction_uid as string;
  };
  return { ...stage, code, visitor, order, adjustment, uidOfAdjustment, services: testServices(database.db) };
}
type Scene = Awaited<ReturnType<typeof createScene>>;

const sale = (amount: number, rest: object = {}) => ({
  transactionId: newId(),
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
  subtotal: amount,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: amount,
  payments: [{ method: 'cash', amount }],
  closedAt: new Date().toISOString(),
  ...rest,
});
const bill = (rest: { billId: string; revision?: number }, amount = 1_000) => ({
  revision: 1,
  currency: 'SGD',
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
  subtotal: amount,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: amount,
  ...rest,
});
const north = ({ merchant }: Scene) => merchant.stores[0].id;
const profile = () => ({ ...testProfile, email: `${newId()}@example.com` });

const mapping = {
  columns: { givenName: 0, email: 1, principal: 2 },
  dateOrder: 'YMD' as const,
};
async function upload({ manager }: Scene) {
  async function* body() {
    yield Buffer.from(`Name,E-mail,Stored_value\nAda,${newId()}@example.com,12.00\n`);
  }
  const { importId } = await receiveFile(manager, { fileName: 'old.csv', body: body() });
  await callAs(manager).customerImports.start({ importId, mapping });
  return { merchantId: manager.merchant.id, importId };
}

/** Prepares a change, and returns it. */
type Change = [name: string, types: EventType[], prepare: (scene: Scene) => Promise<() => Promise<unknown>>];

const changes: Change[] = [
  [
    'an order',
    ['order.placed'],
    async ({ code, merchant }) => {
      const qrCodeId = await code();
      const [optionId] = await createOptionGroup(database.owner, merchant.id, 'N001', {
        options: [{ name: 'Extra prawns', price: 150 }],
      });
      const lines = [{ plu: 'N001', quantity: 1, unitPrice: 1_040, optionIds: [optionId as string] }];
      return () => createOrder(database.db, merchant.id, { qrCodeId, lines });
    },
  ],
  [
    'a bill',
    ['bill.updated'],
    async ({ north: till }) => {
      const billId = newId();
      return () => putBill(till, bill({ billId }));
    },
  ],
  [
    'a bill that its till changes to what was paid',
    ['bill.updated', 'bill.paid'],
    async ({ north: till, next, paid }) => {
      const billId = newId();
      await putBill(till, bill({ billId }));
      await paid(till);
      await redeemStoredValue(till, { ...next(), billId, amount: 100 });
      return () => putBill(till, bill({ billId, revision: 2 }, 100));
    },
  ],
  [
    'a redemption on a bill',
    ['transaction.completed', 'bill.updated', 'bill.paid'],
    async ({ north: till, next, paid }) => {
      const billId = newId();
      await putBill(till, bill({ billId }, 100));
      await paid(till);
      return () => redeemStoredValue(till, { ...next(), billId, amount: 100 });
    },
  ],
  [
    'a void of a redemption on a bill, by a till',
    ['transaction.voided', 'balance.changed', 'bill.updated'],
    async ({ north: till, next, paid }) => {
      const billId = newId();
      await putBill(till, bill({ billId }));
      await paid(till);
      const { transactionId } = await redeemStoredValue(till, { ...next(), billId, amount: 100 });
      return () => voidTransactions(till, { transactionIds: [transactionId] });
    },
  ],
  [
    'a void of a redemption on a bill, by staff',
    ['transaction.voided', 'balance.changed', 'bill.updated'],
    async ({ north: till, next, paid, preview, uidOf, voidAs }) => {
      const billId = newId();
      await putBill(till, bill({ billId }));
      await paid(till);
      const { transactionId } = await redeemStoredValue(till, { ...next(), billId, amount: 100 });
      const uid = await uidOf(transactionId);
      const { effect } = await preview(uid);
      return () => voidAs(effect, uid);
    },
  ],
  [
    'a refund of a part of a redemption on a bill',
    ['balance.changed', 'bill.updated'],
    async ({ north: till, manager, next, paid, uidOf }) => {
      const billId = newId();
      await putBill(till, bill({ billId }));
      await paid(till);
      const { transactionId } = await redeemStoredValue(till, { ...next(), billId, amount: 100 });
      const uid = await uidOf(transactionId);
      return () => refundPart(manager, { refundId: newId(), uid, amount: 30, reason: 'Cold soup' });
    },
  ],
  [
    'a bill that its till closes',
    ['bill.closed'],
    async ({ north: till }) => {
      const billId = newId();
      await putBill(till, bill({ billId }));
      return () => closeBill(till, { billId });
    },
  ],
  [
    'a sale that closes its bill',
    ['transaction.completed', 'bill.closed'],
    async ({ north: till }) => {
      const billId = newId();
      await putBill(till, bill({ billId }));
      return () => submitSale(till, sale(1_000, { billId }));
    },
  ],
  [
    'a bill that its till voids',
    ['bill.voided'],
    async ({ north: till }) => {
      const billId = newId();
      await putBill(till, bill({ billId }));
      return () => voidBill(till, { billId });
    },
  ],
  [
    'a call from a table',
    ['table.called'],
    async ({ services, visitor }) => {
      const visit = await visitor();
      return () => callFromTable(services, visit, { kind: 'staff' });
    },
  ],
  [
    'a call that its table takes back',
    ['table.call_answered'],
    async ({ services, visitor }) => {
      const visit = await visitor();
      await callFromTable(services, visit, { kind: 'bill' });
      return () => withdrawCall(services, visit, { kind: 'bill' });
    },
  ],
  [
    'a call that staff answer',
    ['table.call_answered'],
    async ({ services, visitor, manager }) => {
      await callFromTable(services, await visitor(), { kind: 'staff' });
      const [call] = (await getOrderBoard(manager, {})).calls;
      return () => answerCall(manager, { callId: call?.callId ?? '' });
    },
  ],
  [
    'a call whose bill is settled',
    ['table.call_answered', 'qr_code.settled'],
    async ({ north: till, services, visitor }) => {
      const visit = await visitor();
      await callFromTable(services, visit, { kind: 'staff' });
      return () => invalidateQrCode(till, { qrCodeId: visit.qrCodeId });
    },
  ],
  [
    'an order that a till accepts',
    ['order.updated'],
    async (scene) => {
      const { orderId } = await scene.order();
      return () => setOrderStatus(scene.north, { orderId, status: 'accepted' });
    },
  ],
  [
    'an order that staff serve',
    ['order.updated'],
    async (scene) => {
      const { orderId } = await scene.order();
      return () => setBoardOrderStatus(scene.manager, { orderId, status: 'served' });
    },
  ],
  [
    'an order that staff take back',
    ['order.updated'],
    async (scene) => {
      const { orderId } = await scene.order();
      await setBoardOrderStatus(scene.manager, { orderId, status: 'ready' });
      return () => undoBoardMove(scene.manager, { orderId, from: 'ready', to: 'placed' });
    },
  ],
  [
    'a top-up',
    ['transaction.completed'],
    async ({ north: till, next, packageId }) => {
      return () => topUp(till, { ...next(), packageId });
    },
  ],
  [
    'a top-up with a counter code',
    ['transaction.completed', 'counter_code.topped_up'],
    async ({ north: till, next, packageId, merchant, customer }) => {
      const counterCode = await createTopUpRequest(database.owner, merchant.id, {
        customerId: customer().id,
        packageId,
      });
      return () => topUp(till, { ...next(), packageId, counterCode });
    },
  ],
  [
    'a top-up that staff take',
    ['transaction.completed'],
    async (scene) => {
      const { manager, packageId, customer } = scene;
      const given = { topUpId: newId(), customerId: customer().id, storeId: north(scene), packageId };
      return () => topUpByStaff(manager, { ...given, amount: null, paymentMethod: 'cash' });
    },
  ],
  [
    'a top-up that was paid online',
    ['transaction.completed'],
    async ({ manager: { merchant }, customer, packageId }) => {
      const now = new Date();
      const attempt = {
        ctx: { merchant, apiKeyId: null },
        type: 'topUp' as const,
        input: { transactionId: `online-${newId()}` },
        uid: newId(),
        storeId: null,
        customerId: customer().id,
        requestHash: null,
        now,
        occurredAt: now,
      };
      const terms = { packageId, principal: 10_000, bonus: 2_000, bonusExpiresInDays: null };
      return () => withMerchant(database.db, merchant.id, (tx) => creditOnline(tx, attempt, terms));
    },
  ],
  [
    'a dispute of a card payment, which the bank decides',
    ['dispute.opened', 'dispute.closed'],
    async ({ merchant, customer, packageId, services }) => {
      await createTopUpRequest(database.owner, merchant.id, { customerId: customer().id, packageId });
      const [row] = await database.owner`
        select id from top_up_requests where merchant_id = ${merchant.id} and customer_id = ${customer().id}`;
      const about = { merchantId: merchant.id, purpose: { kind: 'topUp' as const, id: row?.id as string } };
      const told = {
        serviceId: `du_${newId()}`,
        amount: 10_000,
        reason: 'general',
        respondBy: null,
        openedAt: new Date(),
      };
      const follow = (status: 'needs_response' | 'won') => {
        const cardPayments = { on: () => ({ listDisputes: async () => [{ ...told, status }] }) } as never;
        return followDisputes({ ...services, cardPayments }, about, { paymentId: 'pi_1', accountId: null });
      };
      return async () => {
        await follow('needs_response');
        await follow('won');
      };
    },
  ],
  [
    'a redemption of stored value',
    ['transaction.completed'],
    async ({ north: till, next, paid }) => {
      await paid(till);
      return () => redeemStoredValue(till, { ...next(), amount: 100 });
    },
  ],
  [
    'a redemption of points',
    ['transaction.completed'],
    async ({ north: till, next, sold }) => {
      await sold(till, 1_000_000);
      return () => redeemPoints(till, { ...next(), points: 100 });
    },
  ],
  [
    'a redemption of a voucher',
    ['transaction.completed'],
    async ({ north: till, next, merchant, customer }) => {
      const campaignId = await createCampaign(database.owner, merchant.id);
      const customerId = customer().id;
      const voucherCode = await createVoucher(database.owner, merchant.id, { campaignId, customerId });
      return () => redeemVoucher(till, { ...next(), voucherCode, bill: { amount: 5_000 }, dryRun: false });
    },
  ],
  [
    'a sale',
    ['transaction.completed'],
    async ({ north: till }) =>
      () =>
        submitSale(till, sale(1_000)),
  ],
  [
    'a sale that enrols its customer',
    ['customer.enrolled', 'transaction.completed'],
    async ({ north: till }) => {
      const customer = { email: `${newId()}@example.com` };
      return () => submitSale(till, sale(1_000, { customer }));
    },
  ],
  [
    'a void by a till',
    ['transaction.voided', 'balance.changed'],
    async ({ north: till, next, packageId }) => {
      const { transactionId } = await topUp(till, { ...next(), packageId });
      return () => voidTransactions(till, { transactionIds: [transactionId, newId()] });
    },
  ],
  [
    'a void by staff',
    ['transaction.voided', 'balance.changed'],
    async ({ north: till, paid, preview, voidAs }) => {
      const uid = await paid(till);
      const { effect } = await preview(uid);
      return () => voidAs(effect, uid);
    },
  ],
  [
    'a void of an adjustment',
    ['balance.changed'],
    async ({ manager, adjustment, uidOfAdjustment, preview, voidAs }) => {
      const uid = await uidOfAdjustment((await adjustBalance(manager, adjustment())).adjustmentId);
      const { effect } = await preview(uid);
      return () => voidAs(effect, uid);
    },
  ],
  [
    'a refund of a part',
    ['balance.changed'],
    async ({ north: till, manager, paid, redeemed }) => {
      await paid(till);
      const uid = await redeemed(till, 1_000);
      return () => refundPart(manager, { refundId: newId(), uid, amount: 300, reason: 'Cold soup' });
    },
  ],
  [
    'an adjustment',
    ['balance.changed'],
    async ({ manager, adjustment }) =>
      () =>
        adjustBalance(manager, adjustment()),
  ],
  [
    'expiry',
    ['balance.changed'],
    async ({ manager, adjustment, merchant, services }) => {
      await adjustBalance(manager, adjustment());
      await database.owner`update lots set expires_at = now() where merchant_id = ${merchant.id} and part = 'bonus'`;
      return () => expireValueOf(services, { merchantId: merchant.id });
    },
  ],
  [
    'an enrolment by a till',
    ['customer.enrolled'],
    async ({ north: till }) =>
      () =>
        enrolCustomer(till, { givenName: 'Ada', lastName: 'Tan', email: `${newId()}@example.com` }),
  ],
  [
    'an enrolment by staff',
    ['customer.enrolled'],
    async ({ manager }) =>
      () =>
        enrolByStaff(manager, profile()),
  ],
  [
    'a diner who joins',
    ['customer.enrolled'],
    async ({ manager: { merchant }, services }) => {
      const [last] = await database.owner`select count(*)::int as n from customers`;
      const phone = `+65900${String(10_000 + last?.n).padStart(5, '0')}`;
      const diner = { merchant, phone, sessionId: newId(), customerId: null, verifiedAt: new Date() };
      const { phone: _, ...rest } = profile();
      return () => joinProgramme(services, diner, { ...rest, consent: true, wantsMessages: false, language: 'en' });
    },
  ],
  [
    'an import with opening balances',
    ['customer.enrolled', 'balance.changed'],
    async (scene) => {
      const key = await upload(scene);
      return () => importBatch(scene.services, key);
    },
  ],
  [
    'an import that is undone',
    ['balance.changed'],
    async (scene) => {
      const key = await upload(scene);
      await continueImport(scene.services, key);
      await callAs(scene.manager).customerImports.undo({ importId: key.importId });
      return () => undoBatch(scene.services, key);
    },
  ],
  [
    'a changed profile',
    ['customer.updated'],
    async ({ manager, customer }) => {
      const { id: customerId, phone, email } = customer();
      const before = { ...testProfile, phone, email };
      const revision = profileRevision(before);
      return () => editCustomer(manager, { customerId, ...before, givenName: 'Adeline', revision });
    },
  ],
  [
    'a profile that a till changes',
    ['customer.updated'],
    async ({ north: till, customer }) => {
      const { id: customerId } = customer();
      return () => updateCustomer(till, { customerId, givenName: 'Adeline' });
    },
  ],
  [
    'a merge',
    ['customer.merged', 'customer.updated', 'balance.changed'],
    async ({ manager, merchant, customer }) => {
      const { id: mergedId } = await createCustomer(database.owner, merchant.id);
      return () => mergeCustomers(manager, { keptId: customer().id, mergedId });
    },
  ],
  [
    'an undone merge',
    ['customer.unmerged', 'customer.updated', 'customer.updated', 'balance.changed', 'balance.changed'],
    async ({ manager, merchant, customer }) => {
      const { id: mergedId } = await createCustomer(database.owner, merchant.id);
      await mergeCustomers(manager, { keptId: customer().id, mergedId });
      return () => undoMerge(manager, { mergedId });
    },
  ],
  [
    'an erasure',
    ['customer.erased'],
    async ({ manager, customer }) => {
      return () => eraseCustomer(manager, { customerId: customer().id });
    },
  ],
  [
    'a stock-out by a till',
    ['stock_out.changed'],
    async (scene) => () => stockOut(scene.north, { plus: ['N001', 'X900'] }),
  ],
  [
    'an item that a till restores',
    ['stock_out.changed'],
    async ({ north: till }) => {
      await stockOut(till, { plus: ['N001'] });
      return () => restoreItem(till, { plus: ['N001', 'D001'] });
    },
  ],
  [
    'a stock-out by staff in two stores',
    ['stock_out.changed', 'stock_out.changed'],
    async ({ manager, merchant }) => {
      const items = merchant.stores.map(({ id: storeId }) => ({ storeId, plu: 'N001', until: null }));
      return () => markSoldOut(manager, { items });
    },
  ],
  [
    'an item that staff restore',
    ['stock_out.changed'],
    async (scene) => {
      await stockOut(scene.north, { plus: ['N001'] });
      return () => restoreSoldOut(scene.manager, { items: [{ storeId: north(scene), plu: 'N001' }] });
    },
  ],
  [
    'a stock-out whose time is over',
    ['stock_out.changed'],
    async ({ north: till, services }) => {
      await stockOut(till, { plus: ['N001'], until: new Date(Date.now() + 3_600_000).toISOString() });
      await database.owner`update stock_outs set until = now() where merchant_id = ${till.merchant.id}`;
      return () => endStockOutsOf(services, till.merchant.id);
    },
  ],
  [
    'a QR code by a till',
    ['qr_code.opened'],
    async ({ code }) =>
      () =>
        code(),
  ],
  [
    'a QR code by staff',
    ['qr_code.opened'],
    async (scene) => {
      const table = { storeId: north(scene), table: '7', billId: null, guests: null, openHours: 4 };
      return () => generateTableCode(scene.manager, table);
    },
  ],
  [
    'a bill that a till settles',
    ['qr_code.settled'],
    async ({ north: till, code }) => {
      const qrCodeId = await code();
      return () => invalidateQrCode(till, { qrCodeId });
    },
  ],
  [
    'bills that staff settle',
    ['qr_code.settled', 'qr_code.settled'],
    async ({ manager, code }) => {
      const qrCodeIds = [await code(), await code()];
      return () => closeTableCodes(manager, { qrCodeIds });
    },
  ],
];

interface Written {
  id: string;
  type: EventType;
  data: object;
  occurred_at: Date;
  store_code: string | null;
  customer_id: string | null;
}

const eventsOf = ({ merchant }: Scene) => database.owner<Written[]>`
  select e.id, e.type, e.data, e.occurred_at, e.customer_id, s.store_code
  from events e left join stores s on s.id = e.store_id where e.merchant_id = ${merchant.id} order by e.xid, e.seq`;

const nameOf = (type: EventType) =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

test('every type of event that is written if it is wanted has a change here', () => {
  const wanted = eventTypes.filter((type) => type !== alwaysRecorded);
  expect(new Set(changes.flatMap(([, types]) => types))).toEqual(new Set(wanted));
});

test('an event with a profile names its customer, and an event of a customer names no store', () => {
  const event = { occurredAt: new Date(), data: {} };
  // @ts-expect-error: without `customerId`, the profile would stay when the customer is erased.
  const withoutCustomer: NewEvent = { ...event, type: 'customer.updated', storeId: null };
  // @ts-expect-error: a store's key gets no events of customers.
  const withStore: NewEvent = { ...event, type: 'balance.changed', storeId: newId() };
  // @ts-expect-error: the reference does not say that its data can be erased.
  const withCustomer: NewEvent = { ...event, type: 'order.placed', storeId: null, customerId: newId() };
  expect([withoutCustomer, withStore, withCustomer]).toHaveLength(3);
});

/** For the back office's procedures. */
const throwCause = (error: Error) => {
  throw error.cause ?? error;
};

/** What happens to a payment by card is of no store. */
const namesOfNoStore = ['a top-up that was paid online', 'a dispute of a card payment, which the bank decides'];

describe.each(changes)('%s', (name, types, prepare) => {
  test('has its events, each as the reference describes it', async () => {
    const scene = await createScene(recordingEvents);
    const change = await prepare(scene);
    const before = (await eventsOf(scene)).length;
    await change();
    const written = (await eventsOf(scene)).slice(before);
    expect(written.map(({ type }) => type)).toEqual(types);
    for (const { id, type, data, occurred_at, store_code: storeCode, customer_id: customerId } of written) {
      const event = { id, type, occurredAt: occurred_at.toISOString(), storeCode, data };
      expect(problemsOf(documentedSchemas[nameOf(type)] as Record<string, unknown>, event), type).toEqual([]);
      const namesPerson = profileColumns.some((column) => JSON.stringify(data).includes(`"${column}":`));
      expect([namesPerson, customerId !== null], type).toEqual([hasProfile(type), hasProfile(type)]);
      expect(storeCode === null, type).toBe(isCustomerEvent(type) || namesOfNoStore.includes(name));
    }
  });

  test('is not made if its event can’t be written, and needs no event where nobody wants it', async () => {
    const [wanted, unwanted] = [await createScene(recordingEvents), await createScene({})];
    const [change, quiet] = [await prepare(wanted), await prepare(unwanted)];
    const before = await rowsOf(database.owner, wanted.merchant.id);
    // An erasure also reads earlier events.
    await database.owner.unsafe(`revoke ${name === 'an erasure' ? 'insert' : 'all'} on events from loyalty_app`);
    try {
      expect(await codeOf(change().catch(throwCause))).toBe('42501');
      // The worker's record of the failure is ignored.
      expect({ ...(await rowsOf(database.owner, wanted.merchant.id)), job_runs: [] }).toEqual(before);
      await quiet();
    } finally {
      await database.owner`grant select, insert, update (data) on events to loyalty_app`;
    }
  });
});
