/** The REST API's operations: successful, repeated, and refused because of the current state. */
import { newTransactionId } from '@/e2e/rest/harness';
import { type Call, operations, performCall } from '@/e2e/rest/operations';
import { orderingOperations, plainBill, plainSale } from '@/e2e/rest/ordering-operations';
import { harmlessSandboxOperations, sandboxOperations } from '@/e2e/rest/sandbox-operations';
import { newId } from '@/server/domain/kernel/ids';
import { createMerchant } from '../factory';
import { createVoucher } from '../factory-ordering';
import type { CallScene, Calls } from './scene';

/** Further calls of an operation, besides its plain success. */
const more: Calls = {
  topUpStoredValue: async ({ customer, packageId, stage, topUp, must, mustRefuse }) => {
    const same = { transactionId: newTransactionId() };
    await topUp(same);
    await topUp(same);
    await mustRefuse(topUp({ ...same, receiptNumber: '1' }));
    await topUp({ counterCode: stage.counterCode });
    await must({ method: 'GET', path: `/transactions/${same.transactionId}` });
    await mustRefuse(topUp({ customer: { phone: '+6581239999' } }));
    await mustRefuse(topUp({ packageId: customer.id }));
    await topUp({ customer: { email: customer.email }, packageId });
  },
  redeemStoredValue: async ({ customer, post, mustRefuse }) => {
    const body = { transactionId: newTransactionId(), customer: { customerId: customer.id }, amount: 99_999_999 };
    const redeem = () => post('/transactions/stored-value/redeem', body);
    await mustRefuse(redeem());
    await mustRefuse(redeem());
  },
  cashOutStoredValue: async ({ customer, post, mustRefuse }) => {
    const body = { transactionId: newTransactionId(), customer: { customerId: customer.id }, amount: 99_999_999 };
    const pay = () => post('/transactions/stored-value/cash-out', body);
    await mustRefuse(pay());
    await mustRefuse(pay());
  },
  redeemVoucher: async ({ sql, merchant, customer, ordering: { campaignId }, post, mustRefuse }) => {
    const customerId = customer.id;
    const voucherCode = await createVoucher(sql, merchant.id, { campaignId, customerId });
    const redeem = (rest: object = {}) =>
      post('/transactions/voucher/redeem', {
        transactionId: newTransactionId(),
        customer: { customerId },
        voucherCode,
        billId: 'B-1',
        bill: { amount: 5_000 },
        ...rest,
      });
    await redeem({ dryRun: true });
    await redeem();
    await mustRefuse(redeem());
    const second = await createVoucher(sql, merchant.id, { campaignId, customerId });
    await mustRefuse(redeem({ voucherCode: second }));
  },
  redeemPoints: ({ customer, post, mustRefuse }) => {
    const customerId = customer.id;
    const body = { transactionId: newTransactionId(), customer: { customerId }, points: 9_999_999 };
    return mustRefuse(post('/transactions/points/redeem', body));
  },
  submitSale: async ({ sql, merchant, post }) => {
    await post('/sales', plainSale(1_000));
    await sql`update merchants set enrol_on_sale = true where id = ${merchant.id}`;
    await post('/sales', plainSale(1_000, { customer: { phone: '+6581230077' } }));
  },
  voidTransactions: async ({ sql, merchant, customer: { id: customerId }, newCustomer, topUp, post, mustRefuse }) => {
    const [transactionId, saleId] = [newTransactionId(), newTransactionId()];
    await topUp({ transactionId });
    const voidAll = (...transactionIds: string[]) => post('/transactions/void', { transactionIds });
    await voidAll(transactionId);
    await voidAll(transactionId);
    await mustRefuse(topUp({ transactionId }));
    await post('/sales', plainSale(100_000, { transactionId: saleId, customer: { customerId } }));
    await voidAll(saleId, newTransactionId());
    // Points that had expired come back for some days.
    const [redemptionId, late] = [newTransactionId(), { customerId: (await newCustomer()).id }];
    await post('/sales', plainSale(100_000, { transactionId: newTransactionId(), customer: late }));
    await post('/transactions/points/redeem', { transactionId: redemptionId, customer: late, points: 100 });
    await sql`update lots set expires_at = now() - interval '1 second' where customer_id = ${late.customerId}`;
    await sql`update merchants set returned_value_days = 7 where id = ${merchant.id}`;
    await voidAll(redemptionId);
    await sql`update merchants set returned_value_days = null where id = ${merchant.id}`;
  },
  generateQrCode: async ({ post }) => {
    await post('/qr-codes', { billId: 'B-again', table: '7' });
    await post('/qr-codes', { billId: 'B-again', table: '7' });
  },
  invalidateQrCode: ({ post }) => post('/qr-codes/invalidate', { billId: 'B-again' }),
  listOrders: async ({ must }) => {
    for (const status of ['placed', 'accepted', 'ready', 'served', 'cancelled']) {
      await must({ method: 'GET', path: `/orders?status=${status}&limit=1` });
    }
  },
  stockOut: ({ post }) => post('/stock-outs', { plus: ['N001', 'X-1'], until: '2999-01-01T00:00:00Z' }),
  putBill: async ({ merchant, customer: { id: customerId }, storeId, topUp, must, post, mustRefuse, sql }) => {
    const bill = { method: 'PUT' as const, path: '/bills/B-put' };
    const transaction = () => ({ transactionId: newTransactionId(), customer: { customerId }, billId: 'B-put' });
    await topUp({});
    await post('/transactions/stored-value/redeem', { ...transaction(), amount: 10 });
    await must({ ...bill, body: plainBill(1_000) });
    await must({ ...bill, body: plainBill(1_000) });
    await must({ ...bill, body: plainBill(2_000, { revision: 2 }) });
    await mustRefuse(must({ ...bill, body: plainBill(2_000) }));
    const redemption = { ...transaction(), amount: 20 };
    await post('/transactions/stored-value/redeem', redemption);
    await mustRefuse(post('/transactions/stored-value/redeem', { ...transaction(), amount: 5_000 }));
    await post('/transactions/void', { transactionIds: [redemption.transactionId] });
    const [{ id = '' } = {}] = await sql`
      select id from bills where merchant_id = ${merchant.id} and store_id = ${storeId} and bill_id = 'B-put'`;
    const row = {
      merchant_id: merchant.id,
      id: newId(),
      bill_uid: id,
      amount: 100,
      held_until: new Date(Date.now() + 60_000),
    };
    await sql`insert into bill_payments ${sql(row)}`;
    await must({ method: 'GET', path: '/bills/B-put' });
    await mustRefuse(post('/bills/B-put/void', {}));
    await post('/sales', plainSale(2_000, { billId: 'B-put' }));
  },
  releaseBillPayment: ({ post, mustRefuse }) => mustRefuse(post(`/bills/B-put/payments/${newId()}/release`, {})),
  refundBillPayment: ({ post, mustRefuse }) => mustRefuse(post(`/bills/B-put/payments/${newId()}/refund`, {})),
  listSandboxMessages: ({ must, customer: { phone } }) =>
    must({ method: 'GET', path: `/sandbox/messages?limit=1&phone=${encodeURIComponent(phone)}` }),
  forgetPin: ({ post, customer, mustRefuse }) => {
    const forget = (named: object) => post('/customers/forget-pin', { customer: named });
    return mustRefuse(forget({ phone: '+6581239998' })).then(() => forget({ email: customer.email }));
  },
  updateCustomer: async ({ customer, newCustomer, must, mustRefuse }) => {
    const { id, email } = await newCustomer('4831');
    const update = (body: Record<string, unknown>) => must({ method: 'PATCH', path: `/customers/${id}`, body });
    await update({ phone: null, pin: '4831' });
    await update({ phone: customer.phone.replace('+659', '+658'), email: null, pin: '4831' });
    await mustRefuse(update({ phone: null, pin: '0000' }));
    await mustRefuse(update({ email: customer.email }));
    await update({ email });
  },
};

/** With the PIN required: a right one, a wrong one, and a customer without one. */
async function redeemByPin({ sql, merchant, newCustomer, topUp, post, mustRefuse, customer }: CallScene) {
  await sql`update merchants set pin_required = true where id = ${merchant.id}`;
  const { id: customerId } = await newCustomer('4831');
  await topUp({ customer: { customerId } });
  const redeem = (pin: string, of = customerId) =>
    post('/transactions/stored-value/redeem', {
      transactionId: newTransactionId(),
      customer: { customerId: of },
      amount: 10,
      pin,
    });
  await redeem('4831');
  for (let guess = 0; guess < 6; guess++) await mustRefuse(redeem('0000'));
  await mustRefuse(redeem('4831', customer.id));
  await sql`update merchants set pin_required = false where id = ${merchant.id}`;
}

const plain = Object.entries(operations).map(([name, make]): [string, Calls[string]] => [
  name,
  (scene) => scene.must(make(scene.stage)),
]);
const ordering = Object.entries(orderingOperations).map(([name, make]): [string, Calls[string]] => [
  name,
  async (scene) => scene.must(await make(scene.api, scene.ordering)),
]);

const sandbox = Object.entries(harmlessSandboxOperations).map(([name, call]): [string, Calls[string]] => [
  name,
  ({ must }) => must(call),
]);

/** By operation id. */
export const posCalls: Calls = {
  // For a separate merchant, because other calls need the scene's.
  resetSandbox: async ({ api, sql }) => {
    const { key } = await createMerchant(sql);
    const { status, text } = await performCall(api, key, sandboxOperations.resetSandbox as Call);
    if (status !== 200) throw new Error(`it was not done: ${text}`);
  },
  ...Object.fromEntries(
    [...plain, ...ordering, ...sandbox].map(([name, call]) => [
      name,
      async (scene: CallScene) => {
        await call(scene);
        await more[name]?.(scene);
        if (name === 'redeemStoredValue') await redeemByPin(scene);
      },
    ]),
  ),
};
