import { z } from 'zod';
import { problem } from '../kernel/say';
import { dayFields, pageFields, text, uuid } from '../kernel/schemas';

/** Filters the audit log. Dates are days in the merchant's time zone, both inclusive. */
export const auditLogFilter = z.strictObject({
  /** A staff member's or key's id, or an actor without an id. */
  actor: z.union([uuid, z.enum(['service', 'diner'])]).optional(),
  action: text(100).optional(),
  /** The changed item's id, with its kind: ids are unique only within a kind. */
  subjectKind: text(50).optional(),
  subjectId: text(100).optional(),
  ...dayFields,
});
export type AuditLogFilter = z.infer<typeof auditLogFilter>;

export const listAuditLogInput = z
  .strictObject({ ...auditLogFilter.shape, ...pageFields })
  .refine(({ subjectKind, subjectId }) => (subjectKind === undefined) === (subjectId === undefined), {
    path: ['subjectId'],
    ...problem('subjectIncomplete'),
  });
