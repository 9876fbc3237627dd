/** Finding customers by what somebody remembers of them: a range of `customer_terms` for each way to read it. */
import type { Fragment, Tx } from '@/db/client';

/** More that begin alike are not searched: the reader has to type more. */
export const mostMatches = 500;
/** How many terms are looked at for a name whose words are typed in another order. */
const mostLookedAt = 20_000;
const fewestDigits = 3;
const fewestLastDigits = 4;

/** As people type it: without accents, case and punctuation. The database's `fold_name` is its twin. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/[\s,/_-]+/g, ' ')
    .trim();

export interface TermRange {
  /** What the term begins with. */
  prefix: string;
  /** What other words of the term begin with. */
  words: string[];
}

/** Where to look for a search, however it is written; several may find the same customer. */
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
    // The longest is the rarest, more often than not.
    const prefix = words.reduce((longest, word) => (word.length > longest.length ? word : longest));
    ranges.push({ prefix, words: words.filter((word) => word !== prefix) });
  }
  return ranges;
}

/** The ids of those who are found, some of them twice; at most `mostMatches` for each range. */
export function matches(tx: Tx, search: string): Fragment {
  const { sql } = tx;
  const [first, ...others] = termRanges(search).map((range) => inRange(tx, range));
  if (!first) return sql`select null::uuid as customer_id where false`;
  return others.reduce((all, one) => sql`${all} union all ${one}`, first);
}

function inRange({ merchantId, sql }: Tx, { prefix, words }: TermRange): Fragment {
  const look = (limit: number) => sql`
    select term, customer_id from customer_terms
    where merchant_id = ${merchantId} and term >= ${prefix} and term < ${`${prefix}\u{10ffff}`}
    order by term, customer_id ${sql.unsafe(`limit ${limit}`)}`;
  if (words.length === 0) return sql`(select customer_id from (${look(mostMatches)}) found)`;
  const hasAll = words.map((word) => sql`strpos(' ' || term, ${` ${word}`}) > 0`);
  return sql`
    (select customer_id from (${look(mostLookedAt)}) found
    where ${hasAll.reduce((all, one) => sql`${all} and ${one}`)} ${sql.unsafe(`limit ${mostMatches}`)})`;
}
