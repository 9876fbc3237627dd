import { auditLogFilter, listAuditLog } from '@/server/domain/audit-log';
import { iteratePages } from '@/server/domain/kernel/page';
import type { Export } from './export';
import { toCsv } from './write';

const json = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** The audit log, filtered as on the screen. */
export const auditLogExport: Export = {
  roles: ['owner', 'manager'],
  readsReplica: true,
  isOfAllStores: true,
  open: (ctx, query, write = toCsv) => {
    const filter = auditLogFilter.strip().parse(query);
    return write(
      {
        time: ({ createdAt }) => createdAt,
        actorKind: ({ actor }) => actor.kind,
        actor: ({ actor }) => actor.name,
        actorId: ({ actor }) => actor.id,
        action: ({ action }) => action,
        subjectKind: ({ subject }) => subject.kind,
        subjectId: ({ subject }) => subject.id,
        subject: ({ subject }) => subject.name,
        before: ({ before }) => json(before),
        after: ({ after }) => json(after),
      },
      iteratePages((page) => listAuditLog(ctx, { ...filter, ...page })),
    );
  },
};
