/** Limits what a member of staff gives in a day, so that one person can't make up customers and value at will. */

import { and, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { merchants, type StaffGood, staffDays, staffLimitColumns } from '@/db/schema';
import { dateIn, startOfNextDay } from '../kernel/calendar';
import type { StaffContext, StaffRole } from '../kernel/context';
import { type Sentence, say } from '../kernel/say';
import { toLocal } from '../kernel/zones';
import { LimitExceeded, reportLimit } from './daily-limits';

type StaffLimit = keyof typeof staffLimitColumns;

/**
 * The setting that limits each role. Cashiers can give nothing else. Owners have no limit, because they could lift it.
 */
const limitsOfRoles: Record<StaffRole, Partial<Record<StaffGood, StaffLimit>>> = {
  owner: {},
  manager: {
    value: 'managerDailyValue',
    points: 'managerDailyPoints',
    vouchers: 'managerDailyVouchers',
    enrolments: 'managerDailyEnrolments',
  },
  cashier: { value: 'cashierDailyValue', vouchers: 'cashierDailyVouchers', enrolments: 'cashierDailyEnrolments' },
};

/** Returns the most of a good that this person may give in a day; null without a limit. */
export async function findStaffLimit({ merchantId, db }: Tx, role: StaffRole, good: StaffGood): Promise<number | null> {
  const limit = limitsOfRoles[role][good];
  if (!limit) return null;
  const limits = await db.select(staffLimitColumns).from(merchants).where(eq(merchants.id, merchantId));
  return only(limits)[limit];
}

/**
 * Counts what the person gives in this database transaction: value in minor units with its bonus, points, vouchers or
 * customers. It locks the person's day until the end, so count last, after all other locks. Errors: `limit_exceeded`.
 */
export async function countForStaff(tx: Tx, ctx: StaffContext, good: StaffGood, given: number): Promise<void> {
  if (given <= 0) return;
  const { merchant, staff, clock } = ctx;
  const { merchantId, db } = tx;
  const now = clock.now();
  const [maximum, days] = await Promise.all([
    findStaffLimit(tx, staff.role, good),
    db
      .insert(staffDays)
      .values({ merchantId, userId: staff.userId, day: dateIn(merchant, now), [good]: given })
      .onConflictDoUpdate({
        target: [staffDays.merchantId, staffDays.userId, staffDays.day],
        set: { [good]: sql`${staffDays[good]} + ${given}` },
      })
      .returning({ total: staffDays[good] }),
  ]);
  const { total } = only(days);
  if (maximum === null || total <= maximum) return;
  const limit = limitsOfRoles[staff.role][good] as StaffLimit;
  const used = total - given;
  const resetsAt = startOfNextDay(now, merchant);
  const details = { limit, maximum, used, resetsAt: resetsAt.toISOString() };
  throw new LimitExceeded(describeLimit(ctx, { good, maximum, used, resetsAt }), details, given);
}

interface Reached {
  good: StaffGood;
  maximum: number;
  used: number;
  resetsAt: Date;
}

function describeLimit({ merchant }: StaffContext, { good, maximum, used, resetsAt }: Reached): Sentence {
  const { currency, timeZone } = merchant;
  const time = toLocal(timeZone, resetsAt).toISOString().slice(11, 16);
  const money = (minor: number) => ({ minor, currency });
  switch (good) {
    case 'value':
      return say('staffDailyValue', { limit: money(maximum), used: money(used), time });
    case 'points':
      return say('staffDailyPoints', { limit: maximum, used, time });
    case 'vouchers':
      return say('staffDailyVouchers', { limit: maximum, used, time });
    case 'enrolments':
      return say('staffDailyEnrolments', { limit: maximum, used, time });
  }
}

/** Runs a use case of staff. If it exceeds the person's limit, owners and managers hear of it once a day. */
export async function withStaffLimits<T>(ctx: StaffContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isStaffLimit(error)) {
      const { db, merchant, staff, clock } = ctx;
      const occasion = {
        merchant,
        actor: { kind: 'staff', id: staff.userId },
        customerId: null,
        now: clock.now(),
      } as const;
      await withMerchant(db, merchant.id, (tx) => reportLimit(tx, occasion, error));
    }
    throw error;
  }
}

/** True if an error says that a member of staff reached a limit. */
export const isStaffLimit = (error: unknown): error is LimitExceeded =>
  error instanceof LimitExceeded && String(error.details.limit) in staffLimitColumns;

/** Returns how much stored value the person can still give today, in minor units; null without a limit. */
export async function staffValueLeft(tx: Tx, { merchant, staff, clock }: StaffContext): Promise<number | null> {
  const { merchantId, db } = tx;
  const [maximum, [day]] = await Promise.all([
    findStaffLimit(tx, staff.role, 'value'),
    db
      .select({ value: staffDays.value })
      .from(staffDays)
      .where(
        and(
          eq(staffDays.merchantId, merchantId),
          eq(staffDays.userId, staff.userId),
          eq(staffDays.day, dateIn(merchant, clock.now())),
        ),
      ),
  ]);
  return maximum === null ? null : Math.max(0, maximum - (day?.value ?? 0));
}
