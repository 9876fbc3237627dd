/** From whom a merchant demands a second factor. `staffContext` enforces it. */
import { eq } from 'drizzle-orm';
import { namePerson, withMerchant } from '@/db/client';
import { only } from '@/db/queries';
import { merchants } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announce } from '../kernel/changes';
import type { SecondFactorDemand, StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { lockMerchant } from '../merchants';
import { hasSecondFactor } from './sessions';

const dayMs = 24 * 60 * 60_000;

/**
 * Demands a second factor from those roles, `graceDays` from now on. Until then they are only asked for one. Errors:
 * `second_factor_required` if the owner has none, who would only lock themselves out.
 */
export async function setSecondFactorDemand(
  ctx: StaffContext,
  { demandedOf, graceDays }: { demandedOf: SecondFactorDemand; graceDays: number },
): Promise<void> {
  const { userId } = ctx.staff;
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMerchant(tx);
    await namePerson(tx.db, userId);
    if (demandedOf !== 'nobody' && !(await hasSecondFactor(tx.db, userId))) {
      throw new DomainError('second_factor_required', say('secondFactorFirst'));
    }
    const from = demandedOf === 'nobody' ? null : new Date(ctx.systemClock.now().getTime() + graceDays * dayMs);
    const { secondFactorOf, secondFactorFrom } = merchants;
    const isIt = eq(merchants.id, tx.merchantId);
    const before = only(await tx.db.select({ secondFactorOf, secondFactorFrom }).from(merchants).where(isIt));
    const after = { secondFactorOf: demandedOf, secondFactorFrom: from };
    await tx.db.update(merchants).set(after).where(isIt);
    await auditStaff(tx, ctx, 'settings.secondFactor', { kind: 'merchant', id: tx.merchantId }, { before, after });
    await announce(tx, 'staff');
  });
}
