import type { Tx } from '@/db/driver';
import { insertRows } from '@/db/query/expressions';
import { type actorKinds, auditLog } from '@/db/schema';
import type { StaffContext, TransactionContext } from './context';
import { newId } from './ids';
import type { WriteFields } from './schemas';

/** What an entry is written with: the merchant, in a database transaction. */
type AuditTx = Pick<Tx, 'merchantId' | 'db'>;

export interface Actor {
  kind: (typeof actorKinds)[number];
  /** Null for the service, and for a diner. A diner can change only their own data. */
  id: string | null;
}

export function actorOf(ctx: StaffContext | Pick<TransactionContext, 'apiKeyId'>): Actor {
  if ('staff' in ctx) return { kind: 'staff', id: ctx.staff.userId };
  return ctx.apiKeyId === null ? { kind: 'diner', id: null } : { kind: 'apiKey', id: ctx.apiKeyId };
}

/** An entry of the audit log: who changed what, and when. */
export interface AuditEntry {
  actor: Actor;
  action: string;
  subject: { kind: string; id: string };
  at: Date;
  before?: unknown;
  after?: unknown;
}

/**
 * Records who changed what, in the database transaction of the change. Entries hold no secrets or personal data: they
 * name their subject by id. Transactions record their key themselves and need no entry.
 */
export function auditChange(
  tx: AuditTx,
  actor: Actor,
  action: string,
  subject: { kind: string; id: string },
  at: Date,
  change: { before?: unknown; after?: unknown } = {},
) {
  return auditAll(tx, [{ actor, action, subject, at, ...change }]);
}

/** Records several changes. */
export function auditAll(tx: AuditTx, changes: AuditEntry[]) {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const rows = changes.map(({ actor, action, subject, at, before, after }) => ({
    id: newId(at.getTime()),
    actorKind: actor.kind,
    actorId: actor.id,
    action,
    createdAt: at,
    subjectKind: subject.kind,
    subjectId: subject.id,
    before: json(before),
    after: json(after),
  }));
  return insertAuditRows(tx, rows);
}

const insertAuditRows = insertRows(auditLog, [
  'id',
  'actorKind',
  'actorId',
  'action',
  'subjectKind',
  'subjectId',
  'before',
  'after',
  'createdAt',
]);

/** Records a change by a staff member. */
export function auditStaff(
  tx: Tx,
  ctx: StaffContext,
  action: string,
  subject: { kind: string; id: string },
  change: { before?: unknown; after?: unknown } = {},
) {
  return auditChange(tx, actorOf(ctx), action, subject, ctx.clock.now(), change);
}

/** Records a change by a POS request, with its bill, staff and receipt number. */
export function auditPos(
  tx: Tx,
  ctx: TransactionContext,
  action: string,
  subject: { kind: string; id: string },
  fields: WriteFields,
  change: { before?: unknown; after?: object } = {},
) {
  return auditAll(tx, [toPosAuditEntry(ctx, action, subject, fields, change)]);
}

/** Builds the audit entry of a POS request, to be written with others. */
export function toPosAuditEntry(
  ctx: TransactionContext,
  action: string,
  subject: { kind: string; id: string },
  { billId, staffId, receiptNumber, occurredAt }: WriteFields,
  { before, after = {} }: { before?: unknown; after?: object } = {},
): AuditEntry {
  return {
    actor: actorOf(ctx),
    action,
    subject,
    at: ctx.clock.now(),
    before,
    after: { ...after, billId, staffId, receiptNumber, occurredAt },
  };
}
