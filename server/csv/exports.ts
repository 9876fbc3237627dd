/** The lists that can be downloaded: `/export/{name}`, filtered as on the screen. */
import { apiRequestsExport } from './api-requests';
import { auditLogExport } from './audit-log';
import { billPaymentsExport } from './bill-payments';
import { cashUpCountsExport, cashUpExport } from './cash-ups';
import { customersExport, importProblemsExport, importRehearsalExport } from './customers';
import type { Export } from './export';
import { menuExport } from './menu';
import { messagesExport } from './messages';
import { ordersExport } from './orders';
import { packagesExport } from './packages';
import { qrCodesExport } from './qr-codes';
import { reportExports } from './reports';
import { staffExport } from './staff';
import { stockOutsExport } from './stock-outs';
import { storesExport } from './stores';
import { transactionsExport } from './transactions';
import { campaignsExport, vouchersExport } from './vouchers';

export const exports: Record<string, Export> = {
  'api-requests': apiRequestsExport,
  'audit-log': auditLogExport,
  'bill-payments': billPaymentsExport,
  campaigns: campaignsExport,
  'cash-up': cashUpExport,
  'cash-ups': cashUpCountsExport,
  customers: customersExport,
  'customer-import-problems': importProblemsExport,
  'customer-import-rehearsal': importRehearsalExport,
  menu: menuExport,
  messages: messagesExport,
  orders: ordersExport,
  packages: packagesExport,
  'qr-codes': qrCodesExport,
  ...reportExports,
  staff: staffExport,
  'stock-outs': stockOutsExport,
  stores: storesExport,
  transactions: transactionsExport,
  vouchers: vouchersExport,
};
