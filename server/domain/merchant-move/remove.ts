import { and, eq, exists, sql } from 'drizzle-orm';
import { queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { merchantMoves, movedReferences } from '@/db/schema';
import type { Side } from './sides';
import { isOf, publishedTables } from './tables';

/** Removes the rows of a merchant that has left, after its replication has ended. */
export const removeRows = (side: Side, merchantId: string) =>
  side.owner.begin((connection) => removeAll(queriesOn(connection), merchantId));

/**
 * Removes the copied rows of a merchant and the note that it is arriving, together: rows without the note would count
 * as a merchant at home. A merchant that had been here before is again noted as having left for its cell.
 */
export const removeArrived = ({ owner }: Side, merchantId: string) =>
  owner.begin(async (connection) => {
    const db = queriesOn(connection);
    await removeAll(db, merchantId);
    const ofIt = and(eq(merchantMoves.merchantId, merchantId), eq(merchantMoves.state, 'arriving'));
    const hadLeft = exists(db.select().from(movedReferences).where(eq(movedReferences.merchantId, merchantId)));
    await db.update(merchantMoves).set({ state: 'left', leftAt: sql`now()` }).where(and(ofIt, hadLeft));
    await db.delete(merchantMoves).where(ofIt);
  });

/** Triggers are off: foreign keys need no check when everything goes, and nothing is derived from it. */
async function removeAll(db: Queries, merchantId: string): Promise<void> {
  await db.run(sql`set local session_replication_role = replica`);
  for (const one of publishedTables.toReversed()) await db.delete(one.table).where(isOf(one, merchantId));
  await db.run(sql`set local session_replication_role = origin`);
}
