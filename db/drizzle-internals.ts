/** What Drizzle keeps in its expressions, and its types hide. */
import { Column, type DriverValueDecoder, is, SQL, sql } from 'drizzle-orm';
import type { PgSelectConfig, SelectedFieldsOrdered } from 'drizzle-orm/pg-core';

type Decoder = DriverValueDecoder<unknown, unknown>;

/** How values of a selected field are read. */
export function decoderOf(field: SelectedFieldsOrdered[number]['field']): Decoder {
  if (is(field, Column)) return field;
  const expression: SQL = is(field, SQL.Aliased) ? field.sql : is(field, SQL) ? field : field._.sql;
  return (expression as unknown as { decoder: Decoder }).decoder;
}

/** Whether a subquery has named it, so that the query around it calls it by that name alone. */
export const isNamedBelow = (field: SQL.Aliased): boolean =>
  (field as { isSelectionField?: boolean }).isSelectionField === true;

type Limit = PgSelectConfig['limit'];
/** A limit or offset as Drizzle writes it out: it makes a parameter of a number only. */
export const literal = (limit: Limit): Limit =>
  typeof limit === 'number' ? (sql.raw(String(Math.trunc(limit))) as unknown as Limit) : limit;
