/** The tables of a store, which staff list once. Each has a permanent code: its card. */

import { and, asc, eq, isNull } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { diningTables, stores } from '@/db/schema';
import { auditAll, auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { hashToken } from '../kernel/secrets';
import { noSuchStore } from '../merchants';
import { cardTokenOf, newCardToken } from './card-token';
import { inPlace, sameTable, stateOf, sumVisits, type TableState, tableNames } from './rules';
import type { AddTablesInput, ArrangeTablesInput, ChangeTableInput } from './schemas';
import { type AtTable, readVisits } from './visits';

/** More than any restaurant has. */
const maxTables = 1_000;

export interface FloorTable extends AtTable, ReturnType<typeof sumVisits> {
  tableId: string;
  name: string;
  /** Empty if the store has no areas. */
  area: string;
  seats: number | null;
  state: TableState;
  /** The address in the card's code. Null if it was created with a secret that the service no longer has. */
  cardUrl: string | null;
}

const { id, name, area, seats, position, cardNumber, tokenHash } = diningTables;

/** Lists a store's tables by area and name, with what is open at each. Errors: `store_not_found`. */
export function listTables(ctx: StaffContext, { storeId }: { storeId: string }): Promise<{ tables: FloorTable[] }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const [rows, atTables] = await Promise.all([
      tx.db
        .select({ tableId: id, name, area, seats, position, cardNumber, tokenHash })
        .from(diningTables)
        .where(isOnFloor(tx, storeId))
        .orderBy(asc(id))
        .limit(maxTables),
      readVisits(tx, storeId, ctx.clock.now()),
      checkStore(tx, storeId),
    ]);
    const tables = rows.map(({ cardNumber, tokenHash, ...row }) => {
      const { visits, calls } = atTables.get(sameTable(row.name)) ?? { visits: [], calls: [] };
      const token = cardTokenOf(ctx.tokenKey, { id: row.tableId, cardNumber, tokenHash });
      return {
        ...row,
        state: stateOf(visits, calls),
        ...sumVisits(visits),
        visits,
        calls,
        cardUrl: token === null ? null : cardUrlOf(ctx, token),
      };
    });
    return { tables: inPlace(ctx.merchant.locale, tables) };
  });
}

/**
 * Arranges a store's tables, and with them its areas: each stands where the first of its tables does. Ignores tables that
 * are not the store's any more. Errors: `store_not_found`.
 */
export function arrangeTables(ctx: StaffContext, { storeId, tableIds }: ArrangeTablesInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    // Two people who arrange them at the same moment take turns.
    await lockNames(tx, storeId);
    const places = tableIds.map((tableId, at) => ({ tableId, place: at + 1 }));
    const { $rows, tableId, place } = recordset('places', { tableId: id, place: position }, places);
    await tx.db
      .update(diningTables)
      .set({ position: place })
      .from($rows)
      .where(and(isOnFloor(tx, storeId), anyOf(id, tableIds), eq(id, tableId)));
    await Promise.all([
      auditStaff(tx, ctx, 'diningTable.arrange', { kind: 'store', id: storeId }),
      announceChange(tx, 'tables'),
    ]);
  });
}

/** Where a card's code leads. */
export const cardUrlOf = ({ publicOrigin }: Pick<StaffContext, 'publicOrigin'>, token: string): string =>
  `${publicOrigin}/t/${token}`;

export const isOnFloor = ({ merchantId }: Tx, storeId: string) =>
  and(eq(diningTables.merchantId, merchantId), eq(diningTables.storeId, storeId), isNull(diningTables.removedAt));

async function checkStore(tx: Tx, storeId: string): Promise<void> {
  const [store] = await tx.db
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.merchantId, tx.merchantId), eq(stores.id, storeId)));
  if (!store) throw noSuchStore();
}

/**
 * Adds tables to a store: all or none. Errors: `store_not_found`, `invalid_request` if a table has one of the names (in
 * any letter case), or if the store would have more than a thousand.
 */
export function addTables(ctx: StaffContext, input: AddTablesInput): Promise<{ tableIds: string[] }> {
  const names = tableNames(input.names);
  const { storeId, area, seats } = input;
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const present = await lockNames(tx, storeId);
    const taken = names.find((one) => present.has(sameTable(one)));
    if (taken !== undefined) throw invalid('names', say('tableNameTaken', { name: taken }));
    if (present.size + names.length > maxTables) throw invalid('names', say('tooManyTables'));
    const rows = names.map((one) => {
      const tableId = newId();
      const tokenHash = hashToken(newCardToken(ctx.tokenKey, { id: tableId, cardNumber: 1 }));
      return { merchantId: tx.merchantId, id: tableId, storeId, name: one, area, seats, tokenHash };
    });
    const at = ctx.clock.now();
    await Promise.all([
      tx.db.insert(diningTables).values(rows.map((row) => ({ ...row, createdAt: at }))),
      auditAll(
        tx,
        rows.map((row) => ({
          actor: { kind: 'staff', id: ctx.staff.userId },
          action: 'diningTable.create',
          subject: { kind: 'diningTable', id: row.id },
          at,
          after: { storeId, name: row.name, area, seats },
        })),
      ),
      announceChange(tx, 'tables'),
    ]);
    return { tableIds: rows.map((row) => row.id) };
  });
}

/** Locks the names of the store's tables, and returns them as `sameTable` writes them. */
async function lockNames(tx: Tx, storeId: string): Promise<Set<string>> {
  const [store] = await tx.db
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.merchantId, tx.merchantId), eq(stores.id, storeId)))
    .for('no key update');
  if (!store) throw noSuchStore();
  const rows = await tx.db.select({ name }).from(diningTables).where(isOnFloor(tx, storeId));
  return new Set(rows.map((row) => sameTable(row.name)));
}

/** Changes a table. Its card stays valid. Errors: `table_not_found`, `invalid_request` if another table has the name. */
export function changeTable(ctx: StaffContext, { tableId, ...after }: ChangeTableInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const names = await lockNames(tx, (await findTable(tx, tableId)).storeId);
    const { cardNumber, storeId, ...before } = await lockTable(tx, tableId);
    if (sameTable(after.name) !== sameTable(before.name) && names.has(sameTable(after.name))) {
      throw invalid('name', say('tableNameTaken', { name: after.name }));
    }
    if (after.name === before.name && after.area === before.area && after.seats === before.seats) return;
    await Promise.all([
      tx.db.update(diningTables).set(after).where(isTable(tx, tableId)),
      auditStaff(tx, ctx, 'diningTable.change', { kind: 'diningTable', id: tableId }, { before, after }),
      announceChange(tx, 'tables'),
    ]);
  });
}

/** Removes tables. Their cards stop working at once. Repeating it does nothing. */
export function removeTables(ctx: StaffContext, { tableIds }: { tableIds: string[] }): Promise<{ removed: number }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const at = ctx.clock.now();
    const removed = await tx.db
      .update(diningTables)
      .set({ removedAt: at })
      .where(and(eq(diningTables.merchantId, tx.merchantId), anyOf(id, tableIds), isNull(diningTables.removedAt)))
      .returning({ tableId: id, storeId: diningTables.storeId, name });
    await auditAll(
      tx,
      removed.map(({ tableId, ...before }) => ({
        actor: { kind: 'staff', id: ctx.staff.userId },
        action: 'diningTable.remove',
        subject: { kind: 'diningTable', id: tableId },
        at,
        before,
      })),
    );
    await announceChange(tx, 'tables');
    return { removed: removed.length };
  });
}

/**
 * Gives a table a card with a new code. The printed card stops working at once. Two calls at the same moment replace it
 * twice, so that each caller's card was valid. Errors: `table_not_found`.
 */
export function replaceCard(ctx: StaffContext, { tableId }: { tableId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await lockTable(tx, tableId);
    const cardNumber = before.cardNumber + 1;
    const tokenHash = hashToken(newCardToken(ctx.tokenKey, { id: tableId, cardNumber }));
    await Promise.all([
      tx.db.update(diningTables).set({ cardNumber, tokenHash }).where(isTable(tx, tableId)),
      auditStaff(
        tx,
        ctx,
        'diningTable.replaceCard',
        { kind: 'diningTable', id: tableId },
        { after: { name: before.name } },
      ),
      announceChange(tx, 'tables'),
    ]);
  });
}

const isTable = ({ merchantId }: Tx, tableId: string) =>
  and(eq(diningTables.merchantId, merchantId), eq(id, tableId), isNull(diningTables.removedAt));

async function findTable(tx: Tx, tableId: string) {
  const [table] = await tx.db.select({ storeId: diningTables.storeId }).from(diningTables).where(isTable(tx, tableId));
  if (!table) throw tableNotFound();
  return table;
}

async function lockTable(tx: Tx, tableId: string) {
  const { storeId, cardNumber } = diningTables;
  const [table] = await tx.db
    .select({ storeId, name, area, seats, cardNumber })
    .from(diningTables)
    .where(isTable(tx, tableId))
    .for('no key update');
  if (!table) throw tableNotFound();
  return table;
}

export const tableNotFound = () => new DomainError('table_not_found', say('tableNotFound'));
