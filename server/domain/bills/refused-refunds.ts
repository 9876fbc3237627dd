import { subDays } from 'date-fns';
import { and, asc, eq, gt, gte, isNotNull, min, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { billPayments, bills } from '@/db/schema';
import type { StaffContext } from '../kernel/context';

/** A bill of which the payment service refused to return something to its payers. */
export interface RefusedRefund {
  billUid: string;
  billId: string;
  table: string | null;
  /** What its payers do not have yet, in minor units. */
  amount: number;
}

const maxShown = 20;
/** Staff may have given the money back in another way, which the service does not learn. */
const shownDays = 30;

/** Lists bills with refused refunds of payments of the last thirty days, those that were paid first at the top. */
export function listRefusedRefunds({ db, merchant, clock }: StaffContext): Promise<RefusedRefund[]> {
  const { amount, tip, keptAmount, keptTip, returnedAmount, state, takenAt, refundRefusedAt } = billPayments;
  return withMerchant(db, merchant.id, ({ merchantId, db: queries }) =>
    queries
      .select({
        billUid: bills.id,
        billId: bills.billId,
        table: bills.table,
        amount: sql<number>`sum(${amount} + ${tip} - ${keptAmount} - ${keptTip} - ${returnedAmount})::bigint`,
      })
      .from(billPayments)
      .innerJoin(bills, and(eq(bills.merchantId, billPayments.merchantId), eq(bills.id, billPayments.billUid)))
      .where(
        and(
          eq(billPayments.merchantId, merchantId),
          // As in the index of what is not settled.
          eq(state, 'taken').inlineParams(),
          gt(sql`${amount} + ${tip} - ${keptAmount} - ${keptTip}`, returnedAmount),
          isNotNull(refundRefusedAt),
          gte(takenAt, subDays(clock.now(), shownDays)),
        ),
      )
      .groupBy(bills.merchantId, bills.id)
      .orderBy(asc(min(takenAt)))
      .limit(maxShown),
  );
}
