/**
 * The parts of Stripe that top-ups and bills need: hosted Checkout pages, payment states, refunds and signed webhooks.
 */
import Stripe from 'stripe';
import { say } from '@/server/domain/kernel/say';
import { cardLimits } from '../domain/kernel/card-currencies';
import type {
  CardPayments,
  CardService,
  MerchantPurpose,
  NewCheckout,
  Payment,
  PayoutPart,
  RefundedPart,
} from '../domain/kernel/card-payments';
import type { Cell } from '../domain/kernel/cells';
import { DomainError } from '../domain/kernel/errors';
import { createLogger } from '../observe/log';
import { connectedAccounts } from './stripe-accounts';
import { fromStripeAmount, toStripeAmount, toStripeRefund } from './stripe-amount';
import { accountGone, ask, tryLater } from './stripe-call';
import { listDisputes } from './stripe-disputes';
import { isLiveKey, metadataOf, purposeIn } from './stripe-events';
import { sumMovements } from './stripe-movements';
import { boundsOfReader, listPayoutParts } from './stripe-payouts';

interface StripeSettings {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_CONNECT_WEBHOOK_SECRET?: string | undefined;
  /** The operator's fee on payments on connected accounts. */
  STRIPE_FEE_BASIS_POINTS?: number | undefined;
  STRIPE_API_BASE: string;
  LOG_LEVEL: string;
  cell?: Cell | undefined;
}

/** Returns null without a secret key. */
export function createStripe(settings: StripeSettings, log = createLogger(settings.LOG_LEVEL)): CardService | null {
  const { STRIPE_SECRET_KEY, STRIPE_CONNECT_WEBHOOK_SECRET, STRIPE_API_BASE, cell } = settings;
  if (STRIPE_SECRET_KEY === undefined) return null;
  const { protocol, hostname, port } = new URL(STRIPE_API_BASE);
  const isPlain = protocol === 'http:';
  const connectTo = (stripeAccount?: string) =>
    new Stripe(STRIPE_SECRET_KEY, {
      ...(stripeAccount === undefined ? {} : { stripeAccount }),
      protocol: isPlain ? 'http' : 'https',
      host: hostname,
      port: port || (isPlain ? 80 : 443),
      maxNetworkRetries: 2,
      timeout: 10_000,
      telemetry: false,
    });
  const own = connectTo();
  const terms = { cell, log, isLive: isLiveKey(STRIPE_SECRET_KEY), feeBasisPoints: 0 };
  const feeBasisPoints = settings.STRIPE_FEE_BASIS_POINTS ?? 0;
  return {
    on: (accountId) =>
      accountId === null ? paymentsOn(own, terms) : paymentsOn(connectTo(accountId), { ...terms, feeBasisPoints }),
    connect: STRIPE_CONNECT_WEBHOOK_SECRET === undefined ? null : connectedAccounts(own, cell),
  };
}

interface Terms {
  cell: Cell | undefined;
  log: ReturnType<typeof createLogger>;
  isLive: boolean;
  /** The operator's part of each payment. */
  feeBasisPoints: number;
}

/** The payments on the account that a client acts on. */
function paymentsOn(stripe: Stripe, terms: Terms): CardPayments {
  const { cell, log } = terms;
  return {
    takes: (amount, currency) => toStripeAmount(amount, currency) !== null,
    createCheckout: (checkout) => createCheckout(stripe, checkout, terms),
    getPayment: async (checkoutId) => {
      const payment = await getPayment(stripe, checkoutId, terms.isLive);
      if (!payment)
        log.warn({ checkoutId }, 'Stripe does not know a checkout: nothing can be paid there, or paid back');
      return payment;
    },
    findPurpose: (paymentId) => findPurpose(stripe, paymentId),
    listDisputes: (paymentId) => listDisputes(stripe, paymentId),
    listMovements: (since) =>
      ask<Awaited<ReturnType<CardPayments['listMovements']>>>(
        () => sumMovements(stripe, since),
        ({ code }) => (code === accountGone ? null : tryLater()),
      ),
    listPayouts: (period, owner) =>
      ask<PayoutPart[]>(
        () => listPayoutParts(stripe, period, owner, boundsOfReader()),
        () => {
          throw new DomainError('card_payment_unavailable', say('payoutsNotTold'));
        },
      ),
    endCheckout: async (checkoutId) => {
      // A paid or expired session can't be expired. `getPayment` then returns its state.
      await ask(
        () => stripe.checkout.sessions.expire(checkoutId),
        () => null,
      );
    },
    // Without an idempotency key: Stripe never refunds more than was paid, and with a key it would repeat a refusal for
    // a day.
    payBack: ({ paymentId, merchantId, topUpRequestId: id, hasFee }) =>
      refund(stripe, {
        payment_intent: paymentId,
        ...feeOfRefund(hasFee),
        metadata: metadataOf({ merchantId, purpose: { kind: 'topUp', id } }, cell),
      }),
    payBackPart: async (part) => {
      const isRefunded = await payBackPart(stripe, part, cell);
      if (!isRefunded) {
        log.warn(
          { billPaymentId: part.billPaymentId },
          'Stripe refused to refund a payment of a bill: staff see it there',
        );
      }
      return isRefunded;
    },
  };
}

type Method = Stripe.Checkout.SessionCreateParams.ExcludedPaymentMethodType;
/**
 * Methods that end hours or days after the payer is done
 * (https://docs.stripe.com/payments/payment-methods#payment-notification). A bill waits minutes for its payments, so it takes
 * none of them, even if the dashboard turns them on.
 */
const slowMethods: Method[] = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'sepa_debit',
  'sofort',
  'us_bank_account',
];

/** The operator's fee on a connected account goes back with what is refunded. */
const feeOfRefund = (hasFee: boolean) => (hasFee ? { refund_application_fee: true } : {});

async function createCheckout(stripe: Stripe, checkout: NewCheckout, { cell, feeBasisPoints }: Terms) {
  const { purpose, title, amount, currency, paidUrl, unpaidUrl, expiresAt } = checkout;
  // Stripe copies the payment intent's metadata to the charge, but not to its refunds and disputes.
  const metadata = metadataOf(checkout, cell);
  const unit_amount = toStripeAmount(amount, currency) ?? amount;
  const { step } = cardLimits(currency);
  const fee = Math.floor((amount * feeBasisPoints) / 10_000 / step) * step;
  const application_fee_amount = toStripeRefund(fee, currency) ?? 0;
  const { id, url } = await ask(
    () =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: purpose.id,
          metadata,
          payment_intent_data: { metadata, ...(application_fee_amount > 0 ? { application_fee_amount } : {}) },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount,
                product_data: { name: title },
              },
            },
          ],
          ...(purpose.kind === 'billPayment' ? { excluded_payment_method_types: slowMethods } : {}),
          locale: 'auto',
          // The payment must have exactly the amount and currency that we request.
          adaptive_pricing: { enabled: false },
          success_url: paidUrl,
          cancel_url: unpaidUrl,
          expires_at: Math.floor(expiresAt.getTime() / 1000),
        },
        { idempotencyKey: `checkout-${purpose.id}` },
      ),
    () => {
      throw new DomainError('card_payment_unavailable', say('notByCard'));
    },
  );
  if (!url) throw new Error('a Checkout session without its page');
  return { checkoutId: id, checkoutUrl: url };
}

async function getPayment(stripe: Stripe, checkoutId: string, isLive: boolean) {
  const session = await ask<Stripe.Checkout.Session | 'disconnected' | null>(
    () => stripe.checkout.sessions.retrieve(checkoutId, { expand: ['payment_intent.latest_charge.refunds'] }),
    ({ code }) => (code === accountGone ? 'disconnected' : code === 'resource_missing' ? null : tryLater()),
  );
  if (session === 'disconnected') return session;
  // Nobody pays with a session of the other mode.
  if (!session || session.livemode === !isLive) return null;
  const { client_reference_id, amount_total, currency: code, payment_intent } = session;
  const intent = typeof payment_intent === 'object' ? payment_intent : null;
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null;
  const currency = (code ?? '').toUpperCase();
  return {
    purposeId: client_reference_id ?? '',
    status: statusOf(session, intent),
    processingUntil: endOf(intent),
    amount: fromStripeAmount(amount_total ?? 0, currency),
    currency,
    refunded: fromStripeAmount(charge ? refundedOf(charge) : 0, currency),
    refundCount: charge?.refunds?.data.length ?? 0,
    paymentId: intent?.id ?? null,
    hasFee: (intent?.application_fee_amount ?? 0) > 0,
  };
}

/** When the slip expires that the payer takes to a shop or bank. Debits of accounts name no time. */
function endOf(intent: Stripe.PaymentIntent | null): Date | null {
  const { konbini_display_details, oxxo_display_details, boleto_display_details, multibanco_display_details } =
    intent?.next_action ?? {};
  const expiresAt =
    konbini_display_details?.expires_at ??
    oxxo_display_details?.expires_after ??
    boleto_display_details?.expires_at ??
    multibanco_display_details?.expires_at;
  return typeof expiresAt === 'number' ? new Date(expiresAt * 1000) : null;
}

/**
 * Returns what was refunded, without refunds that failed later. Stripe's documents do not say whether `amount_refunded`
 * of the charge leaves these out, so it is used only if there are more refunds than Stripe lists.
 */
function refundedOf({ refunds, amount_refunded }: Stripe.Charge): number {
  if (!refunds || refunds.has_more) return amount_refunded;
  const counted = refunds.data.filter(({ status }) => isRefunding(status));
  return counted.reduce((sum, { amount }) => sum + amount, 0);
}

/** False if the money stayed, or came back: the payer does not get it. */
const isRefunding = (status: string | null): boolean => status !== 'failed' && status !== 'canceled';

async function findPurpose(stripe: Stripe, paymentId: string): Promise<MerchantPurpose | null> {
  const sessions = await ask(
    () => stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 }),
    () => null,
  );
  return purposeIn(sessions?.data[0]?.metadata);
}

function statusOf(
  { status, payment_status }: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): Payment['status'] {
  if (payment_status === 'paid') return 'paid';
  if (status === 'expired') return 'expired';
  if (status !== 'complete') return 'open';
  const isOver = intent?.status === 'requires_payment_method' || intent?.status === 'canceled';
  return isOver ? 'failed' : 'processing';
}

/**
 * Makes a refund. Returns false if Stripe refuses for good. Errors: `service_unavailable`, also if `key` was used for
 * another refund.
 */
const refund = (stripe: Stripe, params: Stripe.RefundCreateParams, key?: string): Promise<boolean> =>
  ask<boolean>(
    async () => {
      const { status } = await stripe.refunds.create(params, key === undefined ? {} : { idempotencyKey: key });
      return isRefunding(status);
    },
    ({ code, type }) => (type === 'StripeIdempotencyError' ? tryLater() : code === 'charge_already_refunded'),
  );

const payBackPart = (
  stripe: Stripe,
  { paymentId, merchantId, billPaymentId, amount, attempt, currency, hasFee }: RefundedPart,
  cell: Cell | undefined,
): Promise<boolean> =>
  refund(
    stripe,
    {
      payment_intent: paymentId,
      amount: toStripeRefund(amount, currency),
      ...feeOfRefund(hasFee),
      metadata: metadataOf({ merchantId, purpose: { kind: 'billPayment', id: billPaymentId } }, cell),
    },
    // Reused if another refund of the payment started at the same moment. The next check then shows what is left.
    `refund-${billPaymentId}-${attempt}`,
  );
