/** The lists that can be taken along as CSV: `/export/{name}`, filtered as the screen is. */
import type { StaffContext } from '@/server/domain/staff/context';
import type { StaffRole } from '@/server/domain/staff/sign-in';
import { auditLogExport } from './audit-log';
import { customersExport, importProblemsExport } from './customers';
import { menuExport } from './menu';
import { ordersExport } from './orders';
import { reportExports } from './reports';
import { transactionsExport } from './transactions';
import { campaignsExport, vouchersExport } from './vouchers';

export interface Export {
  roles: readonly StaffRole[];
  /** The file, from the query of the screen's address. Errors: as the list's own procedure. */
  open(ctx: StaffContext, query: Record<string, string>): ReadableStream<Uint8Array>;
}

export const exports: Record<string, Export> = {
  'audit-log': auditLogExport,
  campaigns: campaignsExport,
  customers: customersExport,
  'customer-import-problems': importProblemsExport,
  menu: menuExport,
  orders: ordersExport,
  ...reportExports,
  transactions: transactionsExport,
  vouchers: vouchersExport,
};
