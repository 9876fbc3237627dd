/** The text of notices, with `{placeholders}`, which the messenger numbers in order of appearance. */

import type { NoticeKind } from '../kernel/context';

/** The placeholders of each kind of notice. */
export const placeholders = {
  'voucher-issued': ['name', 'merchant', 'voucher', 'code', 'until'],
  'value-expiring': ['name', 'merchant', 'value', 'date'],
  'top-up-receipt': ['name', 'merchant', 'amount', 'bonus', 'balance'],
  'bill-receipt': ['name', 'merchant', 'date', 'items', 'total', 'paid'],
  'phone-changed': ['merchant'],
  'balance-adjusted': ['name', 'merchant', 'change', 'balance'],
  'accounts-merged': ['merchant'],
} as const satisfies Record<NoticeKind, readonly string[]>;

/** The values of placeholders. */
export type NoticeValues = Record<string, string>;

const placeholder = /\{(\w*)\}/g;

/** Returns a text's placeholders, each once, in order of first appearance. */
const inOrder = (body: string): string[] => [
  ...new Set(Array.from(body.matchAll(placeholder), ([, name = '']) => name)),
];

/** Returns a placeholder that this kind does not have, or null. */
export const unknownPlaceholder = (kind: NoticeKind, body: string): string | null =>
  inOrder(body).find((name) => !(placeholders[kind] as readonly string[]).includes(name)) ?? null;

/** Returns the text that a customer gets. */
export const fillBody = (body: string, values: NoticeValues): string =>
  body.replace(placeholder, (whole, name: string) => values[name] ?? whole);

/** Returns the parameters for the messenger's template: the first for `{{1}}`, and so on. */
export const parametersOf = (body: string, values: NoticeValues): string[] =>
  inOrder(body).map((name) => values[name] ?? '');

/** Returns the text with numbered placeholders, for the messenger's approval. */
export function numberedBody(body: string): string {
  const names = inOrder(body);
  return body.replace(placeholder, (_, name: string) => `{{${names.indexOf(name) + 1}}}`);
}
