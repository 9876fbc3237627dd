/** Shows disputes to staff, who deal with those that were lost. */
import { and, eq, isNull, or } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { bills, cardDisputes, customers, topUpRequests } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { type DisputeView, holder, selectDisputes } from './rows';
import type { DisputesOfInput } from './schemas';

/** Lists the disputes that wait for an answer, and the lost ones that nobody has dealt with. */
export const listDisputesToAnswer = ({ db, merchant }: StaffContext): Promise<DisputeView[]> =>
  withMerchant(db, merchant.id, (tx) => selectDisputes(tx, isToAnswer));

const { status, acknowledgedAt } = cardDisputes;
const isLostAndNew = and(eq(status, 'lost').inlineParams(), isNull(acknowledgedAt));
/** As in the index `card_disputes_open`. */
const isToAnswer = or(eq(status, 'needs_response').inlineParams(), isLostAndNew);

/** Lists the disputes about a customer's top-ups, of a transaction, or about a bill's payments. */
export const listDisputesOf = ({ db, merchant }: StaffContext, of: DisputesOfInput): Promise<DisputeView[]> =>
  withMerchant(db, merchant.id, (tx) => {
    if ('customerId' in of) {
      return selectDisputes(tx, or(eq(customers.id, of.customerId), eq(holder.id, of.customerId)));
    }
    if ('billUid' in of) return selectDisputes(tx, eq(bills.id, of.billUid));
    return selectDisputes(
      tx,
      or(eq(topUpRequests.transactionUid, of.transactionUid), eq(cardDisputes.blockUid, of.transactionUid)),
    );
  });

/** Marks a lost dispute as dealt with. Does nothing for others, and for unknown ones. */
export function acknowledgeDispute(ctx: StaffContext, { disputeId: id }: { disputeId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { count } = await tx.db
      .update(cardDisputes)
      .set({ acknowledgedAt: ctx.systemClock.now(), acknowledgedBy: ctx.staff.userId })
      .where(and(eq(cardDisputes.merchantId, tx.merchantId), eq(cardDisputes.id, id), isLostAndNew));
    if (count === 0) return;
    await auditStaff(tx, ctx, 'dispute.acknowledge', { kind: 'dispute', id });
    await announceChange(tx, 'transactions');
  });
}
