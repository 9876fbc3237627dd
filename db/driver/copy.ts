/** Streams rows out of tables and into them (COPY), as CSV with the columns' names in the first line. */
import type { Readable, Writable } from 'node:stream';
import { type SQL, sql } from 'drizzle-orm';
import { type PgColumn, PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';
import { nameOf } from '../query/expressions';

type Copying = Pick<postgres.Sql, 'unsafe'>;

/**
 * Streams the rows of a query. Its values become part of the text, because COPY takes no parameters: pass only checked
 * values. A reader that gives up closes the connection.
 */
export const copyOut = (connection: Copying, query: SQL): Promise<Readable> =>
  connection.unsafe(textOf(sql`copy (${query}) to stdout (format csv, header)`)).readable();

/**
 * Writes rows into a table. Errors: PostgreSQL's, such as for a first line that does not name these columns in this
 * order.
 */
export const copyIn = (connection: Copying, table: PgTable | SQL, columns: PgColumn[]): Promise<Writable> =>
  connection.unsafe(textOf(sql`copy ${table} (${namesOf(columns)}) from stdin (format csv, header match)`)).writable();

/**
 * For this database transaction: gives values the same text whatever the database's settings are, and lets a statement
 * last as long as its reader or writer.
 */
export const copySettings = sql`
  select set_config(name, value, true) from (values
    ('timezone', 'UTC'), ('datestyle', 'ISO'), ('bytea_output', 'hex'), ('extra_float_digits', '1'),
    ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '300s')) settings (name, value)`;

const namesOf = (columns: PgColumn[]): SQL =>
  sql.join(
    columns.map((column) => sql`${nameOf(column)}`),
    sql`, `,
  );

const dialect = new PgDialect();

const textOf = (statement: SQL): string => dialect.sqlToQuery(statement.inlineParams()).sql;
