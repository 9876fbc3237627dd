import { formatISO, subDays } from 'date-fns';
import type { callAs } from '@/server/testing/staff';

/** The procedures, and ids of existing rows. */
export interface Bench {
  caller: ReturnType<typeof callAs>;
  storeId: string;
  customerId: string;
  campaignId: string;
  apiKeyId: string;
  categoryId: string;
  transactionUid: string;
  ownerId: string;
}

type Cases = Record<string, () => Promise<unknown>>;

/** Each list and report, with the inputs that its screen sends: one line per case. */
export function cases(bench: Bench): Cases {
  return {
    home: () => Promise.all([bench.caller.home.figures(), bench.caller.home.attention()]),
    ...reports(bench),
    ...customers(bench),
    ...transactions(bench),
    ...vouchers(bench),
    ...ordering(bench),
    ...administration(bench),
  };
}

const day = (ago: number) => formatISO(subDays(new Date(), ago), { representation: 'date' });

function reports({ caller, storeId }: Bench): Cases {
  const month = { from: day(29), to: day(0) };
  const year = { from: day(364), to: day(0) };
  return {
    'reports: stored value of a month': () => caller.reports.liability(month),
    'reports: stored value of a year': () => caller.reports.liability(year),
    'reports: stored value of a store': () => caller.reports.liability({ ...month, storeId }),
    'reports: sales of a month': () => caller.reports.sales(month),
    'reports: sales of a year': () => caller.reports.sales(year),
    'reports: sales by item of a month': () => caller.reports.breakdown({ ...month, by: 'item' }),
    'reports: sales by item of a store': () => caller.reports.breakdown({ ...month, storeId, by: 'item' }),
    'reports: sales by hour of a year': () => caller.reports.breakdown({ ...year, by: 'hour' }),
    'reports: sales by payment of a month': () => caller.reports.breakdown({ ...month, by: 'payment' }),
    'reports: sales by staff of a year': () => caller.reports.breakdown({ ...year, by: 'staff' }),
    'reports: sales by category of a month': () => caller.reports.breakdown({ ...month, by: 'category' }),
    'reports: sales by source of a year': () => caller.reports.breakdown({ ...year, by: 'source' }),
    'reports: busy hours of a year': () => caller.reports.busyHours(year),
    'reports: one method of a year': () => caller.reports.part({ ...year, by: 'payment', key: 'cash' }),
    'reports: voids of a month': () => caller.reports.voids(month),
    'reports: voids of a year by person': () => caller.reports.voidsByActor(year),
    'reports: age and expiry of credit': () => caller.reports.credit(),
    'reports: balances today': () => caller.reports.balances({ day: day(0) }),
    'reports: balances half a year ago': () => caller.reports.balances({ day: day(182) }),
    'reports: vouchers of a month': () => caller.reports.vouchers(month),
    'reports: vouchers of a year': () => caller.reports.vouchers(year),
    'reports: points of a month': () => caller.reports.points(month),
    'reports: points of a year': () => caller.reports.points(year),
  };
}

function customers({ caller, customerId }: Bench): Cases {
  const { list } = caller.customers;
  return {
    'customers: newest': () => list({}),
    'customers: by name': () => list({ sort: 'name', descending: false }),
    'customers: joined in a month': () => list({ from: day(399), until: day(370) }),
    'customers: holding value': () => list({ holdsValue: true }),
    'customers: blocked': () => list({ isBlocked: true }),
    'customers: search, one letter': () => list({ search: 't' }),
    'customers: search, first name': () => list({ search: 'mei l' }),
    'customers: search, both names': () => list({ search: 'lim wei' }),
    'customers: search, phone': () => list({ search: '8012 3456' }),
    'customers: search, end of a phone': () => list({ search: '3456' }),
    'customers: search, e-mail': () => list({ search: 'guest1234' }),
    'customers: search, nobody': () => list({ search: 'zzzz' }),
    'customer: head': () => caller.customers.get({ customerId }),
    'customer: lots': () => caller.customers.lots({ customerId }),
    'customer: ledger': () => caller.customers.ledger({ customerId }),
    'customer: sales': () => caller.customers.sales({ customerId }),
    'customer: vouchers': () => caller.customers.vouchers({ customerId, isPast: false }),
  };
}

function transactions({ caller, storeId, customerId, transactionUid }: Bench): Cases {
  const { list } = caller.transactions;
  const month = { from: day(59), until: day(30) };
  return {
    'transactions: newest': () => list({}),
    'transactions: of a month': () => list(month),
    'transactions: of a store': () => list({ storeId }),
    'transactions: top-ups': () => list({ type: 'topUp' }),
    'transactions: adjustments, of which there are none': () => list({ type: 'adjustment' }),
    'transactions: voided': () => list({ status: 'voided' }),
    'transactions: refused sales of a store in a month': () =>
      list({ storeId, type: 'sale', status: 'refused', ...month }),
    'transactions: of a customer': () => list({ customerId }),
    'transactions: search, an id': () => list({ search: 'sale-12345' }),
    'transactions: search, a bill': () => list({ search: 'bill-12345' }),
    'transactions: search, nothing': () => list({ search: 'zzzz' }),
    'transaction: one': () => caller.transactions.get({ uid: transactionUid }),
    'transaction: void preview': () => caller.transactions.voidPreview({ uids: [transactionUid] }),
  };
}

function vouchers({ caller, campaignId }: Bench): Cases {
  return {
    'packages: list': () => caller.packages.list({}),
    'campaigns: list': () => caller.campaigns.list({}),
    'campaigns: search': () => caller.campaigns.list({ search: 'campaign 1' }),
    'campaign: one': () => caller.campaigns.get({ campaignId }),
    'campaign: its vouchers': () => caller.vouchers.list({ campaignId }),
    'campaign: its redeemed vouchers': () => caller.vouchers.list({ campaignId, state: 'redeemed' }),
  };
}

function ordering({ caller, storeId, categoryId }: Bench): Cases {
  return {
    'menu: categories': () => caller.menu.categories(),
    'menu: items of a category': () => caller.menu.categoryItems({ categoryId }),
    'menu: search': () => caller.menu.searchItems({ search: 'dish 12' }),
    'stock-outs: list': () => caller.stockOuts.list({}),
    'qr codes: active': () => caller.qrCodes.list({ storeId }),
    'qr codes: all': () => caller.qrCodes.list({ storeId, status: 'all' }),
    'qr codes: search, a table': () => caller.qrCodes.list({ storeId, status: 'all', search: '12' }),
    'orders: board': () => caller.orders.board({ storeId }),
    'orders: done': () => caller.orders.done({ storeId }),
  };
}

function administration({ caller, apiKeyId, customerId, ownerId }: Bench): Cases {
  return {
    'stores: list': () => caller.stores.list(),
    'api keys: list': () => caller.apiKeys.list({}),
    'request log: newest': () => caller.apiKeys.requests({ apiKeyId }),
    'request log: refused': () => caller.apiKeys.requests({ apiKeyId, outcome: 'refused' }),
    'request log: failed': () => caller.apiKeys.requests({ apiKeyId, outcome: 'failed' }),
    'messages: newest': () => caller.messages.list({}),
    'messages: failed': () => caller.messages.list({ state: 'failed' }),
    'messages: queued, of which there are none': () => caller.messages.list({ state: 'queued' }),
    'messages: of a customer': () => caller.messages.list({ customerId }),
    'messages: of a month': () => caller.messages.list({ from: day(59), until: day(30) }),
    'audit log: newest': () => caller.auditLog.list({}),
    'audit log: of a person': () => caller.auditLog.list({ actor: ownerId }),
    'audit log: of an action': () => caller.auditLog.list({ action: 'stockOut.add' }),
    'audit log: of a month': () => caller.auditLog.list({ from: day(59), until: day(30) }),
    'audit log: choices': () => caller.auditLog.choices(),
  };
}
