/** Drizzle still has the internals that `drizzle-internals.ts` reads, with the same meaning. */
import { count, SQL, sql } from 'drizzle-orm';
import { integer, pgTable, QueryBuilder } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { decoderOf, inlineLimit, isNamedBelow } from './drizzle-internals';

const things = pgTable('things', { size: integer('size') });
const doubled = sql`${things.size} * 2`.mapWith((value) => `twice ${value}`);

test('an expression has its own decoder, aliased or not; a subquery has that of its one field', () => {
  const read = (field: Parameters<typeof decoderOf>[0]) => decoderOf(field).mapFromDriverValue('3');
  expect([read(count()), read(doubled), read(doubled.as('doubled'))]).toEqual([3, 'twice 3', 'twice 3']);
  expect(decoderOf(things.size)).toBe(things.size);
});

test('a field aliased by a subquery differs from one aliased here', () => {
  const below = new QueryBuilder()
    .select({ doubled: doubled.as('doubled') })
    .from(things)
    .as('below');
  const fields: unknown[] = [below.doubled, doubled.as('doubled')];
  expect(fields.map((field) => field instanceof SQL.Aliased && isNamedBelow(field))).toEqual([true, false]);
});

test('a limit is a literal', () => {
  const limited = new QueryBuilder()
    .select()
    .from(things)
    .limit(inlineLimit(3) as number);
  expect(limited.toSQL()).toEqual({ sql: 'select "size" from "things" limit 3', params: [] });
});
