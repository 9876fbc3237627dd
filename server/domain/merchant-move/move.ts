import { getTableName, sql } from 'drizzle-orm';
import { copyProgress, publish, subscribe, unpublish, unsubscribe } from '@/db/operations/replication';
import { StartupError } from '@/db/startup-error';
import { checkMove, ensureNothingThere } from './checks';
import { compare, openPair, verifyArrived } from './compare';
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
import { published } from './tables';

interface Step {
  name: string;
  run(move: Move): Promise<unknown>;
}

/** Numbers of rows by table, from the comparison in full to that during the stop. */
const counted = new WeakMap<Move, Map<string, number>>();

/** While the merchant is at home in the source. Each step may run again, from the first on. */
const copying: Step[] = [
  { name: 'Note the move in both cells', run: noteBegin },
  { name: 'Let the merchant write', run: allowWrites },
  { name: 'Copy people', run: copyPeople },
  { name: 'Publish', run: (move) => publish(move.source.db, replicationName(move), published, move.merchantId) },
  {
    name: 'Subscribe',
    run: (move) => subscribe(move.target.db, move.mover, replicationName(move), move.moverAddress),
  },
  { name: 'Copy rows', run: waitForCopy },
  { name: 'Gather statistics', run: analyze },
  { name: 'Compare', run: compareInFull },
  { name: 'Stop and leave', run: stopAndLeave },
];

/** Once it has left: no cell serves it until it has arrived. */
const arriving: Step[] = [{ name: 'Arrive', run: noteArrival }];

/** Once it is at home in the target. */
const clearing: Step[] = [
  { name: 'Move jobs', run: moveJobs },
  { name: 'Unsubscribe', run: endReplication },
  { name: 'Remove old rows', run: ({ source, merchantId }) => removeRows(source, merchantId) },
];

export const stepNames = [...copying, ...arriving, ...clearing].map(({ name }) => name);

/** Hears of each step that has ended, and how long it took. What it throws breaks the move, as a kill would. */
export type OnStep = (name: string, ms: number) => void;

/**
 * Moves the merchant to the target's cell while it works, or goes on with a move that was broken. At every moment at most
 * one cell serves the merchant; between leaving and arriving, none does. Errors: `StartupError` that says why not; until
 * the merchant has left, it works on in the source.
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
 * Ends a move that was broken, so that the merchant is whole in the source and nothing is left in the target. Errors:
 * `StartupError` where there is none, or it has arrived.
 */
export async function undoMove(move: Move, onStep: OnStep): Promise<void> {
  const { merchantId, source, target } = move;
  const phase = phaseOf(move, await standingAt(source, merchantId), await standingAt(target, merchantId));
  if (phase === 'clearing')
    throw new StartupError(
      `It is at home in ${target.cell}. Let merchant move finish, and then move it back from there.`,
    );
  const steps: Step[] = [
    // Nothing has arrived for good, so that it can work at once. One that has left waits until nothing of it is there.
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

/** Returns where a move is, by what both cells say. Errors: `StartupError` where the merchant can't move from here to there. */
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

/** Between looks at how far the target is. */
const lookMs = 500;

/** Waits, also while the source is down: the target's PostgreSQL tries again by itself. */
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
    if (tables > 0 && ready === tables) return;
    await new Promise((resolve) => setTimeout(resolve, ready === 0 || tables - ready > 5 ? lookMs : lookMs / 5));
  }
}

/** So that counting is quick during the stop, and queries are planned well after it. */
async function analyze({ target }: Move): Promise<void> {
  for (const { table } of published) {
    await target.db.run(sql`vacuum (analyze, skip_locked, truncate false) ${sql.identifier(getTableName(table))}`);
  }
}

/** Compares everything at one moment, for which writes are stopped, and goes on comparing while the merchant works. */
async function compareInFull(move: Move): Promise<void> {
  const { result: pair, ms } = await whileStopped(move, () => openPair(move));
  try {
    move.report(`Writes were stopped for ${ms} ms`);
    counted.set(move, await compare(move, pair));
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
      await compare(move, pair, counted.get(move));
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
  await unsubscribe(move.target.db, move.mover, name);
  await unpublish(move.source.db, name);
}
