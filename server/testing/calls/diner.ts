/** Procedures that diners' phones call: at a table, to sign in, and about their account. */
import type { DinerCookie } from '@/server/auth/diner-cookie';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { putBill } from '@/server/domain/bills/put';
import { settleBillPayment } from '@/server/domain/bills/settle';
import { newCardToken } from '@/server/domain/floor/card-token';
import { newId } from '@/server/domain/kernel/ids';
import { findCode, placeTableOrder } from '@/server/domain/qr-ordering';
import { generateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { settleTopUp } from '@/server/domain/top-ups/settle';
import { createCallerFactory } from '@/server/trpc/diner/init';
import { dinerRouter } from '@/server/trpc/diner/router';
import { billOf } from '../bill-payments';
import { codesSentTo, openPhone } from '../diners';
import { createCampaign, createVoucher } from '../factory-ordering';
import { laksaBill, phoneAt } from '../table-bill';
import { type CallScene, type Calls, expectRefusal, runInSequence } from './scene';

const createCaller = createCallerFactory(dinerRouter);
const noSession: DinerCookie = {
  read: () => null,
  write: () => {},
  clear: () => {},
  device: { read: () => undefined, write: () => {} },
};
const kopi = { plu: 'D001', quantity: 2, unitPrice: 180 };

/** Opens a code at a table, with a phone that has scanned it. */
export async function openTable({ services, merchant, ordering }: CallScene) {
  const till = await authenticateKey(services, ordering.key);
  const billId = `bill-${++serial}`;
  const { qrCodeId, url } = await generateQrCode(till, { billId, table: '12' });
  const tableToken = url.split('/q/')[1] ?? '';
  const visit = { token: tableToken, client: '192.0.2.1' };
  const caller = createCaller({ services, client: '192.0.2.1', tableToken, merchantId: null, session: noSession });
  return { qrCodeId, visit, merchant, till, billId, table: caller.table, bill: caller.bill };
}

/** Opens a table with the bill that its till has sent, and a payment by the phone. */
async function openBill(scene: CallScene) {
  const opened = await openTable(scene);
  await putBill(opened.till, billOf(opened.billId, 1_000));
  const asked = { paymentId: newId(), guestId: newId() };
  return { ...opened, asked, wish: { ...asked, amount: 1_000, tip: 0 } };
}

/** Creates a customer with value and a voucher, whose phone is at a table with an open bill. */
async function eaterOf(scene: CallScene) {
  const { services, merchant, topUp, sql, ordering } = scene;
  const customer = await scene.newCustomer();
  await topUp({ customer: { customerId: customer.id } });
  const campaignId = await createCampaign(sql, merchant.id);
  const voucherCode = await createVoucher(sql, merchant.id, { campaignId, customerId: customer.id });
  const till = await authenticateKey(services, ordering.key);
  const billId = newId();
  const { url } = await generateQrCode(till, { billId, table: '12' });
  await putBill(till, laksaBill(billId));
  const { bill, cart } = await phoneAt(services, { merchant, token: url.split('/q/')[1] ?? '' }, customer);
  return {
    bill,
    cart,
    voucherCode,
    redeem: () => bill.redeem({ kind: 'storedValue', amount: 100, requestId: newId() }),
  };
}

/** Opens a table with a bill, and a phone that has its card. */
export async function openCard(scene: CallScene) {
  const { services, call, storeId } = scene;
  await openTable(scene);
  const { tables } = await call.tables.list({ storeId });
  const table = tables.find(({ name }) => name === '12');
  const id = table?.tableId ?? (await call.tables.add({ storeId, names: '12' })).tableIds[0] ?? '';
  const tableToken = newCardToken(services.tokenKey, { id, cardNumber: 1 });
  const visit = { token: tableToken, client: '192.0.2.1' };
  const caller = createCaller({ services, client: '192.0.2.1', tableToken, merchantId: null, session: noSession });
  return { visit, card: caller.card };
}

/** Opens a table without a bill, and a phone that has its card. */
export async function openQuietCard({ services, call, storeId }: CallScene) {
  const id = (await call.tables.add({ storeId, names: newId().slice(-8) })).tableIds[0] ?? '';
  const tableToken = newCardToken(services.tokenKey, { id, cardNumber: 1 });
  const caller = createCaller({ services, client: '192.0.2.1', tableToken, merchantId: null, session: noSession });
  return { visit: { token: tableToken, client: '192.0.2.1' }, card: caller.card };
}

/** Opens a table whose guests have sent their first order by its card. */
export async function orderByCard(scene: CallScene) {
  await scene.call.settings.changeOrdering({ tableCardPage: 'bill' });
  const { card } = await openQuietCard(scene);
  const visit = { token: (await card.start()).path.slice('/q/'.length), client: '192.0.2.1' };
  const { orderId } = await placeTableOrder(scene.services, visit, { clientOrderId: newId(), lines: [kopi] });
  const qrCodeId = (await findCode(scene.services, visit))?.qrCodeId ?? '';
  return { qrCodeId, orderId, visit };
}

let serial = 0;
const newNumber = () => `+659${2_000_000 + ++serial}`;

/** Opens a phone that has received its code. */
async function knownPhone({ services, sql, merchant }: CallScene) {
  const phone = newNumber();
  const { api } = openPhone(services, merchant.id, `192.0.2.${++serial % 250}`);
  await api.identity.requestCode({ phone });
  return { api, phone, code: (await codesSentTo(sql, services, phone)).at(-1) ?? '' };
}

async function signedIn(scene: CallScene) {
  const { api, phone, code } = await knownPhone(scene);
  await api.identity.verifyCode({ phone, code });
  return { api, phone };
}

const ada = { givenName: 'Ada', lastName: 'Lim', email: null, birthday: null, consent: true as const };

/** Creates a diner who has joined with such a phone. */
async function member(scene: CallScene) {
  const { api } = await signedIn(scene);
  await api.identity.join(ada);
  return api;
}

async function begun(scene: CallScene, method: 'card' | 'counter') {
  const { topUps } = await member(scene);
  const wish = { requestKey: newId(), packageId: scene.packageId, method };
  const asked = await topUps.begin(wish);
  return { topUps, wish, asked: { topUpRequestId: asked.topUpRequestId } };
}

/** Creates a credited top-up paid by card. `told` is the payment service's report of a change. */
export async function paidByCard(scene: CallScene) {
  const { stripe } = scene;
  const { topUps, asked } = await begun(scene, 'card');
  const session = [...stripe.sessions.keys()].at(-1) as string;
  stripe.pay(session);
  await topUps.check(asked);
  const told = () => settleTopUp(scene.services, { merchantId: scene.merchant.id, ...asked });
  return { ...asked, session, told };
}

/** Pays by card on a bill. Returns the payment's id. */
/** Holds an amount of a bill with a phone. Returns the payment's id. */
export async function heldOnBill(scene: CallScene): Promise<string> {
  const { bill, wish, asked } = await openBill(scene);
  await bill.pay(wish);
  return asked.paymentId;
}

export async function paidOnBill(scene: CallScene): Promise<string> {
  const { bill, wish, asked } = await openBill(scene);
  await bill.pay(wish);
  const { stripe } = scene;
  stripe.pay([...stripe.sessions.keys()].at(-1) as string);
  await bill.payment(asked);
  return asked.paymentId;
}

export const dinerCalls: Calls = {
  'table.get': async (scene) => {
    const { table } = await openTable(scene);
    await table.get({ language: 'zh', guestId: newId() });
  },
  'table.placeOrder': async (scene) => {
    const { table } = await openTable(scene);
    const order = { clientOrderId: newId(), guestId: newId(), guestName: 'Mei', lines: [kopi] };
    await table.placeOrder(order);
    await table.placeOrder(order);
    await expectRefusal(table.placeOrder({ clientOrderId: newId(), lines: [{ ...kopi, unitPrice: 1 }] }));
  },
  'table.callStaff': async (scene) => {
    const { table } = await openTable(scene);
    for (const kind of ['staff', 'bill', 'bill'] as const) await table.callStaff({ kind });
    await table.get({ language: null });
  },
  'table.withdrawCall': async (scene) => {
    const { table } = await openTable(scene);
    await table.callStaff({ kind: 'bill' });
    await table.withdrawCall({ kind: 'bill' });
  },
  'table.changes': async (scene) => {
    const { table } = await openTable(scene);
    const changes = (await table.changes())[Symbol.asyncIterator]();
    await changes.next();
    await changes.return?.();
  },
  'bill.offers': async (scene) => void (await (await eaterOf(scene)).bill.offers({ language: 'zh' })),
  'bill.redeem': async (scene) => {
    const { bill, voucherCode, redeem } = await eaterOf(scene);
    await redeem();
    await bill.redeem({ kind: 'voucher', voucherCode, amount: 1, requestId: newId() });
    await expectRefusal(bill.redeem({ kind: 'points', points: 1_000_000, requestId: newId() }));
  },
  'bill.sendsReceipt': async (scene) => void (await (await eaterOf(scene)).bill.sendsReceipt()),
  'bill.sendReceipt': async (scene) => {
    const { bill } = await eaterOf(scene);
    await scene.sql`update merchants set notice_kinds = notice_kinds || '{bill-receipt}' where id = ${scene.merchant.id}`;
    await bill.sendReceipt();
  },
  'bill.takeBack': async (scene) => {
    const { bill, redeem } = await eaterOf(scene);
    await bill.takeBack({ transactionId: (await redeem()).transactionId });
  },
  'bill.get': async (scene) => {
    const { bill } = await openBill(scene);
    await bill.get({ guestId: newId() });
  },
  'bill.pay': async (scene) => {
    const { bill, wish, merchant } = await openBill(scene);
    await bill.pay(wish);
    await bill.pay(wish);
    const { stripe, services } = scene;
    stripe.pay([...stripe.sessions.keys()].at(-1) as string);
    await settleBillPayment(services, { merchantId: merchant.id, billPaymentId: wish.paymentId });
    await expectRefusal(bill.pay({ ...wish, paymentId: newId() }));
  },
  'bill.payment': async (scene) => {
    const { bill, wish, asked } = await openBill(scene);
    await bill.pay(wish);
    await bill.payment(asked);
  },
  'bill.cancelPayment': async (scene) => {
    const { bill, wish, asked } = await openBill(scene);
    await bill.pay(wish);
    await bill.cancelPayment(asked);
  },
  'cart.benefits': async (scene) => void (await (await eaterOf(scene)).cart.benefits({ lines: [kopi] })),
  'card.bill': async (scene) => {
    const { card } = await openCard(scene);
    await card.bill();
  },
  'card.callStaff': async (scene) => {
    const { card } = await openQuietCard(scene);
    await card.callStaff();
  },
  'card.start': async (scene) => {
    const { card } = await openQuietCard(scene);
    await scene.call.settings.changeOrdering({ tableCardPage: 'bill' });
    await card.start();
    await card.start();
    await scene.call.settings.changeOrdering({ tableCardPage: 'menu' });
    await expectRefusal((await openQuietCard(scene)).card.start());
  },
  'identity.me': async (scene) => void (await (await signedIn(scene)).api.identity.me()),
  'identity.requestCode': async (scene) => {
    const { api, phone } = await knownPhone(scene);
    await api.identity.requestCode({ phone });
    // Looks up whether customers have numbers of that country.
    await expectRefusal(api.identity.requestCode({ phone: '+447400123456' }));
  },
  'identity.verifyCode': async (scene) => {
    const { api, phone, code } = await knownPhone(scene);
    await expectRefusal(api.identity.verifyCode({ phone, code: code === '000000' ? '111111' : '000000' }));
    await api.identity.verifyCode({ phone, code });
  },
  'identity.join': async (scene) => void (await member(scene)),
  'identity.signOut': async (scene) => (await signedIn(scene)).api.identity.signOut(),
  'account.get': async (scene) => (await member(scene)).account.get(),
  'account.history': async (scene) => {
    const { account } = await member(scene);
    await account.history({});
  },
  'account.requestPinCode': async (scene) => (await member(scene)).account.requestPinCode(),
  'account.setMessages': async (scene) => {
    const { account } = await member(scene);
    await runInSequence(...[false, true].map((wantsMessages) => () => account.setMessages({ wantsMessages })));
  },
  'account.setName': async (scene) => {
    const { account } = await member(scene);
    await account.setName({ givenName: 'Ada', lastName: 'Lim' });
  },
  'account.setPin': async (scene) => {
    const { account } = await member(scene);
    await account.setPin({ pin: '4831' });
    await expectRefusal(account.setPin({ pin: '4832', oldPin: '9999' }));
    await account.setPin({ pin: '4832', oldPin: '4831' });
  },
  'topUps.packages': async (scene) => (await member(scene)).topUps.packages(),
  'topUps.begin': async (scene) => {
    for (const method of ['card', 'counter'] as const) {
      const { topUps, wish } = await begun(scene, method);
      await topUps.begin(wish);
      await expectRefusal(topUps.begin({ ...wish, requestKey: newId(), packageId: newId() }));
    }
  },
  'topUps.get': async (scene) => {
    const { topUps, asked } = await begun(scene, 'counter');
    await topUps.get(asked);
  },
  'topUps.check': async (scene) => void (await paidByCard(scene)),
  'topUps.cancel': async (scene) => {
    for (const method of ['card', 'counter'] as const) {
      const { topUps, asked } = await begun(scene, method);
      await topUps.cancel(asked);
    }
  },
};
