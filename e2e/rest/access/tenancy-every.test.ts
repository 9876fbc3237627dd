/**
 * Another merchant's data does not exist for a merchant. Every operation of the document, with every id in its address
 * and body exchanged for another merchant's, answers each kind of key as it answers for an unknown id. The same holds
 * for a store's key and another store's data.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { waitForEvents } from '@/server/testing/events';
import { createCustomer, createFixedPackage, createTopUpRequest, type TestStore } from '@/server/testing/factory';
import { createOrder, createVoucher } from '@/server/testing/factory-ordering';
import { idFields, idOfNobody, withIdAt } from '@/server/testing/tenancy/fields';
import { canariesOf, type Rows, rowsOf } from '@/server/testing/tenancy/rows';
import { type DocumentedEntry, documented } from '../document';
import { newTransactionId, restApi } from '../harness';
import { type Call, performCall } from '../operations';
import { callOf, createOrderingStage, type FullStage, openBill, payOnBill, plainSale } from '../ordering-operations';
import { createEndpointRow } from '../webhook-operations';

const api = restApi();

let own: FullStage;
let other: FullStage;
/** As it was at the beginning: what it gets later is like nothing of the other's. */
let ownRows: Rows;

async function createTenant(word: string): Promise<FullStage> {
  const stage = await createOrderingStage(api, { name: `${word} Kitchen` });
  const { merchant } = stage;
  for (const store of merchant.stores) {
    store.storeCode = `${word}-${store.storeCode}`;
    await api.owner`update stores set store_code = ${store.storeCode} where id = ${store.id}`;
  }
  const packageId = await createFixedPackage(api.owner, merchant.id, { name: word, amount: 10_000, bonus: 2_000 });
  return { ...stage, packageId, counterCode: '', transactionId: stage.saleId };
}

async function must(key: string, path: string, body: Record<string, unknown>) {
  const answer = await api.post(key, path, body);
  if (answer.status !== 200) throw new Error(`the stage is not set: ${answer.text}`);
  return answer.body;
}

/**
 * The same merchant with a customer who has but this, and nothing sold out: calls leave no traces for the next. With a
 * code and an order of its own only where a call needs them, for each code is drawn.
 */
async function renewed(stage: FullStage, needsCode: boolean): Promise<FullStage> {
  const { merchant, key, packageId } = stage;
  await api.owner`delete from stock_outs where merchant_id = ${merchant.id}`;
  const customer = await createCustomer(api.owner, merchant.id);
  const ref = { customerId: customer.id };
  const transactionId = newTransactionId();
  await must(key, '/transactions/stored-value/top-up', { transactionId, customer: ref, packageId });
  await must(key, '/sales', plainSale(100_000, { customer: ref }));
  const counterCode = await createTopUpRequest(api.owner, merchant.id, { ...ref, packageId });
  const renewedStage = { ...stage, customer, transactionId, counterCode };
  if (!needsCode) return renewedStage;
  const { qrCodeId } = await must(key, '/qr-codes', { billId: newTransactionId() });
  const { orderId } = await createOrder(api.db, merchant.id, { qrCodeId });
  return { ...renewedStage, qrCodeId, orderId };
}

/** How ids of a merchant's at one of its stores are made, each of something that nothing was done with yet. */
const newId: Record<string, (stage: FullStage, store: TestStore) => Promise<string>> = {
  customerId: async (stage) => (await newCustomer(stage)).id,
  phone: async (stage) => (await newCustomer(stage)).phone,
  email: async (stage) => (await newCustomer(stage)).email,
  packageId: async ({ packageId }) => packageId,
  counterCode: async (stage) => {
    const { id: customerId } = await newCustomer(stage);
    return createTopUpRequest(api.owner, stage.merchant.id, { customerId, packageId: stage.packageId });
  },
  voucherCode: async (stage) => {
    const { id: customerId } = await newCustomer(stage);
    return createVoucher(api.owner, stage.merchant.id, { campaignId: stage.campaignId, customerId });
  },
  transactionId: newTopUp,
  transactionIds: newTopUp,
  billId: async (_, { key }) => (await newCode(key)).billId,
  qrCodeId: async (_, { key }) => (await newCode(key)).qrCodeId,
  orderId: async ({ merchant }, { key }) => {
    const { qrCodeId, billId } = await newCode(key);
    return (await createOrder(api.db, merchant.id, { qrCodeId, note: `for ${billId}` })).orderId;
  },
  paymentId: async ({ merchant }, { key }) => payOnBill(api, { merchant }, await openBill(api, { merchant }, key), 100),
  endpointId: ({ merchant }) => createEndpointRow(api, merchant.id),
  plu: newStockOut,
  plus: newStockOut,
  storeCode: async (_, { storeCode }) => storeCode,
  after: async (stage, store) => {
    await newCode(store.key);
    await waitForEvents(api.owner);
    const [event] = await api.owner`
      select id from events where merchant_id = ${stage.merchant.id} order by xid desc, seq desc limit 1`;
    return event?.id;
  },
};

const newCustomer = ({ merchant }: FullStage) => createCustomer(api.owner, merchant.id);

async function newTopUp(stage: FullStage, { key }: TestStore): Promise<string> {
  const { id: customerId } = await newCustomer(stage);
  const transactionId = newTransactionId();
  const body = { transactionId, customer: { customerId }, packageId: stage.packageId };
  await must(key, '/transactions/stored-value/top-up', body);
  return transactionId;
}

async function newCode(key: string): Promise<{ billId: string; qrCodeId: string }> {
  const billId = newTransactionId();
  const { qrCodeId } = await must(key, '/qr-codes', { billId, table: '7' });
  return { billId, qrCodeId };
}

async function newStockOut(_: FullStage, { key }: TestStore): Promise<string> {
  const plu = newTransactionId();
  await must(key, '/stock-outs', { plus: [plu] });
  return plu;
}

beforeAll(async () => {
  [own, other] = [await createTenant('Aardvark'), await createTenant('Zanzibar')];
  ownRows = await keptOf(await renewed(own, true));
});

/** What the merchant has; the log of its own tills' requests is written a little later. */
async function keptOf({ merchant }: FullStage): Promise<Rows> {
  return { ...(await rowsOf(api.owner, merchant.id)), api_requests: [] };
}

const jsonOf = ({ operation }: DocumentedEntry) => operation.requestBody?.content['application/json']?.schema ?? {};

/** The fields of an operation that are ids: of its address, and of its body. */
function fieldsOf(entry: DocumentedEntry): { name: string; path: string; place: 'path' | 'query' | 'body' }[] {
  const inAddress = (entry.operation.parameters ?? []).flatMap(({ name, in: place, schema }) =>
    place !== 'header' && idFields({ properties: { [name]: schema } }).some(({ kind }) => kind !== 'cursor')
      ? [{ name, path: name, place }]
      : [],
  );
  const inBody = idFields(jsonOf(entry)).map(({ path }) => ({
    name: (path.split('.').at(-1) ?? '').replace('[]', ''),
    path,
    place: 'body' as const,
  }));
  return [...inAddress, ...inBody];
}

const asked = documented.flatMap((entry) =>
  fieldsOf(entry).map((field) => ({ entry, field, what: `${entry.operation.operationId}: ${field.path}` })),
);
type Asked = (typeof asked)[number];

/** What the good call of an operation names is in the fields of the operation. */
const needsCode = (entry: DocumentedEntry) =>
  fieldsOf(entry).some(({ name }) => name === 'qrCodeId' || name === 'orderId');

const goodCall = async (entry: DocumentedEntry, storeCode: string | undefined): Promise<Call> =>
  callOf(api, entry.operation.operationId, await renewed(own, needsCode(entry)), storeCode);

/** A good call with that id; what else would name the same thing is left out. */
async function callWith({ entry, field }: Asked, storeCode: string | undefined, id: string): Promise<Call> {
  const call = await goodCall(entry, storeCode);
  const [path = '', query = ''] = call.path.split('?');
  if (field.place === 'path') {
    const at = entry.path.split('/').indexOf(`{${field.name}}`);
    const segments = path.split('/').map((segment, n) => (n === at ? encodeURIComponent(id) : segment));
    return { ...call, path: segments.join('/') + (query && `?${query}`) };
  }
  if (field.place === 'query') return { ...call, path: `${path}?${field.name}=${encodeURIComponent(id)}` };
  const { qrCodeId, ...withoutCode } = call.body ?? {};
  const isOfBill = entry.operation.operationId === 'invalidateQrCode' && field.name === 'billId';
  const body = isOfBill ? withoutCode : call.body;
  if (field.path.startsWith('customer.')) return { ...call, body: { ...body, customer: { [field.name]: id } } };
  const parts = field.path.split('.');
  if (parts.length === 1 && !field.path.endsWith('[]')) return { ...call, body: { ...body, [field.name]: id } };
  return { ...call, body: withIdAt(filledFor(body, field.path), field.path, id) as Record<string, unknown> };
}

/** Lists of lines are there to hold an id. */
function filledFor(body: Record<string, unknown> | undefined, path: string): unknown {
  if (path.startsWith('paidAtTill'))
    return { ...body, paidAtTill: [{ amount: 1, lines: [{ plu: 'N001', quantity: 1 }] }] };
  if (!path.startsWith('bill.lines')) return body;
  return { ...body, bill: { amount: 5_000, lines: [{ plu: 'N001', quantity: 1, unitPrice: 5_000 }] } };
}

/** The answer without what the request said, and what is new or counted with every request. */
function tellingOf(text: string, status: number, id: string): string {
  const same = text.replace(/"requestId":"[^"]*"/, '').replaceAll(id, '…');
  if (status !== 200) return same;
  return JSON.stringify(JSON.parse(same), (name, value) =>
    name === 'voucherCode' || (typeof value === 'string' && value.length > 30) ? '#' : value,
  ).replaceAll(/[\s\d.,:-]+/g, '#');
}

async function expectNobodys(one: Asked, key: string, storeCode: string | undefined, id: string, canaries: string[]) {
  const unknown = idOfNobody(id);
  const reference = await performCall(api, key, await callWith(one, storeCode, unknown));
  const answer = await performCall(api, key, await callWith(one, storeCode, id));
  expect(answer.status, answer.text).toBe(reference.status);
  expect(tellingOf(answer.text, answer.status, id)).toBe(tellingOf(reference.text, reference.status, unknown));
  expect([...answer.headers.keys()].sort()).toEqual([...reference.headers.keys()].sort());
  const said = answer.text.replaceAll(id, '…');
  expect(canaries.filter((canary) => said.includes(canary))).toEqual([]);
}

function newIdFor({ field, what }: Asked, stage: FullStage, store: TestStore): Promise<string> {
  const make = newId[field.name];
  if (!make) throw new Error(`${what} is an id that the test does not know`);
  return make(stage, store);
}

const ofStores = ['transactionId', 'transactionIds', 'billId', 'qrCodeId', 'orderId', 'paymentId', 'storeCode'];

describe.each(asked)('$what', (one) => {
  test('another merchant’s, by a key of a store and by a merchant-wide key', async () => {
    // A transaction id that was used once is told of by itself.
    const [store] = other.merchant.stores;
    const [first, second] = [await newIdFor(one, other, store), await newIdFor(one, other, store)];
    const theirs = await keptOf(other);
    const canaries = canariesOf(theirs, ownRows, 'Zanzibar');
    await expectNobodys(one, own.key, undefined, first, canaries);
    await expectNobodys(one, own.merchant.key, own.merchant.stores[0].storeCode, second, canaries);
    expect(await keptOf(other)).toEqual(theirs);
  });

  if (!ofStores.includes(one.field.name)) return;
  test('another store’s, by a key of a store', async () => {
    await expectNobodys(one, own.key, undefined, await newIdFor(one, own, own.merchant.stores[1]), []);
  });
});

test('the calls are good ones', async () => {
  for (const entry of documented) {
    const { status, text } = await performCall(api, own.key, await goodCall(entry, undefined));
    expect(status, `${entry.operation.operationId}: ${text}`).toBe(200);
  }
});
