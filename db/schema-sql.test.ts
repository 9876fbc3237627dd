import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from './root';
import { schemaSql } from './schema-sql';
import { cloneDatabase, type TestDatabase } from './testing/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
});
afterAll(() => database.drop());

test('db/schema.sql is the schema that the migrations make (npm run generate writes it)', async () => {
  expect(await schemaSql(database.owner)).toBe(readFileSync(join(root, 'db', 'schema.sql'), 'utf8'));
});
