import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { paymentSpellings } from './wording';

/** Returns the method's one name: a `PaymentName`, or what the till wrote, squeezed. */
export function paymentKey(method: SQLWrapper): SQL<string> {
  const squeezed = sql`lower(regexp_replace(${method}, '[[:space:]_./-]+', '', 'g'))`;
  const cases = Object.entries(paymentSpellings).map(
    ([name, ways]) =>
      sql`when ${squeezed} in (${sql.raw(ways.map((way) => `'${way}'`).join(', '))}) then ${sql.raw(`'${name}'`)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} else ${squeezed} end`;
}
