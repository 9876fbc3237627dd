/** Which roles a merchant demands a second factor from. `staffContext` enforces it. */

import { eq } from 'drizzle-orm';
import { namePerson, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { merchants } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { SecondFactorDemand, Services, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { lockMerchant } from '../merchants';
import { rolesDemanded } from './schemas';
import { hasSecondFactor, type Staff } from './sessions';

const addDays = (now: Date, days: number) => new Date(now.getTime() + days * 24 * 60 * 60_000);

/**
 * Demands a second factor from these roles, `graceDays` from now on. Null keeps the start of the current demand. Until
 * then, staff are only asked to set one up. Repeating the current demand changes nothing. Errors:
 * `second_factor_required` if the owner, who would be locked out, has none; `invalid_request` for null without a
 * current demand.
 */
export async function setSecondFactorDemand(
  ctx: StaffContext,
  { demandedOf, graceDays }: { demandedOf: SecondFactorDemand; graceDays: number | null },
): Promise<void> {
  const { userId } = ctx.staff;
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMerchant(tx);
    const { secondFactorOf, secondFactorFrom } = merchants;
    const isIt = eq(merchants.id, tx.merchantId);
    const before = only(await tx.db.select({ secondFactorOf, secondFactorFrom }).from(merchants).where(isIt));
    const isKept = graceDays === null || demandedOf === 'nobody';
    if (isKept && demandedOf === before.secondFactorOf) return;
    await namePerson(tx.db, userId);
    if (demandedOf !== 'nobody' && !(await hasSecondFactor(tx.db, userId))) {
      throw new DomainError('second_factor_required', say('secondFactorFirst'));
    }
    const from = graceDays === null ? before.secondFactorFrom : addDays(ctx.systemClock.now(), graceDays);
    if (demandedOf !== 'nobody' && from === null) throw invalid('graceDays', say('required'));
    const after = { secondFactorOf: demandedOf, secondFactorFrom: demandedOf === 'nobody' ? null : from };
    await tx.db.update(merchants).set(after).where(isIt);
    await auditStaff(tx, ctx, 'settings.secondFactor', { kind: 'merchant', id: tx.merchantId }, { before, after });
    await announceChange(tx, 'staff');
  });
}

/** Returns the names of the businesses that demand a second factor from the person, even if they have one. */
export async function listDemands(services: Services, { memberships }: Pick<Staff, 'memberships'>): Promise<string[]> {
  const names: string[] = [];
  // One query each: people work for few merchants.
  for (const { merchantId, merchantName, role } of memberships) {
    const { demandedOf } = await withMerchant(services.db, merchantId, async (tx) =>
      only(
        await tx.db
          .select({ demandedOf: merchants.secondFactorOf })
          .from(merchants)
          .where(eq(merchants.id, merchantId)),
      ),
    );
    if (rolesDemanded[demandedOf].includes(role)) names.push(merchantName);
  }
  return names;
}
