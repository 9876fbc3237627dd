import { eq } from 'drizzle-orm';
import { withMerchant } from '@/db/client';
import { merchants } from '@/db/schema';
import { queueAllRuns } from '../automations/run-now';
import { auditStaff } from '../core/audit';
import { announce, topics } from '../core/changes';
import type { StaffContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { say } from '../core/say';
import { lockMerchant, merchantNow } from './merchant';
import { type AdvanceClockInput, farthestAheadSeconds } from './schemas';

/**
 * Advances the clock of a sandbox's merchant, and has done at once what is due by then. Never back: what was booked stays
 * in the past. Errors: `sandbox_only`; `invalid_request` for a time that is over, or more than two years from now.
 */
export async function advanceClock(ctx: StaffContext, { to }: AdvanceClockInput): Promise<{ now: Date }> {
  if (ctx.environment !== 'sandbox') throw new DomainError('sandbox_only', say('sandboxOnly'));
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    await lockMerchant(tx);
    const { merchant, now } = await merchantNow(tx, ctx);
    const movedAt = ctx.systemClock.now();
    const clockAheadSeconds = Math.ceil((Date.parse(to) - movedAt.getTime()) / 1000);
    if (new Date(to) <= now) throw invalid('to', say('notAheadOfClock'));
    if (clockAheadSeconds > farthestAheadSeconds) throw invalid('to', say('twoYearsAhead'));
    const change = { before: { clockAheadSeconds: merchant.clockAheadSeconds }, after: { clockAheadSeconds, to } };
    await Promise.all([
      db.update(merchants).set({ clockAheadSeconds, clockMovedAt: movedAt }).where(eq(merchants.id, merchantId)),
      auditStaff(tx, ctx, 'settings.advanceClock', { kind: 'merchant', id: merchantId }, change),
    ]);
    await queueAllRuns(tx, ctx);
    // Whatever is shown may look otherwise by then.
    await Promise.all(topics.map((topic) => announce(tx, topic)));
    return { now: (await merchantNow(tx, ctx)).now };
  });
}
