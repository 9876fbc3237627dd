/** The domain's interface to a payment service (server/gateways/stripe.ts). Amounts are in our minor units. */

export interface NewCheckout {
  merchantId: string;
  topUpRequestId: string;
  /** Shown to the payer. */
  title: string;
  amount: number;
  currency: string;
  /** The page to which the payer returns, paid or not. */
  returnUrl: string;
  expiresAt: Date;
}

/** The state of a top-up's payment. */
export interface Payment {
  /** The top-up request that it pays for. */
  topUpRequestId: string;
  /** `processing`: the payer is done, but the bank is not. */
  status: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  amount: number;
  currency: string;
  /** The amount refunded so far. */
  refunded: number;
  /** Identifies the payment for a refund; null if nothing was paid. */
  paymentId: string | null;
}

/** Errors of all methods: `service_unavailable` while the service can't be reached. */
export interface CardPayments {
  /** True if the service accepts this amount in this currency. */
  takes(amount: number, currency: string): boolean;
  /**
   * Returns the same checkout for the same request. Errors: `card_payment_unavailable`, also if an earlier call for the
   * request had other names.
   */
  createCheckout(checkout: NewCheckout): Promise<{ checkoutId: string; checkoutUrl: string }>;
  /** Returns null for an unknown checkout. */
  getPayment(checkoutId: string): Promise<Payment | null>;
  /** Prevents payment from now on. Does nothing if it is too late. */
  endCheckout(checkoutId: string): Promise<void>;
  /** Refunds the whole payment, once per request. Returns false if the service refuses for good. */
  payBack(payment: { paymentId: string; topUpRequestId: string }): Promise<boolean>;
}
