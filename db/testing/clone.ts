import { randomBytes } from 'node:crypto';
import { appRole, connectDatabase, type Database, openSql, type Sql } from '../driver';
import { secretsInRows } from './secrets';

export interface TestDatabase {
  /** As the application sees it: restricted by row-level security. */
  db: Database;
  /** As the owner, for set-up and for checking rows directly. */
  owner: Sql;
  url: string;
}

export interface OpenDatabase extends TestDatabase {
  /**
   * Closes its connections. Errors: if a row of a separate database holds a secret outside the columns meant for it.
   */
  drop(): Promise<void>;
}

/** Creates a separate, migrated, empty database. */
export async function cloneDatabase(adminUrl: string): Promise<OpenDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = openSql(adminUrl);
  await createDatabase(admin, name);
  const database = openDatabase(adminUrl, name);
  return {
    ...database,
    drop: async () => {
      const secrets = await secretsInRows(database.owner);
      await database.drop();
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
      refuseSecrets(secrets);
    },
  };
}

/**
 * Opens the database that one worker's test files use in turn, each with its own merchants. At the end of the run, its
 * rows are searched for secrets.
 */
export async function openSharedDatabase(adminUrl: string): Promise<OpenDatabase> {
  const name = `shared_${process.env.VITEST_POOL_ID}`;
  const admin = openSql(adminUrl);
  const [found] = await admin`select 1 from pg_database where datname = ${name}`;
  if (!found) await createDatabase(admin, name);
  await admin.end();
  return openDatabase(adminUrl, name);
}

/** Errors: if a row of a shared database holds a secret outside the columns meant for it. */
export async function searchSharedDatabases(adminUrl: string): Promise<void> {
  const admin = openSql(adminUrl);
  const shared = await admin<{ datname: string }[]>`select datname from pg_database where datname like 'shared_%'`;
  await admin.end();
  for (const { datname } of shared) {
    const { owner, drop } = openDatabase(adminUrl, datname);
    const secrets = await secretsInRows(owner);
    await drop();
    refuseSecrets(secrets);
  }
}

const createDatabase = (admin: Sql, name: string) =>
  admin.unsafe(`create database ${name} template loyalty_template strategy file_copy`);

function refuseSecrets(secrets: string[]): void {
  if (secrets.length > 0) throw new Error(`rows hold what they should not:\n${secrets.slice(0, 20).join('\n')}`);
}

function openDatabase(adminUrl: string, name: string): OpenDatabase {
  const address = new URL(adminUrl);
  address.pathname = `/${name}`;
  const url = address.href;
  const db = connectTo(url, address.pathname);
  const owner = openSql(url, { max: 3 });
  const drop = async () => {
    await Promise.all([db.close(), owner.end({ timeout: 1 })]);
  };
  return { db, owner, url, drop };
}

/** Connects through the pooler, if the run has one. */
function connectTo(url: string, pathname: string): Database {
  const { POOLER_URL } = process.env;
  if (!POOLER_URL) return connectDatabase(url, { role: appRole, max: 10 });
  const pooled = new URL(POOLER_URL);
  pooled.pathname = pathname;
  return connectDatabase(pooled.href, { directUrl: url, max: 10 });
}
