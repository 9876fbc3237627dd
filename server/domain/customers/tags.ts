/** The tags of a merchant's customers. */
import { and, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import { customers, customerTerms } from '@/db/schema';
import type { StaffContext } from '../kernel/context';

/** No name, phone number or e-mail address has it, so a term that begins with it is a tag's (see `customer_tag_terms`). */
const mark = '\u0001';
const maxTagsListed = 500;

const termOf = (tag: SQL | string): SQL => sql`${mark} || lower(${tag}::text)`;

/** True where a term is that of a tag, in any letter case. */
export const isTermOfTag = (term: PgColumn, tag: string): SQL => eq(term, termOf(tag));

/** Lists the tags that customers have, in alphabetical order, each as one of its customers has it. */
export function listTags({ db, merchant }: StaffContext): Promise<string[]> {
  return withMerchant(db, merchant.id, async (tx) => {
    const term = distinctTerms(tx);
    const holder = alias(customerTerms, 'holder');
    const first = tx.db
      .select({ id: holder.customerId })
      .from(holder)
      .where(and(eq(holder.merchantId, tx.merchantId), eq(holder.term, term.term)))
      .limit(1);
    // Limited, so that each is looked up by its id, however many rows the planner expects.
    const one = tx.db
      .select({ tags: customers.tags })
      .from(customers)
      .where(and(eq(customers.merchantId, tx.merchantId), eq(customers.id, sql`(${first})`)))
      .limit(1)
      .as('one');
    const tag = sql<string>`tag`;
    const rows = await tx.db
      .with(term)
      .select({ tag })
      .from(term)
      .crossJoinLateral(one)
      .innerJoinLateral(sql`unnest(${one.tags}) tag`, eq(term.term, termOf(tag)))
      .orderBy(sql`lower(tag)`);
    return rows.map((row) => row.tag);
  });
}

/** Selects the distinct terms of tags, with one index step for each. */
function distinctTerms({ merchantId, db }: Tx) {
  const { term } = customerTerms;
  const next = (after: SQL | undefined) =>
    db
      .select({ value: term })
      .from(customerTerms)
      .where(and(eq(customerTerms.merchantId, merchantId), after, lt(term, '\u0002')))
      .orderBy(term)
      .limit(1);
  return db.$with('tag_terms', { term }).as(sql`
    with recursive step (value, place) as (
      select value, 1 from ${next(gte(term, mark))} first (value)
      union all
      select n.value, step.place + 1 from step
      cross join lateral ${next(gt(term, sql`step.value`))} n (value) where step.place < ${maxTagsListed}
    )
    select value as term from step`);
}
