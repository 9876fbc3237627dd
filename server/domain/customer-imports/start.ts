import { and, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customerImports } from '@/db/schema';
import { countForStaff, withStaffLimits } from '../daily-limits';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { isUnsure } from '../table-files';
import { countRows } from './count-rows';
import { findImport } from './imports';
import { queueImport } from './run';
import type { MappedImportInput } from './schemas';
import { requireSecondPerson } from './second-person';

/**
 * Starts the import of a file in the worker. Starting it again does nothing. No sign-up vouchers are issued. Errors:
 * `import_not_found`, `invalid_request` for a column that the file does not have, or whose decimal mark is unclear, or
 * an encoding that is not certain; those of `requireSecondPerson`; `limit_exceeded` beyond the vouchers that the person may
 * give in a day.
 */
export async function startImport(
  ctx: StaffContext,
  { importId, mapping }: MappedImportInput,
): Promise<{ importId: string }> {
  // Before the lock: a file may have many rows, and they do not change.
  const { decimalMarks, unclear, maxOpenings, maxVouchers } = await countRows(ctx, { importId, mapping });
  const inTransaction = async (tx: Tx) => {
    const { merchantId, db } = tx;
    const row = await findImport(tx, importId, { isLocked: true });
    if (row.state !== 'ready') return { importId };
    if (isUnsure(row.source)) throw invalid('encoding', say('encodingUnsure'));
    const foreign = Object.entries(mapping.columns).find(([, column]) => column >= row.headings.length);
    if (foreign) throw invalid(`mapping.columns.${foreign[0]}`, say('noSuchColumn'));
    const unread = unclear.find((field) => decimalMarks[field] === undefined);
    if (unread) throw invalid(`mapping.decimalMarks.${unread}`, say('decimalMarkMissing'));
    await requireSecondPerson(tx, ctx, importId, { openings: maxOpenings, vouchers: maxVouchers });
    const { addsToKnown = false } = mapping;
    const now = ctx.clock.now();
    await Promise.all([
      db
        .update(customerImports)
        .set({
          state: 'running',
          mapping: { ...mapping, decimalMarks },
          startedAt: now,
          updatedAt: now,
        })
        .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId))),
      queueImport(tx, { merchantId, importId }),
      auditStaff(
        tx,
        ctx,
        'customers.import',
        { kind: 'import', id: importId },
        { after: { rows: row.rowCount, addsToKnown, vouchers: maxVouchers } },
      ),
      announceChange(tx, 'customerImports'),
    ]);
    await countForStaff(tx, ctx, 'vouchers', maxVouchers);
    return { importId };
  };
  return withStaffLimits(ctx, () => withMerchant(ctx.db, ctx.merchant.id, inTransaction));
}
