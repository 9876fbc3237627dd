import type { StaffContext } from '../staff/context';
import { type AuditRow, listAuditLog } from './list';
import type { AuditLogFilter } from './schemas';

const batchSize = 1_000;

/** All rows that match, newest first, read a batch at a time. */
export async function* exportAuditLog(ctx: StaffContext, filter: AuditLogFilter): AsyncGenerator<AuditRow> {
  for (let after: string | undefined; ; ) {
    const { items, nextCursor } = await listAuditLog(ctx, { ...filter, after, limit: batchSize });
    yield* items;
    if (nextCursor === null) return;
    after = nextCursor;
  }
}
