/** Where a merchant has moved that this cell served before, to redirect requests that still arrive here. */
import { and, eq } from 'drizzle-orm';
import { movedTo } from '@/db/query/functions';
import { type Given, prepare, type Queries } from '@/db/query/queries';
import { merchantMoves, movedReferences } from '@/db/schema';
import { originOf } from '../kernel/cells';
import type { Services } from '../kernel/context';
import { uuidKey } from '../kernel/page';
import { elsewhere } from './moved';

type Kind = Parameters<typeof findByReference>[1]['kind'];

const findByReference = prepare(
  (db, given: Given<{ kind: Parameters<typeof movedTo>[0]['kind']; reference: Buffer }>) => {
    const { $rows, ...columns } = movedTo(given);
    return db.select(columns).from($rows);
  },
);

/**
 * Returns the cells of the moved merchants that a key, token or id belongs to, and whether each has `left` for that
 * cell or is still `arriving` from it. `reference` is the hash of a key or token, or an id. Call it only after a
 * look-up has found nothing.
 */
export async function findMoved({ db, cell }: Services, kind: Kind, reference: Buffer | string) {
  if (!cell || (typeof reference === 'string' && !uuidKey.test(reference))) return [];
  const bytes = typeof reference === 'string' ? Buffer.from(reference.replaceAll('-', ''), 'hex') : reference;
  return findByReference(db.pool, { kind, reference: bytes });
}

/** Returns the origins of the cells to which they have moved, without duplicates. */
export async function originsOfMoved(services: Services, kind: Kind, reference: Buffer | string): Promise<string[]> {
  const { cell } = services;
  const moved = await findMoved(services, kind, reference);
  const left = moved.filter(({ state, cell }) => state === 'left' && cell !== elsewhere);
  return cell ? [...new Set(left.map((one) => originOf(cell, one.cell)))].sort() : [];
}

/** True for a merchant that has left this database: for another cell, or to live elsewhere. */
export async function hasLeft({ db }: Services, merchantId: string): Promise<boolean> {
  if (!uuidKey.test(merchantId)) return false;
  const reference = Buffer.from(merchantId.replaceAll('-', ''), 'hex');
  const found = await findByReference(db.pool, { kind: 'merchant', reference });
  return found.some(({ state }) => state === 'left');
}

/**
 * Lists the keys of merchants that have left this cell, as hashes, with the cells to which they lead. For the tables'
 * owner.
 */
export function listMovedKeys(db: Queries): Promise<{ hash: Buffer; cell: string }[]> {
  const { kind, reference, merchantId } = movedReferences;
  return db
    .select({ hash: reference, cell: merchantMoves.cell })
    .from(movedReferences)
    .innerJoin(merchantMoves, eq(merchantMoves.merchantId, merchantId))
    .where(and(eq(kind, 'apiKey'), eq(merchantMoves.state, 'left')))
    .orderBy(reference);
}
