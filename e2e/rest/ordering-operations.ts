/** A valid call of every operation of vouchers, points, sales, PINs, QR ordering and stock-outs; and of every one there is. */

import { newId } from '@/server/domain/kernel/ids';
import type { createMerchant } from '@/server/testing/factory';
import { createCampaign, createMenu, createOrder, createVoucher } from '@/server/testing/factory-ordering';
import { type Api, createScene, newTransactionId, type Scene } from './harness';
import { type Call, operations, performCall, type Stage, setStage } from './operations';
import { harmlessSandboxOperations, sandboxOperations } from './sandbox-operations';
import { webhookOperations } from './webhook-operations';

export interface OrderingStage extends Scene {
  campaignId: string;
  /** Of a code of bill `B-open` at the first store. */
  qrCodeId: string;
  orderId: string;
  /** A completed sale, at the first store, that earned 1,000 points. */
  saleId: string;
}

/** A sale of two bowls at 8.90, with service charge and tax. */
export const saleBody = (rest: Record<string, unknown> = {}) => ({
  transactionId: newTransactionId(),
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 890, amount: 1_780 }],
  subtotal: 1_780,
  discount: 0,
  serviceCharge: 178,
  tax: 176,
  rounding: 1,
  total: 2_135,
  payments: [{ method: 'visa', amount: 2_135 }],
  closedAt: new Date(Date.now() - 60_000).toISOString(),
  ...rest,
});

/** A sale of goods alone. */
export const plainSale = (subtotal: number, rest: Record<string, unknown> = {}) =>
  saleBody({
    lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: subtotal, amount: subtotal }],
    subtotal,
    serviceCharge: 0,
    tax: 0,
    rounding: 0,
    total: subtotal,
    payments: [{ method: 'cash', amount: subtotal }],
    ...rest,
  });

export async function createOrderingStage(
  api: Api,
  settings: Parameters<typeof createMerchant>[1] = {},
): Promise<OrderingStage> {
  const scene = await createScene(api, settings);
  const { merchant, customer, key } = scene;
  await createMenu(api.owner, merchant.id);
  const campaignId = await createCampaign(api.owner, merchant.id);
  const must = async (path: string, body: object) => {
    const answer = await performCall(api, key, { method: 'POST', path, body: body as Record<string, unknown> });
    if (answer.status !== 200) throw new Error(`the stage is not set: ${answer.text}`);
    return answer.body;
  };
  const sale = await must('/sales', plainSale(100_000, { customer: { customerId: customer.id } }));
  const { qrCodeId } = await must('/qr-codes', { billId: 'B-open', table: '12', guests: 4 });
  const { orderId } = await createOrder(api.db, merchant.id, { qrCodeId });
  return { ...scene, campaignId, qrCodeId, orderId, saleId: sale.transactionId };
}

const post = (path: string, body: Record<string, unknown>, storeCode: string | undefined): Call => ({
  method: 'POST',
  path,
  body: { ...body, ...(storeCode === undefined ? {} : { storeCode }) },
});
const get = (path: string, storeCode: string | undefined): Call => ({
  method: 'GET',
  path: storeCode === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}storeCode=${storeCode}`,
});

/** An open bill of two bowls at 8.90, with service charge and tax. */
export const billBody = (rest: Record<string, unknown> = {}) => ({
  revision: 1,
  table: '12',
  currency: 'SGD',
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 2, unitPrice: 890, amount: 1_780 }],
  subtotal: 1_780,
  discount: 0,
  serviceCharge: 178,
  tax: 176,
  rounding: 1,
  total: 2_135,
  ...rest,
});

/** A bill of one amount. */
export const plainBill = (total: number, rest: Record<string, unknown> = {}) =>
  billBody({
    lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: total, amount: total }],
    subtotal: total,
    serviceCharge: 0,
    tax: 0,
    rounding: 0,
    total,
    ...rest,
  });

/** A bill in the merchant's currency. */
async function bodyFor(api: Api, merchantId: string) {
  const [row] = await api.owner`select currency from merchants where id = ${merchantId}`;
  return billBody({ currency: row?.currency });
}

/** Sends a new bill of a key's store, the first one's. */
export async function openBill(
  api: Api,
  { merchant }: Pick<OrderingStage, 'merchant'>,
  key = merchant.stores[0].key,
): Promise<string> {
  const billId = newTransactionId();
  const answer = await api.put(key, `/bills/${billId}`, await bodyFor(api, merchant.id));
  if (answer.status !== 200) throw new Error(`there is no bill: ${answer.text}`);
  return billId;
}

type Maker = (api: Api, stage: OrderingStage, storeCode?: string) => Promise<Call>;

/** Those with a `transactionId`. */
export const orderingTransactions: Record<string, Maker> = {
  redeemVoucher: async (api, { merchant, customer, campaignId }, storeCode) => {
    const voucherCode = await createVoucher(api.owner, merchant.id, { campaignId, customerId: customer.id });
    const body = { transactionId: newTransactionId(), customer: { customerId: customer.id }, voucherCode };
    return post('/transactions/voucher/redeem', { ...body, bill: { amount: 5_000 } }, storeCode);
  },
  redeemPoints: async (_, { customer }, storeCode) => {
    const body = { transactionId: newTransactionId(), customer: { customerId: customer.id }, points: 10 };
    return post('/transactions/points/redeem', body, storeCode);
  },
  submitSale: async (_, { customer }, storeCode) =>
    post('/sales', saleBody({ customer: { customerId: customer.id } }), storeCode),
};

/** Those that work at a store; with a key that is bound to one, `storeCode` may be left out. */
export const orderingAtStore: Record<string, Maker> = {
  ...orderingTransactions,
  generateQrCode: async (_, __, storeCode) => post('/qr-codes', { billId: newTransactionId() }, storeCode),
  invalidateQrCode: async (_, { qrCodeId }, storeCode) => post('/qr-codes/invalidate', { qrCodeId }, storeCode),
  getQrCode: async (_, { qrCodeId }, storeCode) => get(`/qr-codes/${qrCodeId}`, storeCode),
  listEvents: async (_, __, storeCode) => get('/events', storeCode),
  listOrders: async (_, __, storeCode) => get('/orders', storeCode),
  setOrderStatus: async (_, { orderId }, storeCode) =>
    post(`/orders/${orderId}/status`, { status: 'accepted' }, storeCode),
  putBill: async (api, { merchant }, storeCode) => ({
    ...post(`/bills/${newTransactionId()}`, await bodyFor(api, merchant.id), storeCode),
    method: 'PUT',
  }),
  getBill: async (api, stage, storeCode) => get(`/bills/${await openBill(api, stage)}`, storeCode),
  closeBill: async (api, stage, storeCode) => post(`/bills/${await openBill(api, stage)}/close`, {}, storeCode),
  beginSettling: async (api, stage, storeCode) => post(`/bills/${await openBill(api, stage)}/settling`, {}, storeCode),
  reopenBill: async (api, stage, storeCode) => {
    const billId = await openBill(api, stage);
    await api.post(stage.merchant.stores[0].key, `/bills/${billId}/close`, {});
    return post(`/bills/${billId}/reopen`, {}, storeCode);
  },
  voidBill: async (api, stage, storeCode) => post(`/bills/${await openBill(api, stage)}/void`, {}, storeCode),
  refundBillPayment: async (api, stage, storeCode) => {
    const billId = await openBill(api, stage);
    return post(`/bills/${billId}/payments/${await payOnBill(api, stage, billId, 100)}/refund`, {}, storeCode);
  },
  releaseBillPayment: async (api, stage, storeCode) => {
    const billId = await openBill(api, stage);
    const paymentId = await payOnBill(api, stage, billId, 100);
    await api.owner`
      update bill_payments set state = 'held', kept_amount = 0, taken_at = null, held_until = now() + interval '9 minutes'
      where id = ${paymentId}`;
    return post(`/bills/${billId}/payments/${paymentId}/release`, {}, storeCode);
  },
  placeSandboxOrder: async (_, __, storeCode) =>
    post('/sandbox/orders', { billId: newTransactionId(), lines: [{ plu: 'D001' }] }, storeCode),
  stockOut: async (_, __, storeCode) => post('/stock-outs', { plus: ['N001'] }, storeCode),
  restoreStock: async (_, __, storeCode) => post('/stock-outs/restore', { plus: ['N001'] }, storeCode),
  listStockOuts: async (_, __, storeCode) => get('/stock-outs', storeCode),
};

/** A payment of a bill by card, as the payment service has reported it. Returns its id. */
export async function payOnBill(
  { owner }: Api,
  { merchant }: Pick<FullStage, 'merchant'>,
  billId: string,
  amount: number,
  tip = 0,
): Promise<string> {
  const paymentId = newId();
  await owner`
    with paid as (
      update bills set paid_amount = paid_amount + ${amount}, limit_amount = limit_amount + ${amount}
      where merchant_id = ${merchant.id} and bill_id = ${billId} returning id)
    insert into bill_payments
      (merchant_id, id, bill_uid, state, amount, tip, kept_amount, kept_tip, held_until, taken_at, checkout_ended)
    select ${merchant.id}, ${paymentId}, id, 'taken', ${amount}, ${tip}, ${amount}, ${tip}, now(), now(), true from paid`;
  return paymentId;
}

/** All of them. */
export const orderingOperations: Record<string, Maker> = {
  ...orderingAtStore,
  forgetPin: async (_, { customer }) =>
    post('/customers/forget-pin', { customer: { customerId: customer.id } }, undefined),
  updateCustomer: async (_, { customer }) => ({
    method: 'PATCH',
    path: `/customers/${customer.id}`,
    body: { birthday: '1990-05-17' },
  }),
  ...webhookOperations,
};

export type FullStage = Stage & OrderingStage;

/** For the calls of every operation there is. */
export async function createFullStage(api: Api): Promise<FullStage> {
  const stage = await createOrderingStage(api);
  return { ...stage, ...(await setStage(api, stage)) };
}

/** Every one but that which resets the data. */
export const everyOperation = Object.keys({ ...operations, ...orderingOperations, ...harmlessSandboxOperations });

/** A valid call of any of them. */
export async function callOf(api: Api, operation: string, stage: FullStage, storeCode?: string): Promise<Call> {
  const call =
    operations[operation]?.(stage, storeCode) ??
    (await orderingOperations[operation]?.(api, stage, storeCode)) ??
    sandboxOperations[operation];
  if (!call) throw new Error(`there is no call of ${operation}`);
  return call;
}
