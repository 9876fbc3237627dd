import { subDays } from 'date-fns';
import { and, desc, eq, gte, ne } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { auditLog, bills } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { firstIdAt } from '../kernel/ids';
import { billColumns, figuresOfBill, loadBills } from './load';
import { overpaidAction } from './write';

/** A bill that has ended with more redeemed and paid on it than it came to. */
export interface OverpaidBill {
  billUid: string;
  billId: string;
  table: string | null;
  /** What was paid above the bill and is not returned, in minor units. */
  amount: number;
}

const maxShown = 20;
/** After that, staff may have given the money back in another way, which we can't know. */
const shownDays = 30;

/** Lists bills of the last thirty days that ended with too much paid on them, until a redemption is voided. */
export function listOverpaidBills({ db, merchant, clock }: StaffContext): Promise<OverpaidBill[]> {
  const now = clock.now();
  return withMerchant(db, merchant.id, async (tx) => {
    const { merchantId, db: queries } = tx;
    const recorded = await queries
      .select({ billUid: auditLog.subjectId })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.merchantId, merchantId),
          eq(auditLog.action, overpaidAction),
          gte(auditLog.id, firstIdAt(subDays(now, shownDays))),
        ),
      )
      .orderBy(desc(auditLog.id))
      .limit(5 * maxShown);
    const uids = recorded.flatMap(({ billUid }) => billUid ?? []);
    if (uids.length === 0) return [];
    const rows = await queries
      .select(billColumns)
      .from(bills)
      .where(and(eq(bills.merchantId, merchantId), anyOf(bills.id, uids), ne(bills.state, 'open').inlineParams()))
      .orderBy(desc(bills.id));
    const loaded = await loadBills(tx, rows);
    return loaded
      .map((bill) => {
        const { id: billUid, billId, table } = bill.row;
        return { billUid, billId, table, amount: figuresOfBill(bill, now).overpaid };
      })
      .filter(({ amount }) => amount > 0)
      .slice(0, maxShown);
  });
}
