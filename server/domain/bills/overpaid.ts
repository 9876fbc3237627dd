import { subDays } from 'date-fns';
import { and, desc, eq, gte, inArray, ne } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { auditLog, bills } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { firstIdAt } from '../kernel/ids';
import { say } from '../kernel/say';
import { billColumns, figuresOfBill, loadBills, lockBillByUid } from './load';
import type { SettleOverpaidInput } from './schemas';
import { overpaidAction } from './write';

/** A bill that has ended with more redeemed and paid on it than it came to. */
export interface OverpaidBill {
  billUid: string;
  billId: string;
  table: string | null;
  /** What was paid above the bill, is not returned, and nobody has settled, in minor units. */
  amount: number;
}

const maxShown = 20;
const shownDays = 30;
/** Recorded when staff have given the money back in another way. `after.overpaid`: all that the bill was overpaid by then. */
const settledAction = 'bill.settleOverpaid';

/** Lists bills of the last thirty days that ended with too much paid on them, until a redemption is voided or staff settle it. */
export function listOverpaidBills({ db, merchant, clock }: StaffContext): Promise<OverpaidBill[]> {
  const now = clock.now();
  return withMerchant(db, merchant.id, async (tx) => {
    const { merchantId, db: queries } = tx;
    const notes = await readNotes(tx, now);
    if (notes.size === 0) return [];
    const rows = await queries
      .select(billColumns)
      .from(bills)
      .where(
        and(
          eq(bills.merchantId, merchantId),
          anyOf(bills.id, [...notes.keys()]),
          ne(bills.state, 'open').inlineParams(),
        ),
      )
      .orderBy(desc(bills.id));
    const loaded = await loadBills(tx, rows);
    return loaded
      .map((bill) => {
        const { id: billUid, billId, table } = bill.row;
        const { overpaid } = figuresOfBill(bill, now);
        return { billUid, billId, table, amount: unsettledOf(overpaid, notes.get(billUid) ?? []) };
      })
      .filter(({ amount }) => amount > 0)
      .slice(0, maxShown);
  });
}

/**
 * Records that staff have settled what a bill was overpaid by. If it is overpaid again later, it is listed again. A repeat changes
 * nothing. Errors: `bill_not_found`; `edited_meanwhile` if the amount is no longer the one that was shown.
 */
export function settleOverpaidBill(ctx: StaffContext, { billUid, amount }: SettleOverpaidInput): Promise<void> {
  const now = ctx.clock.now();
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const bill = await lockBillByUid(tx, billUid);
    if (!bill) throw new DomainError('bill_not_found', say('billNotFound'));
    const notes = (await readNotes(tx, now)).get(billUid) ?? [];
    const { overpaid } = figuresOfBill(bill, now);
    const unsettled = unsettledOf(overpaid, notes);
    if (unsettled === 0 && notes[0]?.isSettled) return;
    if (bill.row.state === 'open' || unsettled !== amount)
      throw new DomainError('edited_meanwhile', say('editedMeanwhile'));
    await auditStaff(tx, ctx, settledAction, { kind: 'bill', id: billUid }, { after: { amount, overpaid } });
    await announceChange(tx, 'bills');
  });
}

interface Note {
  isSettled: boolean;
  /** What the bill was overpaid by then. */
  overpaid: number;
}

/** Reads when bills were found overpaid and settled, the newest note of each bill first. */
async function readNotes({ merchantId, db }: Tx, now: Date): Promise<Map<string, Note[]>> {
  const recorded = await db
    .select({ billUid: auditLog.subjectId, action: auditLog.action, after: auditLog.after })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.merchantId, merchantId),
        inArray(auditLog.action, [overpaidAction, settledAction]),
        gte(auditLog.id, firstIdAt(subDays(now, shownDays))),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(10 * maxShown);
  const notes = new Map<string, Note[]>();
  for (const { billUid, action, after } of recorded) {
    if (billUid === null) continue;
    const { amount, overpaid = amount } = JSON.parse(after ?? '{}') as { amount: number; overpaid?: number };
    notes.set(billUid, [...(notes.get(billUid) ?? []), { isSettled: action === settledAction, overpaid }]);
  }
  return notes;
}

/**
 * Returns what nobody has settled. What was found since the last settling counts, unless it is only found again. After less was
 * found, all of it counts: staff have to look.
 */
function unsettledOf(overpaid: number, notes: Note[]): number {
  const settledAt = notes.findIndex(({ isSettled }) => isSettled);
  const settled = notes[settledAt];
  if (!settled) return overpaid;
  const isFoundAgain = notes.slice(0, settledAt).some((note) => note.overpaid !== settled.overpaid);
  if (!isFoundAgain) return 0;
  return overpaid > settled.overpaid ? overpaid - settled.overpaid : overpaid;
}
