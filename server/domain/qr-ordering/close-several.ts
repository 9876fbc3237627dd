import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { qrCodes } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { qrCodeNotFound, sendCodeEvents } from './bill-code';
import { endCallsOf } from './table-calls';

/**
 * Closes all of these codes or none. Returns how many were open. Locks are taken in a fixed order; an order is either
 * on its bill before, or refused. Errors: `qr_code_not_found` if any is unknown.
 */
export async function closeTableCodes(
  ctx: StaffContext,
  { qrCodeIds }: { qrCodeIds: string[] },
): Promise<{ closed: number }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const are = (ids: string[]) => and(eq(qrCodes.merchantId, merchantId), anyOf(qrCodes.id, ids));
    const { id, billId, status, openedBy, confirmedAt } = qrCodes;
    const codes = await db
      .select({ id, billId, status, openedBy, confirmedAt })
      .from(qrCodes)
      .where(are(qrCodeIds))
      .orderBy(qrCodes.id)
      .for('update');
    if (codes.length < new Set(qrCodeIds).size) throw qrCodeNotFound();
    const open = codes.filter(({ status }) => status !== 'invalidated');
    // Read after the locks, so that it is later than every order on the bills.
    const now = ctx.clock.now();
    await Promise.all([
      db
        .update(qrCodes)
        .set({ status: 'invalidated', invalidatedAt: now, invalidatedBy: 'staff' })
        .where(are(open.map((code) => code.id))),
      ...open.flatMap(({ id, billId }) => [
        auditStaff(tx, ctx, 'qrCode.invalidate', { kind: 'qrCode', id }, { after: { billId } }),
        announceChange(tx, 'qrCodes', id),
      ]),
    ]);
    const ids = (codes: typeof open) => codes.map((code) => code.id);
    await endCallsOf(tx, ctx.merchant, ids(open), now);
    // Tills know of a code that a diner opened only once staff have accepted its first order.
    const known = open.filter((code) => code.openedBy === 'till' || code.confirmedAt !== null);
    await sendCodeEvents(tx, ctx.merchant, { type: 'qr_code.settled', ids: ids(known), now });
    return { closed: open.length };
  });
}
