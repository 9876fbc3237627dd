import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerBill } from './types';

/** The table of the bill. */
export type BillTable = Pick<OpenTable, 'merchantId' | 'merchant' | 'store' | 'table' | 'taxRules'>;

/** What a phone last saw of its table's bill. Once the till has closed the bill, the service no longer shows it. */
export interface BillRecord {
  bill: DinerBill;
  table: BillTable;
  /** On `Date.now()`'s clock. */
  seenAt: number;
}

/** By token, for the life of the page, because some browsers deny storage. */
const records = new Map<string, BillRecord>();
const keyOf = (token: string) => `bill:seen:${token}`;

export function keepRecord(token: string, bill: DinerBill, at: BillTable): void {
  const { merchantId, merchant, store, table, taxRules } = at;
  const record = { bill, table: { merchantId, merchant, store, table, taxRules }, seenAt: Date.now() };
  records.set(token, record);
  try {
    localStorage.setItem(keyOf(token), JSON.stringify(record));
  } catch {}
}

/** Returns null if nothing valid is stored. */
export function readRecord(token: string): BillRecord | null {
  const kept = records.get(token);
  if (kept) return kept;
  try {
    const record: BillRecord | null = JSON.parse(localStorage.getItem(keyOf(token)) ?? 'null');
    if (!record?.table.merchant.currency || !Array.isArray(record.bill.lines)) return null;
    // Records of an earlier version lack these.
    const { paidAtTill = [], taxIncluded = [], thanks = null, sentAt = '' } = record.bill as Partial<DinerBill>;
    return { ...record, bill: { ...record.bill, paidAtTill, taxIncluded, thanks, sentAt } };
  } catch {
    return null;
  }
}
