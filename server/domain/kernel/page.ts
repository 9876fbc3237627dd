/** Back-office lists, paged by a row's key forwards and backwards, so that every page is an index range. */
import { asc, desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { invalid } from './errors';
import { say } from './say';

export interface PageRequest {
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
  previousCursor: string | null;
}

/** The columns that order a list. Together they are unique. */
export interface ListOrder {
  columns: PgColumn[];
  /** The columns' types, if they are not all ids. A cursor with other values is rejected. */
  kinds?: ColumnKind[];
  descending: boolean;
}

type ColumnKind = keyof typeof isOfKind;

const isOfKind = {
  uuid: (value: string) => uuidKey.test(value),
  number: (value: string) => /^\d{1,9}$/.test(value),
  instant: (value: string) => /^[12]/.test(value) && new Date(value).toJSON() === value,
  text: (value: string) => !value.includes('\0'),
};

export interface Seek {
  key: string[] | null;
  backwards: boolean;
  /** One more than the page size, to detect a next page. */
  take: number;
}

const keySchema = z.array(z.string().max(300)).min(1).max(4);

/** Reads a page request. Errors: `invalid_request` for a cursor that does not belong to a list in this order. */
export function seekPage({ after, before, limit }: PageRequest, { columns, kinds }: ListOrder): Seek {
  const backwards = after === undefined && before !== undefined;
  const cursor = after ?? before;
  const key = cursor === undefined ? null : readKey(cursor);
  const isForeign = (value: string, at: number) => !isOfKind[kinds?.[at] ?? 'uuid'](value);
  if (key === undefined || (key && (key.length !== columns.length || key.some(isForeign)))) {
    throw invalidCursor(backwards ? 'before' : 'after');
  }
  return { key, backwards, take: limit + 1 };
}

/** Returns undefined for a malformed cursor. */
function readKey(cursor: string): string[] | undefined {
  try {
    return keySchema.parse(JSON.parse(unwrapCursor(cursor)));
  } catch {
    return undefined;
  }
}

/**
 * Returns the condition at which the page starts, its order (`inOrder` orders other columns alike), and its row limit.
 */
export function seekSql({ key, backwards, take }: Seek, { columns, descending }: ListOrder) {
  const isDescending = descending !== backwards;
  const list = (parts: unknown[]) =>
    sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    );
  const where = key ? sql<boolean>`(${list(columns)}) ${sql.raw(isDescending ? '<' : '>')} (${list(key)})` : undefined;
  const inOrder = isDescending ? desc : asc;
  return { where, orderBy: columns.map((column): SQL => inOrder(column)), inOrder, limit: take };
}

/** Builds the page from at most `take` rows. `keyOf` returns the values of the order's columns. */
export function toPage<Row>(rows: readonly Row[], seekPage: Seek, keyOf: KeyOf<Row>): Page<Row>;
export function toPage<Row, Item>(
  rows: readonly Row[],
  seekPage: Seek,
  keyOf: KeyOf<Row>,
  toItem: (row: Row) => Item,
): Page<Item>;
export function toPage<Row>(
  rows: readonly Row[],
  { key, backwards, take }: Seek,
  keyOf: KeyOf<Row>,
  toItem: (row: Row) => unknown = (row) => row,
): Page<unknown> {
  const isMore = rows.length === take;
  const shown = isMore ? rows.slice(0, -1) : [...rows];
  if (backwards) shown.reverse();
  const cursorAt = (row: Row | undefined) =>
    row === undefined
      ? null
      : toCursor(JSON.stringify(keyOf(row).map((value) => (value instanceof Date ? value.toISOString() : `${value}`))));
  return {
    items: shown.map(toItem),
    nextCursor: isMore || backwards ? cursorAt(shown.at(-1)) : null,
    previousCursor: backwards ? (isMore ? cursorAt(shown[0]) : null) : key ? cursorAt(shown[0]) : null,
  };
}

type KeyOf<Row> = (row: Row) => (string | number | Date)[];

/** Encodes a key as a cursor, so that clients do not rely on its content. */
export const toCursor = (key: string): string => Buffer.from(key, 'utf8').toString('base64url');

export const unwrapCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('utf8');

/** `field` is the field of the request with the cursor. */
export const invalidCursor = (field: string) => invalid(field, say('notACursor'));

/** Errors: `invalid_request` for a malformed cursor. */
export function fromCursor(cursor: string | undefined, pattern: RegExp): string | null {
  if (cursor === undefined) return null;
  const key = unwrapCursor(cursor);
  if (!pattern.test(key) || toCursor(key) !== cursor) throw invalidCursor('after');
  return key;
}

export const uuidKey = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const pageSize = 1_000;

/** Yields all items of a list that is read in one go. */
export async function* iterateList<Item>(read: () => Promise<Item[]>): AsyncGenerator<Item> {
  yield* await read();
}

/** Yields all items of a list, one page at a time, each in its own database transaction. */
export async function* iteratePages<Item>(
  read: (page: { after: string | undefined; limit: number }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  for (let after: string | undefined; ; ) {
    const { items, nextCursor } = await read({ after, limit: pageSize });
    yield* items;
    if (nextCursor === null) return;
    after = nextCursor;
  }
}

/**
 * Returns the condition for a filter's field, or undefined if the field is not given, so that it can't prevent the use
 * of an index.
 */
export const ifGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => SQL | undefined,
): SQL | undefined => (value === undefined ? undefined : condition(value));
