import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import type { Actor } from '../core/audit';
import { ifGiven, madeOn } from '../core/filter';
import { type Page, type PageRequest, seek, seekSql, toPage } from '../core/page';
import type { StaffContext } from '../staff/context';
import type { AuditLogFilter } from './schemas';

export interface AuditRow {
  auditId: string;
  createdAt: Date;
  /** The name of the person or of the key; null for the service and for diners. */
  actor: Actor & { name: string | null };
  action: string;
  subject: { kind: string; id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const newestFirst = { columns: ['a.id'], descending: true };

/** Who changed what, newest first. */
export function listAuditLog(ctx: StaffContext, input: AuditLogFilter & PageRequest): Promise<Page<AuditRow>> {
  const page = seek(input, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { where, orderBy, limit } = seekSql(tx, page, newestFirst);
    const rows = await tx.sql`
      select a.id, a.created_at, a.actor_kind, a.actor_id, coalesce(u.name, k.name) as actor_name, a.action,
        a.subject_kind, a.subject_id, a.before, a.after
      from audit_log a
      left join users u on a.actor_kind = 'staff' and u.id = a.actor_id
      left join api_keys k on a.actor_kind = 'apiKey' and k.merchant_id = a.merchant_id and k.id = a.actor_id
      where a.merchant_id = ${tx.merchantId} and ${matches(tx, ctx.merchant.timeZone, input)} and ${where}
      order by ${orderBy} ${limit}`;
    return toPage(rows, page, ({ id }) => [id], toAuditRow);
  });
}

function matches(tx: Tx, timeZone: string, filter: AuditLogFilter): Fragment {
  const { sql } = tx;
  const { actor, action, subjectKind, subjectId } = filter;
  const byActor = (one: string) =>
    one === 'service' || one === 'diner' ? sql.unsafe(`a.actor_kind = '${one}'`) : sql`a.actor_id = ${one}`;
  return sql`${ifGiven(tx, actor, byActor)}
    and ${ifGiven(tx, action, (one) => sql`a.action = ${one}`)}
    and ${ifGiven(tx, subjectKind, (kind) => sql`a.subject_kind = ${kind}`)}
    and ${ifGiven(tx, subjectId, (id) => sql`a.subject_id = ${id}`)}
    and ${madeOn(tx, 'a.id', timeZone, filter)}`;
}

const toAuditRow = (row: Row): AuditRow => ({
  auditId: row.id,
  createdAt: row.created_at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
});
