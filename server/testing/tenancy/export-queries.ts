import { days, period } from './period';
import type { TenancyStage } from './stage';

export type Query = Record<string, string>;

const atStore = ({ north }: TenancyStage) => ({ ...period, storeId: north.id });

/** Each list's query, with every id that it can have. */
export const exportQueries: Record<string, (stage: TenancyStage) => Query> = {
  'api-requests': ({ apiKeyId }) => ({ apiKeyId }),
  'audit-log': ({ staff, customer: { id } }) => ({
    actor: staff.owner.staff.userId,
    subjectKind: 'customer',
    subjectId: id,
    ...days,
  }),
  campaigns: ({ word }) => ({ search: word }),
  customers: ({ customer: { phone } }) => ({ search: phone }),
  'customer-import-problems': ({ importId }) => ({ importId, language: 'en' }),
  'customer-import-rehearsal': ({ importId }) => ({
    importId,
    language: 'en',
    mapping: JSON.stringify({ columns: { phone: 0 }, dateOrder: 'DMY' }),
  }),
  menu: ({ word }) => ({ search: word }),
  messages: ({ customer: { id } }) => ({ customerId: id }),
  'bill-payments': ({ north }) => ({ storeId: north.id, ...days }),
  orders: ({ north }) => ({ storeId: north.id, ...days }),
  packages: () => ({}),
  'qr-codes': ({ north, word }) => ({ storeId: north.id, status: 'all', search: word }),
  staff: () => ({}),
  'stock-outs': ({ north, categoryId, word }) => ({ storeId: north.id, categoryId, search: word }),
  stores: ({ word }) => ({ search: word }),
  transactions: ({ north, customer: { id }, uid }) => ({ storeId: north.id, customerId: id, search: uid }),
  vouchers: ({ campaignId }) => ({ campaignId }),
  'cash-up': ({ north }) => ({ day: period.to, storeId: north.id }),
  'cash-ups': ({ north }) => ({ day: period.to, storeId: north.id }),
  'report-liability': atStore,
  'report-payments': atStore,
  'report-payouts': () => period,
  'report-sales': atStore,
  'report-vouchers': () => period,
  'report-points': atStore,
  'report-voids': atStore,
  'report-breakdown': (stage) => ({ ...atStore(stage), by: 'item' }),
  'report-credit': () => ({}),
  'report-balances': () => ({ day: period.to }),
};
