/** The two cells of a move, and what each says about the merchant. */

import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { type Owner, type openSnapshot, queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { merchantMoves, merchants } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { keepReferences } from '../merchants';

/** A cell's database, as the owner of its tables. */
export interface Side {
  owner: Owner & Parameters<typeof openSnapshot>[0];
  db: Queries;
  /** The cell's name. */
  cell: string;
}

export interface Move {
  merchantId: string;
  source: Side;
  target: Side;
  /** The source, signed in with REPLICATION. */
  mover: Queries;
  /** The address of the source for that role, as the target's PostgreSQL reaches it. */
  moverAddress: string;
  /** True if the operator knows that accounts in both cells belong to the same people. */
  arePeopleSame?: boolean;
  /** Tells the operator about a step's progress. */
  report(progress: string): void;
}

/** The name of the publication, the subscription and its slot. */
export const replicationName = ({ merchantId }: Pick<Move, 'merchantId'>): string =>
  `move_${merchantId.replaceAll('-', '')}`;

type State = Pick<typeof merchantMoves.$inferSelect, 'state' | 'cell' | 'stoppedAt'>;

/** What a cell says about the merchant. */
export interface Standing {
  /** Null if it is not moving: at home if the cell has its rows. */
  move: State | null;
  hasMerchant: boolean;
}

export async function standingAt({ db }: Side, merchantId: string): Promise<Standing> {
  const { state, cell, stoppedAt } = merchantMoves;
  const [moves, found] = await Promise.all([
    db.select({ state, cell, stoppedAt }).from(merchantMoves).where(eq(merchantMoves.merchantId, merchantId)),
    db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)),
  ]);
  return { move: moves[0] ?? null, hasMerchant: found.length > 0 };
}

const ofMerchant = (merchantId: string) => eq(merchantMoves.merchantId, merchantId);

/**
 * Notes in both cells that the merchant is moving. The target comes first, so that arriving rows never count as a
 * merchant at home.
 */
export async function noteBegin({ merchantId, source, target }: Move): Promise<void> {
  await target.db
    .insert(merchantMoves)
    .values({ merchantId, state: 'arriving', cell: source.cell })
    .onConflictDoUpdate({
      target: merchantMoves.merchantId,
      set: { state: 'arriving', cell: source.cell, leftAt: null, stoppedAt: null, startedAt: sql`now()` },
      setWhere: eq(merchantMoves.state, 'left'),
    });
  await source.db
    .insert(merchantMoves)
    .values({ merchantId, state: 'leaving', cell: target.cell })
    .onConflictDoNothing();
}

/** Stops the merchant's writes: no new database transaction may write. Those already running may. */
export const stopWrites = ({ merchantId, source }: Move) => setStop(source, merchantId, sql`now()`);
/** Lets the merchant write again. Does nothing once it has left. */
export const allowWrites = ({ merchantId, source }: Move) => setStop(source, merchantId, null);

async function setStop({ db }: Side, merchantId: string, stoppedAt: SQL | null): Promise<void> {
  await db
    .update(merchantMoves)
    .set({ stoppedAt })
    .where(and(ofMerchant(merchantId), eq(merchantMoves.state, 'leaving')));
}

/**
 * Notes in the source that the merchant has left, and what callers may still name it by. Only while its writes are
 * stopped. From here until `noteArrival`, no cell serves it. Errors: `StartupError` if someone undid the move.
 */
export async function noteDeparture({ merchantId, source }: Move): Promise<void> {
  await source.owner.begin(async (connection) => {
    const db = queriesOn(connection);
    const { state, stoppedAt } = merchantMoves;
    const { count } = await db
      .update(merchantMoves)
      .set({ state: 'left', leftAt: sql`now()` })
      .where(and(ofMerchant(merchantId), eq(state, 'leaving'), isNotNull(stoppedAt)));
    if (count === 0) throw undone();
    await keepReferences(db, merchantId);
  });
}

/** Lets the target serve the merchant. Errors: `StartupError` if someone undid the move. */
export async function noteArrival({ merchantId, target }: Move): Promise<void> {
  const { count } = await target.db
    .delete(merchantMoves)
    .where(and(ofMerchant(merchantId), eq(merchantMoves.state, 'arriving')));
  if (count === 0) throw undone();
}

const undone = () => new StartupError('The move was undone in the meantime.');

/** Lets the source serve the merchant, which did not arrive. */
export async function noteReturn({ merchantId, source }: Move): Promise<void> {
  await source.db
    .delete(merchantMoves)
    .where(and(ofMerchant(merchantId), inArray(merchantMoves.state, ['leaving', 'left'])));
}
