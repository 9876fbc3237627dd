/** What the payment service paid out to a merchant, for the books. */
import { addDays } from 'date-fns';
import { purposeOfPayment } from '@/db/query/functions';
import type { PayoutPart } from '../kernel/card-payments';
import type { StaffContext } from '../kernel/context';
import type { PayoutsInput } from './schemas';

/** A payout that is under way arrives within this time. */
const underWayDays = 14;

/** The merchant's part of a payout. */
export type Payout = Omit<PayoutPart, 'merchantId' | 'arrivesAt'> & {
  /** `YYYY-MM-DD`. */
  arrivesOn: string;
};

/**
 * Returns the merchant's parts of payouts, the newest first, as the payment service tells them now, and whether this deployment takes
 * cards at all. Days until today include what is under way. Errors: `service_unavailable`, `card_payment_unavailable`.
 */
export async function listPayouts(
  ctx: StaffContext,
  { from, to }: PayoutsInput,
): Promise<{ takesCards: boolean; payouts: Payout[] }> {
  const { cardPayments, merchant, systemClock } = ctx;
  if (!cardPayments) return { takesCards: false, payouts: [] };
  const isUntilNow = to >= systemClock.now().toISOString().slice(0, 10);
  const period = { from: new Date(from), to: addDays(new Date(to), isUntilNow ? underWayDays : 1) };
  const { cardAccountId, cardAccountState } = merchant;
  // What was paid before the merchant had an account of its own is on the operator's.
  const [onOperators, onOwn] = await Promise.all([
    cardPayments.on(null).listPayouts(period, (paymentId) => merchantOf(ctx, paymentId)),
    cardAccountId !== null && cardAccountState !== 'disconnected'
      ? cardPayments.on(cardAccountId).listPayouts(period, merchant.id)
      : [],
  ]);
  const parts = [...onOperators, ...onOwn].sort((a, b) => a.arrivesAt.getTime() - b.arrivesAt.getTime());
  const payouts = parts.filter(({ merchantId }) => merchantId === merchant.id).reverse();
  return {
    takesCards: true,
    payouts: payouts.map(({ merchantId, arrivesAt, ...part }) => ({
      ...part,
      arrivesOn: arrivesAt.toISOString().slice(0, 10),
    })),
  };
}

/** A refund or dispute names only its payment. */
async function merchantOf({ db }: StaffContext, paymentId: string): Promise<string | null> {
  const { $rows, merchantId } = purposeOfPayment({ payment: paymentId });
  const [row] = await db.pool.select({ merchantId }).from($rows);
  return row?.merchantId ?? null;
}
