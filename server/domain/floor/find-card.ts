/** Finds a table by the token of its card. */
import { diningTableByToken } from '@/db/query/functions';
import { type Given, prepare } from '@/db/query/queries';
import type { Services } from '../kernel/context';
import { hashToken } from '../kernel/secrets';
import { cardTokenPattern } from './card-token';

const findByToken = prepare((db, given: Given<{ tokenHash: Buffer }>) => {
  const { $rows, ...columns } = diningTableByToken({ hash: given.tokenHash });
  return db.select(columns).from($rows);
});

/** A table found by its card. The other columns are its merchant's. */
export type FoundTable = Awaited<ReturnType<typeof findByToken>>[number];

/** Returns null for an unknown token, for a replaced card, and for a removed table. */
export async function findCard({ db }: Services, token: string): Promise<FoundTable | null> {
  if (!cardTokenPattern.test(token)) return null;
  const [row] = await findByToken(db.pool, { tokenHash: hashToken(token) });
  return row ?? null;
}
