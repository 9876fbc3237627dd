/** The domain's interface to a payment service (server/gateways/stripe.ts). Amounts are in our minor units. */
import type { CardAccountState, DisputeStatus } from '@/db/kinds/lists';

/** What is paid for, by the id of its row. */
export interface Purpose {
  kind: 'topUp' | 'billPayment';
  id: string;
}

/** A purpose and its merchant. */
export interface MerchantPurpose {
  merchantId: string;
  purpose: Purpose;
}

/** Says that something happened to a payment, not what: its state is asked for. */
export interface PaymentReport {
  /** What the reported object itself says that it is for. */
  told: MerchantPurpose | null;
  /** The payment, if known. */
  paymentId: string | null;
  /** The connected account that the payment is on; null for the operator's own. */
  accountId: string | null;
  /** Set if the report is about a checkout. */
  checkoutId: string | undefined;
  isOfDispute: boolean;
}

/** Says that something happened to a connected account. */
export interface AccountReport {
  changedAccountId: string;
}

export interface NewCheckout {
  merchantId: string;
  purpose: Purpose;
  /** Shown to the payer. */
  title: string;
  amount: number;
  currency: string;
  /** The pages to which the payer returns. */
  paidUrl: string;
  unpaidUrl: string;
  expiresAt: Date;
}

/** The state of a payment. */
export interface Payment {
  /** The id of the row that it pays for. */
  purposeId: string;
  /** `processing`: the payer is done, but the bank is not. */
  status: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  /** When a payment in `processing` ends at the latest; null if the service does not say. */
  processingUntil: Date | null;
  amount: number;
  currency: string;
  /** The amount refunded so far, without refunds that failed. */
  refunded: number;
  /** How many refunds were made, including those that failed later. */
  refundCount: number;
  /** Identifies the payment for a refund; null if nothing was paid. */
  paymentId: string | null;
  /** True if the operator took a fee, which goes back with a refund. */
  hasFee: boolean;
}

/** The state of a payer's complaint to their bank. */
export interface Dispute {
  /** The payment service's id of it. */
  serviceId: string;
  /** What the payer wants back. */
  amount: number;
  /** As the payment service names it, such as `fraudulent`. */
  reason: string;
  status: DisputeStatus;
  respondBy: Date | null;
  openedAt: Date;
}

/** What the service's balance says of one payment, in minor units. */
export interface PaymentSums {
  /** 0 if it was paid before the period. */
  paid: number;
  refunded: number;
  /** True if a dispute took money. */
  isDisputed: boolean;
  told: MerchantPurpose | null;
  /** When something last moved. */
  lastAt: Date;
}

/** A merchant's part of a payout, in minor units of the account's currency. */
export interface PayoutPart {
  payoutId: string;
  /** When it reaches the bank. */
  arrivesAt: Date;
  /** As Stripe names it: `paid`, `pending`, `in_transit`, `canceled`, `failed`. */
  status: string;
  currency: string;
  /** Null for what is about no merchant, such as Stripe's own fees. */
  merchantId: string | null;
  payments: number;
  gross: number;
  fees: number;
  refunds: number;
  disputes: number;
  other: number;
  /** The sum of these, of which fees are negative. The parts of a payout add up to what the bank gets. */
  net: number;
}

/** Whose payouts they are: the merchant's whose account it is, or found by payment, if this names no merchant itself. */
export type PayoutOwner = string | ((paymentId: string) => Promise<string | null>);

export interface PayoutPeriod {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** A merchant's own account at the payment service, and what it can do; null if there is none. */
export interface CardAccount {
  cardAccountId: string | null;
  cardAccountState: CardAccountState | null;
}

/** The payment service. Each payment is on one account, and each call names it. */
export interface CardService {
  /** The payments on a merchant's connected account; null: on the operator's own. */
  on(accountId: string | null): CardPayments;
  /** Null if all merchants are paid into the operator's own account. */
  connect: ConnectedAccounts | null;
}

/** Errors of all methods: `service_unavailable` while the service can't be reached. */
export interface ConnectedAccounts {
  /**
   * Creates an account. Returns the same one while the merchant has the same account before. Errors: `card_payment_unavailable`.
   */
  createAccount(merchant: { id: string; name: string; country: string } & CardAccount): Promise<string>;
  /**
   * Returns the service's page where the merchant says who it is. It can be opened once, within minutes. Errors:
   * `card_payment_unavailable`.
   */
  createLink(accountId: string, returnUrl: string): Promise<string>;
  getState(accountId: string): Promise<CardAccountState>;
}

/** The account on which a merchant takes cards now, and its payments; null: the merchant takes none. */
export function takingAccount(
  service: CardService | null,
  { cardAccountId: id, cardAccountState: state }: CardAccount,
): { accountId: string | null; payments: CardPayments } | null {
  // A merchant that has an account of its own is never paid into another one.
  const takes = id === null ? service?.connect === null : state === 'active';
  return service && takes ? { accountId: id, payments: service.on(id) } : null;
}

/** The payments on one account. Errors of all methods: `service_unavailable` while the service can't be reached. */
export interface CardPayments {
  /** True if the service accepts this amount in this currency. */
  takes(amount: number, currency: string): boolean;
  /**
   * Returns the same checkout for the same purpose. Errors: `card_payment_unavailable`, also if an earlier call for the
   * same purpose had other texts.
   */
  createCheckout(checkout: NewCheckout): Promise<{ checkoutId: string; checkoutUrl: string }>;
  /** Returns null for an unknown checkout. */
  getPayment(checkoutId: string): Promise<Payment | null>;
  /** Returns what a payment pays for, as told at its checkout; null if it is not one of ours. */
  findPurpose(paymentId: string): Promise<MerchantPurpose | null>;
  /** Returns all disputes of a payment. */
  listDisputes(paymentId: string): Promise<Dispute[]>;
  /** Returns what moved the account's balance since then, by payment; null if the account is no longer connected. */
  listMovements(since: Date): Promise<Map<string, PaymentSums> | null>;
  /**
   * Returns the parts of the payouts that arrive in a period, the oldest first, within half a minute. Errors: `card_payment_unavailable`
   * if the service does not tell them.
   */
  listPayouts(period: PayoutPeriod, owner: PayoutOwner): Promise<PayoutPart[]>;
  /** Prevents payment from now on. Does nothing if it was already paid. */
  endCheckout(checkoutId: string): Promise<void>;
  /** Refunds the whole payment of a top-up, once per request. Returns false if the service refuses for good. */
  payBack(payment: {
    paymentId: string;
    merchantId: string;
    topUpRequestId: string;
    hasFee: boolean;
  }): Promise<boolean>;
  /**
   * Refunds a part of a bill's payment, once for each `attempt`: calls that do not know of each other's refund can't
   * refund twice. Returns false if the service refuses this attempt for good.
   */
  payBackPart(part: RefundedPart): Promise<boolean>;
}

export interface RefundedPart extends Pick<Payment, 'currency' | 'hasFee'> {
  paymentId: string;
  merchantId: string;
  billPaymentId: string;
  amount: number;
  /** Changes once a refund was made, has failed or was refused. */
  attempt: string;
}
