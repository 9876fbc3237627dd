import { z } from 'zod';
import { problem } from '../core/say';
import { dayFields, pageFields, text, uuid } from '../core/schemas';

/** Which rows of the audit log. Dates are days in the merchant's time zone, both included. */
export const auditLogFilter = z.strictObject({
  /** A member of staff or a key by its id, or one of those that have none. */
  actor: z.union([uuid, z.enum(['service', 'diner'])]).optional(),
  action: text(100).optional(),
  /** The id of what was changed; with its kind, for ids are only unique among their kind. */
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
