import type { Tx } from '@/db/client';
import type { StaffContext } from '../staff/context';
import type { PosContext } from './context';
import { newId } from './ids';
import type { WriteFields } from './schemas';

export interface Actor {
  kind: 'apiKey' | 'staff' | 'diner' | 'service';
  /** Null for the service, and for a diner, who changes nothing but their own. */
  id: string | null;
}

/**
 * Says who changed what, in the same database transaction as the change. No secret and no personal data: the subject
 * is named by its id. Transactions and voids keep their key themselves and need none.
 */
export function audit(
  { merchantId, sql }: Tx,
  actor: Actor,
  action: string,
  subject: { kind: string; id: string },
  at: Date,
  change: { before?: unknown; after?: unknown } = {},
) {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  return sql`
    insert into audit_log (merchant_id, id, actor_kind, actor_id, action, subject_kind, subject_id, before, after, created_at)
    values (${merchantId}, ${newId(at.getTime())}, ${actor.kind}, ${actor.id}, ${action}, ${subject.kind}, ${subject.id},
      ${json(change.before)}, ${json(change.after)}, ${at})`;
}

/** The same, of a member of staff. */
export function auditStaff(
  tx: Tx,
  { staff, clock }: StaffContext,
  action: string,
  subject: { kind: string; id: string },
  change: { before?: unknown; after?: unknown } = {},
) {
  return audit(tx, { kind: 'staff', id: staff.userId }, action, subject, clock.now(), change);
}

/** The same, of a request of a POS: with the bill, staff and receipt that it names. */
export function auditPos(
  tx: Tx,
  ctx: PosContext,
  action: string,
  subject: { kind: string; id: string },
  { billId, staffId, receiptNumber, occurredAt }: WriteFields,
  { before, after = {} }: { before?: unknown; after?: object } = {},
) {
  const now = ctx.clock.now();
  const change = { before, after: { ...after, billId, staffId, receiptNumber, occurredAt } };
  return audit(tx, { kind: 'apiKey', id: ctx.apiKeyId }, action, subject, now, change);
}
