/** What `drizzle-internals.ts` reads of Drizzle's expressions is there, and means what it takes it for. */
import { count, SQL, sql } from 'drizzle-orm';
import { integer, pgTable, QueryBuilder } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { decoderOf, isNamedBelow, literal } from './drizzle-internals';

const things = pgTable('things', { size: integer('size') });
const doubled = sql`${things.size} * 2`.mapWith((value) => `twice ${value}`);

test('an expression is read as it says, named or not, and a subquery as its one field', () => {
  const read = (field: Parameters<typeof decoderOf>[0]) => decoderOf(field).mapFromDriverValue('3');
  expect([read(count()), read(doubled), read(doubled.as('doubled'))]).toEqual([3, 'twice 3', 'twice 3']);
  expect(decoderOf(things.size)).toBe(things.size);
});

test('a field that a subquery has named is known from one that is named here', () => {
  const below = new QueryBuilder()
    .select({ doubled: doubled.as('doubled') })
    .from(things)
    .as('below');
  const fields: unknown[] = [below.doubled, doubled.as('doubled')];
  expect(fields.map((field) => field instanceof SQL.Aliased && isNamedBelow(field))).toEqual([true, false]);
});

test('a limit is written out', () => {
  const limited = new QueryBuilder()
    .select()
    .from(things)
    .limit(literal(3) as number);
  expect(limited.toSQL()).toEqual({ sql: 'select "size" from "things" limit 3', params: [] });
});
