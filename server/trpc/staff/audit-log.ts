import { auditLogChoices, listAuditLog, listAuditLogInput } from '@/server/domain/audit-log';
import { managerProcedure, router } from './init';

export const auditLogRouter = router({
  list: managerProcedure.input(listAuditLogInput).query(({ ctx, input }) => listAuditLog(ctx, input)),
  choices: managerProcedure.query(({ ctx }) => auditLogChoices(ctx)),
});
