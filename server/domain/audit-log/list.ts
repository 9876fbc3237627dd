import { and, eq, type SQL, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { apiKeys, auditLog, users } from '@/db/schema';
import type { Actor } from '../kernel/audit';
import type { LocalDays } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { createdOn } from '../kernel/on-days';
import { ifGiven, type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import { namesIn, type VoidedTransaction, voidedIn } from './names';
import type { AuditLogFilter } from './schemas';

export interface AuditRow {
  auditId: string;
  createdAt: Date;
  /** The person's or key's name; null for the service and for diners. */
  actor: Actor & { name: string | null };
  action: string;
  /** With the item's current name; null if it has none or was deleted. */
  subject: { kind: string; id: string; name: string | null };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The current names of items that `before` and `after` mention, by id or PLU. */
  names: Record<string, string>;
  /** The transactions of a void. */
  voided: VoidedTransaction[];
}

const newestFirst = { columns: [auditLog.id], descending: true };

/** Lists changes with their actors, newest first. */
export function listAuditLog(ctx: StaffContext, input: AuditLogFilter & PageRequest): Promise<Page<AuditRow>> {
  const page = seekPage(input, newestFirst);
  const { where, orderBy, limit } = seekSql(page, newestFirst);
  const isBy = (kind: Actor['kind']) => eq(auditLog.actorKind, kind).inlineParams();
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const rows = await db
      .select({
        auditId: auditLog.id,
        createdAt: auditLog.createdAt,
        actor: {
          kind: auditLog.actorKind,
          id: auditLog.actorId,
          name: sql<string | null>`coalesce(${users.name}, ${apiKeys.name})`,
        },
        action: auditLog.action,
        subject: { kind: auditLog.subjectKind, id: auditLog.subjectId },
        before: auditLog.before,
        after: auditLog.after,
      })
      .from(auditLog)
      .leftJoin(users, and(isBy('staff'), eq(users.id, auditLog.actorId)))
      .leftJoin(
        apiKeys,
        and(isBy('apiKey'), eq(apiKeys.merchantId, auditLog.merchantId), eq(apiKeys.id, auditLog.actorId)),
      )
      .where(and(eq(auditLog.merchantId, merchantId), matches(ctx.merchant, input), where))
      .orderBy(...orderBy)
      .limit(limit);
    const entries = rows.map((row) => ({ ...row, before: parsed(row.before), after: parsed(row.after) }));
    const [names, voided] = await Promise.all([namesIn(tx, entries), voidedIn(tx, entries)]);
    const named = entries.map(
      ({ subject, ...entry }, at): AuditRow => ({
        ...entry,
        subject: { ...subject, name: names[at]?.[subject.id] ?? null },
        names: names[at] ?? {},
        voided: voided[at] ?? [],
      }),
    );
    return toPage(
      named,
      page,
      ({ auditId }) => [auditId],
      (row) => row,
    );
  });
}

function matches(days: LocalDays, filter: AuditLogFilter): SQL | undefined {
  const { actor, action, subjectKind, subjectId } = filter;
  const byActor = (one: string) =>
    one === 'service' || one === 'diner' ? eq(auditLog.actorKind, one).inlineParams() : eq(auditLog.actorId, one);
  return and(
    ifGiven(actor, byActor),
    ifGiven(action, (one) => eq(auditLog.action, one)),
    ifGiven(subjectKind, (kind) => eq(auditLog.subjectKind, kind)),
    ifGiven(subjectId, (id) => eq(auditLog.subjectId, id)),
    createdOn(auditLog.id, days, filter),
  );
}

const parsed = (json: string | null): Record<string, unknown> | null => (json === null ? null : JSON.parse(json));
