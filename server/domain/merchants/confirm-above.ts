import type { Tx } from '@/db/driver';
import { isConfirmed, requireConfirmed } from '../kernel/confirmed';
import type { StaffContext } from '../kernel/context';
import { readBusiness } from './business';

/** What a change by staff is about: stored value or money in minor units, and points. Either may be negative. */
interface Stake {
  value: number;
  points: number;
}

/**
 * Requires a recent proof of who is there if more than the merchant's `confirmAbove` is at stake. Points count at their
 * value. Call it in the transaction of the change. Errors: `confirmation_required`.
 */
export async function requireConfirmedFor(tx: Tx, ctx: StaffContext, stake: Stake): Promise<void> {
  if (isConfirmed(ctx, ctx.staff)) return;
  if (await isAboveConfirmed(tx, ctx, stake)) requireConfirmed(ctx, ctx.staff);
}

/** Returns whether more than the merchant's `confirmAbove` is at stake. */
export async function isAboveConfirmed(tx: Tx, { merchant }: StaffContext, { value, points }: Stake): Promise<boolean> {
  const { confirmAbove } = await readBusiness(tx);
  return confirmAbove !== null && Math.abs(value) + Math.abs(points) * merchant.pointValue > confirmAbove;
}
