import { withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { StaffContext } from '../staff/context';
import { qrCodeNotFound } from './bill-code';

/**
 * Closes all of these codes or none; answers how many were not closed before. The rows' locks, taken in one order, make
 * orders wait: each is on its bill before, or refused. Errors: `qr_code_not_found` where any of them is unknown.
 */
export async function closeTableCodes(
  ctx: StaffContext,
  { qrCodeIds }: { qrCodeIds: string[] },
): Promise<{ closed: number }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const codes = await sql<{ id: string; bill_id: string; status: string }[]>`
      select id, bill_id, status from qr_codes
      where merchant_id = ${merchantId} and id = any(${qrCodeIds}::uuid[]) order by id for update`;
    if (codes.length < new Set(qrCodeIds).size) throw qrCodeNotFound();
    const open = codes.filter(({ status }) => status !== 'invalidated');
    // Once the rows are ours: every order on the bills was placed before.
    const now = ctx.clock.now();
    await Promise.all([
      sql`
        update qr_codes set status = 'invalidated', invalidated_at = ${now}
        where merchant_id = ${merchantId} and id = any(${open.map(({ id }) => id)}::uuid[])`,
      ...open.flatMap(({ id, bill_id: billId }) => [
        auditStaff(tx, ctx, 'qrCode.invalidate', { kind: 'qrCode', id }, { after: { billId } }),
        announce(tx, 'qrCodes', id),
      ]),
    ]);
    return { closed: open.length };
  });
}
