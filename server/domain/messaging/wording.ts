/** How notices are worded: a text with `{placeholders}`, which the messenger numbers as they come. */

import type { NoticeKind } from '../core/context';

/** What each kind of notice can tell. */
export const placeholders = {
  'voucher-issued': ['name', 'merchant', 'voucher', 'code', 'until'],
  'value-expiring': ['name', 'merchant', 'value', 'date'],
  'top-up-receipt': ['name', 'merchant', 'amount', 'bonus', 'balance'],
} as const satisfies Record<NoticeKind, readonly string[]>;

/** What the placeholders stand for. */
export type NoticeValues = Record<string, string>;

const placeholder = /\{(\w*)\}/g;

/** The placeholders of a text, each once, as they first come. */
const inOrder = (body: string): string[] => [
  ...new Set(Array.from(body.matchAll(placeholder), ([, name = '']) => name)),
];

/** A placeholder of the text that such a notice has no value for; null where it has all. */
export const unknownPlaceholder = (kind: NoticeKind, body: string): string | null =>
  inOrder(body).find((name) => !(placeholders[kind] as readonly string[]).includes(name)) ?? null;

/** The text as a customer reads it. */
export const fillBody = (body: string, values: NoticeValues): string =>
  body.replace(placeholder, (whole, name: string) => values[name] ?? whole);

/** What the messenger puts into its own copy of the text: into `{{1}}` the first, and so on. */
export const parametersOf = (body: string, values: NoticeValues): string[] =>
  inOrder(body).map((name) => values[name] ?? '');

/** The text as the messenger is to approve it. */
export function numberedBody(body: string): string {
  const names = inOrder(body);
  return body.replace(placeholder, (_, name: string) => `{{${names.indexOf(name) + 1}}}`);
}
