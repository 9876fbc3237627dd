import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { isUniqueViolation, type Tx } from '@/db/client';
import { nameOf, recordset } from '@/db/expressions';
import type { StaffContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { say } from '../core/say';
import { changeInTurn } from '../merchants/merchant';

/** Runs `work` as one change of the merchant's menu, in turn with others. */
export const changeMenu = <T>(ctx: StaffContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  changeInTurn(ctx, 'menu', work);

/** What a change of several entries at once is a change of, in the trail. */
export const wholeMenu = ({ merchantId }: Tx) => ({ kind: 'menu', id: merchantId });

export const notOnMenu = (thing: string) => new DomainError('menu_entry_not_found', say('notOnMenu', { thing }));

/** Errors: `invalid_request` at `path` in place of the breach of the unique `constraint`. */
export async function orTaken<T>(work: Promise<T>, constraint: string, path: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? invalid(path, say('alreadyOnMenu')) : error;
  }
}

/** The positions from `first` on, in this order, to be joined to. */
export const placesOf = (ids: string[], first: number) =>
  recordset(
    'place',
    { id: sql<string>`uuid`, position: sql<number>`integer` },
    ids.map((id, index) => ({ id, position: first + index })),
  );

/** What stands behind `do update set`, where a row that is there gets what was to be inserted. */
export const asInserted = (columns: PgColumn[]) =>
  sql.join(
    columns.map((column) => sql`${nameOf(column)} = excluded.${nameOf(column)}`),
    sql`, `,
  );
