/** What moves: the merchant's rows in every table with a merchant, except those that say where it is at home. */
import { and, eq, getTableColumns, getTableName, is, isNotNull, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Published } from '@/db/operations/replication';
import { nameOf } from '@/db/query/expressions';
import * as schema from '@/db/schema';

/** Tables of merchants that are not moved, and why. */
export const stayingTables = new Map<PgTable, string>([
  [schema.merchantMoves, 'each cell says for itself where the merchant is'],
  [schema.movedReferences, 'the cell that it left answers old keys and links'],
]);

const isTable = (one: unknown): one is PgTable => is(one, PgTable);

const all: unknown[] = Object.values(schema);

export const publishedTables: Published[] = all.filter(isTable).flatMap((table) => {
  const column = table === schema.merchants ? schema.merchants.id : getTableColumns(table).merchantId;
  return column && !stayingTables.has(table) ? [{ table, column }] : [];
});

export const isOf = ({ column }: Published, merchantId: string): SQL => eq(column, merchantId);

/** Columns that change on the way, so that events come before those of the target (see the migration 0029). */
const placed: PgColumn[] = [schema.events.xid, schema.webhookEndpoints.queuedXid];

/**
 * Selects the number of the merchant's rows and, with `sums`, a sum over their texts. `isSource`: computes the values
 * that they have in the target.
 */
export function totalsOf({ table, column }: Published, merchantId: string, isSource: boolean, sums: boolean) {
  const values = Object.values(getTableColumns(table)).map((one) =>
    isSource && placed.includes(one) ? sql`${one} - (1::bigint << 40)` : sql`${one}`,
  );
  const text = sql`row(${sql.join(values, sql`, `)})::text`;
  return sql`select ${getTableName(table)}::text as name, count(*)::float8 as rows,
    ${sums ? sql`coalesce(sum(hashtextextended(${text}, 0)), 0)::text` : sql`''`} as sum
    from ${table} where ${eq(column, merchantId)}`;
}

/**
 * Counts rows that name a person who was not moved; with `isFull`, also those that name any other row which is not the
 * merchant's. PostgreSQL checks no foreign key while it copies, so a row that is wrong here would stay wrong there.
 */
export function danglingRows(merchantId: string, isFull: boolean): SQL {
  const moved = new Set(publishedTables.map(({ table }) => table));
  const counts = publishedTables.flatMap(({ table, column }) =>
    getTableConfig(table)
      .foreignKeys.map((key) => key.reference())
      .filter(({ foreignTable }) => isFull || !moved.has(foreignTable))
      .map(({ columns, foreignTable, foreignColumns }) => {
        const pairs = columns.map((from, at) => sql`other.${nameOf(foreignColumns[at] as PgColumn)} = ${from}`);
        return sql`select ${getTableName(table)}::text as name, ${getTableName(foreignTable)}::text as named,
          count(*)::float8 as rows, min(${keyOf(table)}) as key from ${table}
          where ${and(eq(column, merchantId), ...columns.map((from) => isNotNull(from)))}
            and not exists (select from ${foreignTable} other where ${and(...pairs)})`;
      }),
  );
  return sql.join(counts, sql` union all `);
}

/** A row's key as a text, without the merchant unless that is all. */
function keyOf(table: PgTable): SQL {
  const { primaryKeys, uniqueConstraints, columns } = getTableConfig(table);
  const key = (primaryKeys[0] ?? uniqueConstraints[0])?.columns ?? columns.filter(({ primary }) => primary);
  const rest = key.filter(({ name }) => name !== 'merchant_id');
  const named = (rest.length > 0 ? rest : key).map((one) => sql`${one}`);
  return sql`concat_ws(' ', ${sql.join(named, sql`, `)})`;
}
