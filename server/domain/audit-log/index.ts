/** The list of who changed what. */

export { auditLogChoices } from './choices';
export { listAuditLog } from './list';
export { recordExport } from './record-export';
export { auditLogFilter, listAuditLogInput } from './schemas';
