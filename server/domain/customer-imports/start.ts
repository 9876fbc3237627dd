import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { customerImports } from '@/db/schema';
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
 * an encoding that is not certain; those of `requireSecondPerson`.
 */
export async function startImport(
  ctx: StaffContext,
  { importId, mapping }: MappedImportInput,
): Promise<{ importId: string }> {
  // Before the lock: a file may have many rows, and they do not change.
  const { decimalMarks, unclear, maxOpenings } = await countRows(ctx, { importId, mapping });
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const row = await findImport(tx, importId, { isLocked: true });
    if (row.state !== 'ready') return { importId };
    if (isUnsure(row.source)) throw invalid('encoding', say('encodingUnsure'));
    const foreign = Object.entries(mapping.columns).find(([, column]) => column >= row.headings.length);
    if (foreign) throw invalid(`mapping.columns.${foreign[0]}`, say('noSuchColumn'));
    const unread = unclear.find((field) => decimalMarks[field] === undefined);
    if (unread) throw invalid(`mapping.decimalMarks.${unread}`, say('decimalMarkMissing'));
    await requireSecondPerson(tx, ctx, importId, maxOpenings);
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
        { after: { rows: row.rowCount, addsToKnown } },
      ),
      announceChange(tx, 'customerImports'),
    ]);
    return { importId };
  });
}
