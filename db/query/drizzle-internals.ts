/** Drizzle internals that its types do not expose. */
import { Column, type DriverValueDecoder, is, SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgSelectConfig, SelectedFieldsOrdered } from 'drizzle-orm/pg-core';

type Decoder = DriverValueDecoder<unknown, unknown>;

/** The decoder of a selected field. */
export function decoderOf(field: SelectedFieldsOrdered[number]['field']): Decoder {
  if (is(field, Column)) return field;
  const expression: SQL = is(field, SQL.Aliased) ? field.sql : is(field, SQL) ? field : field._.sql;
  return (expression as unknown as { decoder: Decoder }).decoder;
}

/** True if the type of a column says how it writes its values (`toDriver`). */
export const hasOwnEncoding = (column: PgColumn): boolean =>
  (column as unknown as { mapTo?: unknown }).mapTo !== undefined;

/** True if a subquery has aliased the field: the outer query then refers to it by the alias alone. */
export const isNamedBelow = (field: SQL.Aliased): boolean =>
  (field as { isSelectionField?: boolean }).isSelectionField === true;

type Limit = PgSelectConfig['limit'];
/** Returns a limit or offset as a literal, because Drizzle makes numbers parameters. */
export const inlineLimit = (limit: Limit): Limit =>
  typeof limit === 'number' ? (sql.raw(String(Math.trunc(limit))) as unknown as Limit) : limit;
