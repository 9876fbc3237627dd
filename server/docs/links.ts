/** The documentation's addresses, and what links to them. */
import { errorEntries } from './error-codes';
import { eventTypes } from './event-types';
import { type Guide, guides } from './guides';
import { type Operation, operations } from './operations';

export const guideHref = (name: string) => `/docs/${name}`;
export const operationHref = (id: string) => `/docs/reference/${id}`;
export const eventTypeHref = (type: string) => `/docs/reference/event-types#${type}`;
export const errorHref = (code: string) => `/docs/errors#${code}`;

const signatureOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The address for a word in code, such as `POST /sales`, `pin_locked` or `order.placed`. */
export const hrefOfCode = new Map<string, string>([
  ...operations.map((operation) => [signatureOf(operation), operationHref(operation.id)] as const),
  ...eventTypes.map(({ type }) => [type, eventTypeHref(type)] as const),
  ...errorEntries.map(({ code }) => [code, errorHref(code)] as const),
]);

/** The guides that name an operation. */
export const guidesAbout = (operation: Operation): Guide[] =>
  guides.filter(({ text }) => text.includes(`\`${signatureOf(operation)}\``));

/** Turns a guide's link between files of the repository into an address on the site. */
export function siteHref(href: string): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name ? `${guideHref(name)}${anchor}` : href;
}
