import type { Tx } from '@/db/client';
import { newId } from './ids';

export interface Actor {
  kind: 'apiKey' | 'staff' | 'diner' | 'service';
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
    values (${merchantId}, ${newId()}, ${actor.kind}, ${actor.id}, ${action}, ${subject.kind}, ${subject.id},
      ${json(change.before)}, ${json(change.after)}, ${at})`;
}
