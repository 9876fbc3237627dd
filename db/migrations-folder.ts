import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const migrationsFolder = join(process.cwd(), 'db', 'migrations');

/** The number of migrations in this code. `/api/ready` compares it with the database. */
export function knownMigrations(): number {
  const journal: { entries: unknown[] } = JSON.parse(
    readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8'),
  );
  return journal.entries.length;
}
