/**
 * What this service relies on of Stripe, in scenes that run alike against a test account and against the fake. Each asserts what
 * Stripe does, and returns the objects whose fields are compared.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import Stripe from 'stripe';
import type { CardPayments, CardService } from '@/server/domain/kernel/card-payments';
import { createStripe } from '@/server/gateways/stripe';

export interface Account {
  api: Stripe;
  service: CardService;
  /** Those on the key's own account. */
  payments: CardPayments;
  /** The account's currency, such as `sgd`. */
  currency: string;
}

export type Scene = (account: Account) => Promise<Record<string, object | null | undefined>>;

/** Opens an account by its key. Refuses keys that move money. */
export function openAccount(key: string, origin: string, currency: string): Account {
  if (!/^(sk|rk)_test_/.test(key)) throw new Error('The proof needs a key of test mode.');
  const { hostname: host, port, protocol } = new URL(origin);
  const isPlain = protocol === 'http:';
  const api = new Stripe(key, {
    host,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    telemetry: false,
  });
  const settings = { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: origin, LOG_LEVEL: 'silent' };
  const service = createStripe({ ...settings, STRIPE_CONNECT_WEBHOOK_SECRET: 'unused' });
  if (!service) throw new Error('no key');
  return { api, service, payments: service.on(null), currency };
}

const merchantId = '0190a3b5-7d21-7c7e-9a53-2f8a4c1e6b01';
const amount = 1_000;

const newCheckout = ({ currency }: Account, kind: 'topUp' | 'billPayment') => ({
  merchantId,
  purpose: { kind, id: randomUUID() },
  title: 'Proof',
  amount,
  currency: currency.toUpperCase(),
  paidUrl: 'https://example.com/paid',
  unpaidUrl: 'https://example.com/unpaid',
  expiresAt: new Date(Date.now() + 45 * 60_000),
});

/** Pays without a page, with one of Stripe's test cards (https://docs.stripe.com/testing). */
const pay = ({ api, currency }: Account, card = 'pm_card_visa') =>
  api.paymentIntents.create({
    amount,
    currency,
    confirm: true,
    payment_method: card,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: { merchantId, topUpRequestId: randomUUID() },
    expand: ['latest_charge'],
  });

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => (error as { code?: string }).code ?? String(error),
  );

const waits = 30;

/** Asks until it is so: Stripe does some things a moment later. */
async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (isSo(answer) || tries >= waits) return answer;
    await setTimeout(1_000);
  }
}

async function statusOf(payments: CardPayments, checkoutId: string): Promise<string | undefined> {
  const payment = await payments.getPayment(checkoutId);
  return payment === 'disconnected' ? payment : payment?.status;
}

export const scenes: Record<string, Scene> = {
  'a checkout is the same for the same purpose, open, and over once it is ended': async (account) => {
    const { payments, api } = account;
    const checkout = newCheckout(account, 'topUp');
    const first = await payments.createCheckout(checkout);
    assert.deepEqual(await payments.createCheckout(checkout), first);
    assert.match(first.checkoutUrl, /^https?:/);
    const open = await payments.getPayment(first.checkoutId);
    assert.ok(open && open !== 'disconnected');
    const { status, purposeId } = open;
    assert.deepEqual(
      { status, amount: open.amount, purposeId },
      { status: 'open', amount, purposeId: checkout.purpose.id },
    );
    assert.equal(await payments.getPayment('cs_test_unknown'), null);
    await payments.endCheckout(first.checkoutId);
    await payments.endCheckout(first.checkoutId);
    assert.equal(await statusOf(payments, first.checkoutId), 'expired');
    return { session: await api.checkout.sessions.retrieve(first.checkoutId) };
  },

  'a checkout of a bill leaves out methods that end later': async (account) => {
    const { checkoutId } = await account.payments.createCheckout(newCheckout(account, 'billPayment'));
    await account.payments.endCheckout(checkoutId);
    return {};
  },

  'amounts below the smallest are refused': async ({ api, payments, currency }) => {
    const code = currency.toUpperCase();
    const least = [1, 30, 50, 200, 250, 300, 400, 1_000, 1_500, 17_500].find((one) => payments.takes(one, code)) ?? 1;
    if (least > 1) {
      const params = { currency, amount: least - 1 };
      assert.equal(await codeOf(api.paymentIntents.create(params)), 'amount_too_small');
    }
    return {};
  },

  'a payment is refunded in part and then in full, and no further': async (account) => {
    const { api, payments } = account;
    const { id: paymentId, latest_charge } = await pay(account);
    const part = {
      paymentId,
      merchantId,
      billPaymentId: randomUUID(),
      amount: 300,
      currency: account.currency.toUpperCase(),
      hasFee: false,
    };
    assert.equal(await payments.payBackPart({ ...part, attempt: '0' }), true);
    // Two that do not know of each other.
    assert.equal(await payments.payBackPart({ ...part, attempt: '0' }), true);
    const topUp = { paymentId, merchantId, topUpRequestId: randomUUID(), hasFee: false };
    assert.equal(await payments.payBack(topUp), true);
    // It counts as made: nothing is left to refund.
    assert.equal(await payments.payBack(topUp), true);
    const { data } = await api.refunds.list({ payment_intent: paymentId });
    assert.deepEqual(data.map((refund) => refund.amount).sort(), [300, 700]);
    return { charge: latest_charge as object, refund: data[0] };
  },

  'a refund that the bank sends back is said to have failed': async (account) => {
    const { api } = account;
    const { id } = await pay(account, 'pm_card_refundFail');
    const { id: refundId } = await api.refunds.create({ payment_intent: id });
    const refund = await until(
      () => api.refunds.retrieve(refundId),
      ({ status }) => status === 'failed',
    );
    assert.equal(refund.status, 'failed');
    assert.deepEqual(refund.metadata, {});
    return { failed: refund };
  },

  'a dispute is listed by its payment, with a last day to answer, and without our metadata': async (account) => {
    const { api, payments } = account;
    const { id } = await pay(account, 'pm_card_createDispute');
    const [dispute] = await until(
      () => payments.listDisputes(id),
      ({ length }) => length > 0,
    );
    assert.equal(dispute?.amount, amount);
    assert.equal(dispute?.status, 'needs_response');
    assert.ok(dispute?.respondBy && dispute.respondBy.getTime() > Date.now());
    const { data } = await api.disputes.list({ payment_intent: id });
    assert.deepEqual(data[0]?.metadata, {});
    return { dispute: data[0] };
  },

  'a connected account is created once, onboarded by a link, and does not know what is on the account of the platform':
    async (account) => {
      const { api, service, payments } = account;
      const { connect } = service;
      assert.ok(connect);
      const merchant = { id: randomUUID(), name: 'Proof', country: 'SG', cardAccountId: null, cardAccountState: null };
      const id = await connect.createAccount(merchant);
      assert.equal(await connect.createAccount(merchant), id);
      assert.equal(await connect.getState(id), 'onboarding');
      assert.match(await connect.createLink(id, 'https://example.com/settings'), /^https?:/);
      const { checkoutId } = await payments.createCheckout(newCheckout(account, 'topUp'));
      assert.equal(await service.on(id).getPayment(checkoutId), null);
      assert.equal(await statusOf(payments, checkoutId), 'open');
      // An account that is not connected, and one that is no longer: both are refused in the same way.
      assert.equal(await connect.getState('acct_unknown'), 'disconnected');
      assert.equal(await service.on('acct_unknown').getPayment(checkoutId), 'disconnected');
      const links = { refresh_url: 'https://example.com/', return_url: 'https://example.com/' };
      const accountLink = await api.accountLinks.create({ account: id, type: 'account_onboarding', ...links });
      return { account: await api.accounts.retrieve(id), accountLink };
    },

  'the balance names the payment of each charge and refund': async (account) => {
    const { api, payments } = account;
    const since = new Date(Date.now() - 60_000);
    const { id: paymentId } = await pay(account);
    await payments.payBack({ paymentId, merchantId, topUpRequestId: randomUUID(), hasFee: false });
    const found = await until(
      async () => (await payments.listMovements(since))?.get(paymentId),
      (one) => one !== undefined && one.refunded > 0,
    );
    assert.deepEqual([found?.paid, found?.refunded, found?.isDisputed], [amount, amount, false]);
    assert.equal(found?.told?.merchantId, merchantId);
    const { data } = await api.balanceTransactions.list({ limit: 1, expand: ['data.source'] });
    return { transaction: data[0] };
  },
};
