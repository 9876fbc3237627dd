/**
 * `npm run generate`: writes all generated files. With `-- --name store_titles`, also a migration from `db/schema`;
 * with `--custom` after it, an empty migration to be written by hand.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSql } from '@/db/driver';
import { startEmbedded } from '@/db/operations/embedded';
import { migrate } from '@/db/operations/migrate';
import { schemaSql } from '@/db/operations/schema-sql';
import { openApiDocument } from '../rest/openapi';
import { writeApiFiles } from './generate/api-files';
import { addMigration, keepNewestSnapshot, sealMigrations } from './generate/migration';
import { readOptions, run } from './run';

run(async () => {
  const { name, custom } = readOptions({ name: { type: 'string' }, custom: { type: 'boolean' } });
  if (name) addMigration(['--name', name, ...(custom ? ['--custom'] : [])]);
  keepNewestSnapshot();
  const problems = await sealMigrations();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  writeFileSync(join('db', 'schema.sql'), await migratedSchema());
  await writeApiFiles(openApiDocument('http://localhost'));
  if (problems.length > 0) process.exitCode = 1;
});

async function migratedSchema(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loyalty-generate-'));
  const server = await startEmbedded({ dataDir, unsafe: true });
  try {
    await migrate(server.url());
    const owner = openSql(server.url());
    return await schemaSql(owner).finally(() => owner.end());
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
