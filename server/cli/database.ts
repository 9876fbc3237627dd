/** The database for command-line tools. */

import { getTableName, sql } from 'drizzle-orm';
import { describeConnectionProblem, openSql, primaryOf, queriesOn, type Sql } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { ledgerEntries, thisCell } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { cellPattern } from '@/server/domain/kernel/cells';
import { addressProblem } from '@/server/process/env';
import { ensureMigrated } from '@/server/process/readiness';

/** Returns which environment the database belongs to. Errors: `StartupError` if `APP_ENV` does not say so. */
export function databaseEnvironment(): 'sandbox' | 'production' {
  const { APP_ENV } = process.env;
  if (APP_ENV === 'sandbox' || APP_ENV === 'production') return APP_ENV;
  throw new StartupError(
    APP_ENV
      ? 'APP_ENV must be sandbox or production.'
      : 'APP_ENV is missing: sandbox or production, whichever the database is of.',
  );
}

/**
 * Returns the cell of the database, for new API keys: the cell whose service has used it, or else that of the
 * environment. Errors: `StartupError` for a malformed `CELL`, or if the two differ.
 */
export async function databaseCell(db: Queries): Promise<{ name: string } | null> {
  const { CELL: given } = process.env;
  const [known] = await db.select({ name: thisCell.name }).from(thisCell);
  if (!given) return known ?? null;
  if (!cellPattern.test(given))
    throw new StartupError(
      'CELL must be up to eight lower-case letters and digits, and begin with a letter, like sg1.',
    );
  if (known && known.name !== given)
    throw new StartupError(`CELL is ${given}, and this database is of the cell ${known.name}.`);
  return { name: given };
}

/** Returns the address that signs in as the owner of the tables. Errors: `StartupError` if it is missing or does not work. */
export async function ownerAddress(): Promise<string> {
  const address = givenAddress();
  if (address) return tryConnect(process.env.DATABASE_OWNER_URL ? 'DATABASE_OWNER_URL' : 'DATABASE_URL', address);
  throw new StartupError(
    "DATABASE_OWNER_URL is missing: the owner's address of the database, like postgres://owner:password@host:5432/loyalty.",
  );
}

export const givenAddress = (): string | undefined => process.env.DATABASE_OWNER_URL || process.env.DATABASE_URL;

/**
 * Opens the database as the owner of its tables for `work`, which also gets its name. Errors: `StartupError` if it
 * can't be reached, if this release can't run on its schema, or if the role would see no rows of merchants.
 */
export const asOwner = async <T>(work: (owner: Sql, name: string) => Promise<T>): Promise<T> =>
  openAsOwner(await ownerAddress(), work);

/** Like `asOwner`, for the database whose address is in `variable`. */
export async function asOwnerOf<T>(variable: string, work: (owner: Sql) => Promise<T>): Promise<T> {
  return openAsOwner(await addressIn(variable), work);
}

/** Returns the address in a variable. Errors: `StartupError` if it is missing or does not work. */
export async function addressIn(variable: string): Promise<string> {
  const address = process.env[variable];
  if (!address) throw new StartupError(`${variable} is missing (docs/operations.md says what it is).`);
  return tryConnect(variable, address);
}

async function openAsOwner<T>(address: string, work: (owner: Sql, name: string) => Promise<T>): Promise<T> {
  const owner = openSql(address, { max: 4 });
  try {
    await ensureMigrated(queriesOn(owner));
    await ensureOwner(queriesOn(owner));
    return await work(owner, nameOf(address));
  } finally {
    await owner.end({ timeout: 5 });
  }
}

async function ensureOwner(db: Queries): Promise<void> {
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
async function tryConnect(given: string, url: string): Promise<string> {
  const problem = addressProblem(url);
  if (problem) throw new StartupError(`${given} ${problem}.`);
  let client: Sql | undefined;
  try {
    const address = await primaryOf(url);
    client = openSql(address, { connect_timeout: 5 });
    await client`select 1`;
    return address;
  } catch (error) {
    throw new StartupError(`${given} does not work: ${describeConnectionProblem(error)}.`);
  } finally {
    await client?.end({ timeout: 1 }).catch(() => {});
  }
}
