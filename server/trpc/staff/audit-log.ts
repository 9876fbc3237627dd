import { auditLogChoices, listAuditLog, listAuditLogInput } from '@/server/domain/audit-log';
import { generalManagerProcedure, router } from './init';

export const auditLogRouter = router({
  list: generalManagerProcedure.input(listAuditLogInput).query(({ ctx, input }) => listAuditLog(ctx, input)),
  choices: generalManagerProcedure.query(({ ctx }) => auditLogChoices(ctx)),
});
