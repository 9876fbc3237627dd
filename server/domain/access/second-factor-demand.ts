/** What a merchant demands of its staff's second factors, and what an owner does for one who has lost theirs. */
import { eq } from 'drizzle-orm';
import { namePerson, withMerchant } from '@/db/client';
import { worksOnlyAt } from '@/db/functions';
import { only } from '@/db/queries';
import { authenticators, merchants, passkeys, recoveryCodes } from '@/db/schema';
import { logSecurity } from '@/server/process/security-log';
import { auditStaff } from '../kernel/audit';
import { announce } from '../kernel/changes';
import type { SecondFactorDemand, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { lockMerchant } from '../merchants';
import { lockMember } from './memberships';
import { mailFactorChange } from './second-factors';
import { deleteSessions, lockPerson } from './sessions';

const dayMs = 24 * 60 * 60_000;

/** Errors: `second_factor_required` if the person has no second factor, and needs one here by now. */
export function requireDemandedFactor({ staff: { secondFactorFrom }, systemClock }: StaffContext): void {
  if (secondFactorFrom && secondFactorFrom <= systemClock.now()) {
    throw new DomainError('second_factor_required', say('secondFactorFirst'));
  }
}

/** Demands a second factor from those roles, `graceDays` from now on. Until then they are only asked for one. */
export async function setSecondFactorDemand(
  ctx: StaffContext,
  { demandedOf, graceDays }: { demandedOf: SecondFactorDemand; graceDays: number },
): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMerchant(tx);
    const from = demandedOf === 'nobody' ? null : new Date(ctx.systemClock.now().getTime() + graceDays * dayMs);
    const isIt = eq(merchants.id, tx.merchantId);
    const before = only(await tx.db.select({ secondFactorOf: merchants.secondFactorOf }).from(merchants).where(isIt));
    await tx.db.update(merchants).set({ secondFactorOf: demandedOf, secondFactorFrom: from }).where(isIt);
    const after = { secondFactorOf: demandedOf, secondFactorFrom: from };
    const subject = { kind: 'merchant', id: tx.merchantId };
    await auditStaff(tx, ctx, 'settings.secondFactor', subject, { before, after });
    await announce(tx, 'staff');
  });
}

/**
 * Removes all second factors of a member who has lost them, ends their sessions, and tells them by mail. The password is
 * then enough, until they set one up again. Only for a member who works nowhere else: an owner must not weaken an account
 * that opens another business. Errors: `invalid_request` for oneself, `staff_not_found`, `works_elsewhere`.
 */
export async function resetSecondFactor(ctx: StaffContext, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.staff.userId) throw invalid('userId', say('resetOwnFactor'));
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMember(tx, userId, { staysOwner: true });
    await namePerson(tx.db, userId);
    // Joining another merchant waits for it.
    const person = await lockPerson(tx.db, userId);
    const { $rows, isOnly } = worksOnlyAt({ person: userId, merchant: tx.merchantId });
    if (!only(await tx.db.select({ isOnly }).from($rows)).isOnly) {
      throw new DomainError('works_elsewhere', say('worksElsewhere'));
    }
    for (const table of [authenticators, passkeys, recoveryCodes]) {
      await tx.db.delete(table).where(eq(table.userId, userId));
    }
    await deleteSessions(tx.db, userId);
    await mailFactorChange(tx.db, ctx, person, 'reset');
    await auditStaff(tx, ctx, 'staff.resetSecondFactor', { kind: 'user', id: userId });
    await announce(tx, 'staff');
  });
  logSecurity('staff.second_factor_changed', { userId, change: 'reset', method: null, by: ctx.staff.userId });
}
