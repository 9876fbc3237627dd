import {
  type Database,
  isAborted,
  isBeingMoved,
  isLockTimeout,
  isUnavailable,
  type Tx,
  withMerchants,
} from '@/db/driver';
import { groupSizes } from '@/server/observe/metrics';
import { currentSpan, inSharedSpan } from '@/server/observe/spans';
import { sendKeyGains } from '../daily-limits';
import { Locked, lockBalances, type OnLocked } from '../ledger';
import {
  allOf,
  type Groupable,
  groupBy,
  type Member,
  merchantOf,
  namesOf,
  newQueue,
  type Queue,
  takeFree,
  type Waiting,
} from './queue';

/**
 * How many groups of a queue run at once: with two, one runs while another commits. More groups would be smaller. A
 * larger pool has room for more.
 */
const maxGroups = ({ size }: Database) => Math.max(2, Math.floor(size / 4));
/**
 * How long a group waits for a lock that it can't skip, such as a store's that staff change, while the whole group
 * waits. Longer than another instance takes to commit.
 */
const lockTimeoutMs = 100;
/** How many transactions of a merchant may wait for locks, each on a connection. Its others wait in the process. */
const maxSeparate = ({ size }: Database) => Math.max(1, Math.floor(size / 4));
/** After a failure of its own, a merchant has its own queue for this long. */
const apartMs = 5_000;

/** The queues of a connection pool. */
interface Queues {
  shared: Queue;
  /** Queues of merchants that share no group with others, and until when. */
  apart: Map<string, { queue: Queue; until: number }>;
  /** By merchant: how many transactions run separately, and callbacks that start the next ones. */
  separate: Map<string, { running: number; waiting: (() => void)[] }>;
}

const queues = new WeakMap<Database['pool'], Queues>();

function queuesOf({ pool }: Database): Queues {
  const known = queues.get(pool);
  if (known) return known;
  const made = { shared: newQueue(), apart: new Map(), separate: new Map() };
  queues.set(pool, made);
  return made;
}

function queueOf({ ctx: { db, merchant } }: Member): Queue {
  const { shared, apart } = queuesOf(db);
  if (apart.size === 0) return shared;
  for (const [id, { until }] of apart) if (performance.now() > until) apart.delete(id);
  return apart.get(merchant.id)?.queue ?? shared;
}

/** Gives a merchant its own queue for a while, because a failing transaction makes its whole group run again. */
function setApart({ ctx: { db, merchant } }: Member): void {
  const { apart } = queuesOf(db);
  const { queue } = apart.get(merchant.id) ?? { queue: newQueue() };
  apart.set(merchant.id, { queue, until: performance.now() + apartMs });
}

/**
 * Group commit: transactions that wait at the same moment run in one database transaction, of any kind and merchant.
 * Those of a kind and merchant run in order of arrival. A request that arrives alone runs at once. A group does not
 * wait for a row that another database transaction has locked: members that need it run separately. A group that fails
 * writes nothing. Then each merchant's transactions run by themselves, then each customer's, and finally each alone, so
 * that a member fails only by its own fault. Errors: those of `run`, and `TransactionIdTaken`.
 */
export function joinGroup<M extends Member, Answer>(kind: Groupable<M, Answer>, member: M): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const queue = queueOf(member);
    queue.waiting.push({
      kind,
      member,
      claims: kind.claimsOf(member),
      round: 0,
      isOvertaken: false,
      since: performance.now(),
      span: currentSpan(),
      resolve: resolve as Waiting['resolve'],
      reject,
    });
    if (queue.isStarting) return;
    queue.isStarting = true;
    // Requests that arrive at the same moment share a group.
    setImmediate(() => {
      queue.isStarting = false;
      start(queue, member.ctx.db);
    });
  });
}

function start(queue: Queue, db: Database): void {
  while (queue.groups < maxGroups(db)) {
    const group = takeFree(queue);
    if (group.length === 0) break;
    void run(queue, db, group);
  }
}

async function run(queue: Queue, db: Database, group: Waiting[]): Promise<void> {
  queue.groups += 1;
  groupSizes.observe(group.length);
  const { left, failure } = await runTogether(group, 'skip');
  queue.groups -= 1;
  const parts = groupBy(left, merchantOf);
  if (failure !== null && parts.length > 1) for (const part of parts) void runPart(queue, db, part);
  else {
    if (isLockTimeout(failure)) setApart((group as [Waiting])[0].member);
    finish(queue, db, group, left);
  }
  start(queue, db);
}

/** Runs a merchant's part of a group that failed. */
async function runPart(queue: Queue, db: Database, part: Waiting[]): Promise<void> {
  const { left, failure } = await runTogether(part, 'skip');
  const [{ member }] = part as [Waiting];
  if (failure !== null && (!isUnavailable(failure) || isBeingMoved(failure) || isLockTimeout(failure)))
    setApart(member);
  finish(queue, db, part, left);
  start(queue, db);
}

/**
 * Frees the claims of a group, except the customers of members that have to run separately. These then wait for locked
 * rows.
 */
function finish(queue: Queue, db: Database, group: Waiting[], left: Waiting[]): void {
  // New ids are freed in any case: a copy of the request harms no group, and a void may come first.
  const held = new Set(left.flatMap(({ claims }) => namesOf(claims)));
  for (const claim of group.flatMap(({ claims }) => allOf(claims))) if (!held.has(claim)) queue.busy.delete(claim);
  for (const own of groupBy(left, ({ claims }) => allOf(claims)[0])) {
    void inTurn(db, merchantOf(own[0] as Waiting), () => runSeparately(own)).finally(() => {
      for (const name of own.flatMap(({ claims }) => namesOf(claims))) queue.busy.delete(name);
      start(queue, db);
    });
  }
}

/**
 * Runs `work` once the merchant has a free place, so that waiting for its locks does not use up other merchants'
 * connections.
 */
async function inTurn(db: Database, merchantId: string, work: () => Promise<void>): Promise<void> {
  const { separate } = queuesOf(db);
  const own = separate.get(merchantId) ?? { running: 0, waiting: [] };
  separate.set(merchantId, own);
  if (own.running < maxSeparate(db)) own.running += 1;
  else await new Promise<void>((begin) => own.waiting.push(begin));
  try {
    await work();
  } finally {
    const next = own.waiting.shift();
    if (next) next();
    else if (--own.running === 0) separate.delete(merchantId);
  }
}

/** Runs one customer's members, and waits for locks. No group waits for them. */
async function runSeparately(own: Waiting[]): Promise<void> {
  const { left } = await runTogether(own, 'wait');
  await Promise.all(left.map((one) => runTogether([one], 'wait')));
}

interface Ran {
  /** Members to run again: all of a failed transaction with several; else those that skipped a locked row. */
  left: Waiting[];
  /** Null if the database transaction succeeded. */
  failure: unknown;
}

async function runTogether(group: Waiting[], onLocked: OnLocked): Promise<Ran> {
  const [{ member: first }] = group as [Waiting];
  // Ordered by id, so that instances that lock the same keys' rows never deadlock.
  const merchants = groupBy(group, merchantOf).sort(([a], [b]) => (idOf(a) < idOf(b) ? -1 : 1));
  try {
    const spans = group.map(({ span }) => span);
    const ids = merchants.map(([one]) => idOf(one));
    const limits = onLocked === 'skip' ? { lockTimeoutMs } : {};
    const answers = await inSharedSpan('group', spans, () =>
      withMerchants({ ...first.ctx.db, ...earliest(group), ...limits }, ids, async (txs) => {
        // Taken in order before the first round: those of several rounds never wait for each other in a circle.
        if (onLocked === 'wait' && group.some(({ round }) => round !== group[0]?.round))
          await lockBalances(txs[0] as Tx, [...new Set(group.flatMap(({ claims }) => claims.customerIds))]);
        return runRounds(txs, group, onLocked);
      }),
    );
    const left: Waiting[] = [];
    for (const [one, answer] of answers) {
      if (answer instanceof Locked && onLocked === 'skip') left.push(one);
      else if (answer instanceof Error) one.reject(answer);
      else one.resolve(answer);
    }
    return { left, failure: null };
  } catch (failure) {
    // A merchant whose writes are stopped refuses all members alike.
    const isForAll = merchants.length === 1 && isBeingMoved(failure);
    const mayWait = onLocked === 'skip' && isLockTimeout(failure);
    if ((group.length > 1 && !isForAll) || mayWait) return { left: group, failure };
    for (const one of group) one.reject(failure);
    return { left: [], failure };
  }
}

const idOf = (one: Waiting | undefined) => merchantOf(one as Waiting);

/** Runs a group, round by round, and returns each answer. What comes behind a member that met a locked row is locked, too. */
async function runRounds(txs: Tx[], group: Waiting[], onLocked: OnLocked): Promise<Map<Waiting, unknown>> {
  const answers = new Map<Waiting, unknown>();
  const locked = new Set<string>();
  for (const round of groupBy(group, (one) => one.round)) {
    const isFree = ({ claims }: Waiting) => !namesOf(claims).some((name) => locked.has(name));
    const ran = await runRound(txs, round.filter(isFree), onLocked);
    for (const one of round) {
      const answer = ran.has(one) ? ran.get(one) : new Locked();
      answers.set(one, answer);
      if (answer instanceof Locked) for (const name of namesOf(one.claims)) locked.add(name);
    }
  }
  for (const tx of txs) sendKeyGains(tx);
  return answers;
}

/** Merchants and kinds share their round trips. If one fails, the others finish first, so that nothing is sent after the rollback. */
async function runRound(txs: Tx[], round: Waiting[], onLocked: OnLocked): Promise<Map<Waiting, unknown>> {
  const runs = groupBy(round, merchantOf).flatMap((own) => {
    const tx = txs.find(({ merchantId }) => merchantId === idOf(own[0])) as Tx;
    return groupBy(own, ({ kind }) => kind).map(async (same): Promise<[Waiting, unknown][]> => {
      const [{ kind }] = same as [Waiting];
      const answers = await kind.run(
        tx,
        same.map(({ member }) => member as never),
        onLocked,
      );
      return same.map((one, n) => [one, answers[n]]);
    });
  });
  const results = await Promise.allSettled(runs);
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  // The first error aborted the transaction. Later errors only report that.
  if (errors.length > 0) throw errors.find((error) => !isAborted(error)) ?? errors[0];
  return new Map(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])));
}

/** The earliest deadline of a group's callers, before which it commits. */
function earliest(group: Waiting[]): { deadline?: number } {
  const deadlines = group.flatMap(({ member }) => member.ctx.db.deadline ?? []);
  return deadlines.length === 0 ? {} : { deadline: Math.min(...deadlines) };
}
