import { subDays } from 'date-fns';
import { and, asc, eq, gt, gte, isNotNull, min, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { billPayments, bills } from '@/db/schema';
import type { StaffContext } from '../kernel/context';

/** A bill with refunds that the payment service refused. */
export interface RefusedRefund {
  billUid: string;
  billId: string;
  table: string | null;
  /** What its payers have not got back yet, in minor units. */
  amount: number;
}

const maxShown = 20;
/** After that, staff may have given the money back in another way, which we can't know. */
const shownDays = 30;

/** Lists bills with refused refunds of payments of the last thirty days, in the order of payment. */
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
          // The same condition as in the index of unsettled payments.
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
