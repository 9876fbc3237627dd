/** Reads all of a merchant's rows from every table, to prove that nothing changed or leaked. */
import type { Sql } from '@/db/driver';
import { tenantTables } from '@/db/testing/sample-rows';

/** A merchant's rows by table. */
export type Rows = Record<string, unknown[]>;

export async function rowsOf(owner: Sql, merchantId: string): Promise<Rows> {
  const tables = await tenantTables(owner);
  const queries = tables.map(
    ({ table, tenant }) => `
      select '${table}' as name, '[' || coalesce(string_agg(row, ',' order by row), '') || ']' as rows
      from (select to_jsonb(r)::text as row from "${table}" r where "${tenant}" = $1) r`,
  );
  // Prepared, because planning a query of all tables takes longer than running it.
  const found = await owner.unsafe(queries.join(' union all '), [merchantId], { prepare: true });
  return Object.fromEntries(found.map(({ name, rows }) => [name, JSON.parse(rows)]));
}

function textsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) textsOf(inner, found);
  return found;
}

const isTime = /^\d{4}-\d\d-\d\d/;
/** PostgreSQL's transaction ids are such. Other numbers, as of a phone, contain them by chance. */
const isShortNumber = /^\d{1,9}$/;

/**
 * Returns the texts in a merchant's rows that no response to another may contain: ids, names, phone numbers, entered
 * texts. Excludes texts that do not identify the merchant: those that both have, and plain words without the merchant's
 * `word`.
 */
export function canariesOf(theirs: Rows, ours: Rows, word: string): string[] {
  const own = textsOf(ours);
  return [...textsOf(theirs)].filter(
    (text) =>
      text.length >= 6 &&
      (/\d/.test(text) || text.includes(word)) &&
      !own.has(text) &&
      !isTime.test(text) &&
      !isShortNumber.test(text),
  );
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns one id from each of a merchant's tables, and the merchant's own. */
export function idsOf(rows: Rows): string[] {
  const ids = Object.values(rows).flatMap((of) => {
    const { id, uid } = (of.at(-1) ?? {}) as { id?: unknown; uid?: unknown };
    return [id ?? uid].filter((one): one is string => typeof one === 'string' && isUuid.test(one));
  });
  return [...new Set(ids)];
}

/** Tables whose rows belong to a store through a parent row: the parent table, and the column with its id. */
const parts: Record<string, [parent: string, column: string, key: string]> = {
  order_lines: ['orders', 'order_id', 'id'],
  sales: ['transactions', 'transaction_uid', 'uid'],
  sale_lines: ['transactions', 'transaction_uid', 'uid'],
  sale_payments: ['transactions', 'transaction_uid', 'uid'],
  cash_up_counts: ['cash_ups', 'cash_up_id', 'id'],
  cash_up_entries: ['cash_ups', 'cash_up_id', 'id'],
};
/** Tables that mention what happened in stores, but belong to no store. */
const naming = [
  ...['audit_log', 'ledger_entries', 'lots', 'partial_refunds', 'staff_top_ups', 'top_up_requests', 'vouchers'],
  ...['job_runs', 'mails', 'voucher_issues', 'membership_stores', 'invitation_stores'],
];

type Row = Record<string, unknown>;

/** Divides a merchant's rows into a store's own, and those that say nothing about the store. */
export function ofStore(rows: Rows, storeId: string): { own: Rows; others: Rows } {
  const isOwn = (table: string, row: Row): boolean => {
    const [parent, column = '', key = ''] = parts[table] ?? [];
    if (!parent) return (table === 'stores' ? row.id : row.store_id) === storeId;
    return (rows[parent] as Row[]).some((one) => one[key] === row[column] && isOwn(parent, one));
  };
  const those = (isWanted: (table: string, row: Row) => boolean) =>
    Object.fromEntries(
      Object.entries(rows).map(([table, all]) => [table, all.filter((row) => isWanted(table, row as Row))]),
    );
  return { own: those(isOwn), others: those((table, row) => !naming.includes(table) && !isOwn(table, row)) };
}
