/** The driver still has the internals that `is-written.ts` reads, with the same meaning. */
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isWritten } from './is-written';

let sql: postgres.Sql;
beforeAll(() => {
  sql = postgres(inject('adminUrl'), { max: 1 });
});
afterAll(() => sql.end());

const prepare = (value: number) => sql.unsafe<postgres.Row[]>('select $1::int as value', [value], { prepare: true });
/** Executes a statement; the driver writes it shortly after, long before a response can arrive. */
async function execute(statement: postgres.PendingQuery<postgres.Row[]>): Promise<void> {
  statement.execute();
  await Promise.resolve();
}

test('a statement is written once fully sent: the first time with its response, later at once', async () => {
  const first = prepare(1);
  expect(isWritten(first)).toBe(false);
  await sql`select 1`;
  await execute(first);
  expect(isWritten(first)).toBe(false);
  await first;
  expect(isWritten(first)).toBe(true);
  const second = prepare(2);
  expect(isWritten(second)).toBe(false);
  await execute(second);
  expect(isWritten(second)).toBe(true);
  expect(await second).toMatchObject([{ value: 2 }]);
});

test('a statement that cannot be written never counts as written', async () => {
  await prepare(1);
  const invalid = prepare(undefined as never);
  await execute(invalid).catch(() => {});
  expect(isWritten(invalid)).toBe(false);
  await expect(invalid).rejects.toThrow('UNDEFINED_VALUE');
  expect(isWritten(invalid)).toBe(false);
});
