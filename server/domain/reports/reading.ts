import { openReading } from '@/db/operations/replica';
import type { StaffContext } from '../kernel/context';

/**
 * Returns the context for a report or export, which may read from a replica. `asOf` is when its figures were current;
 * null for now.
 */
export async function openReport(ctx: StaffContext): Promise<{ ctx: StaffContext; asOf: Date | null }> {
  const now = ctx.clock.now().getTime();
  const { db, behindMs } = await openReading(ctx.db);
  return { ctx: { ...ctx, db }, asOf: behindMs === null ? null : new Date(now - behindMs) };
}
