/**
 * A valid input for every back-office procedure, with all of its id fields, or several inputs if one can't have all. A
 * procedure or id field without a case fails `server/trpc/tenancy.test.ts`.
 */

import { continueImport } from '@/server/domain/customer-imports/run';
import { newId } from '@/server/domain/kernel/ids';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { testProfile } from '../factory';
import { callAs, createStaff } from '../staff';
import { catalogCases } from './catalog-cases';
import { noInput, pages } from './pages';
import { days, period } from './period';
import type { TenancyStage } from './stage';

/** A merchant's valid input. For the other merchant, existing ids replace new ones. */
/** Has no input, and needs the payment service, which these tests have not. */
export const needsPaymentService = ['cardAccount.connect'];

export type Case = (stage: TenancyStage) => unknown;

const then = new Date().toISOString();

const reason = 'Asked for';
const customer: Case = ({ customer: { id } }) => ({ customerId: id });
const merging = async ({ newCustomer: make }: TenancyStage) => ({
  keptId: (await make()).id,
  mergedId: (await make()).id,
});
async function unmerging(stage: TenancyStage) {
  const both = await merging(stage);
  await stage.call.customers.merge(both);
  return { mergedId: both.mergedId };
}
const newCustomer = async ({ newCustomer: make }: TenancyStage) => ({ customerId: (await make()).id });
/** A shift that is ready to be closed. */
async function newShift({ call, north }: TenancyStage) {
  const { since, until, expected } = await call.cashUps.openShift({ storeId: north.id });
  const times = { since: since.toISOString(), until: until.toISOString() };
  return { storeId: north.id, ...times, expected, counted: expected };
}

const reports: Record<string, Case> = {
  'home.figures': noInput,
  'home.attention': noInput,
  'reports.liability': ({ north }) => ({ ...period, storeId: north.id }),
  'reports.sales': ({ north }) => ({ ...period, storeId: north.id }),
  'reports.vouchers': () => period,
  'reports.voucherEffect': () => period,
  'reports.points': ({ north }) => ({ ...period, storeId: north.id }),
  'reports.payments': ({ north }) => ({ ...period, storeId: north.id }),
  'reports.payouts': () => ({ from: period.from, to: period.to }),
  'reports.breakdown': ({ north }) => ({ ...period, storeId: north.id, by: 'item' }),
  'reports.part': ({ north }) => ({ ...period, storeId: north.id, by: 'item', key: 'A' }),
  'reports.busyHours': ({ north }) => ({ ...period, storeId: north.id }),
  'reports.voids': ({ north, uid }) => pages(uid, uid).map((page) => ({ ...period, storeId: north.id, ...page })),
  'reports.voidsByActor': ({ north }) => ({ ...period, storeId: north.id }),
  'reports.credit': noInput,
  'reports.dailySummary': noInput,
  'reports.setDailySummary': () => ({ isOn: true, language: 'en' }),
  'reports.balances': ({ customer: { id } }) => pages(then, id).map((page) => ({ day: period.to, ...page })),
  'cashUps.day': ({ north }) => ({ day: period.to, storeId: north.id }),
  'cashUps.openShift': ({ north }) => ({ storeId: north.id }),
  'cashUps.close': newShift,
  'cashUps.correct': async (stage) => {
    const shift = await newShift(stage);
    const { cashUpId: replacesId } = await stage.call.cashUps.close(shift);
    return { replacesId, counted: shift.counted, reason };
  },
  'auditLog.list': ({ staff, customer: { id } }) =>
    pages(id).map((page) => ({
      actor: staff.owner.staff.userId,
      subjectKind: 'customer',
      subjectId: id,
      ...days,
      ...page,
    })),
  'auditLog.choices': noInput,
  'automations.list': noInput,
  'automations.runNow': () => ({ task: 'expire-value' }),
};

async function newTable({ call, north, unique }: TenancyStage): Promise<string> {
  const { tableIds } = await call.tables.add({ storeId: north.id, names: unique(), area: unique(), seats: null });
  return tableIds[0] ?? '';
}

/** Creates a taken payment on a bill. */
async function paidPayment({ owner, newBill }: TenancyStage): Promise<string> {
  const billUid = await newBill();
  const [row] = await owner`
    update bill_payments set state = 'taken', taken_at = now(), checkout_ended = true where bill_uid = ${billUid} returning id`;
  return row?.id;
}

/** Creates a closed bill of 0.01 with 0.02 paid on it. */
async function overpaidBill({ owner, newBill }: TenancyStage): Promise<string> {
  const billUid = await newBill();
  await owner`
    update bills set state = 'closed', closed_at = now(), held_amount = 0,
      paid_at_till = json_build_array(json_build_object('amount', total + 1, 'lines', '[]'::json))
    where id = ${billUid}`;
  return billUid;
}

const ordering: Record<string, Case> = {
  'bills.get': async ({ newBill }) => ({ billUid: await newBill() }),
  'bills.list': async ({ north, newBill }) =>
    pages(await newBill()).map((page) => ({ storeId: north.id, state: 'open', ...page })),
  'bills.settleOverpaid': async (s) => ({ billUid: await overpaidBill(s), amount: 1 }),
  'bills.releasePayment': async (s) => ({ paymentId: await paidPayment(s) }),
  'bills.refundPayment': async (s) => ({ paymentId: await paidPayment(s), returned: null, reason }),
  'orders.answerCall': async ({ newCall }) => ({ callId: await newCall() }),
  'orders.board': ({ north }) => [{ storeId: north.id }, {}],
  'orders.done': ({ north }) => [...pages('1').map((page) => ({ storeId: north.id, ...page })), {}],
  'orders.setStatus': async ({ newOrder }) => ({ orderId: await newOrder(), status: 'accepted' }),
  'orders.clearOld': ({ north }) => ({ storeId: north.id, minutes: 120 }),
  'orders.undo': async ({ newOrder }) => ({ orderId: await newOrder(), from: 'accepted', to: 'placed' }),
  'orders.acceptTable': async ({ newCode, newOrder }) => ({
    qrCodeId: (await newCode()).qrCodeId,
    orderIds: [await newOrder()],
  }),
  'orders.declineTable': async ({ newCode, newOrder }) => ({
    qrCodeId: (await newCode()).qrCodeId,
    orderIds: [await newOrder()],
  }),
  'qrCodes.list': async ({ north, newCode }) => {
    const { billId, qrCodeId } = await newCode();
    return pages(qrCodeId).map((page) => ({ storeId: north.id, search: billId, ...page }));
  },
  'qrCodes.get': async ({ newCode }) => ({ qrCodeId: (await newCode()).qrCodeId }),
  'qrCodes.cards': async ({ owner, north, newCode }) => {
    // A card for each open code is drawn, and earlier cases opened some.
    await owner`update qr_codes set expires_at = now() where store_id = ${north.id}`;
    return { storeId: north.id, qrCodeIds: [(await newCode()).qrCodeId] };
  },
  'qrCodes.generate': async (s) => ({
    storeId: s.north.id,
    table: s.unique(),
    billId: await s.untakenBillId(),
    openHours: 1,
  }),
  'qrCodes.invalidateSeveral': async ({ newCode }) => ({ qrCodeIds: [(await newCode()).qrCodeId] }),
  'tables.list': ({ north }) => ({ storeId: north.id }),
  'tables.cards': async (s) => ({ storeId: s.north.id, tableIds: [await newTable(s)] }),
  'tables.add': ({ north, unique }) => ({ storeId: north.id, names: unique() }),
  'tables.change': async (s) => ({ tableId: await newTable(s), name: s.unique(), area: '', seats: null }),
  'tables.arrange': async (s) => ({ storeId: s.north.id, tableIds: [await newTable(s)] }),
  'tables.remove': async (s) => ({ tableIds: [await newTable(s)] }),
  'tables.moveGuests': async (s) => ({ qrCodeId: (await s.newCode()).qrCodeId, tableId: await newTable(s) }),
  'tables.replaceCard': async (s) => ({ tableId: await newTable(s) }),
  'stockOuts.list': ({ north, categoryId, unique }) => ({ storeId: north.id, categoryId, search: unique() }),
  'stockOuts.mark': async ({ north, newItem }) => ({
    items: [{ storeId: north.id, plu: (await newItem()).plu, until: null }],
  }),
  'stockOuts.restore': async ({ north, newItem }) => ({ items: [{ storeId: north.id, plu: (await newItem()).plu }] }),
};

const customers: Record<string, Case> = {
  'customers.list': ({ customer: { id, phone } }) => pages(then, id).map((page) => ({ search: phone, ...page })),
  'customers.find': ({ customer: { phone } }) => ({ phoneOrEmail: phone }),
  'customers.tags': noInput,
  'customers.get': customer,
  'customers.lots': ({ customer: { id }, uid }) => pages(uid).map((page) => ({ customerId: id, ...page })),
  'customers.vouchers': ({ customer: { id }, voucherId }) =>
    pages(voucherId).map((page) => ({ customerId: id, isPast: false, ...page })),
  'customers.ledger': ({ customer: { id }, uid }) => pages(uid).map((page) => ({ customerId: id, ...page })),
  'customers.sales': ({ customer: { id }, uid }) => pages(uid).map((page) => ({ customerId: id, ...page })),
  'customers.enrol': async ({ contact }) => {
    const { phone, email } = await contact();
    return { ...testProfile, phone, email };
  },
  'customers.edit': async (s) => {
    const { phone, email } = await s.contact();
    const edited = await newCustomer(s);
    return { ...testProfile, ...edited, phone, email, revision: (await s.call.customers.get(edited)).revision };
  },
  'customers.adjust': ({ customer: { id } }) => ({
    customerId: id,
    adjustmentId: newId(),
    part: 'principal',
    direction: 'add',
    amount: 1,
    expiresOn: null,
    reason,
  }),
  'customers.topUpOffers': ({ north, customer: { id } }) => ({ storeId: north.id, customerId: id }),
  'customers.cashOutPreview': ({ customer: { id } }) => ({ customerId: id }),
  'customers.cashOut': ({ customer: { id }, north }) => ({
    cashOutId: newId(),
    customerId: id,
    storeId: north.id,
    amount: 1,
    paymentMethod: 'cash',
    reason,
  }),
  'customers.topUp': ({ customer: { id }, north, packageId }) => ({
    topUpId: newId(),
    customerId: id,
    storeId: north.id,
    packageId,
    amount: null,
    paymentMethod: 'cash',
  }),
  'customers.notes': customer,
  'customers.addNote': ({ customer: { id }, unique }) => ({ customerId: id, text: unique() }),
  'customers.editNote': async (s) => ({ ...(await newNote(s)), text: s.unique() }),
  'customers.removeNote': async (s) => newNote(s),
  'customers.resetPin': newCustomer,
  'customers.setMessages': async (s) => ({ ...(await newCustomer(s)), wantsMessages: false }),
  'customers.block': async (s) => ({ ...(await newCustomer(s)), reason }),
  'customers.unblock': newCustomer,
  'customers.mergePreview': merging,
  'customers.merge': merging,
  'customers.undoMerge': unmerging,
  'customers.removeMergedPhone': unmerging,
  'customers.erase': newCustomer,
  'customerImports.list': ({ importId }) => pages(importId),
  'customerImports.get': ({ importId }) => ({ importId }),
  'customerImports.preview': ({ importId }) => ({
    importId,
    mapping: { columns: { givenName: 0, phone: 1 }, dateOrder: 'YMD' },
  }),
  'customerImports.totals': ({ importId }) => ({
    importId,
    mapping: { columns: { givenName: 0, phone: 1 }, dateOrder: 'YMD' },
  }),
  'customerImports.undo': async ({ staff, newImport }) => {
    const importId = await newImport();
    const { customerImports } = callAs(staff.owner);
    await customerImports.start({ importId, mapping: { columns: { givenName: 0, phone: 1 }, dateOrder: 'YMD' } });
    await continueImport(staff.owner, { merchantId: staff.owner.merchant.id, importId });
    return { importId };
  },
  'customerImports.start': async ({ newImport }) => ({
    importId: await newImport(),
    mapping: { columns: { givenName: 0, phone: 1 }, dateOrder: 'YMD' },
  }),
  'customerImports.problems': ({ importId }) => pages('1').map((page) => ({ importId, ...page })),
  'messages.list': ({ customer: { id } }) => pages(id).map((page) => ({ customerId: id, ...page })),
  'messages.templates': noInput,
  'messages.saveTemplate': async ({ call, unique }) => ({
    ...(await call.messages.templates()).templates[0],
    body: unique(),
  }),
  'messages.setQuietHours': () => ({ quietHours: null }),
};

const transactions: Record<string, Case> = {
  'transactions.list': ({ customer: { id }, north, uid }) =>
    pages(uid).map((page) => ({ search: uid, customerId: id, storeId: north.id, ...page })),
  'transactions.get': ({ uid }) => ({ uid }),
  'transactions.voidPreview': ({ uid }) => ({ uids: [uid] }),
  'transactions.void': async ({ call, paid }) => {
    const uids = [await paid()];
    return { uids, reason, effect: (await call.transactions.voidPreview({ uids })).effect };
  },
  'transactions.refundPart': async (s) => ({ refundId: newId(), uid: await redeemed(s), amount: 1, reason }),
  'disputes.of': async ({ customer, uid, newBill }) => [
    { customerId: customer.id },
    { transactionUid: uid },
    { billUid: await newBill() },
  ],
  'disputes.acknowledge': ({ newDispute }) => newDispute(),
  'transactions.acknowledgeRefund': async ({ newRequest }) => ({ topUpRequestId: (await newRequest()).topUpRequestId }),
};

const merchant: Record<string, Case> = {
  'settings.get': noInput,
  'settings.change': ({ unique, photoId, categoryId }) => ({
    name: unique(),
    logoId: photoId,
    accentColour: '#c8102e',
    welcome: unique(),
    noPointsCategoryIds: [categoryId],
  }),
  'cardAccount.get': noInput,
  'cardAccount.refresh': noInput,
  'cardAccount.connect': noInput,
  'settings.ordering': noInput,
  'settings.changeOrdering': () => ({ callsStaff: false }),
  'settings.choices': noInput,
  'settings.pinCoverage': noInput,
  'settings.advanceClock': () => ({ to: new Date(Date.now() + 3_600_000).toISOString() }),
  'settings.setPinRequired': () => ({ pinRequired: false }),
  'stores.list': noInput,
  'stores.create': async (s) => ({
    storeCode: await s.untakenStoreCode(),
    name: s.unique(),
    phone: '+65 6123 4567',
  }),
  'stores.change': async (s) => ({
    storeId: (await s.newStore()).storeId,
    storeCode: await s.untakenStoreCode(),
    phone: '+65 6123 4567',
  }),
  'stores.close': async ({ newStore }) => ({ storeId: (await newStore()).storeId }),
  'stores.reopen': async ({ newStore }) => ({ storeId: (await newStore()).storeId }),
  'apiKeys.list': ({ apiKeyId }) => pages(apiKeyId),
  'apiKeys.get': ({ apiKeyId }) => ({ apiKeyId }),
  'apiKeys.requests': ({ apiKeyId }) => pages(apiKeyId).map((page) => ({ apiKeyId, ...page })),
  'apiKeys.create': ({ north, unique }) => ({ name: unique(), storeId: north.id }),
  'apiKeys.setLimits': async (s) => ({ ...(await newKey(s)), ratePerSecond: 1, rateBurst: 1 }),
  'apiKeys.setAccess': async (s) => ({ ...(await newKey(s)), scopes: [], networks: ['203.0.113.0/24'] }),
  'apiKeys.rotate': async (s) => ({ ...(await newKey(s)), overlapHours: 0 }),
  'apiKeys.revoke': async (s) => newKey(s),
  'webhooks.list': noInput,
  'webhooks.get': async ({ newEndpoint }) => newEndpoint(),
  'webhooks.create': ({ unique }) => ({ url: `https://${unique()}.example.com`, description: '', eventTypes: null }),
  'webhooks.change': async ({ unique, newEndpoint }) => ({
    ...(await newEndpoint()),
    url: `https://${unique()}.example.com`,
    description: unique(),
    eventTypes: ['order.placed'],
  }),
  'webhooks.rotateSecret': async ({ newEndpoint }) => newEndpoint(),
  'webhooks.pause': async ({ newEndpoint }) => newEndpoint(),
  'webhooks.resume': async ({ newEndpoint }) => newEndpoint(),
  'webhooks.remove': async ({ newEndpoint }) => newEndpoint(),
  'webhooks.sendTest': async ({ newEndpoint }) => newEndpoint(),
  'webhooks.deliveries': async ({ newDelivery }) => {
    const { endpointId, eventId } = await newDelivery();
    return pages(eventId).map((page) => ({ endpointId, ...page }));
  },
  'webhooks.delivery': async ({ newDelivery }) => newDelivery(),
  'webhooks.resend': async ({ newDelivery }) => newDelivery(),
  'webhooks.resendSpan': async ({ newDelivery }) => ({
    endpointId: (await newDelivery()).endpointId,
    from: '2026-01-01',
    until: '2999-01-01',
    onlyFailed: false,
  }),
  'staff.list': noInput,
  'staff.changeRole': async (s) => ({ userId: await newMember(s), role: 'manager' }),
  'staff.setStores': async (s) => ({ userId: await newMember(s), allStores: false, storeIds: [s.north.id] }),
  'staff.resetSecondFactor': async (s) => ({ userId: await newMember(s) }),
  'staff.setSecondFactorDemand': () => ({ demandedOf: 'nobody', graceDays: 0 }),
  'staff.remove': async (s) => ({ userId: await newMember(s) }),
  'staff.invite': async ({ isOther, newInvitation, unique, north }) => {
    const email = `${unique()}@example.com`;
    if (isOther) await newInvitation(email);
    return { email, role: 'cashier', language: 'en', allStores: false, storeIds: [north.id] };
  },
  'staff.resendInvitation': async (s) => ({ invitationId: (await s.newInvitation()).invitationId, language: 'en' }),
  'staff.revokeInvitation': async (s) => ({ invitationId: (await s.newInvitation()).invitationId }),
};

async function newNote({ staff, customer, unique }: TenancyStage): Promise<{ noteId: string }> {
  const { customers: by } = callAs(staff.cashier);
  await by.addNote({ customerId: customer.id, text: unique() });
  const [note] = await by.notes({ customerId: customer.id });
  return { noteId: note?.noteId as string };
}

/** Redeems stored value. Returns the transaction's uid. */
async function redeemed({ till, owner, merchant, ref, paid }: TenancyStage): Promise<string> {
  await paid();
  const { transactionId } = await redeemStoredValue(till, { ...ref(), amount: 100 });
  const [row] = await owner`
    select uid from transactions where merchant_id = ${merchant.id} and transaction_id = ${transactionId}`;
  return row?.uid;
}

async function newKey({ call, unique }: TenancyStage): Promise<{ apiKeyId: string }> {
  const { apiKeyId } = await call.apiKeys.create({ name: unique(), storeId: null });
  return { apiKeyId };
}

async function newMember({ owner, services, merchant: { id } }: TenancyStage): Promise<string> {
  const { staff } = await createStaff(owner, services, id, 'cashier');
  return staff.userId;
}

export const staffCases: Record<string, Case> = {
  ...reports,
  ...ordering,
  ...customers,
  ...transactions,
  ...merchant,
  ...catalogCases,
};
