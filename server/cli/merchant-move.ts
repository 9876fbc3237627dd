import { eq, sql } from 'drizzle-orm';
import { openSql, queriesOn, type Sql } from '@/db/driver';
import { merchantMoves, thisCell } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { type Move, moveMerchant, type OnStep, type Side, undoMove } from '@/server/domain/merchant-move';
import { addressIn, asOwner, asOwnerOf } from './database';
import { findNamed } from './merchant';
import { readSubject } from './run';

export const usage = '<id or name> --to sg2 [--same-people | --undo]';

const options = {
  to: { type: 'string' },
  undo: { type: 'boolean' },
  'same-people': { type: 'boolean' },
} as const;

/** Moves a merchant to another cell, continues an interrupted move, or undoes it. */
export async function main(args: string[]): Promise<void> {
  const { subject, values } = readSubject('the merchant', options, args);
  const { to, undo = false, 'same-people': arePeopleSame = false } = values;
  if (!to) throw new StartupError('--to is missing: the name of the other cell, its CELL.');
  await asOwner((here) =>
    asOwnerOf('TARGET_DATABASE_OWNER_URL', async (there) => {
      const source = await sideOf(here);
      const target = { ...(await sideOf(there)), cell: to };
      const merchant = await findIn([source, target], subject);
      const moverAddress = await addressIn('MOVER_URL');
      const mover = openSql(moverAddress);
      try {
        const move = {
          merchantId: merchant.id,
          source,
          target,
          mover: queriesOn(mover),
          moverAddress,
          arePeopleSame,
          report: (progress: string) => say(`    ${progress}`),
        };
        await alone(here, move, () => (undo ? undoMove : moveMerchant)(move, announce));
        say(undo ? `${merchant.name} stays in ${source.cell}.` : `${merchant.name} is at home in ${to}.`);
      } finally {
        await mover.end({ timeout: 5 });
      }
    }),
  );
}

async function sideOf(owner: Sql): Promise<Side> {
  const db = queriesOn(owner);
  const [cell] = await db.select({ name: thisCell.name }).from(thisCell);
  return { owner, db, cell: cell?.name ?? '' };
}

/** Finds the merchant in the first cell that still has it or knows where it went. */
async function findIn([source, target]: [Side, Side], given: string): Promise<{ id: string; name: string }> {
  try {
    return await findNamed(source.db, given);
  } catch (error) {
    const isId = await source.db
      .select({ id: merchantMoves.merchantId })
      .from(merchantMoves)
      .where(eq(sql`${merchantMoves.merchantId}::text`, given.toLowerCase()));
    const there = await findNamed(target.db, given).catch(() => null);
    if (there) return there;
    if (isId[0]) return { id: isId[0].id, name: given };
    throw error;
  }
}

/** Runs `work` under a lock, so that no other command works on the same move. Errors: `StartupError` if one does. */
async function alone(owner: Sql, { merchantId }: Pick<Move, 'merchantId'>, work: () => Promise<void>) {
  const session = await owner.reserve();
  try {
    const key = `move of ${merchantId}`;
    const isFree = sql<boolean>`pg_try_advisory_lock(hashtextextended(${key}::text, 0))`;
    const [lock] = await queriesOn(session).select({ isFree }).from(sql`(select) one`);
    if (!lock?.isFree) throw new StartupError('Another command is at work on this move.');
    await work();
  } finally {
    session.release();
  }
}

const announce: OnStep = (name, ms) => say(`${name.padEnd(28)} ${(ms / 1000).toFixed(1)} s`);
const say = (line: string) => void process.stdout.write(`${line}\n`);
