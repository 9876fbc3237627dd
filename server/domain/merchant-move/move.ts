import { getTableName, sql } from 'drizzle-orm';
import {
  copyProgress,
  publishTables,
  subscribeTo,
  unpublishTables,
  unsubscribeFrom,
} from '@/db/operations/replication';
import { StartupError } from '@/db/startup-error';
import { checkMove, ensureNothingThere } from './checks';
import { compareCells, openPair, verifyArrived } from './compare';
import { moveJobs } from './jobs';
import { copyPeople } from './people';
import { removeArrived, removeRows } from './remove';
import { advanceSequences } from './sequences';
import {
  allowWrites,
  type Move,
  noteArrival,
  noteBegin,
  noteDeparture,
  noteReturn,
  replicationName,
  type Standing,
  standingAt,
} from './sides';
import { whileStopped } from './stop';
import { publishedTables } from './tables';

interface Step {
  name: string;
  run(move: Move): Promise<unknown>;
}

/** Row counts by table, passed from the full comparison to the one during the stop. */
const counted = new WeakMap<Move, Map<string, number>>();

/** Steps while the merchant is at home in the source. After a break, all of them run again. */
const copying: Step[] = [
  { name: 'Note the move in both cells', run: noteBegin },
  { name: 'Let the merchant write', run: allowWrites },
  { name: 'Copy people', run: copyPeople },
  {
    name: 'Publish',
    run: (move) => publishTables(move.source.db, replicationName(move), publishedTables, move.merchantId),
  },
  {
    name: 'Subscribe',
    run: (move) => subscribeTo(move.target.db, move.mover, replicationName(move), move.moverAddress),
  },
  { name: 'Copy rows', run: waitForCopy },
  { name: 'Gather statistics', run: analyze },
  { name: 'Compare', run: compareInFull },
  { name: 'Stop and leave', run: stopAndLeave },
];

/** Steps after it has left. No cell serves it until it has arrived. */
const arriving: Step[] = [{ name: 'Arrive', run: noteArrival }];

/** Steps after it is at home in the target. */
const clearing: Step[] = [
  { name: 'Move jobs', run: moveJobs },
  { name: 'Unsubscribe', run: endReplication },
  { name: 'Remove old rows', run: ({ source, merchantId }) => removeRows(source, merchantId) },
];

export const stepNames = [...copying, ...arriving, ...clearing].map(({ name }) => name);

/** Called after each step, with its duration. An error that it throws interrupts the move, as a kill would. */
export type OnStep = (name: string, ms: number) => void;

/**
 * Moves the merchant to the target's cell while it works, or continues an interrupted move. At most one cell serves the
 * merchant at any moment, and none between leaving and arriving. Errors: `StartupError` with the reason. Until the
 * merchant has left, it works on in the source.
 */
export async function moveMerchant(move: Move, onStep: OnStep): Promise<void> {
  const { merchantId, source, target } = move;
  const phase = phaseOf(move, await standingAt(source, merchantId), await standingAt(target, merchantId));
  if (phase === 'returning') throw new StartupError('Undoing its move was broken: run it again with --undo.');
  if (phase === 'copying') {
    await checkMove(move);
    if ((await standingAt(move.target, move.merchantId)).move?.state !== 'arriving') await ensureNothingThere(move);
  }
  const steps = {
    copying: [...copying, ...arriving, ...clearing],
    arriving: [...arriving, ...clearing],
    clearing,
  }[phase];
  for (const { name, run } of steps) {
    const begunAt = performance.now();
    await run(move);
    onStep(name, Math.round(performance.now() - begunAt));
  }
}

/**
 * Ends an interrupted move: the merchant is complete in the source, and nothing is left in the target. Errors:
 * `StartupError` if there is no move, or if the merchant has arrived.
 */
export async function undoMove(move: Move, onStep: OnStep): Promise<void> {
  const { merchantId, source, target } = move;
  const phase = phaseOf(move, await standingAt(source, merchantId), await standingAt(target, merchantId));
  if (phase === 'clearing')
    throw new StartupError(
      `It is at home in ${target.cell}. Let merchant move finish, and then move it back from there.`,
    );
  const steps: Step[] = [
    // Not arrived for good: it can write at once. If it has left, it can only once nothing of it is in the target.
    { name: 'Let the merchant write', run: allowWrites },
    { name: 'Unsubscribe', run: endReplication },
    { name: 'Remove what was copied', run: () => removeArrived(target, merchantId) },
    { name: 'Return', run: noteReturn },
  ];
  for (const { name, run } of steps) {
    const begunAt = performance.now();
    await run(move);
    onStep(name, Math.round(performance.now() - begunAt));
  }
}

type Phase = 'copying' | 'arriving' | 'clearing' | 'returning';

/**
 * Returns how far a move is, according to both cells. Errors: `StartupError` if the merchant can't move from here to
 * there.
 */
function phaseOf({ target, source }: Move, here: Standing, there: Standing): Phase {
  const [from, to] = [here.move, there.move];
  if (to?.state === 'leaving') throw new StartupError(`It is leaving ${target.cell}, to ${to.cell}.`);
  if (to?.state === 'arriving' && to.cell !== source.cell)
    throw new StartupError(`It is arriving in ${target.cell} from ${to.cell}.`);
  if (from?.state === 'arriving') throw new StartupError(`It is arriving here, from ${from.cell}.`);
  if (from && from.cell !== target.cell)
    throw new StartupError(`It ${from.state === 'left' ? 'has left for' : 'is leaving for'} ${from.cell}.`);
  if (from?.state !== 'left') return 'copying';
  if (to?.state === 'arriving') return 'arriving';
  // The source's rows may be removed only if the target has the merchant, or has let it move on. An interrupted undo may have
  // emptied the target. If the merchant had once been there, the target then says that it has left for the source.
  const isThere = to ? to.cell !== source.cell : there.hasMerchant;
  return isThere ? 'clearing' : 'returning';
}

/** How often the target's progress is checked. */
const lookMs = 500;

/**
 * Waits for the copy, even while the source is down, because the target's PostgreSQL retries by itself. Errors:
 * `StartupError` if the target has lost the subscription, as a standby that took over can have.
 */
async function waitForCopy(move: Move): Promise<void> {
  let said = '';
  for (;;) {
    const { tables, ready, copying: rows, failures } = await copyProgress(move.target.db, replicationName(move));
    const parts = [
      `${ready} of ${tables} tables are ready`,
      ...(rows > 0 ? [`${rows} rows of the next are there`] : []),
      ...(failures > 0 ? [`${failures} attempts failed (the log of ${move.target.cell}’s PostgreSQL says why)`] : []),
    ];
    const text = parts.join(', ');
    if (text !== said) move.report(text);
    said = text;
    if (tables === 0) throw new StartupError(`${move.target.cell} has lost the subscription: run it again.`);
    if (ready === tables) return;
    await new Promise((resolve) => setTimeout(resolve, ready === 0 || tables - ready > 5 ? lookMs : lookMs / 5));
  }
}

/** Makes counting during the stop fast, and later plans good. */
async function analyze({ target }: Move): Promise<void> {
  for (const { table } of publishedTables) {
    await target.db.run(sql`vacuum (analyze, skip_locked, truncate false) ${sql.identifier(getTableName(table))}`);
  }
}

/**
 * Opens both databases at one moment, for which writes are stopped, and compares everything while the merchant works.
 */
async function compareInFull(move: Move): Promise<void> {
  const { result: pair, ms } = await whileStopped(move, () => openPair(move));
  try {
    move.report(`Writes were stopped for ${ms} ms`);
    counted.set(move, await compareCells(move, pair));
    await verifyArrived(move, pair);
  } finally {
    await pair.end();
  }
}

async function stopAndLeave(move: Move): Promise<void> {
  const { ms } = await whileStopped(move, async (ensureTime) => {
    await copyPeople(move);
    const pair = await openPair(move);
    try {
      await compareCells(move, pair, counted.get(move));
    } finally {
      await pair.end();
    }
    await advanceSequences(move);
    ensureTime();
    await noteDeparture(move);
  });
  move.report(`Writes had been stopped for ${ms} ms when it left`);
}

async function endReplication(move: Move): Promise<void> {
  const name = replicationName(move);
  await unsubscribeFrom(move.target.db, move.mover, name);
  await unpublishTables(move.source.db, name);
}
