import { eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { merchants } from '@/db/schema';
import { auditPos, auditStaff } from '../kernel/audit';
import { announceChange, topics } from '../kernel/changes';
import type { PosContext, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import {
  type AdvanceClockInput,
  lockMerchant,
  maxAheadSeconds,
  readMerchantNow,
  type SandboxClockInput,
  type SandboxClockOutput,
} from '../merchants';
import { queueAllRuns } from './run-now';

const action = 'settings.advanceClock';
const subjectOf = ({ merchantId }: Tx) => ({ kind: 'merchant', id: merchantId });

/**
 * Advances the clock of a sandbox merchant, and at once runs what becomes due. It can't go back, because recorded
 * transactions stay in the past. Errors: `sandbox_only`; `invalid_request` for a time in the past or more than two
 * years ahead.
 */
export const advanceClock = (ctx: StaffContext, input: AdvanceClockInput): Promise<{ now: Date }> =>
  advance(ctx, input, ctx.staff.userId, (tx, change) => auditStaff(tx, ctx, action, subjectOf(tx), change));

/** Like `advanceClock`, but by a key, and also by a number of seconds. */
export async function advanceClockByKey(ctx: PosContext, input: SandboxClockInput): Promise<SandboxClockOutput> {
  const { now } = await advance(ctx, input, null, (tx, change) => auditPos(tx, ctx, action, subjectOf(tx), {}, change));
  return { now: now.toISOString() };
}

interface Change {
  before: object;
  after: object;
}

async function advance(
  ctx: PosContext | StaffContext,
  { to, seconds }: SandboxClockInput,
  requestedBy: string | null,
  record: (tx: Tx, change: Change) => Promise<unknown>,
): Promise<{ now: Date }> {
  if (ctx.environment !== 'sandbox') throw new DomainError('sandbox_only', say('sandboxOnly'));
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    await lockMerchant(tx);
    const { merchant, now } = await readMerchantNow(tx, ctx);
    const movedAt = ctx.systemClock.now();
    const wanted = to ?? new Date(now.getTime() + (seconds ?? 0) * 1000).toISOString();
    const field = to === undefined ? 'seconds' : 'to';
    const clockAheadSeconds = Math.ceil((Date.parse(wanted) - movedAt.getTime()) / 1000);
    if (new Date(wanted) <= now) throw invalid(field, say('notAheadOfClock'));
    if (clockAheadSeconds > maxAheadSeconds) throw invalid(field, say('twoYearsAhead'));
    const after = { clockAheadSeconds, to: wanted };
    await Promise.all([
      db.update(merchants).set({ clockAheadSeconds, clockMovedAt: movedAt }).where(eq(merchants.id, merchantId)),
      record(tx, { before: { clockAheadSeconds: merchant.clockAheadSeconds }, after }),
    ]);
    await queueAllRuns(tx, ctx, requestedBy);
    // Everything on a screen may depend on the time.
    await Promise.all(topics.map((topic) => announceChange(tx, topic)));
    return { now: (await readMerchantNow(tx, ctx)).now };
  });
}
