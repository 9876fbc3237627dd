import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';

export const migrationsFolder = join(process.cwd(), 'db', 'migrations');

let newest: string | undefined;

/** The hash by which a database knows that this release's newest migration was applied. */
export function newestMigration(): string {
  newest ??= readMigrationFiles({ migrationsFolder }).at(-1)?.hash;
  if (newest === undefined) throw new Error(`no migrations in ${migrationsFolder}`);
  return newest;
}
