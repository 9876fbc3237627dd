/** Help for a person who has lost all second factors: a reset by an owner or by the operator. */

import { eq } from 'drizzle-orm';
import { namePerson, withMerchant, withPerson } from '@/db/driver';
import { worksOnlyAt } from '@/db/query/functions';
import { only, type Queries } from '@/db/query/queries';
import { authenticators, passkeys, recoveryCodes } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { lockMember } from './memberships';
import { mailFactorChange } from './second-factors';
import { recordPersonEvent } from './security-events';
import { deleteSessions, lockPerson } from './sessions';
import { findPassword } from './sign-in';

/**
 * Removes all second factors of a member, ends their sessions, and notifies them by mail. Their password is then enough
 * until they set up a factor again. Only for a member who works nowhere else, because an owner must not weaken an
 * account that opens another business. Errors: `invalid_request` for oneself, `staff_not_found`, `works_elsewhere`.
 */
export async function resetSecondFactor(ctx: StaffContext, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.staff.userId) throw invalid('userId', say('resetOwnFactor'));
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMember(tx, userId, { staysOwner: true });
    await namePerson(tx.db, userId);
    // If the member is joining another merchant at this moment, one of the two waits for the other.
    const person = await lockPerson(tx.db, userId);
    const { $rows, isOnly } = worksOnlyAt({ person: userId, merchant: tx.merchantId });
    if (!only(await tx.db.select({ isOnly }).from($rows)).isOnly) {
      throw new DomainError('works_elsewhere', say('worksElsewhere'));
    }
    await removeAllFactors(tx.db, ctx, person, `${ctx.staff.name} (${ctx.merchant.name})`);
    await auditStaff(tx, ctx, 'staff.resetSecondFactor', { kind: 'user', id: userId });
    await announceChange(tx, 'staff');
  });
  logReset(userId, ctx.staff.userId);
}

/**
 * Removes anyone's second factors, by the service's operator, who has verified their identity. Returns false if no
 * account has the address.
 */
export async function resetSecondFactorByOperator(services: Services, email: string): Promise<boolean> {
  const found = await findPassword(services, email.trim().toLowerCase());
  if (!found) return false;
  const { userId } = found;
  await withPerson(services.db, userId, async ({ db }) => {
    await removeAllFactors(db, services, await lockPerson(db, userId), null);
    await recordPersonEvent(db, services, { userId, action: 'staff.resetSecondFactor' });
  });
  logReset(userId, 'operator');
  return true;
}

/** `by` is null for the operator. */
async function removeAllFactors(
  db: Queries,
  services: Services,
  person: Awaited<ReturnType<typeof lockPerson>>,
  by: string | null,
) {
  for (const table of [authenticators, passkeys, recoveryCodes]) {
    await db.delete(table).where(eq(table.userId, person.userId));
  }
  await deleteSessions(db, person.userId);
  await mailFactorChange(db, services, person, { change: 'reset', by });
}

const logReset = (userId: string, by: string) =>
  logSecurity('staff.second_factor_changed', { userId, change: 'reset', method: null, by });
