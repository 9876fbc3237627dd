/** The demo's database: a given one, or its own PostgreSQL. */

import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openSql } from '@/db/driver';
import { type EmbeddedServer, startEmbedded } from '@/db/operations/embedded';
import { StartupError } from '@/db/startup-error';
import { givenAddress, ownerAddress } from './database';

/** The folder of the embedded database, secrets and `demo.json`. */
export const dataDir = resolve(process.env.DATA_DIR || '.data');

interface DemoDatabase {
  /** The address that signs in as the tables' owner. */
  ownerUrl: string;
  stop(): Promise<void>;
}

/**
 * Opens the given database or, without one, the embedded server. Errors: `StartupError` if it can't be reached or the
 * folder can't be written.
 */
export async function openDemoDatabase(): Promise<DemoDatabase> {
  if (givenAddress()) return { ownerUrl: await ownerAddress(), stop: async () => {} };
  ensureWritable();
  let server: EmbeddedServer;
  try {
    server = await startEmbedded({ dataDir: join(dataDir, 'postgres') });
  } catch (error) {
    throw new StartupError(`The embedded PostgreSQL did not start: ${error instanceof Error ? error.message : error}`);
  }
  const admin = openSql(server.url());
  const [existing] = await admin`select from pg_database where datname = 'loyalty'`;
  if (!existing) await admin`create database loyalty`;
  await admin.end();
  return { ownerUrl: server.url('loyalty'), stop: server.stop };
}

/** Errors: `StartupError` if the data folder can't be written. */
export function ensureWritable(): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
    const probe = join(dataDir, '.write-test');
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartupError(`The folder ${dataDir} cannot be written: ${(error as Error).message}`);
  }
}
