export { auditLogChoices } from './choices';
export { listAuditLog } from './list';
export { auditLogFilter, listAuditLogInput } from './schemas';
