/** What the domain asks of a payment service (server/payments/stripe.ts). Amounts are in our minor units. */

export interface NewCheckout {
  merchantId: string;
  topUpRequestId: string;
  /** What the payer reads. */
  title: string;
  amount: number;
  currency: string;
  /** Where the payer comes back to, paid or not. */
  returnUrl: string;
  expiresAt: Date;
}

/** How the payment of a top-up stands. */
export interface Payment {
  /** The request that it is for. */
  topUpRequestId: string;
  /** `processing`: the payer is done, and the bank is not. */
  status: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  amount: number;
  currency: string;
  /** What was paid back of it. */
  refunded: number;
  /** By which it is paid back; null where nothing was paid. */
  paymentId: string | null;
}

/** Errors of all: `service_unavailable` while the service can't be reached. */
export interface CardPayments {
  /** Whether the service takes this amount of this currency. */
  takes(amount: number, currency: string): boolean;
  /**
   * Asked again for the same request, the same checkout. Errors: `card_payment_unavailable`, also where what was asked
   * for before had other names.
   */
  createCheckout(checkout: NewCheckout): Promise<{ checkoutId: string; checkoutUrl: string }>;
  /** Null for a checkout that the service does not know. */
  getPayment(checkoutId: string): Promise<Payment | null>;
  /** Lets nobody pay from now on; does nothing where it is too late. */
  endCheckout(checkoutId: string): Promise<void>;
  /** Pays all back, once for a request. False where the service refuses to for good. */
  payBack(payment: { paymentId: string; topUpRequestId: string }): Promise<boolean>;
}
