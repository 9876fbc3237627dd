import { type Fields, isEmpty } from './audit-values';
import type { AuditRow } from './audit-words';

/** Fields that only link an entry to others, or repeat its item or another field. */
const unshown = [
  ...['archivedAt', 'categoryName', 'clockAheadSeconds', 'environment', 'issueId', 'itemCount', 'itemId'],
  ...['optionGroupId', 'optionId', 'paymentId', 'replacedBy', 'replaces', 'transactionIds', 'uids'],
];

/** Entries about several items are lists. */
function fieldsOf(value: unknown): Fields {
  if (Array.isArray(value)) return value.length === 0 ? {} : { items: value };
  return (value ?? {}) as Fields;
}

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null) || (isBlank(one) && isBlank(other));
const isBlank = (value: unknown) => value !== false && isEmpty(value);

/** Returns all fields of an entry before and after the change, and the names of those to show. */
export function changesOf(row: Pick<AuditRow, 'before' | 'after'>) {
  const [before, after] = [fieldsOf(row.before), fieldsOf(row.after)];
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !unshown.includes(name) && !isSame(before[name], after[name]),
  );
  return { before, after, changed };
}
