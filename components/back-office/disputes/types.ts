import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';
import type reasons from '../../messages/en/disputes.json';

export type Dispute = inferRouterOutputs<StaffRouter>['disputes']['of'][number];

type Reason = keyof (typeof reasons)['reasons'];
/** Stripe's reasons (https://docs.stripe.com/disputes/categories). */
const known = {
  bank_cannot_process: true,
  check_returned: true,
  credit_not_processed: true,
  customer_initiated: true,
  debit_not_authorized: true,
  duplicate: true,
  fraudulent: true,
  general: true,
  incorrect_account_details: true,
  insufficient_funds: true,
  noncompliant: true,
  product_not_received: true,
  product_unacceptable: true,
  subscription_canceled: true,
  unrecognized: true,
} satisfies Record<Reason, true>;

/** Returns the key of a reason's text. Stripe may add reasons. */
export const reasonOf = ({ reason }: Pick<Dispute, 'reason'>): Reason =>
  reason in known ? (reason as Reason) : 'general';
