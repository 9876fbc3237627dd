import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { sharedDatabase } from '../testing/database';
import { copyIn, copyOut } from './copy';

const database = sharedDatabase();

/** Opens one connection, which is closed after the test even if a COPY hangs. */
function openSession(): postgres.Sql {
  const session = postgres(database.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => session.end({ timeout: 0 }));
  return session;
}

test.each([1, 600, 20_000, 60_000])(
  '%s bytes and their end arrive, and the connection answers again',
  async (bytes) => {
    await database.owner.begin(async (connection) => {
      for (let n = 0; n < 5; n++) {
        const rows = await copyOut(
          connection,
          sql`select repeat('x', 10) || n as x from generate_series(1, ${bytes} / 10) n`,
        );
        expect((await text(rows)).split('\n')).toHaveLength(Math.floor(bytes / 10) + 2);
      }
      expect(await connection`select 1 as one`).toEqual([{ one: 1 }]);
    });
  },
);

test('a reader that gives up ends the query, and the session answers again; an error of the query arrives', async () => {
  const session = openSession();
  const reading = session.begin(async (connection) => {
    const rows = await copyOut(connection, sql`select repeat('x', 1000) || n as x from generate_series(1, 10000000) n`);
    rows.once('data', () => rows.destroy(new Error('enough')));
    await finished(rows);
  });
  await expect(reading).rejects.toThrow();
  expect(await session`select 1 as one`).toEqual([{ one: 1 }]);
  const failing = session.begin(async (connection) => {
    await text(await copyOut(connection, sql`select 1 / (100000 - n) from generate_series(1, 100000) n`));
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await session`select 1 as one`).toEqual([{ one: 1 }]);
});

test.each([
  ['x', 'invalid input syntax'],
  ['3', 'violates check constraint'],
])('a last row (%s) that PostgreSQL refuses is an error, and the session answers again', async (number, message) => {
  const table = pgTable('copied_numbers', { number: integer() });
  const session = openSession();
  await session`create temporary table copied_numbers (number int check (number < 3))`;
  const copying = session.begin(async (connection) => {
    const rows = await copyIn(connection, table, [table.number]);
    await pipeline(Readable.from(['number\n', '1\n2\n', `${number}\n`]), rows);
  });
  await expect(copying).rejects.toThrow(message);
  expect(await session`select count(*)::int as rows from copied_numbers`).toEqual([{ rows: 0 }]);
});
