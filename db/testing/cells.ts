/** A cell's PostgreSQL, with the roles that an operator gives it. */

import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSql } from '../driver';
import { type EmbeddedServer, startEmbedded } from '../operations/embedded';
import { migrate } from '../operations/migrate';

export interface TestCell {
  server: EmbeddedServer;
  /** The addresses of its database, by role. */
  urls: { owner: string; service: string; mover: string; superuser: string };
  stop(): Promise<void>;
}

const password = 'of-a-test';

/**
 * Starts a separate cluster with an empty, migrated database. A kill of its processes loses nothing that was committed;
 * `isDurable`: nor does one of the machine.
 */
export async function startCell(name: string, { isDurable = false } = {}): Promise<TestCell> {
  const dataDir = await mkdtemp(join(tmpdir(), `loyalty-cell-${name}-`));
  const server = await startEmbedded({ dataDir, unsafe: !isDurable, isFollowed: true });
  await runStatement(server.url(), 'alter role all set synchronous_commit = on');
  await runScript(server.url(), 'deploy/roles.sql');
  await runScript(server.url('loyalty'), 'deploy/roles-cells.sql');
  const as = (role: string) => `postgres://${role}:${password}@127.0.0.1:${server.port}/loyalty`;
  const urls = {
    owner: as('loyalty_owner'),
    service: as('loyalty'),
    mover: as('loyalty_mover'),
    superuser: server.url('loyalty'),
  };
  await migrate(urls.owner);
  return {
    server,
    urls,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const sql = openSql(url);
  await sql.unsafe(statement);
  await sql.end();
}

/** Runs a psql script. npm does not bring psql. */
async function runScript(url: string, path: string): Promise<void> {
  const sql = openSql(url);
  const lines = readFileSync(path, 'utf8').split('\n');
  const script = lines.filter((line) => !/^(\\|--)/.test(line)).join('\n');
  for (const statement of script.split(';')) await sql.unsafe(statement.replace(/:'\w+'/g, `'${password}'`));
  await sql.end();
}
