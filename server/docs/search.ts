/** Full-text search over guides, operations, event types, errors and the changelog. */
import MiniSearch from 'minisearch';
import { errorEntries } from './error-codes';
import { eventTypes } from './event-types';
import type { Field } from './fields';
import { changelog, guides } from './guides';
import { errorHref, eventTypeHref, guideHref, operationHref } from './links';
import { operations } from './operations';
import { inOurWords } from './other-words';
import { anchorOf, sectionsOf } from './sections';

interface Entry {
  href: string;
  /** The page's title, or its kind. */
  page: string;
  title: string;
  text: string;
}

export interface Hit {
  href: string;
  page: string;
  title: string;
  /** The text around the first found word, in parts. Found parts are marked. */
  excerpt: { text: string; isMatch: boolean }[];
}

const plain = (markdown: string) =>
  markdown
    // The line below a table's head.
    .replace(/^\|[-:| ]+\|$/gm, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/[|#]|^[-\d]+[.\s]/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function entriesOf(markdown: string, page: string, href: string): Entry[] {
  return sectionsOf(markdown).map(({ heading, text }) => ({
    href: heading ? `${href}#${anchorOf(heading)}` : href,
    page,
    title: heading || page,
    text: plain(text),
  }));
}

const namesOf = (fields: Field[]): string[] => fields.flatMap(({ name, fields }) => [name, ...namesOf(fields)]);

const entries: Entry[] = [
  ...guides.flatMap(({ name, title, text }) => entriesOf(text, title, guideHref(name))),
  ...operations.map(({ id, method, path, summary, description, parameters, body, response }) => ({
    href: operationHref(id),
    page: `${method} ${path}`,
    title: summary,
    text: plain(`${description} Fields: ${[...new Set(namesOf([...parameters, ...body, ...response]))].join(', ')}.`),
  })),
  ...eventTypes.map(({ type, description }) => ({
    href: eventTypeHref(type),
    page: 'Event type',
    title: type,
    text: plain(description),
  })),
  ...errorEntries.map(({ code, status, meaning }) => ({
    href: errorHref(code),
    page: `Error ${status}`,
    title: code,
    text: plain(meaning),
  })),
  ...entriesOf(changelog, 'Changelog', '/docs/changelog'),
];

const index = new MiniSearch<Entry & { id: number }>({
  fields: ['title', 'page', 'text'],
  // `top_up` counts as two words. Singular and plural find each other.
  tokenize: (text) => text.split(/[\s\p{P}]+/u).filter(Boolean),
  processTerm: (term) => term.toLowerCase().replace(/ies$/, 'y').replace(/s$/, ''),
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.25 : false),
    combineWith: 'AND',
    // It names everything once, and explains nothing.
    boostDocument: (id) => (entries[id]?.page === 'Changelog' ? 0.2 : 1),
  },
});
index.addAll(entries.map((entry, id) => ({ id, ...entry })));

const maxHits = 20;
const maxQueryLength = 100;

/** Returns the best 20 matches. Words may be incomplete, misspelt, or those of other systems. */
export function searchDocs(query: string): Hit[] {
  const given = query.slice(0, maxQueryLength);
  const translated = inOurWords(given);
  const found = [...(translated === null ? [] : index.search(translated)), ...index.search(given)];
  return found
    .filter(({ id }, at) => found.findIndex((one) => one.id === id) === at)
    .slice(0, maxHits)
    .map(({ id, terms }) => {
      const { href, page, title, text } = entries[id] as Entry;
      return { href, page, title, excerpt: excerptOf(text, terms) };
    });
}

const before = 60;
const length = 180;

function excerptOf(text: string, terms: string[]): Hit['excerpt'] {
  const found = new RegExp(
    `(${terms.map((term) => term.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&').replace(/y$/, '(?:y|ies)')).join('|')})`,
    'giu',
  );
  const at = Math.max(0, text.search(found) - before);
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const end = text.length > start + length ? text.lastIndexOf(' ', start + length) : text.length;
  const shown = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
  return shown.split(found).map((part, i) => ({ text: part, isMatch: i % 2 === 1 }));
}
