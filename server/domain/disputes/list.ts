/** Shows disputes to staff, who deal with those that were lost. */
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { billPayments, cardDisputes, topUpRequests } from '@/db/schema';
import { identitiesOf } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { type DisputeView, selectDisputes } from './rows';
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
  withMerchant(db, merchant.id, (tx) => selectDisputes(tx, isOf(tx, of)));

/** As arrays, so that the planner looks the few disputes up. */
function isOf({ merchantId, db }: Tx, of: DisputesOfInput): SQL | undefined {
  if ('billUid' in of) {
    const { id, billUid } = billPayments;
    const paid = db
      .select({ id })
      .from(billPayments)
      .where(and(eq(billPayments.merchantId, merchantId), eq(billUid, of.billUid)));
    return sql`${cardDisputes.billPaymentId} = any(array(${paid}))`;
  }
  const ofTopUps = (isTheirs: SQL) => {
    const found = db
      .select({ id: topUpRequests.id })
      .from(topUpRequests)
      .where(and(eq(topUpRequests.merchantId, merchantId), isTheirs));
    return sql`${cardDisputes.topUpRequestId} = any(array(${found}))`;
  };
  if ('transactionUid' in of) {
    const { transactionUid } = of;
    return or(ofTopUps(eq(topUpRequests.transactionUid, transactionUid)), eq(cardDisputes.blockUid, transactionUid));
  }
  const identity = identitiesOf({ merchantId, db }, of.customerId);
  return ofTopUps(sql`${topUpRequests.customerId} = any(array(select ${identity.id} from ${identity}))`);
}

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
