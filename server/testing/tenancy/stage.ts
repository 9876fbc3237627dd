/** Two merchants with some data of every kind, neither of which may see the other's. */
import type { TestDatabase } from '@/db/testing/database';
import { saveApiRequests } from '@/server/domain/access/api-requests';
import { newId } from '@/server/domain/kernel/ids';
import { rollUpReports } from '@/server/domain/reports/roll-up';
import { submitSale } from '@/server/domain/sales/submit';
import { stockOut } from '@/server/domain/stock-outs/stock-outs';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { fiveOff } from '../campaigns';
import { openPhone, signIn } from '../diners';
import type { TestMerchant } from '../factory';
import { openGround, type TenancyGround } from './ground';
import { type Makers, makersOf } from './makers';

export type TenancyStage = Awaited<ReturnType<typeof createTenancyStage>>;

/**
 * `isOther`: the merchant whose ids the other one tries. It also has data that most merchants lack. With `merchantOf`,
 * it is the same merchant as that stage, at its other store.
 */
export async function createTenancyStage(
  database: TestDatabase,
  word: string,
  isOther: boolean,
  merchantOf?: { merchant: TestMerchant },
) {
  const ground = await openGround(database, word, merchantOf);
  const makers = await makersOf(ground);
  const { unique, newNumber, call } = ground;
  await leaveTraces(ground, makers);
  await sumUp(ground);
  const apiKeyId = (await call.apiKeys.list({})).items[0]?.apiKeyId ?? '';
  const untaken = {
    contact: async () => (isOther ? makers.newCustomer() : { phone: newNumber(), email: `${unique()}@example.com` }),
    untakenPlu: async () => (isOther ? (await makers.newItem()).plu : unique()),
    untakenStoreCode: async () => (isOther ? (await makers.newStore()).storeCode : unique()),
    untakenBillId: async () => (isOther ? (await makers.newCode()).billId : unique()),
  };
  return {
    ...ground,
    ...makers,
    ...untaken,
    isOther,
    apiKeyId,
    ...(await makers.newOptionGroup()),
    uid: await makers.paid(),
    voucherId: (await makers.newVoucher()).id,
    importId: await makers.newImport(),
  };
}

/** Creates a row in each table of a merchant's activity. */
async function leaveTraces(ground: TenancyGround, makers: Makers): Promise<void> {
  const { owner, services, merchant, till, call, north, unique } = ground;
  const { customer, ref, paid } = makers;
  await paid();
  await redeemStoredValue(till, { ...ref(), amount: 100 });
  await makers.newBill();
  await makers.newCall();
  await submitSale(till, {
    ...ref(),
    lines: [{ plu: unique(), name: unique(), quantity: 1, unitPrice: 5_000, amount: 5_000 }],
    subtotal: 5_000,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: 5_000,
    payments: [{ method: unique(), amount: 5_000 }],
    closedAt: new Date().toISOString(),
  });
  const adjustment = { part: 'points', direction: 'add', amount: 100, expiresOn: null, reason: unique() } as const;
  await call.customers.adjust({ customerId: customer.id, adjustmentId: newId(), ...adjustment });
  const uids = [await paid()];
  const { effect } = await call.transactions.voidPreview({ uids });
  await call.transactions.void({ uids, effect, reason: unique() });
  await leaveStaffTraces(ground, makers);
  await stockOut(till, { plus: [unique()] });
  await call.tables.add({ storeId: north.id, names: unique(), area: unique() });
  await makers.newOrder();
  await makers.newInvitation();
  await makers.newRequest();
  await makers.newDelivery();
  await leaveOffers(ground, makers);
  await makers.newVoucher();
  await call.customers.resetPin({ customerId: (await makers.newCustomer()).id });
  await call.automations.runNow({ task: 'expire-value' });
  const phone = openPhone(services, merchant.id);
  await signIn(owner, services, phone, customer.phone);
  await phone.api.identity.requestCode({ phone: (await makers.newCustomer()).phone });
  const request = { operation: 'ping', status: 200, errorCode: null, durationMs: 1, createdAt: new Date() };
  await saveApiRequests(services, [{ merchantId: merchant.id, apiKeyId: till.apiKeyId, id: newId(), ...request }]);
  await leaveDelivery(ground);
  await leaveMove(ground);
}

/** Notes a move to another cell that has just begun. The merchant is still served here. */
async function leaveMove({ owner, merchant: { id }, unique }: TenancyGround): Promise<void> {
  await owner`insert into merchant_moves (merchant_id, state, cell) values (${id}, 'leaving', ${unique()})
    on conflict do nothing`;
  const kept = { merchant_id: id, kind: 'apiKey', reference: Buffer.from(unique()) };
  await owner`insert into moved_references ${owner(kept)}`;
}

/** Creates an endpoint, and an event that was sent to it. */
async function leaveDelivery({ owner, merchant, unique }: TenancyGround): Promise<void> {
  const [merchant_id, id] = [merchant.id, newId()];
  const endpoint = { merchant_id, id, url: `https://${unique()}.example`, secret: Buffer.from(unique()) };
  await owner`insert into webhook_endpoints ${owner({ ...endpoint, queued_xid: 0, queued_seq: 0 })}`;
  await owner`
    insert into webhook_deliveries (merchant_id, endpoint_id, event_id, state, response)
    select merchant_id, ${id}, id, 'delivered', ${unique()} from events where merchant_id = ${merchant_id} limit 1`;
}

/** Sums up the merchant's reports, as the worker would some time later. */
async function sumUp({ owner, services, merchant: { id } }: TenancyGround): Promise<void> {
  for (const table of [
    'ledger_days',
    'credit_days',
    'transaction_days',
    'sale_days',
    'voucher_days',
    'report_progress',
  ]) {
    await owner`delete from ${owner(table)} where merchant_id = ${id}`;
  }
  const later = { now: () => new Date(Date.now() + 10 * 60_000) };
  await rollUpReports({ ...services, systemClock: later });
}

/** Creates what staff do with a customer and its transactions. */
async function leaveStaffTraces(
  { call, north, owner, merchant, till, unique }: TenancyGround,
  makers: Makers,
): Promise<void> {
  const customerId = makers.customer.id;
  await call.settings.change({ cashierRefundLimit: 1_000 });
  await call.settings.changeOrdering({ showsPopular: false });
  await call.customers.addNote({ customerId, text: unique() });
  const payment = { storeId: north.id, packageId: makers.packageId, amount: null, paymentMethod: 'card' } as const;
  await call.customers.topUp({ topUpId: newId(), customerId, ...payment });
  const { transactionId } = await redeemStoredValue(till, { ...makers.ref(), amount: 100 });
  const [row] = await owner`
    select uid from transactions where merchant_id = ${merchant.id} and transaction_id = ${transactionId}`;
  await call.transactions.refundPart({ refundId: newId(), uid: row?.uid, amount: 40, reason: unique() });
  await makers.newDispute();
  const { since, until, expected } = await call.cashUps.openShift({ storeId: north.id });
  const shift = { storeId: north.id, since: since.toISOString(), until: until.toISOString(), expected };
  await call.cashUps.close({ ...shift, counted: expected });
}

/** Creates an item, a campaign and a package for one store, and a customer's messages. */
async function leaveOffers({ call, north, unique }: TenancyGround, makers: Makers): Promise<void> {
  const { itemId, plu } = await makers.newItem();
  const { optionGroupId } = await makers.newOptionGroup();
  const { revision } = await call.menu.item({ itemId });
  const { photoId } = makers;
  const atStore = { allStores: false, storeIds: [north.id] };
  const item = { itemId, revision, categoryId: makers.categoryId, plu, name: unique(), price: 500, photoId };
  await call.menu.updateItem({ ...item, ...atStore, optionGroupIds: [optionGroupId] });
  await call.campaigns.create({ ...fiveOff, ...atStore, name: unique() });
  await call.packages.create({
    kind: 'fixed',
    name: unique(),
    amount: 100,
    bonusAmount: 0,
    bonusExpiresInDays: null,
    ...atStore,
    validFrom: null,
    validUntil: null,
  });
  const [template] = (await call.messages.templates()).templates;
  if (template) await call.messages.saveTemplate({ ...template, body: unique() });
}
