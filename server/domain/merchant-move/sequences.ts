import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import { queriesOn } from '@/db/driver';
import { only, type Queries } from '@/db/query/queries';
import type { Move } from './sides';
import { publishedTables } from './tables';

/** The sequences that number the rows that move. */
const sequences = publishedTables.flatMap(({ table }) =>
  Object.values(getTableColumns(table)).flatMap((column) =>
    column.generatedIdentity ? [`${getTableName(table)}_${column.name}_seq`] : [],
  ),
);

/**
 * Advances the target's sequences past the source's, because reports rely on later rows having greater numbers. Other
 * merchants take numbers meanwhile, so each sequence is locked, but only briefly, and only if it is behind.
 */
export async function advanceSequences({ source, target }: Move): Promise<void> {
  for (const name of sequences) {
    const last = await lastOf(source.db, name);
    if ((await lastOf(target.db, name)) >= last) continue;
    await target.owner.begin(async (connection) => {
      const db = queriesOn(connection);
      await db.run(sql`set local lock_timeout = '1s'`);
      await db.run(sql`alter sequence ${sql.identifier(name)} no cycle`);
      await db.run(
        sql`select setval(${name}::text::regclass, greatest(last_value, ${last}::bigint)) from ${sql.identifier(name)}`,
      );
    });
  }
}

const lastOf = async (db: Queries, name: string) =>
  only(await db.select({ last: sql<number>`last_value::float8` }).from(sql`${sql.identifier(name)}`)).last;
