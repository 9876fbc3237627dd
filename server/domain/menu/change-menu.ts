import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { isUniqueViolation, type Tx } from '@/db/driver';
import { nameOf, recordset } from '@/db/query/expressions';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { changeInTurn } from '../merchants';

/** Runs `work` as one change of the merchant's menu. Concurrent changes wait for it. */
export const changeMenu = <T>(ctx: StaffContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  changeInTurn(ctx, 'menu', work);

/** The audit log's subject for a change of several entries. */
export const wholeMenu = ({ merchantId }: Tx) => ({ kind: 'menu', id: merchantId });

export const notOnMenu = (thing: string) => new DomainError('menu_entry_not_found', say('notOnMenu', { thing }));

/** Turns the violation of a unique `constraint` into `invalid_request` at `path`. */
export async function rejectTaken<T>(work: Promise<T>, constraint: string, path: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? invalid(path, say('alreadyOnMenu')) : error;
  }
}

/** Numbers the ids from `first` on, for a join. */
export const positionsFrom = (ids: string[], first: number) =>
  recordset(
    'place',
    { id: sql<string>`uuid`, position: sql<number>`integer` },
    ids.map((id, index) => ({ id, position: first + index })),
  );

/** Assignments for `do update set` with the values that were to be inserted. */
export const setToInserted = (columns: PgColumn[]) =>
  sql.join(
    columns.map((column) => sql`${nameOf(column)} = excluded.${nameOf(column)}`),
    sql`, `,
  );
