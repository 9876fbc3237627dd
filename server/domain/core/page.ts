/** Lists of the back office: paged by the key of a row, forwards and backwards, so that every page is an index range. */
import type { Row } from 'postgres';
import { z } from 'zod';
import type { Fragment, Tx } from '@/db/client';
import { notACursor, toCursor, unwrapCursor, uuidKey } from './cursor';

/** The fields of a list's input that say which page of it. */
export const pageFields = {
  after: z.string().max(500).optional(),
  before: z.string().max(500).optional(),
  limit: z.int().min(1).max(100).default(50),
};

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

/** An order by columns that together are unique. */
export interface ListOrder {
  columns: string[];
  /** What the columns hold, where they are not all ids: a cursor that holds something else is none of this list. */
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
  /** One more than the page holds: it tells whether there is another page. */
  take: number;
}

const keySchema = z.array(z.string().max(300)).min(1).max(4);

/** Errors: `invalid_request` for what no cursor of a list in this order can be. */
export function seek({ after, before, limit }: PageRequest, { columns, kinds }: ListOrder): Seek {
  const backwards = after === undefined && before !== undefined;
  const cursor = after ?? before;
  const key = cursor === undefined ? null : readKey(cursor);
  const isForeign = (value: string, at: number) => !isOfKind[kinds?.[at] ?? 'uuid'](value);
  if (key === undefined || (key && (key.length !== columns.length || key.some(isForeign)))) {
    throw notACursor(backwards ? 'before' : 'after');
  }
  return { key, backwards, take: limit + 1 };
}

/** Undefined for what is no key of any list. */
function readKey(cursor: string): string[] | undefined {
  try {
    return keySchema.parse(JSON.parse(unwrapCursor(cursor)));
  } catch {
    return undefined;
  }
}

/**
 * The condition that starts the page, its `order by` and its `limit`. The columns are the code's own, never a request's.
 * The limit is written out: a generic plan takes one that it does not know for a tenth of all rows.
 */
export function seekSql({ sql }: Tx, { key, backwards, take }: Seek, { columns, descending }: ListOrder) {
  const isDescending = descending !== backwards;
  const values = (key ?? []).map((value, at): Fragment => (at === 0 ? sql`${value}` : sql`, ${value}`));
  return {
    where: key
      ? sql`(${sql.unsafe(columns.join(', '))}) ${sql.unsafe(isDescending ? '<' : '>')} (${values})`
      : sql`true`,
    orderBy: sql.unsafe(columns.map((column) => `${column} ${isDescending ? 'desc' : 'asc'}`).join(', ')),
    limit: sql.unsafe(`limit ${Math.trunc(take)}`),
  };
}

/** The page from what was read for it (`take` rows at most). `keyOf` answers the values of the order's columns. */
export function toPage<Item>(
  rows: readonly Row[],
  { key, backwards, take }: Seek,
  keyOf: (row: Row) => (string | Date)[],
  toItem: (row: Row) => Item,
): Page<Item> {
  const isMore = rows.length === take;
  const shown = isMore ? rows.slice(0, -1) : [...rows];
  if (backwards) shown.reverse();
  const cursorAt = (row: Row | undefined) =>
    row
      ? toCursor(JSON.stringify(keyOf(row).map((value) => (value instanceof Date ? value.toISOString() : value))))
      : null;
  return {
    items: shown.map(toItem),
    nextCursor: isMore || backwards ? cursorAt(shown.at(-1)) : null,
    previousCursor: backwards ? (isMore ? cursorAt(shown[0]) : null) : key ? cursorAt(shown[0]) : null,
  };
}
