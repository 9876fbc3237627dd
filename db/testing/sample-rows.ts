/** Sample rows of any table, generated from the catalog, so that tests over all tables also cover new ones. */
import type { ReservedSql, Row, Sql, TransactionSql } from '../driver';

type AnySql = Sql | TransactionSql | ReservedSql;

interface Column {
  name: string;
  type: string;
  label: string | null;
}

/** Tables of the public schema that belong to merchants: those with a `merchant_id`, and `merchants` itself. */
export async function tenantTables(sql: AnySql): Promise<{ table: string; tenant: 'merchant_id' | 'id' }[]> {
  return sql`
    select c.relname as table, a.attname as tenant
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (a.attname = 'merchant_id' or c.relname = 'merchants' and a.attname = 'id')
    order by c.relname`;
}

/**
 * Drops checks and triggers, so that tables accept any row without side effects. Only for a separate database.
 * `keepForeignKeys` keeps foreign keys.
 */
export async function dropConstraints(sql: AnySql, { keepForeignKeys = false } = {}): Promise<void> {
  const kinds = keepForeignKeys ? ['c'] : ['c', 'f'];
  const constraints = await sql`
    select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype::text = any(${kinds})`;
  for (const { table, name } of constraints) await sql.unsafe(`alter table ${table} drop constraint ${name}`);
  for (const { table } of await tenantTables(sql)) await sql.unsafe(`alter table "${table}" disable trigger user`);
}

/** Inserts a row with the given values and generated values in the other required columns; returns the row. */
export async function insertSample(sql: AnySql, table: string, given: Record<string, string>): Promise<Row> {
  const columns = await sql<Column[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      (select enumlabel from pg_enum where enumtypid = a.atttypid order by enumsortorder limit 1) as label
    from pg_attribute a
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.attidentity = ''
      and (a.attnotnull and not a.atthasdef or a.attname = any(${Object.keys(given)}))`;
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name, type, label }) => {
    const value = given[name];
    return value === undefined ? sample(type, label) : `'${value}'::${type}`;
  });
  const [row] = await sql.unsafe(`insert into "${table}" (${names}) values (${values.join(', ')}) returning *`);
  return row as Row;
}

function sample(type: string, label: string | null): string {
  if (label !== null) return `'${label}'`;
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'text' || type.startsWith('character')) return `substr(md5(random()::text), 1, 8)`;
  if (type === 'bytea') return 'uuid_send(gen_random_uuid())';
  if (type === 'boolean') return 'false';
  if (type.startsWith('timestamp') || type === 'date') return 'now()';
  if (type.startsWith('json')) return `'{}'`;
  if (type.endsWith('[]')) return `'{}'`;
  return '(random() * 30000)::smallint';
}
