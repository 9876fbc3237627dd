import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { root } from './root';

export const migrationsFolder = join(root, 'db', 'migrations');

interface Migration {
  hash: string;
  /** When it was created, in milliseconds since 1970. */
  at: number;
}

let newest: Migration | undefined;

/** How a database knows that this release's newest migration was applied. */
export function newestMigration(): Migration {
  if (newest) return newest;
  const last = readMigrationFiles({ migrationsFolder }).at(-1);
  if (!last) throw new Error(`no migrations in ${migrationsFolder}`);
  newest = { hash: last.hash, at: last.folderMillis };
  return newest;
}
