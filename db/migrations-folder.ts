import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const migrationsFolder = join(process.cwd(), 'db', 'migrations');

/** How many migrations this code knows; `/api/ready` compares it with what the database has. */
export function knownMigrations(): number {
  const journal: { entries: unknown[] } = JSON.parse(
    readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8'),
  );
  return journal.entries.length;
}
