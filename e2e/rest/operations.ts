/** A valid call of every operation, for the suites that hold all of them to the same rules. */
import type { Method } from '@/server/rest/endpoints';
import { createFixedPackage, type createMerchant, createTopUpRequest } from '@/server/testing/factory';
import { type Answer, type Api, createScene, newTransactionId, type Scene } from './harness';

export interface Call {
  method: Method;
  path: string;
  body?: Record<string, unknown>;
  /** Of an operation that a till's keys can't call: the key to send in place of each of the stage's. */
  keys?: Map<string, string>;
}

export interface Stage extends Scene {
  packageId: string;
  /** A completed top-up of 100.00, with 20.00 on top, at the first store. */
  transactionId: string;
  /** Of a top-up that the customer is to pay at a counter. */
  counterCode: string;
}

/** A merchant with a package, and a customer who topped up once. */
export const createStage = async (api: Api, settings: Parameters<typeof createMerchant>[1] = {}): Promise<Stage> =>
  setStage(api, await createScene(api, settings));

/** The same for a merchant and a customer who are there already. */
export async function setStage(api: Api, scene: Scene): Promise<Stage> {
  const packageId = await createFixedPackage(api.owner, scene.merchant.id, { amount: 10_000, bonus: 2_000 });
  const transactionId = newTransactionId();
  const ordered = { customerId: scene.customer.id, packageId };
  const counterCode = await createTopUpRequest(api.owner, scene.merchant.id, ordered);
  const stage = { ...scene, packageId, transactionId, counterCode };
  const answer = await performCall(api, scene.key, {
    method: 'POST',
    path: '/transactions/stored-value/top-up',
    body: { transactionId, customer: { customerId: scene.customer.id }, packageId },
  });
  if (answer.status !== 200) throw new Error(`the stage is not set: ${answer.text}`);
  return stage;
}

const senders = { POST: 'post', PUT: 'put', PATCH: 'patch' } as const;

/** The key that a call is sent with: other keys than the stage's stay, such as those that are to be refused. */
export const keyOf = ({ keys }: Call, key: string): string => keys?.get(key) ?? key;

export function performCall(api: Api, givenKey: string | undefined, call: Call): Promise<Answer> {
  const { method, path, body } = call;
  const key = givenKey === undefined ? undefined : keyOf(call, givenKey);
  return method === 'GET' ? api.get(key, path) : api[senders[method]](key, path, body);
}

const query = (storeCode: string | undefined) => (storeCode === undefined ? '' : `?storeCode=${storeCode}`);
const post = (path: string, body: Record<string, unknown>, storeCode: string | undefined): Call => ({
  method: 'POST',
  path,
  body: { ...body, ...(storeCode === undefined ? {} : { storeCode }) },
});

type CallMaker = (stage: Stage, storeCode?: string) => Call;

/** Those that work at a store; with a key that is bound to one, `storeCode` may be left out. */
export const operationsAtStore: Record<string, CallMaker> = {
  getCustomerBalancesByPhone: ({ customer }, storeCode) => ({
    method: 'GET',
    path: `/customers/phone/${encodeURIComponent(customer.phone)}/balances${query(storeCode)}`,
  }),
  getCustomerBalancesByEmail: ({ customer }, storeCode) => ({
    method: 'GET',
    path: `/customers/email/${encodeURIComponent(customer.email)}/balances${query(storeCode)}`,
  }),
  listStoredValuePackages: ({ merchant }, storeCode = merchant.stores[0].storeCode) => ({
    method: 'GET',
    path: `/stores/${encodeURIComponent(storeCode)}/stored-value-packages`,
  }),
  topUpStoredValue: ({ customer, packageId }, storeCode) =>
    post(
      '/transactions/stored-value/top-up',
      { transactionId: newTransactionId(), customer: { customerId: customer.id }, packageId },
      storeCode,
    ),
  redeemStoredValue: ({ customer }, storeCode) =>
    post(
      '/transactions/stored-value/redeem',
      { transactionId: newTransactionId(), customer: { customerId: customer.id }, amount: 10 },
      storeCode,
    ),
  cashOutStoredValue: ({ customer }, storeCode) =>
    post(
      '/transactions/stored-value/cash-out',
      { transactionId: newTransactionId(), customer: { customerId: customer.id }, amount: 10 },
      storeCode,
    ),
  voidTransactions: (_, storeCode) => post('/transactions/void', { transactionIds: [newTransactionId()] }, storeCode),
  getTransaction: ({ transactionId }, storeCode) => ({
    method: 'GET',
    path: `/transactions/${transactionId}${query(storeCode)}`,
  }),
};

/** Operations that are not held to the common rules here: their own suites see to them. */
export const withOwnRules = [
  'beginSettling',
  'closeBill',
  'createWebhookEndpoint',
  'deleteWebhookEndpoint',
  'forgetPin',
  'generateQrCode',
  'getBill',
  'getQrCode',
  'invalidateQrCode',
  'listEvents',
  'listOrders',
  'listStockOuts',
  'listWebhookEndpoints',
  'placeSandboxOrder',
  'putBill',
  'redeemPoints',
  'redeemVoucher',
  'refundBillPayment',
  'releaseBillPayment',
  'reopenBill',
  'restoreStock',
  'rotateWebhookSecret',
  'setOrderStatus',
  'stockOut',
  'submitSale',
  'testWebhookEndpoint',
  'updateCustomer',
  'updateWebhookEndpoint',
  'voidBill',
];

let serial = 0;

/** All of them. */
export const operations: Record<string, CallMaker> = {
  ping: () => ({ method: 'GET', path: '/ping' }),
  enrolCustomer: () => post('/customers', { givenName: 'Ada', lastName: 'Tan', email: newEmail() }, undefined),
  getTopUpRequest: ({ counterCode }) => ({ method: 'GET', path: `/top-up-requests/${counterCode}` }),
  ...operationsAtStore,
};

/** An email address that is not in use. */
export const newEmail = () => `new${process.pid}-${Date.now()}-${++serial}@example.com`;
