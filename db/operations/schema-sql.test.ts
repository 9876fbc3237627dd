import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseRoot } from '@/server/observe/release';
import { ownDatabase } from '../testing/database';
import { schemaSql } from './schema-sql';

const database = ownDatabase();

test('db/schema.sql is the schema that the migrations make (npm run generate writes it)', async () => {
  expect(await schemaSql(database.owner)).toBe(readFileSync(join(releaseRoot, 'db', 'schema.sql'), 'utf8'));
});
