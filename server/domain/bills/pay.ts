/** Payments of a table's bill by card, from diners' phones. */
import { withMerchant } from '@/db/driver';
import { cardLimits, roundingUp } from '../kernel/card-currencies';
import { type CardPayments, type Payment, takingAccount } from '../kernel/card-payments';
import type { Merchant, Services } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { networkOf } from '../kernel/networks';
import { say } from '../kernel/say';
import { countAgainst, type Limit } from '../limits';
import type { LoadedPayment } from './load';
import { findPayment, holdPayment, releasePayment, updatePayment } from './payments';
import { isHeld, mostTip, returnedOf, shownState } from './rules';
import type { BillPaymentInput, PayBillInput } from './schemas';
import { settleBillPayment } from './settle';

/** The table of a scanned code whose bill is paid. */
export interface PayingTable {
  merchant: Merchant;
  qrCodeId: string;
  store: { id: string };
  billId: string;
  /** What the merchant allows here: paying by card, and the tips to choose from. */
  offers: { cardOnBill: boolean; takeBackMinutes: number; tipPercentages: readonly number[] };
  /** The address of the table's page. */
  url: string;
}

/** A payment as the paying phone sees it. Amounts are in minor units. */
export interface DinerPayment {
  /**
   * `open`: it can be paid at `checkoutUrl`. `processing`: the payer is done, the bank is not. `returned`: it came too
   * late and goes back in full. `ended`: nothing was taken.
   */
  state: 'open' | 'processing' | 'paid' | 'returned' | 'ended';
  amount: number;
  tip: number;
  /** The amount that goes back to the payer. */
  returned: number;
  checkoutUrl: string | null;
  /** Until when an `open` one holds its amount. */
  heldUntil: string | null;
}

/**
 * Stripe's checkouts last at least half an hour, and a phone may request one again. A checkout is ended once nothing is
 * held.
 */
const checkoutMs = 60 * 60_000;
/** In an hour. All guests of a table may share the restaurant's network. */
export const mostHolds = { byGuest: 40, byNetwork: 80 };
/** Only a new hold counts, so refused requests do not stop payments. */
const holdLimits = ({ qrCodeId }: PayingTable, client: string, guestId: string | null): Limit[] => [
  { key: `bill payments of ${qrCodeId} by ${guestId}`, attempts: mostHolds.byGuest, windowSeconds: 3600 },
  { key: `bill payments of ${qrCodeId} from ${networkOf(client)}`, attempts: mostHolds.byNetwork, windowSeconds: 3600 },
];
/** For one payment: a phone asks a few times a minute at first. */
const checkLimit = { attempts: 40, windowSeconds: 600 };

/**
 * Holds an amount of the table's bill, and opens a page of the payment service to pay it with the tip. The same
 * `paymentId` returns the same page again. Errors: `card_payment_unavailable`, `bill_not_found`, `bill_closed`,
 * `bill_due_exceeded`, `bill_payment_over`, `invalid_request` for an id that was used for another payment or a tip that
 * is too large, `too_many_attempts`, `service_unavailable`. After an error, nothing is held.
 */
export async function payBill(
  services: Services,
  table: PayingTable,
  { paymentId, guestId, guestName = '', amount, tip }: PayBillInput,
  client: string,
): Promise<{ checkoutUrl: string }> {
  const { db, clock, cardPayments } = services;
  const { merchant, store, billId, offers } = table;
  const account = takingAccount(cardPayments, merchant);
  if (!cardPayments || !offers.cardOnBill || !account?.payments.takes(amount + tip, merchant.currency)) {
    throw new DomainError('card_payment_unavailable', say('notByCard'));
  }
  // With what the amount lacks to one that cards take: 3.325 dinars are paid with 0.005 on top.
  const maximum = mostTip(amount, offers) + roundingUp(amount, cardLimits(merchant.currency));
  if (tip > maximum) throw invalid('tip', say('atMost', { maximum }));
  const wanted = { paymentId, guestId, guestName, amount, tip, cardAccountId: account.accountId };
  const limits = holdLimits(table, client, guestId);
  const payment = await withMerchant(db, merchant.id, (tx) =>
    holdPayment(tx, merchant, { storeId: store.id, billId }, wanted, clock.now(), async () => {
      for (const limit of limits) await countAgainst({ db: tx.db, systemClock: services.systemClock }, limit);
    }),
  );
  if (!isHeld(payment, clock.now())) throw paymentOver();
  const checkoutUrl =
    payment.checkoutUrl ?? (await openCheckout(services, cardPayments.on(payment.cardAccountId), table, payment));
  return { checkoutUrl };
}

async function openCheckout(
  services: Services,
  cardPayments: CardPayments,
  { merchant, billId, url }: PayingTable,
  { id, amount, tip, createdAt }: LoadedPayment,
): Promise<string> {
  const { db, clock } = services;
  const aheadMs = services.environment === 'live' ? 0 : merchant.clockAheadSeconds * 1000;
  const opened = cardPayments.createCheckout({
    merchantId: merchant.id,
    purpose: { kind: 'billPayment', id },
    title: `${merchant.name}: ${billId}`,
    amount: amount + tip,
    currency: merchant.currency,
    paidUrl: `${url}#bill`,
    unpaidUrl: `${url}#bill`,
    // The same for each call of a payment. Otherwise the payment service would refuse the second call.
    expiresAt: new Date(createdAt.getTime() - aheadMs + checkoutMs),
  });
  const { checkoutId, checkoutUrl } = await opened.catch(async (error) => {
    // If the service has opened a page after all, no one has its address.
    await withMerchant(db, merchant.id, (tx) => releasePayment(tx, merchant, { paymentId: id }, clock.now()));
    throw error;
  });
  const kept = await withMerchant(db, merchant.id, async (tx) => {
    updatePayment(tx, id, { checkoutId, checkoutUrl });
    return findPayment(tx, id);
  });
  if (kept?.state === 'held') return checkoutUrl;
  // It was cancelled, or the bill was closed meanwhile, so the page must be ended.
  await withMerchant(db, merchant.id, async (tx) => updatePayment(tx, id, { checkoutEnded: false }));
  await cardPayments.endCheckout(checkoutId);
  throw paymentOver();
}

const paymentOver = () => new DomainError('bill_payment_over', say('billPaymentOver'));

/** Errors: `bill_payment_not_found`, also for a payment of another phone or another code. */
async function findOwn(
  { db }: Services,
  { merchant, store, billId }: PayingTable,
  { paymentId, guestId }: BillPaymentInput,
): Promise<LoadedPayment> {
  const payment = await withMerchant(db, merchant.id, (tx) =>
    findPayment(tx, paymentId, { storeId: store.id, billId }),
  );
  if (payment?.guestId !== guestId) throw new DomainError('bill_payment_not_found', say('billPaymentNotFound'));
  return payment;
}

/**
 * Returns a payment's state according to the payment service, when the payer returns from its page. Errors:
 * `bill_payment_not_found`, `too_many_attempts`, `service_unavailable`.
 */
export async function checkBillPayment(
  services: Services,
  table: PayingTable,
  input: BillPaymentInput,
): Promise<DinerPayment> {
  const seen = await findOwn(services, table, input);
  if (seen.checkoutEnded) return viewOf(seen, services);
  const status = await settleOwn(services, table, input);
  return viewOf(await findOwn(services, table, input), services, status);
}

/** Errors: `too_many_attempts`, `service_unavailable`. */
async function settleOwn(services: Services, { merchant }: PayingTable, { paymentId }: BillPaymentInput) {
  await countAgainst(services, { key: `checks of bill payment ${paymentId}`, ...checkLimit });
  return settleBillPayment(services, { merchantId: merchant.id, billPaymentId: paymentId });
}

/**
 * Releases what a phone holds. If it was paid meanwhile, it counts if it is still due. Errors:
 * `bill_payment_not_found`.
 */
export async function cancelBillPayment(
  services: Services,
  table: PayingTable,
  input: BillPaymentInput,
): Promise<DinerPayment> {
  const { merchant } = table;
  const seen = await findOwn(services, table, input);
  if (seen.checkoutEnded) return viewOf(seen, services);
  const { paymentId } = input;
  await withMerchant(services.db, merchant.id, (tx) =>
    releasePayment(tx, merchant, { paymentId }, services.clock.now()),
  );
  const status = await settleOwn(services, table, input).catch((error) => {
    // In this case the worker ends the checkout.
    if (!(error instanceof DomainError)) throw error;
    return null;
  });
  return viewOf(await findOwn(services, table, input), services, status);
}

function viewOf(payment: LoadedPayment, { clock }: Services, status: Payment['status'] | null = null): DinerPayment {
  const { amount, tip, checkoutUrl } = payment;
  const rest = { amount, tip, returned: returnedOf(payment), checkoutUrl: null, heldUntil: null };
  if (status === 'processing') return { ...rest, state: 'processing' };
  if (isHeld(payment, clock.now())) {
    return { ...rest, state: 'open', checkoutUrl, heldUntil: payment.heldUntil.toISOString() };
  }
  const state = shownState(payment);
  return { ...rest, state: state === 'held' ? 'ended' : state };
}
