/** The database for command-line tools. */
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getTableName, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { type EmbeddedServer, startEmbedded } from '@/db/embedded';
import { primaryOf } from '@/db/primary';
import type { Queries } from '@/db/queries';
import { ledgerEntries } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { addressProblem } from '@/server/process/env';

/** The folder of the embedded database, secrets and `demo.json`. */
export const dataDir = resolve(process.env.DATA_DIR || '.data');

export interface OpenDatabase {
  /** The address that signs in as the tables' owner. */
  ownerUrl: string;
  stop(): Promise<void>;
}

/**
 * Returns which deployment the database belongs to. `APP_ENV` must say so for a given database; the embedded one is
 * always a sandbox. Errors: `StartupError` if it does not.
 */
export function databaseEnvironment(): 'sandbox' | 'production' {
  const { APP_ENV, DATABASE_URL, DATABASE_OWNER_URL } = process.env;
  if (APP_ENV === 'sandbox' || APP_ENV === 'production') return APP_ENV;
  if (APP_ENV) throw new StartupError('APP_ENV must be sandbox or production.');
  if (!DATABASE_URL && !DATABASE_OWNER_URL) return 'sandbox';
  const given = DATABASE_OWNER_URL ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
  throw new StartupError(`APP_ENV is missing: sandbox or production, whichever the database in ${given} is of.`);
}

/**
 * Opens `DATABASE_URL` or, outside production, the embedded server. Errors: `StartupError` if it can't be reached or
 * the folder can't be written.
 */
export async function openDatabase(): Promise<OpenDatabase> {
  const url = process.env.DATABASE_OWNER_URL || process.env.DATABASE_URL;
  if (url) {
    return { ownerUrl: await tryConnect(url), stop: async () => {} };
  }
  if (process.env.APP_ENV === 'production') {
    throw new StartupError("DATABASE_OWNER_URL is missing: the owner's address of the database.");
  }
  ensureWritable();
  let server: EmbeddedServer;
  try {
    server = await startEmbedded({ dataDir: join(dataDir, 'postgres') });
  } catch (error) {
    throw new StartupError(`The embedded PostgreSQL did not start: ${error instanceof Error ? error.message : error}`);
  }
  const admin = postgres(server.url(), { max: 1, onnotice: () => {} });
  const [existing] = await admin`select from pg_database where datname = 'loyalty'`;
  if (!existing) await admin`create database loyalty`;
  await admin.end();
  return { ownerUrl: server.url('loyalty'), stop: server.stop };
}

/** Opens the database for `work`, and stops what it started, also if `work` fails. */
export async function withDatabase<T>(work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const database = await openDatabase();
  try {
    return await work(database.ownerUrl);
  } finally {
    await database.stop();
  }
}

/** Errors: `StartupError` where the sign-in would see no rows of merchants. */
export async function ensureOwner(db: Queries): Promise<void> {
  const isBound = sql<boolean>`row_security_active(${getTableName(ledgerEntries)}::text)`;
  const [bound] = await db.select({ isBound }).from(sql`(select) one`);
  if (!bound?.isBound) return;
  throw new StartupError(
    'This sign-in sees no rows of merchants (row-level security): let DATABASE_OWNER_URL sign in as the owner.',
  );
}

/** Returns host, port and database of an address without credentials: `loyalty at db:5432`. */
export function nameOf(address: string): string {
  const { host, pathname } = new URL(address);
  return `${decodeURIComponent(pathname.slice(1))} at ${host}`;
}

/** Returns the primary's address if `url` lists several hosts. */
async function tryConnect(url: string): Promise<string> {
  const given = process.env.DATABASE_OWNER_URL ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
  const problem = addressProblem(url);
  if (problem) throw new StartupError(`${given} ${problem}.`);
  let client: postgres.Sql | undefined;
  try {
    const address = await primaryOf(url);
    client = postgres(address, { max: 1, connect_timeout: 5, onnotice: () => {} });
    await client`select 1`;
    return address;
  } catch (error) {
    throw new StartupError(`${given} does not work: ${error instanceof Error ? error.message || error.name : error}`);
  } finally {
    await client?.end({ timeout: 1 }).catch(() => {});
  }
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
