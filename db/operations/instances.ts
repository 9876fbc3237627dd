/** Instances of the service that are connected to a database, and the migrations that they could not run on. */
import type { ISql } from '../driver';
import { StartupError } from '../startup-error';
import type { Migration } from './migrations-folder';

const numberOf = (tag: string) => tag.slice(0, 4);

/**
 * Errors: `StartupError` if a connected instance's release can't run on the schema after `pending`. `migrations` are
 * all of this release.
 */
export async function protectInstances(sql: ISql, migrations: Migration[], pending: Migration[]): Promise<void> {
  const connected = await sql<{ name: string; number: string | null }[]>`
    select distinct application_name as name, substring(application_name from '\\d{4}$') as number from pg_stat_activity
    where datname = current_database() and application_name ~ '^loyalty(-worker)?( \\d{4})?$' order by name`;
  for (const { name, number } of connected) {
    const at = number === null ? 0 : newestOf(number, migrations);
    const ending = pending.find((migration) => (migration.compatibleSince ?? migration.at) > at);
    if (!ending) continue;
    throw new StartupError(
      `${ending.tag} ends what an earlier release needs that runs now (${name}): upgrade its instances to the release in ` +
        'between first, or stop them.',
    );
  }
}

/** The time of an instance's newest migration. A migration that we don't have belongs to a later release. */
const newestOf = (number: string, migrations: Migration[]) =>
  migrations.find(({ tag }) => numberOf(tag) === number)?.at ?? Number.POSITIVE_INFINITY;
