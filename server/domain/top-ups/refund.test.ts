import { describe, expect, test } from 'vitest';
import { blockCustomer, createKey } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { redeemStoredValue } from '../stored-value/redeem';
import { previewVoid, voidByStaff } from '../transactions/void-by-staff';
import { settleOverdueTopUps } from './change';
import { acknowledgeRefund, listRefundAlerts } from './refund-alerts';
import { settleTopUp } from './settle';
import { getTopUpRequest } from './view';

const stage = topUpStage();

/** Creates a credited top-up of 100.00 and 20.00, a till of the merchant, and a manager. */
async function createScene() {
  const scene = await stage.scene();
  const { ctx, merchant, customer, beginByCard } = scene;
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  const [row] = await stage.owner`select transaction_uid from top_up_requests where id = ${asked.topUpRequestId}`;
  const till = await authenticateKey(ctx, await createKey(stage.owner, merchant.id, merchant.stores[0].id));
  const redeem = (amount: number) =>
    redeemStoredValue(till, { transactionId: newId(), customer: { customerId: customer.id }, amount });
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
  return {
    ...scene,
    asked,
    redeem,
    staff,
    uid: row?.transaction_uid as string,
    session,
    refund: (amount?: number) => stage.stripe.refund(session.id, amount),
    bounce: () => stage.stripe.failRefunds(session.id),
    travel: stage.travel,
    follow: () => settleTopUp(ctx, asked),
    view: () => getTopUpRequest(ctx, asked),
    alerts: () => listRefundAlerts(staff),
  };
}

test('a full refund reverses what was credited, once', async () => {
  const { refund, follow, view, alerts, balance, uid, staff } = await createScene();
  refund();
  await Promise.all([follow(), follow(), follow()]);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  expect(await view()).toMatchObject({ state: 'refunded', refusal: null });
  expect(await alerts()).toEqual([]);
  const detail = await callAs(staff).transactions.get({ uid });
  expect(detail).toMatchObject({ status: 'voided', store: null, void: { by: { kind: 'refund' }, reason: null } });
});

test('a refund reported before the payment leaves nothing credited', async () => {
  const { ctx, beginByCard, balance } = await stage.scene();
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  stage.stripe.refund(session.id);
  await Promise.all([settleTopUp(ctx, asked), settleTopUp(ctx, asked)]);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'refunded' });
});

test('a refund of spent value alerts staff, until one of them resolves it', async () => {
  const { redeem, refund, follow, view, alerts, balance, asked, customer, uid, staff } = await createScene();
  await redeem(500);
  refund();
  await Promise.all([follow(), follow()]);
  expect(await view()).toMatchObject({ state: 'credited' });
  expect(await balance()).toEqual({ principal: 10_000, bonus: 1_500 });
  const alert = {
    topUpRequestId: asked.topUpRequestId,
    customerId: customer.id,
    customerName: 'Ada Tester',
    transactionUid: uid,
    amount: 10_000,
    refunded: 10_000,
    isOwed: false,
  };
  expect(await alerts()).toEqual([alert]);
  await follow();
  expect((await alerts()).length).toBe(1);
  const stranger = await createScene();
  await expect(acknowledgeRefund(stranger.staff, asked)).rejects.toMatchObject({ code: 'top_up_request_not_found' });
  await acknowledgeRefund(staff, asked);
  await acknowledgeRefund(staff, asked);
  expect(await alerts()).toEqual([]);
  await follow();
  expect(await alerts()).toEqual([]);
  const trail = await stage.owner`
    select action from audit_log where merchant_id = ${staff.merchant.id} and subject_id = ${asked.topUpRequestId}`;
  expect(trail.map(({ action }) => action)).toEqual(['topUp.acknowledgeRefund']);
});

test('an alert ends once the top-up is voided together with what spent it', async () => {
  const { redeem, refund, follow, alerts, staff, uid, customer } = await createScene();
  await redeem(500);
  refund();
  await follow();
  const [spent] = await stage.owner`
    select uid from transactions where customer_id = ${customer.id} and type = 'redeemStoredValue'`;
  const uids = [uid, spent?.uid];
  await voidByStaff(staff, { uids, reason: 'refunded', effect: (await previewVoid(staff, { uids })).effect });
  expect(await alerts()).toEqual([]);
});

test('a partial refund alerts staff, each time anew; a full one reverses the top-up', async () => {
  const { refund, follow, alerts, balance, asked, staff } = await createScene();
  refund(1_000);
  await Promise.all([follow(), follow()]);
  expect(await alerts()).toMatchObject([{ amount: 10_000, refunded: 1_000 }]);
  await acknowledgeRefund(staff, asked);
  refund(500);
  await follow();
  expect(await alerts()).toMatchObject([{ refunded: 1_500 }]);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  refund();
  await follow();
  expect(await alerts()).toEqual([]);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
});

test('a refund of what staff voided before alerts no one', async () => {
  const { refund, follow, view, alerts, staff, uid } = await createScene();
  const uids = [uid];
  await voidByStaff(staff, { uids, reason: 'by mistake', effect: (await previewVoid(staff, { uids })).effect });
  expect(await view()).toMatchObject({ state: 'voided' });
  refund();
  await follow();
  expect(await view()).toMatchObject({ state: 'refunded' });
  expect(await alerts()).toEqual([]);
});

describe('an outstanding refund', () => {
  test('alerts staff if Stripe refuses it, and delays no others', async () => {
    const [{ ctx, merchant, customer, beginByCard }, other] = [await stage.scene(), await stage.scene()];
    const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
    const [asked, paid] = [await beginByCard(), await other.beginByCard()];
    await blockCustomer(stage.owner, customer.id);
    for (const { session } of [asked, paid]) stage.stripe.pay(session.id);
    stage.stripe.fault = 'forbidden refunds';
    stage.travel(5 * 60_000);
    await settleOverdueTopUps(ctx);
    expect(await listRefundAlerts(staff)).toMatchObject([{ amount: 10_000, refunded: 0 }]);
    expect(await getTopUpRequest(other.ctx, paid)).toMatchObject({ state: 'credited' });
    stage.stripe.fault = null;
    stage.travel(61 * 60_000);
    await settleOverdueTopUps(ctx);
    expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'refunded' });
    expect(await listRefundAlerts(staff)).toEqual([]);
  });

  test('alerts staff if Stripe does not know its checkout, until one of them resolves it', async () => {
    const { ctx, merchant, beginByCard } = await stage.scene();
    const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
    const { session, ...asked } = await beginByCard();
    await stage.owner`update top_up_requests set state = 'refunding' where id = ${asked.topUpRequestId}`;
    stage.stripe.sessions.delete(session.id);
    await settleTopUp(ctx, asked);
    expect(await listRefundAlerts(staff)).toMatchObject([{ amount: 10_000, refunded: 0 }]);
    await acknowledgeRefund(staff, asked);
    await settleTopUp(ctx, asked);
    expect(await listRefundAlerts(staff)).toEqual([]);
  });
});

test('a refund and a redemption at the same moment: reversed, or spent with an alert', async () => {
  for (let round = 0; round < 10; round++) {
    const { redeem, refund, follow, alerts, balance } = await createScene();
    refund();
    const spending = () =>
      redeem(500).then(
        () => true,
        () => false,
      );
    const [isSpent] = await (round % 2
      ? Promise.all([spending(), follow()])
      : Promise.all([follow(), spending()]).then(([, spent]) => [spent]));
    expect((await alerts()).length).toBe(isSpent ? 1 : 0);
    expect(await balance()).toEqual(isSpent ? { principal: 10_000, bonus: 1_500 } : { principal: 0, bonus: 0 });
  }
});

test('the ledger adds up', async () => {
  expect(await stage.ledgerViolations()).toEqual([]);
});

test('what the bank sends back is owed again only where the value was taken; staff who paid it otherwise end that', async () => {
  const { refund, follow, alerts, view, balance, redeem, bounce, travel } = await createScene();
  refund(1_000);
  await follow();
  expect(await alerts()).toMatchObject([{ refunded: 1_000, isOwed: false }]);
  bounce();
  await Promise.all([follow(), follow()]);
  expect(await alerts()).toEqual([]);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  await redeem(500);
  refund();
  await follow();
  bounce();
  await follow();
  expect(await view()).toMatchObject({ state: 'credited' });
  const other = await createScene();
  other.refund();
  await other.follow();
  other.bounce();
  await Promise.all([other.follow(), other.follow()]);
  expect(await other.view()).toMatchObject({ state: 'refunding' });
  expect(await other.alerts()).toMatchObject([{ refunded: 0, isOwed: true, amount: 10_000 }]);
  await acknowledgeRefund(other.staff, other.asked);
  travel(61 * 60_000);
  await settleOverdueTopUps(other.ctx);
  await other.follow();
  expect(other.session.amountRefunded).toBe(0);
  expect(await alerts()).toEqual([]);
});

test('an answer from before a refund is no failed refund', async () => {
  const { refund, follow, view, ctx, asked, session } = await createScene();
  const payments = ctx.cardPayments?.on(null);
  if (!payments) throw new Error('no card payments');
  const early = await payments.getPayment(session.id);
  refund();
  await follow();
  const answers = [early];
  const getPayment = async (id: string) => answers.shift() ?? payments.getPayment(id);
  const cardPayments = { on: () => ({ ...payments, getPayment }), connect: null };
  await settleTopUp({ ...ctx, cardPayments }, asked);
  expect(await view()).toMatchObject({ state: 'refunded' });
});
