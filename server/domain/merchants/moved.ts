import { and, eq, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { MovedKind } from '@/db/kinds/lists';
import { insertFrom } from '@/db/query/expressions';
import type { Queries } from '@/db/query/queries';
import {
  apiKeys,
  diningTables,
  invitations,
  memberships,
  menuPhotos,
  merchantMoves,
  movedReferences,
  qrCodes,
} from '@/db/schema';
import { StartupError } from '@/db/startup-error';

/** What a merchant's move names instead of a cell if it was exported to live elsewhere. No cell has this name. */
export const elsewhere = 'elsewhere';

type Move = Pick<typeof merchantMoves.$inferSelect, 'state' | 'cell'>;

/** Describes a merchant's move, such as `leaving for west`. */
export const describeMove = ({ state, cell }: Move): string =>
  cell === elsewhere
    ? 'exported to live elsewhere'
    : `${{ leaving: 'leaving for', arriving: 'arriving from', left: 'left for' }[state]} ${cell}`;

/**
 * For the operator's commands, in the tables' owner's database transaction that changes something. Errors:
 * `StartupError` if the merchant can't be written to here.
 */
export async function ensureAtHome(db: Queries, { id, name }: { id: string; name: string }): Promise<void> {
  const { merchantId, state, cell, stoppedAt } = merchantMoves;
  const [move] = await db.select({ state, cell, stoppedAt }).from(merchantMoves).where(eq(merchantId, id));
  if (!move || (move.state === 'leaving' && move.stoppedAt === null)) return;
  if (move.cell === elsewhere)
    throw new StartupError(
      `${name} was ${describeMove(move)}. Only if it lives nowhere else, take it back: merchant open --take-back.`,
    );
  throw new StartupError(
    move.state === 'left'
      ? `${name} has ${describeMove(move)}: use the commands of that cell.`
      : `${name} is ${describeMove(move)}: wait until its move has ended.`,
  );
}

/** Errors: `StartupError` while any merchant moves. For changes that must be the same in both cells. */
export async function ensureNobodyMoves(db: Queries): Promise<void> {
  const { merchantId, state } = merchantMoves;
  const moving = await db.select({ merchantId }).from(merchantMoves).where(ne(state, 'left'));
  if (moving.length > 0)
    throw new StartupError(
      `Wait until no merchant is being moved between cells (merchant list): ${moving.length} are now.`,
    );
}

/**
 * Keeps what callers may still name a merchant by that has left, before its rows are removed: keys and codes that still
 * work, photos and people. `db` is a database transaction of the tables' owner. Safe to run twice.
 */
export async function keepReferences(db: Queries, merchantId: string): Promise<void> {
  const keep = (kind: MovedKind, table: PgTable & { merchantId: PgColumn }, reference: PgColumn | SQL, isAlive?: SQL) =>
    db.run(
      sql`${insertFrom(
        movedReferences,
        { merchantId: table.merchantId, kind, reference: sql<Buffer>`${reference}` },
        sql`${table} where ${and(eq(table.merchantId, merchantId), isAlive)}`,
      )} on conflict do nothing`,
    );
  const idOf = (column: PgColumn) => sql`uuid_send(${column})`;
  const { expiresAt, revokedAt } = apiKeys;
  const isKeyAlive = and(isNull(revokedAt), or(isNull(expiresAt), gt(expiresAt, sql`now()`)));
  await keep('apiKey', apiKeys, apiKeys.hash, isKeyAlive);
  await keep('qrCode', qrCodes, qrCodes.tokenHash, gt(qrCodes.expiresAt, sql`now()`));
  // Of the same kind, because both are tokens that diners scan.
  await keep('qrCode', diningTables, diningTables.tokenHash, isNull(diningTables.removedAt));
  await keep('invitation', invitations, invitations.tokenHash, gt(invitations.expiresAt, sql`now()`));
  await keep('photo', menuPhotos, idOf(menuPhotos.id));
  await keep('member', memberships, idOf(memberships.userId));
}
