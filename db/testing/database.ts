import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { appRole, connect, type Database } from '../client';

export interface TestDatabase {
  /** As the application sees it: bound by row-level security. */
  db: Database;
  /** As the owner, for set-up and for looking behind the scenes. */
  owner: postgres.Sql;
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database of one's own, cloned in about 30 ms. */
export async function cloneDatabase(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name} template loyalty_template strategy file_copy`);
  const address = new URL(adminUrl);
  address.pathname = `/${name}`;
  const url = address.href;
  const db = connect(url, { role: appRole, max: 10 });
  const owner = postgres(url, { max: 3, onnotice: () => {} });
  return {
    db,
    owner,
    url,
    drop: async () => {
      await Promise.all([db.close(), owner.end({ timeout: 1 })]);
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}
