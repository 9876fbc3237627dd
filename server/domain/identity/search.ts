/** Searches customers by a range of `customer_terms` for each way to read the search. */

import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { customerTerms } from '@/db/schema';

/** Max matches per range. If there are more, the reader has to type more. */
export const maxMatches = 500;
/** Max terms read for a name whose words may be in any order. */
const maxTermsRead = 20_000;
const fewestDigits = 3;
const fewestLastDigits = 4;

/** Normalizes a name as people type it: no accents, case or punctuation. Must match the database's `fold_name`. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/[\s,/_-]+/g, ' ')
    .trim();

export interface TermRange {
  /** The start of the term. */
  prefix: string;
  /** The starts of the term's other words. */
  words: string[];
}

/** Returns the ranges to search, in every reading. Several may find the same customer. */
export function termRanges(search: string): TermRange[] {
  const typed = search.trim().toLowerCase();
  const name = foldName(search);
  const prefixes = new Set([typed, name]);
  if (/^[+\d\s().-]+$/.test(typed)) {
    const digits = typed.replace(/\D/g, '');
    if (digits.length >= fewestDigits) prefixes.add(digits.replace(/^0+/, ''));
    if (digits.length >= fewestLastDigits) prefixes.add(`<${[...digits].reverse().join('')}`);
  }
  prefixes.delete('');
  const ranges = [...prefixes].map((prefix): TermRange => ({ prefix, words: [] }));
  const words = name.split(' ');
  if (words.length > 1) {
    // The longest word is usually the rarest.
    const prefix = words.reduce((longest, word) => (word.length > longest.length ? word : longest));
    ranges.push({ prefix, words: words.filter((word) => word !== prefix) });
  }
  return ranges;
}

/** Selects the ids of matches, some twice, at most `maxMatches` per range. */
export function matchesSearch(tx: Tx, search: string) {
  const [first, second, ...others] = termRanges(search).map((range) => inRange(tx, range));
  if (!first) return inRange(tx, { prefix: '', words: [] }).where(sql`false`);
  return second ? unionAll(first, second, ...others) : first;
}

function inRange({ merchantId, db }: Tx, { prefix, words }: TermRange) {
  const { term, customerId } = customerTerms;
  const found = db
    .select({ term, customerId })
    .from(customerTerms)
    .where(and(eq(customerTerms.merchantId, merchantId), gte(term, prefix), lt(term, `${prefix}\u{10ffff}`)))
    .orderBy(term, customerId)
    .limit(words.length === 0 ? maxMatches : maxTermsRead)
    .as('found');
  const all = db.select({ customerId: found.customerId }).from(found).$dynamic();
  if (words.length === 0) return all;
  const hasAll = words.map((word) => sql`strpos(' ' || ${found.term}, ${` ${word}`}) > 0`);
  return all.where(and(...hasAll)).limit(maxMatches);
}
