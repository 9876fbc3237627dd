/** Notices when one member of staff enrols customers and tops them up again and again, as somebody who makes them up does. */
import { subDays } from 'date-fns';
import { and, count, countDistinct, eq, exists, gte, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import { auditLog } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { dateIn, startOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { firstIdAt } from '../kernel/ids';

export const ownCustomersAction = 'staff.ownCustomers';

/** As many top-ups in a day, of customers whom the same person enrolled in the last days, are reported. */
const reportedAt = 5;
const enrolledDays = 7;

/**
 * Reports to owners and managers, once a day for each person, that the person has topped up customers whom they enrolled
 * themselves. Owners are not reported. Call it after the top-up is in the audit log and counted for the person, whose day is
 * locked then.
 */
export async function reportOwnCustomers(tx: Tx, ctx: StaffContext): Promise<void> {
  const { merchant, staff, clock } = ctx;
  if (staff.role === 'owner') return;
  const { merchantId, db } = tx;
  const now = clock.now();
  const enrolment = alias(auditLog, 'enrolment');
  const { id, actorId, action, subjectId, after } = auditLog;
  const startOfDay = firstIdAt(startOfDate(dateIn(merchant, now), merchant));
  const ofToday = and(eq(auditLog.merchantId, merchantId), gte(id, startOfDay));
  const isOwn = exists(
    db
      .select({ id: enrolment.id })
      .from(enrolment)
      .where(
        and(
          eq(enrolment.merchantId, merchantId),
          eq(enrolment.subjectKind, 'customer').inlineParams(),
          eq(enrolment.subjectId, subjectId),
          eq(enrolment.action, 'customer.enrol').inlineParams(),
          eq(enrolment.actorId, staff.userId),
          gte(enrolment.id, firstIdAt(subDays(now, enrolledDays))),
        ),
      ),
  );
  const given = sql`(${after}::jsonb ->> 'amount')::bigint + (${after}::jsonb ->> 'bonus')::bigint`;
  const figures = only(
    await db
      .select({
        topUps: count(),
        customers: countDistinct(subjectId),
        value: sql<number>`coalesce(sum(${given}), 0)::bigint`.mapWith(Number),
      })
      .from(auditLog)
      .where(and(ofToday, eq(action, 'customer.topUp').inlineParams(), eq(actorId, staff.userId), isOwn)),
  );
  if (figures.topUps < reportedAt) return;
  const reported = and(eq(action, ownCustomersAction).inlineParams(), eq(subjectId, staff.userId));
  const earlier = await db.select({ id }).from(auditLog).where(and(ofToday, reported)).limit(1);
  if (earlier.length > 0) return;
  const subject = { kind: 'user', id: staff.userId };
  const { topUps, customers, value } = figures;
  await auditStaff(tx, ctx, ownCustomersAction, subject, { after: { topUps, ownCustomers: customers, value } });
}
