import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { releaseRoot } from '@/server/observe/release';

export const migrationsFolder = join(releaseRoot, 'db', 'migrations');

export interface Migration {
  /** The file's name without its ending: `0018_display_names`. */
  tag: string;
  /** Recorded in the database as proof that it was applied. */
  hash: string;
  /** When it was created, in milliseconds since 1970. */
  at: number;
  statements: string[];
  /** True if it runs as one database transaction; otherwise each statement runs by itself. */
  isAtomic: boolean;
  /**
   * `at` of the oldest migration whose release can still run on this schema. 0: this migration excludes no release.
   * Null: all older releases are excluded.
   */
  compatibleSince: number | null;
}

const kind = /^-- (?:expand|contract, for releases since (?<since>\d{4}_\w+))(?<alone>, one statement at a time)?$/;

/** Returns all migrations of this release, in order. CONTRIBUTING.md says what their first lines mean. */
export function readMigrations(folder = migrationsFolder): Migration[] {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'),
  );
  return readMigrationFiles({ migrationsFolder: folder }).map(({ hash, folderMillis: at, sql }, n) => {
    const tag = journal.entries[n]?.tag ?? '';
    const stated = kind.exec(sql[0]?.split('\n')[0] ?? '');
    const { since, alone } = stated?.groups ?? {};
    const oldest = journal.entries.find((entry) => entry.tag === since);
    if (since && !oldest) throw new Error(`${tag} names ${since}, which is no migration`);
    const compatibleSince = stated ? (oldest?.when ?? 0) : null;
    return { tag, hash, at, statements: sql, isAtomic: !alone, compatibleSince };
  });
}

let newest: Migration | undefined;

export function newestMigration(): Migration {
  newest ??= readMigrations().at(-1);
  if (!newest) throw new Error(`no migrations in ${migrationsFolder}`);
  return newest;
}
