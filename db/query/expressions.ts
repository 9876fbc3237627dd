/** SQL that Drizzle cannot express, typed from `db/schema` like its own. */
import { getTableColumns, getTableName, is, Placeholder, type SQL, sql } from 'drizzle-orm';
import { type PgColumn, PgCustomColumn, type PgTable } from 'drizzle-orm/pg-core';
import { decoderOf, hasOwnEncoding } from './drizzle-internals';
import { prepareForRows, type Queries, type Query, type Written } from './queries';

/** An SQL type with its TypeScript type: a column's, or one that no column has, such as ``sql<number>`int` ``. */
type Typed = PgColumn | SQL;
type DataOf<T> = T extends PgColumn
  ? T['_']['data'] | (T['_']['notNull'] extends true ? never : null)
  : T extends SQL<infer Data> | SQL.Aliased<infer Data>
    ? Data
    : never;

/** The type of a column, or null. */
export const nullable = <Column extends PgColumn>(column: Column): SQL<Column['_']['data'] | null> =>
  sql`${typeOf(column)}`.mapWith(column) as SQL<Column['_']['data'] | null>;

/** The type of a table's rows, for a function that returns them whole. */
export const rowType = (table: PgTable) => sql<object>`${sql.raw(getTableName(table))}`;

/** Columns of a row that a function returned whole, such as `(key).scope`: all are null where there is no row. */
export function fieldsOf<Columns extends Record<string, PgColumn>>(row: SQL<object>, columns: Columns) {
  const fields = Object.entries(columns).map(([name, column]) => [
    name,
    sql`(${row}).${nameOf(column)}`.mapWith(column),
  ]);
  return Object.fromEntries(fields) as { [Name in keyof Columns]: SQL<DataOf<Columns[Name]>> };
}

/** As `fieldsOf`, of a row that may be missing. */
export const fieldsOrNull = <Columns extends Record<string, PgColumn>>(row: SQL<object>, columns: Columns) =>
  fieldsOf(row, columns) as { [Name in keyof Columns]: SQL<DataOf<Columns[Name]> | null> };

type Shape = Record<string, Typed>;
type NullableIn<Columns extends Shape> = {
  [Name in keyof Columns]: null extends DataOf<Columns[Name]> ? Name : never;
}[keyof Columns];
/** A row of these columns. Nullable columns are optional. */
export type RowOf<Columns extends Shape> = {
  [Name in Exclude<keyof Columns, NullableIn<Columns>>]: DataOf<Columns[Name]>;
} & { [Name in NullableIn<Columns>]?: DataOf<Columns[Name]> | undefined };

/** Rows to select from (`from(source.$rows)`) and their columns. */
export type Source<Columns extends Shape> = { $rows: SQL } & { [Name in keyof Columns]: SQL<DataOf<Columns[Name]>> };

/** The unqualified name of a column: for `insert`, `update` and `excluded`. */
export const nameOf = (column: PgColumn) => sql.identifier(column.name);

const list = (parts: SQL[]) => sql.join(parts, sql`, `);

/** A type's name, without the column's collation. */
const typeOf = (typed: Typed): SQL =>
  'getSQLType' in typed ? sql.raw(typed.getSQLType().replace(/ collate .*/, '')) : typed;

function sourceOf<Columns extends Shape>($rows: SQL, alias: string, columns: Columns): Source<Columns> {
  const fields = Object.entries(columns).map(([name, column]) => {
    const field = sql`${sql.identifier(alias)}.${sql.identifier(name)}`;
    return [name, field.mapWith(decoderOf(column))];
  });
  return { ...Object.fromEntries(fields), $rows } as Source<Columns>;
}

/**
 * Passes rows as one JSON parameter, so that the statement is the same for any number of rows. The planner assumes a
 * hundred rows: also filter the joined table by key (`anyOf`).
 */
export function recordset<Columns extends Shape>(
  alias: string,
  columns: Columns,
  rows: readonly RowOf<Columns>[] | Placeholder<string, readonly RowOf<Columns>[]>,
): Source<Columns> {
  const types = Object.entries(columns).map(([name, column]) => sql`${sql.identifier(name)} ${typeOf(column)}`);
  const json = sql.param(rows, { mapToDriverValue: encoderOf(columns) });
  const $rows = sql`json_to_recordset(${json}::text::json) as ${sql.identifier(alias)} (${list(types)})`;
  return sourceOf($rows, alias, columns);
}

/** Encodes rows as JSON: bytes in PostgreSQL's hex notation, and values of our own column types as these write them. */
function encoderOf(columns: Shape): (rows: unknown) => string {
  const encoders = Object.entries(columns).flatMap(([name, column]) => {
    const encode = cellEncoderOf(column);
    return encode ? [{ name, encode }] : [];
  });
  if (encoders.length === 0) return JSON.stringify;
  const encodeRow = (row: Record<string, unknown>) => {
    const encoded = encoders.flatMap(({ name, encode }) => {
      const value = row[name] ?? null;
      return value === null ? [] : [[name, encode(value)]];
    });
    return { ...row, ...Object.fromEntries(encoded) };
  };
  return (rows) => JSON.stringify((rows as Parameters<typeof encodeRow>[0][]).map(encodeRow));
}

function cellEncoderOf(typed: Typed): ((value: unknown) => unknown) | null {
  if (!is(typed, PgCustomColumn)) return null;
  if (typed.getSQLType() === 'bytea') return (bytes) => `\\x${Buffer.from(bytes as Uint8Array).toString('hex')}`;
  return hasOwnEncoding(typed) ? (value) => typed.mapToDriverValue(value) : null;
}

/** `column = any(values)`, with the values as one parameter. */
export function anyOf<Column extends PgColumn>(
  column: Column,
  values: readonly Column['_']['data'][] | Placeholder<string, readonly Column['_']['data'][]>,
): SQL<boolean> {
  return sql`${column} = any(${sql.param(values)}::${typeOf(column)}[])`;
}

type JsonOf<Data> = Data extends Date ? string : Data;
type Selected = Record<string, PgColumn | SQL | SQL.Aliased>;

/**
 * Aggregates rows into one JSON array of objects. Instants are text, because JSON has no dates. Null if there are no
 * rows.
 */
export function jsonArray<Fields extends Selected>(fields: Fields, ...orderBy: SQL[]) {
  const pairs = Object.entries(fields).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  const order = orderBy.length === 0 ? sql`` : sql` order by ${sql.join(orderBy, sql`, `)}`;
  type Row = { [Name in keyof Fields]: JsonOf<DataOf<Fields[Name]>> };
  return sql<Row[] | null>`json_agg(json_build_object(${list(pairs)})${order})`;
}

type Insertable<Table extends PgTable> = {
  [Name in keyof Table['$inferInsert']]:
    | Table['$inferInsert'][Name]
    | SQL<Table['$inferInsert'][Name]>
    | SQL.Aliased<Table['$inferInsert'][Name]>
    | PgColumn
    | Placeholder;
};

/** `insert into table (…) select … from …`, with only the given columns. Drizzle's own requires all columns. */
export function insertFrom<Table extends PgTable>(table: Table, values: Insertable<Table>, from?: SQL): SQL {
  const columns = getTableColumns(table);
  const given = Object.entries(values).map(([name, value]) => ({ column: columns[name] as PgColumn, value }));
  const names = list(given.map(({ column }) => sql`${nameOf(column)}`));
  const selected = list(given.map(({ column, value }) => selectedOf(column, value)));
  return sql`insert into ${table} (${names}) select ${selected}${from ? sql` from ${from}` : sql``}`;
}

/** Passes an expression through; encodes and casts a value to the type of its column. */
function selectedOf(typed: Typed, value: unknown): SQL {
  const isExpression = typeof value === 'object' && value !== null && 'getSQL' in value && !is(value, Placeholder);
  if (isExpression) return sql`${value}`;
  return sql`${'getSQLType' in typed ? sql.param(value, typed) : sql.param(value)}::${typeOf(typed)}`;
}

/** Tables with statement-level triggers. These run after the whole statement, as the merchant of its last row. */
export const tablesWithTriggers = new Set(['customers', 'vouchers']);

type TenantTable = PgTable & { merchantId: PgColumn };
type ColumnsOf<Table extends PgTable> = Table['_']['columns'];

/**
 * Inserts rows with the given columns, as one JSON parameter: the statement is prepared once for any number of rows.
 * `conflict` is the clause after `on conflict`. Not for `tablesWithTriggers`.
 */
export function insertRows<Table extends TenantTable, Name extends keyof ColumnsOf<Table> & string>(
  table: Table,
  names: Name[],
  conflict?: SQL,
): (tx: { merchantId: string; db: Queries }, rows: RowOf<Pick<ColumnsOf<Table>, Name>>[]) => Query<Written> {
  const columns = getTableColumns(table) as ColumnsOf<Table>;
  if (tablesWithTriggers.has(getTableName(table))) throw new TypeError('a trigger would run as the last merchant');
  const shape = Object.fromEntries(names.map((name) => [name, columns[name] as PgColumn])) as Shape;
  return prepareForRows<RowOf<Pick<ColumnsOf<Table>, Name>>>((_, given) => {
    const { $rows, ...fields } = recordset(
      'r',
      { ...shape, merchantId: columns.merchantId } as Shape,
      given.rows as never,
    );
    const { id, $rows: tenant } = setTenantOfEach(fields.merchantId as SQL<string>);
    const insertion = insertFrom(
      table,
      { ...fields, merchantId: id } as Insertable<Table>,
      sql`${$rows} cross join ${tenant}`,
    );
    return conflict ? sql`${insertion} on conflict ${conflict}` : insertion;
  });
}

/** Declares a database function: its arguments, and the columns it returns, in order. */
export function databaseFunction<Arguments extends Shape, Columns extends Shape>(
  name: string,
  takes: Arguments,
  columns: Columns,
) {
  const names = Object.keys(columns).map((key) => sql`${sql.identifier(key)}`);
  const call = (
    values: { [Name in keyof Arguments]: DataOf<Arguments[Name]> | SQL | Placeholder },
  ): Source<Columns> => {
    const passed = list(Object.entries(takes).map(([key, type]) => selectedOf(type, values[key])));
    const alias = names.length === 0 ? sql`` : sql` as ${sql.identifier(name)} (${list(names)})`;
    return sourceOf(sql`${sql.identifier(name)}(${passed})${alias}`, name, columns);
  };
  return Object.assign(call, { $name: name, $takes: takes, $columns: columns });
}

/**
 * Selects a row's name in a diner's language. Without a translation, or for null, it is the name in the merchant's own
 * language.
 */
export const nameIn = (
  { name, translations }: { name: PgColumn; translations: PgColumn },
  language: string | null | undefined | Placeholder,
) => sql<string>`coalesce(nullif(${translations} -> ${language ?? null}::text ->> 'name', ''), ${name})`;

/**
 * Sets the tenant for each row of a statement that serves several merchants. Join it behind the rows that name the
 * merchants, and join what reads laterally behind it. Each reading part must name `id` in its conditions: PostgreSQL
 * could otherwise read before the tenant is set. Such a statement must not sort: a plan that collects rows first reads
 * all as the last merchant. Select `isOwn` at the top, which shows that it did not.
 */
export function setTenantOfEach(merchant: SQL<string>) {
  const id = sql<string>`tenant.id`;
  return {
    id,
    // Five times as fast as the function `set_tenant`.
    $rows: sql`lateral (select set_config('app.merchant_id', ${merchant}::text, true)::uuid as id) tenant`,
    isOwn: sql<boolean>`current_setting('app.merchant_id') = ${merchant}::text`,
  };
}
