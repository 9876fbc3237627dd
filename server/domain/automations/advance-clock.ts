import { eq } from 'drizzle-orm';
import { withMerchant } from '@/db/client';
import { merchants } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announce, topics } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { type AdvanceClockInput, lockMerchant, maxAheadSeconds, readMerchantNow } from '../merchants';
import { queueAllRuns } from './run-now';

/**
 * Advances the clock of a sandbox's merchant, and runs at once what becomes due. It can't go back, because recorded
 * transactions stay in the past. Errors: `sandbox_only`; `invalid_request` for a time in the past or more than two
 * years ahead.
 */
export async function advanceClock(ctx: StaffContext, { to }: AdvanceClockInput): Promise<{ now: Date }> {
  if (ctx.environment !== 'sandbox') throw new DomainError('sandbox_only', say('sandboxOnly'));
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    await lockMerchant(tx);
    const { merchant, now } = await readMerchantNow(tx, ctx);
    const movedAt = ctx.systemClock.now();
    const clockAheadSeconds = Math.ceil((Date.parse(to) - movedAt.getTime()) / 1000);
    if (new Date(to) <= now) throw invalid('to', say('notAheadOfClock'));
    if (clockAheadSeconds > maxAheadSeconds) throw invalid('to', say('twoYearsAhead'));
    const change = { before: { clockAheadSeconds: merchant.clockAheadSeconds }, after: { clockAheadSeconds, to } };
    await Promise.all([
      db.update(merchants).set({ clockAheadSeconds, clockMovedAt: movedAt }).where(eq(merchants.id, merchantId)),
      auditStaff(tx, ctx, 'settings.advanceClock', { kind: 'merchant', id: merchantId }, change),
    ]);
    await queueAllRuns(tx, ctx);
    // Anything on a screen may depend on the time.
    await Promise.all(topics.map((topic) => announce(tx, topic)));
    return { now: (await readMerchantNow(tx, ctx)).now };
  });
}
