/** What a merchant's card payments are to us and to the payment service, where the two differ: for staff, in the audit log. */
import { subDays } from 'date-fns';
import { and, eq, gte, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { auditLog } from '@/db/schema';
import { auditChange } from './audit';
import { firstIdAt } from './ids';

/** The action of the audit log that names a difference. */
export const differenceAction = 'cardPayment.differs';
/** The same difference is named once within so many days. */
export const comparedDays = 40;

/** Both sides, in minor units; null: the payment service does not say. */
export interface CardDifference {
  /** What the payer was asked for, where nobody knows whether they paid it. */
  amount?: number;
  paid: number;
  paidAtStripe: number | null;
  returned: number;
  returnedAtStripe: number | null;
}

/** Writes a difference into the audit log, unless the same is there already. */
export async function noteDifference(
  tx: Tx,
  subject: { kind: 'topUpRequest' | 'bill'; id: string },
  difference: CardDifference,
  now: Date,
): Promise<void> {
  const [before] = await tx.db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.merchantId, tx.merchantId),
        eq(auditLog.subjectKind, subject.kind),
        eq(auditLog.subjectId, subject.id),
        gte(auditLog.id, firstIdAt(subDays(now, comparedDays))),
        eq(auditLog.action, differenceAction),
        sql`${auditLog.after}::jsonb = ${JSON.stringify(difference)}::text::jsonb`,
      ),
    )
    .limit(1);
  if (!before)
    await auditChange(tx, { kind: 'service', id: null }, differenceAction, subject, now, { after: difference });
}
