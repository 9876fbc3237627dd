/** Disputes of a payment, as Stripe tells them. */
import type Stripe from 'stripe';
import type { DisputeStatus } from '@/db/kinds/lists';
import type { Dispute } from '../domain/kernel/card-payments';
import { fromStripeAmount } from './stripe-amount';
import { ask } from './stripe-call';

/** Far more than a payment can have: mostly there is one, and a second one after an appeal. */
const mostDisputes = 100;

export async function listDisputes(stripe: Stripe, paymentId: string): Promise<Dispute[]> {
  const { data } = await ask(() => stripe.disputes.list({ payment_intent: paymentId, limit: mostDisputes }));
  return data.map(({ id, amount, currency, reason, status, created, evidence_details }) => ({
    serviceId: id,
    amount: fromStripeAmount(amount, currency.toUpperCase()),
    reason,
    status: disputeStatusOf(status),
    respondBy: evidence_details.due_by === null ? null : new Date(evidence_details.due_by * 1000),
    openedAt: new Date(created * 1000),
  }));
}

/**
 * Inquiries (`warning_…`), from which a dispute can follow, and appeals stand as disputes do. `prevented`: it was
 * settled before it became a dispute. A status that we do not know yet is not an end.
 */
function disputeStatusOf(status: Stripe.Dispute.Status): DisputeStatus {
  if (status === 'won' || status === 'warning_closed' || status === 'prevented') return 'won';
  if (status === 'lost') return 'lost';
  return status.endsWith('needs_response') ? 'needs_response' : 'under_review';
}
