/** Merchants that are paid into accounts of their own: each is connected, charged, refunded and compared on its own account alone. */
import { expect, test } from 'vitest';
import type { FakeEvent } from '@/e2e/fixtures/fake-stripe';
import { openPaidTable } from '@/server/testing/bill-payments';
import { callAs, createStaff } from '@/server/testing/staff';
import { stripeWebhook } from '@/server/testing/stripe-webhook';
import { topUpStage } from '@/server/testing/top-ups';
import { reconcileCardPayments } from '../card-payments';
import { findMerchant } from '../merchants';
import { listTopUpOffers } from '../top-ups';
import { checkCardAccount } from './check';

const stage = topUpStage({ connect: true });
const { post, send } = stripeWebhook(stage);

/** Sends what Stripe has told since `from`, last first, and twice. */
async function sendAll(from: number): Promise<void> {
  for (const event of [...stage.stripe.events.slice(from).toReversed(), ...stage.stripe.events.slice(from)]) {
    expect(await send(event)).toBe(200);
  }
}

async function during<T>(work: () => T): Promise<T> {
  const from = stage.stripe.events.length;
  const result = work();
  await sendAll(from);
  return result;
}

const auditOf = async (merchantId: string) => {
  const rows = await stage.owner`
    select action from audit_log where merchant_id = ${merchantId} and action like 'cardAccount.%' order by id`;
  return rows.map(({ action }) => action as string);
};

/** A customer of a merchant that has connected an account. */
async function connectedScene() {
  const account = stage.connectAccount();
  const scene = await stage.scene(account);
  const owner = () => createStaff(stage.owner, stage.services(), scene.merchant.id, 'owner');
  const methods = async () => {
    const merchant = await findMerchant(scene.ctx, scene.merchant.id);
    return (await listTopUpOffers({ ...scene.ctx, merchant: merchant ?? scene.ctx.merchant })).methods;
  };
  const stateOf = async (topUpRequestId: string) => {
    const [row] = await stage.owner`
      select state, card_account_id from top_up_requests where id = ${topUpRequestId}`;
    return [row?.state, row?.card_account_id];
  };
  return { ...scene, accountId: account.card_account_id, owner, methods, stateOf };
}

test('an owner connects an account, and cards are taken once Stripe says so', async () => {
  const { merchant, ctx, begin } = await stage.scene();
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'owner');
  const offers = async () => {
    const now = await findMerchant(ctx, merchant.id);
    return (await listTopUpOffers({ ...ctx, merchant: now ?? ctx.merchant })).methods;
  };
  expect(await offers()).toEqual(['counter']);
  await expect(begin()).rejects.toMatchObject({ code: 'card_payment_unavailable' });
  expect(await callAs(staff).cardAccount.get()).toMatchObject({ paidInto: 'own', cardAccountState: null });

  // Two owners, or a double tap: one account.
  const [{ url }] = await Promise.all([callAs(staff).cardAccount.connect(), callAs(staff).cardAccount.connect()]);
  const [account] = [...stage.stripe.accounts.values()].filter(({ metadata }) => metadata.merchantId === merchant.id);
  expect(account).toMatchObject({ country: 'SG', name: 'Test Kitchen', chargesEnabled: false });
  expect(stage.stripe.accounts.size).toBe(1);
  expect(await offers()).toEqual(['counter']);
  expect((await fetch(url)).status).toBe(200);
  // A link can be opened once. The next one goes on with the same account.
  expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toContain('section=cardPayments');
  const again = { ...staff, merchant: (await findMerchant(ctx, merchant.id)) ?? ctx.merchant };
  const next = await callAs(again).cardAccount.connect();
  const from = stage.stripe.events.length;
  const back = await fetch(next.url, { method: 'POST', redirect: 'manual' });
  expect(back.headers.get('location')).toBe(`${ctx.publicOrigin}/settings?section=cardPayments`);
  expect(stage.stripe.accounts.size).toBe(1);
  await sendAll(from);
  expect(await offers()).toEqual(['card', 'counter']);
  expect(await auditOf(merchant.id)).toEqual(['cardAccount.connect', 'cardAccount.active']);
  await callAs(again).cardAccount.refresh();
  expect(await auditOf(merchant.id)).toHaveLength(2);
});

test('a top-up is charged, refunded and disputed on the account of its merchant, with the fee of the operator', async () => {
  const { accountId, beginByCard, balance, stateOf } = await connectedScene();
  const { session, topUpRequestId } = await beginByCard();
  expect(session).toMatchObject({ account: accountId, fee: 200, amount_total: 10_000 });
  await during(() => stage.stripe.pay(session.id));
  expect(await stateOf(topUpRequestId)).toEqual(['credited', accountId]);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });

  await during(() => stage.stripe.dispute(session.id));
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  await during(() => stage.stripe.changeDispute(session.id, 'won'));
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  await during(() => stage.stripe.refund(session.id));
  expect(await stateOf(topUpRequestId)).toEqual(['refunded', accountId]);
  expect(await stage.ledgerViolations()).toEqual([]);
});

test('what is paid too late on a bill goes back from the account that it is on, with the fee', async () => {
  const account = stage.connectAccount();
  const { begin, close, put, look, money, settle } = await openPaidTable(stage, 1_000, { settings: account });
  const { session, paymentId } = await begin({ amount: 600 });
  await put(0, 2);
  await close();
  stage.stripe.pay(session.id);
  await settle(paymentId);
  expect(await money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
  expect(session).toMatchObject({ account: account.card_account_id, fee: 12, amountRefunded: 600 });
  expect(session.refunds[0]?.feeRefunded).toBe(12);
  expect(await look()).toMatchObject({ paid: 0 });
});

test('a payment made before the operator took a fee is refunded', async () => {
  const { beginByCard, stateOf } = await connectedScene();
  const { session, topUpRequestId } = await beginByCard();
  session.fee = 0;
  session.amount_total = 9_000;
  await during(() => stage.stripe.pay(session.id));
  expect((await stateOf(topUpRequestId))[0]).toBe('refunded');
  expect(session.refunds).toMatchObject([{ amount: 9_000, feeRefunded: 0 }]);
});

test('an event of another account changes nothing, whatever its metadata say', async () => {
  const victim = await connectedScene();
  const thief = await connectedScene();
  const [theirs, own] = [await victim.beginByCard(), await thief.beginByCard()];
  // The owner of an account can name another merchant's top-up in the metadata of a payment on it.
  own.session.metadata = { ...theirs.session.metadata };
  own.session.client_reference_id = theirs.topUpRequestId;
  await during(() => stage.stripe.pay(own.session.id));
  expect((await victim.stateOf(theirs.topUpRequestId))[0]).toBe('open');
  expect(await victim.balance()).toEqual({ principal: 0, bonus: 0 });
  await stage.owner`update top_up_requests set checkout_id = null where id = ${theirs.topUpRequestId}`;
  await during(() => stage.stripe.dispute(own.session.id));
  expect((await victim.stateOf(theirs.topUpRequestId))[0]).toBe('open');

  // Nor does one of the operator's own account, or one that its secret signs.
  await stage.owner`update top_up_requests set checkout_id = ${theirs.session.id} where id = ${theirs.topUpRequestId}`;
  const from = stage.stripe.events.length;
  stage.stripe.pay(theirs.session.id);
  const [event] = stage.stripe.events.slice(from) as [FakeEvent];
  const { account, ...body } = JSON.parse(event.body);
  expect(account).toBe(victim.accountId);
  expect(await send({ ...event, account: null, body: JSON.stringify(body) })).toBe(200);
  expect((await victim.stateOf(theirs.topUpRequestId))[0]).toBe('open');
  expect((await post(stage.stripe.sign(event), false)).status).toBe(403);
  expect(await send(event)).toBe(200);
  expect((await victim.stateOf(theirs.topUpRequestId))[0]).toBe('credited');
});

test('Stripe tells an account nothing about what is on another one', async () => {
  const [one, other] = [await connectedScene(), await connectedScene()];
  const { session } = await one.beginByCard();
  stage.stripe.pay(session.id);
  const paymentId = session.intent?.id ?? '';
  const onOther = stage.services().cardPayments?.on(other.accountId);
  expect(await onOther?.getPayment(session.id)).toBeNull();
  expect(await onOther?.findPurpose(paymentId)).toBeNull();
  const about = { paymentId, merchantId: other.merchant.id, topUpRequestId: session.client_reference_id };
  expect(await onOther?.payBack({ ...about, hasFee: false })).toBe(false);
  expect(session.amountRefunded).toBe(0);
  expect(await stage.services().cardPayments?.on(null).getPayment(session.id)).toBeNull();
});

test('an account that Stripe restricts takes no cards until Stripe lets it, and diners pay at the counter', async () => {
  const { accountId, methods, owner, merchant, beginByCard, stateOf } = await connectedScene();
  const { session, topUpRequestId } = await beginByCard();
  await during(() => stage.stripe.restrict(accountId));
  expect(await methods()).toEqual(['counter']);
  const staff = await owner();
  expect(await callAs(staff).cardAccount.get()).toMatchObject({ cardAccountState: 'restricted', canEdit: true });
  expect(await callAs(staff).settings.ordering()).toMatchObject({ takesCards: false });
  expect(await callAs(staff).home.attention()).toMatchObject({ cardsStopped: true });
  // What is paid all the same counts.
  await during(() => stage.stripe.pay(session.id));
  expect((await stateOf(topUpRequestId))[0]).toBe('credited');
  await during(() => stage.stripe.onboard(accountId));
  expect(await methods()).toEqual(['card', 'counter']);
  expect(await auditOf(merchant.id)).toEqual(['cardAccount.restricted', 'cardAccount.active']);
});

test('an account that its merchant disconnects takes no cards; the next one has nothing to do with its payments', async () => {
  const { accountId, methods, owner, merchant, ctx, beginByCard, stateOf } = await connectedScene();
  const { session, topUpRequestId } = await beginByCard();
  stage.stripe.pay(session.id);
  await during(() => stage.stripe.deauthorize(accountId));
  expect(await methods()).toEqual(['counter']);
  const { url } = await callAs(await owner()).cardAccount.connect();
  const next = url.split('/').at(-1) ?? '';
  expect(next).not.toBe(accountId);
  await during(() => stage.stripe.onboard(next));
  expect(await methods()).toEqual(['card', 'counter']);
  expect(await auditOf(merchant.id)).toEqual(['cardAccount.disconnected', 'cardAccount.connect', 'cardAccount.active']);
  // Its event comes late. Nobody can ask the first account any more, and the second one is not asked: staff are told to look.
  const late = stage.stripe.events.findIndex(({ body }) => body.includes(session.id));
  await sendAll(late);
  await sendAll(late);
  expect(await stateOf(topUpRequestId)).toEqual(['expired', accountId]);
  const unseen = await stage.owner`
    select subject_kind, subject_id, after from audit_log where merchant_id = ${merchant.id} and action = 'cardPayment.differs'`;
  expect(unseen.map(({ after, ...rest }) => ({ ...rest, ...JSON.parse(after) }))).toEqual([
    {
      subject_kind: 'topUpRequest',
      subject_id: topUpRequestId,
      amount: 10_000,
      paid: 0,
      paidAtStripe: null,
      returned: 0,
      returnedAtStripe: null,
    },
  ]);
  expect(await callAs(await owner()).home.attention()).toMatchObject({ cardDifferences: 1 });
  await expect(reconcileCardPayments(ctx)).resolves.toBeUndefined();
  expect(stage.stripe.accounts.get(next)?.chargesEnabled).toBe(true);
});

test('of two answers about an account, the older one does not stay', async () => {
  const { accountId, ctx, merchant, methods } = await connectedScene();
  const { connect } = ctx.cardPayments ?? {};
  if (!connect) throw new Error('no Connect');
  const early = ['restricted' as const];
  const asking = { ...connect, getState: async (id: string) => early.shift() ?? connect.getState(id) };
  await checkCardAccount({ ...ctx, cardPayments: { on: () => ({}) as never, connect: asking } }, merchant.id);
  expect(await methods()).toEqual(['card', 'counter']);
  expect(accountId).toMatch(/^acct_/);
});

test('each night, events of payments, refunds and disputes that were lost are found on the account of their merchant', async () => {
  const { accountId, beginByCard, merchant, stateOf, balance, ctx, methods } = await connectedScene();
  const [paid, refunded, disputed] = [await beginByCard(), await beginByCard(), await beginByCard()];
  for (const { session } of [paid, refunded, disputed]) stage.stripe.pay(session.id);
  const other = await openPaidTable(stage, 1_000, { settings: stage.connectAccount() });
  const ofBill = await other.pay({ amount: 400 });
  stage.stripe.refund(ofBill.session.id, 100);
  stage.stripe.restrict(accountId);
  const night = () => {
    stage.travel(2 * 60 * 60_000);
    return reconcileCardPayments(stage.services());
  };
  await night();
  expect(await methods()).toEqual(['counter']);
  stage.stripe.refund(refunded.session.id);
  stage.stripe.dispute(disputed.session.id);
  await Promise.all([night(), night()]);
  const states = await Promise.all([paid, refunded, disputed].map((one) => stateOf(one.topUpRequestId)));
  expect(states.map(([state]) => state)).toEqual(['credited', 'refunded', 'credited']);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  expect(await other.look()).toMatchObject({ paid: 300 });
  const differences = () => stage.owner`
    select after from audit_log where merchant_id in (${merchant.id}, ${other.merchant.id}) and action = 'cardPayment.differs'`;
  expect(await differences()).toHaveLength(0);

  // A refund that only we know of is reported with both sides; but not once nobody can ask the account.
  await stage.owner`
    update bill_payments set returned_amount = 200, kept_amount = 200 where merchant_id = ${other.merchant.id}`;
  stage.stripe.deauthorize(other.till.merchant.cardAccountId ?? '');
  await night();
  expect(await differences()).toHaveLength(0);
  expect((await findMerchant(ctx, other.merchant.id))?.cardAccountState).toBe('disconnected');
});

test('payouts of a merchant are those of its own account, and of its earlier payments on the one of the operator', async () => {
  const { beginByCard, owner, accountId } = await connectedScene();
  const stranger = await connectedScene();
  const { session } = await beginByCard();
  stage.stripe.pay(session.id);
  stage.stripe.pay((await stranger.beginByCard()).session.id);
  for (const account of [accountId, stranger.accountId, null]) stage.stripe.payOut(account);
  const today = new Date().toISOString().slice(0, 10);
  const { payouts } = await callAs(await owner()).reports.payouts({ from: today, to: today });
  // 3.4 % and 0.50 are the fake's own fee, 2.00 the operator's.
  expect(payouts).toMatchObject([{ payments: 1, gross: 10_000, fees: -590, net: 9_410 }]);
});
