import { withMerchant } from '@/db/driver';
import { logSecurity } from '@/server/observe/security-log';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';

/** Records who downloaded a list, and how many rows of it. */
export async function recordExport(ctx: StaffContext, list: string, rows: number): Promise<void> {
  const { merchant, staff } = ctx;
  await withMerchant(ctx.db, merchant.id, (tx) =>
    auditStaff(tx, ctx, 'export.download', { kind: 'export', id: list }, { after: { rows } }),
  );
  logSecurity('export.downloaded', { merchantId: merchant.id, userId: staff.userId, list, rows });
}
