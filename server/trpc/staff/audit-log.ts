import { auditLogChoices } from '@/server/domain/audit-log/choices';
import { listAuditLog } from '@/server/domain/audit-log/list';
import { listAuditLogInput } from '@/server/domain/audit-log/schemas';
import { managerProcedure, router } from './init';

export const auditLogRouter = router({
  list: managerProcedure.input(listAuditLogInput).query(({ ctx, input }) => listAuditLog(ctx, input)),
  choices: managerProcedure.query(({ ctx }) => auditLogChoices(ctx)),
});
