import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { appRole, openSql } from '../driver';
import { startEmbedded } from '../operations/embedded';
import { migrate } from '../operations/migrate';
import { searchSharedDatabases } from './clone';
import { startPgbouncer } from './pgbouncer';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser of the run's PostgreSQL. */
    adminUrl: string;
  }
}

/**
 * Starts one PostgreSQL for the whole run, with a migrated template that test files clone. POOLER=pgbouncer: tests
 * reach it through PgBouncer, and the run fails if none did. MIGRATED_SERVER: the address of a server, migrated by a
 * later release, that tests use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.MIGRATED_SERVER;
  const server = given ? { url: () => given, stop: async () => {} } : await startServer();
  project.provide('adminUrl', server.url());
  const pooler = process.env.POOLER === 'pgbouncer' ? await startPgbouncer(server.url(), appRole) : null;
  if (pooler) process.env.POOLER_URL = pooler.url;
  return async () => {
    await searchSharedDatabases(server.url()).catch(failRun);
    const carried = await pooler?.transactions();
    await pooler?.stop();
    await server.stop();
    if (!pooler) return;
    process.stdout.write(`PgBouncer ${pooler.version} carried ${carried} transactions.\n`);
    // A thrown error would be reported, but not fail the run.
    if (carried === 0) process.exitCode = 1;
  };
}

/** A thrown error would be reported, but not fail the run. */
function failRun(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function startServer(): Promise<{ url(): string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), `loyalty-test-${randomBytes(3).toString('hex')}`));
  const server = await startEmbedded({ dataDir, unsafe: true });
  await makeTemplate(server.url());
  return {
    url: () => server.url(),
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = openSql(adminUrl);
  await admin`create database loyalty_template`;
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = '/loyalty_template';
  await migrate(url.href);
}
