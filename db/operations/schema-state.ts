import { sql } from 'drizzle-orm';
import type { Queries } from '../query/queries';
import { newestMigration } from './migrations-folder';

/**
 * `behind`: migrations of this release are missing. `newer`: a later release has migrated the database and this one can
 * run on it, so instances can be exchanged one by one. `incompatible`: this release can no longer run on it.
 */
export type SchemaState = 'current' | 'newer' | 'behind' | 'incompatible';

/**
 * Compares the database's migrations with those of this release. Errors: the driver's, if the table of migrations is
 * missing.
 */
export async function schemaState(db: Queries): Promise<SchemaState> {
  const { hash, at } = newestMigration();
  const applied = await db
    .select({
      isOurs: sql<boolean>`hash = ${hash}`,
      isLater: sql<boolean>`created_at > ${at}`,
      // A migration without a value excludes every release that does not have it.
      excludesUs: sql<boolean>`coalesce(compatible_since, created_at) > ${at}`,
    })
    .from(sql`drizzle.__drizzle_migrations`);
  const isOurs = applied.some((migration) => migration.isOurs);
  const later = applied.filter(({ isLater }) => isLater);
  if (later.length === 0) return isOurs ? 'current' : 'behind';
  return isOurs && !later.some(({ excludesUs }) => excludesUs) ? 'newer' : 'incompatible';
}
