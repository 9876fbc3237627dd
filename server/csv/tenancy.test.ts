/** One merchant's files contain nothing of another, even if the filter has the other's ids. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { type Query, exportQueries as queries } from '@/server/testing/tenancy/export-queries';
import { idOfNobody } from '@/server/testing/tenancy/fields';
import { canariesOf, rowsOf } from '@/server/testing/tenancy/rows';
import { createTenancyStage, type TenancyStage } from '@/server/testing/tenancy/stage';
import { exports } from './exports';

const database = ownDatabase();
let own: TenancyStage;
let other: TenancyStage;

beforeAll(async () => {
  own = await createTenancyStage(database, 'Aardvark', false);
  other = await createTenancyStage(database, 'Zanzibar', true);
});

const isId = (name: string) => /Id$|^search$|^actor$/.test(name);

/** Returns the whole file, or the reason why it is refused. */
async function read(name: string, role: keyof TenancyStage['staff'], query: Query): Promise<string> {
  try {
    return await new Response(exports[name]?.open(own.staff[role], query)).text();
  } catch (error) {
    return (error as Error).message;
  }
}

test('every list has a query', () => {
  expect(Object.keys(queries).sort()).toEqual(Object.keys(exports).sort());
});

describe.each(Object.entries(exports))('%s', (name, { roles }) => {
  test.each([...roles])('as %s', async (role) => {
    const theirs = await rowsOf(own.owner, other.merchant.id);
    const canaries = canariesOf(theirs, await rowsOf(own.owner, own.merchant.id), other.word);
    const [query = {}, theirQuery = {}] = [queries[name]?.(own), queries[name]?.(other)];
    const all = await read(name, role, query);
    expect(canaries.filter((canary) => all.includes(canary))).toEqual([]);
    for (const field of Object.keys(query).filter(isId)) {
      const id = theirQuery[field] ?? '';
      const unknown = idOfNobody(id);
      const answer = (await read(name, role, { ...query, [field]: id })).replaceAll(id, '…');
      const reference = (await read(name, role, { ...query, [field]: unknown })).replaceAll(unknown, '…');
      expect(answer, field).toBe(reference);
      expect(canaries.filter((canary) => answer.includes(canary))).toEqual([]);
    }
    expect(await rowsOf(own.owner, other.merchant.id)).toEqual(theirs);
  });
});
