import { type Database, type Tx, withMerchant } from '@/db/client';
import { DeadlinePassed, isAborted, isUniqueViolation } from '@/db/errors';
import { currentSpan, inSharedSpan } from '@/db/spans';
import { groupSizes } from '@/server/process/metrics';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { Locked, type OnLocked } from '../ledger';
import { sendKeyGains } from './daily-limits';

/** One transaction of a group, or one void. */
interface Member {
  ctx: PosContext;
}

/** What no other group of the process may use at the same time. */
interface Claims {
  /** Customers whose balances it changes, and for a void the transactions. */
  names: string[];
  /** New transaction ids, with their store: a request that waited for one must look it up again. */
  newIds: string[];
}

/** Transactions of a kind, or voids, that can share a database transaction. */
export interface Groupable<M extends Member, Answer> {
  claimsOf(member: M): Claims;
  /** Whether members of one group may have names in common. */
  areShared: boolean;
  /** Runs members in one transaction; returns each result, or the error that made it write nothing. */
  run(tx: Tx, members: M[], onLocked: OnLocked): Promise<(Answer | Error)[]>;
}

/** Another request took the same id first and has finished, or the customer was merged into another: look up again. */
export class TransactionIdTaken extends Error {}

const maxTries = 4;

/**
 * Retries if another copy of the request took the id first, or if this one committed and its result was lost. Errors:
 * `service_unavailable` after several tries.
 */
export async function retryWhileTaken<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (tries === maxTries) {
        throw new DomainError('service_unavailable', say('transactionIdBusy'));
      }
    }
  }
}

const takenKeys = ['transactions_transaction_id', 'transactions_merchant_id_uid_pk', 'voids_merchant_id_id_pk'];

const isTaken = (error: unknown) =>
  error instanceof TransactionIdTaken || takenKeys.some((key) => isUniqueViolation(error, key));

type Kind = Groupable<never, unknown>;

interface Waiting {
  kind: Kind;
  member: Member;
  claims: Claims;
  isOvertaken: boolean;
  since: number;
  span: ReturnType<typeof currentSpan>;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** The transactions of a merchant in this process. */
interface Queue {
  waiting: Waiting[];
  /** Claims of the groups in progress. A request with the same claim waits here instead of for a lock. */
  busy: Set<string>;
  groups: number;
  isStarting: boolean;
}

/** One can run while another commits. More groups would each be smaller. */
const maxGroups = 2;
const maxClaims = 128;
/** Rejects members queued longer than this with less than this left: they would make the group late. */
const staleAfterMs = 1_000;

/** By connection pool and merchant. */
const queues = new WeakMap<Database['pool'], Map<string, Queue>>();

/**
 * Group commit: transactions of a merchant that wait at the same moment run in one database transaction, whatever their
 * kinds. Those of a kind run in the order of arrival. A request that arrives alone runs at once. A group never waits for
 * a row that another database transaction has locked: members that need such a row run separately. A group that fails
 * writes nothing. Then each customer's transactions run by themselves, and of those that fail, each by itself, so that a
 * member fails only by its own fault. Errors, besides those of `run`: `TransactionIdTaken`.
 */
export function joinGroup<M extends Member, Answer>(kind: Groupable<M, Answer>, member: M): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { db, merchant } = member.ctx;
    const ofPool = queues.get(db.pool) ?? new Map<string, Queue>();
    queues.set(db.pool, ofPool);
    const queue = ofPool.get(merchant.id) ?? { waiting: [], busy: new Set(), groups: 0, isStarting: false };
    ofPool.set(merchant.id, queue);
    queue.waiting.push({
      kind,
      member,
      claims: kind.claimsOf(member),
      isOvertaken: false,
      since: performance.now(),
      span: currentSpan(),
      resolve: resolve as Waiting['resolve'],
      reject,
    });
    const end = () => {
      const isIdle = queue.busy.size === 0 && queue.waiting.length === 0;
      if (isIdle && ofPool.get(merchant.id) === queue) ofPool.delete(merchant.id);
    };
    if (queue.isStarting) return;
    queue.isStarting = true;
    // Requests that arrive at the same moment share a group.
    setImmediate(() => {
      queue.isStarting = false;
      start(queue, end);
    });
  });
}

function start(queue: Queue, end: () => void): void {
  while (queue.groups < maxGroups) {
    const group = takeFree(queue);
    if (group.length === 0) break;
    void run(queue, group, end);
  }
  end();
}

async function run(queue: Queue, group: Waiting[], end: () => void): Promise<void> {
  queue.groups += 1;
  groupSizes.observe(group.length);
  const left = await runTogether(group, 'skip');
  queue.groups -= 1;
  // The rest need a locked row and run separately. Their ids are free: a copy harms no group, and a void may come first.
  const held = new Set(left.flatMap(({ claims }) => claims.names));
  for (const claim of group.flatMap(({ claims }) => allOf(claims))) if (!held.has(claim)) queue.busy.delete(claim);
  for (const own of groupBy(left, ({ claims }) => allOf(claims)[0])) {
    void runSeparately(own).finally(() => {
      for (const name of own.flatMap(({ claims }) => claims.names)) queue.busy.delete(name);
      start(queue, end);
    });
  }
  start(queue, end);
}

const allOf = ({ names, newIds }: Claims) => [...names, ...newIds];

/**
 * Takes the next group: the first requests whose claims no group in progress and no other kind holds. Marks their claims
 * as busy. Rejects members whose caller timed out, without failing the group. Members that waited for an id look again.
 */
function takeFree(queue: Queue): Waiting[] {
  const group: Waiting[] = [];
  const others: Waiting[] = [];
  const owners = new Map<string, Kind>();
  const closed = new Set(queue.busy);
  const isOpen = (claim: string) => !closed.has(claim);
  let claimed = 0;
  for (const one of queue.waiting) {
    const { kind, claims, member, since, reject } = one;
    const { deadline } = member.ctx.db;
    if (deadline !== undefined && isTooLate(since, deadline)) {
      reject(new DeadlinePassed('no time is left to begin'));
      continue;
    }
    const { names, newIds } = claims;
    one.isOvertaken ||= !newIds.every(isOpen);
    const size = names.length + newIds.length;
    const fits = claimed === 0 || claimed + size <= maxClaims;
    const isFree =
      fits && newIds.every(isOpen) && names.every((name) => isOpen(name) && (owners.get(name) ?? kind) === kind);
    if (isFree && one.isOvertaken) {
      reject(new TransactionIdTaken());
      continue;
    }
    (isFree ? group : others).push(one);
    if (isFree) claimed += size;
    for (const name of names) {
      if (isFree && kind.areShared) owners.set(name, kind);
      // A later request never overtakes one that waits for the same name.
      else closed.add(name);
    }
    for (const id of newIds) closed.add(id);
  }
  queue.waiting = others;
  for (const claim of group.flatMap(({ claims }) => allOf(claims))) queue.busy.add(claim);
  return group;
}

function isTooLate(since: number, deadline: number): boolean {
  const now = performance.now();
  return now > deadline || (now - since > staleAfterMs && deadline - now < staleAfterMs);
}

/** Runs one customer's members and waits for locks. No group waits behind them. */
async function runSeparately(own: Waiting[]): Promise<void> {
  const left = await runTogether(own, 'wait');
  await Promise.all(left.map((one) => runTogether([one], 'wait')));
}

/** Returns the members that still have to run: after a failure all, unless there is only one; else those that skipped a locked row. */
async function runTogether(group: Waiting[], onLocked: OnLocked): Promise<Waiting[]> {
  const [{ member: first }] = group as [Waiting];
  const { db, merchant } = first.ctx;
  const kinds = groupBy(group, ({ kind }) => kind);
  try {
    const spans = group.map(({ span }) => span);
    const answers = await inSharedSpan('group', spans, () =>
      withMerchant({ ...db, ...earliest(group) }, merchant.id, (tx) => runKinds(tx, kinds, onLocked)),
    );
    const left: Waiting[] = [];
    for (const [k, own] of kinds.entries()) {
      for (const [n, one] of own.entries()) {
        const answer = answers[k]?.[n];
        if (answer instanceof Locked && onLocked === 'skip') left.push(one);
        else if (answer instanceof Error) one.reject(answer);
        else one.resolve(answer);
      }
    }
    return left;
  } catch (error) {
    if (group.length > 1) return group;
    group[0]?.reject(error);
    return [];
  }
}

/** Kinds share their round trips. If one fails, the others finish first, so that nothing is sent after the rollback. */
async function runKinds(tx: Tx, kinds: Waiting[][], onLocked: OnLocked): Promise<unknown[][]> {
  const results = await Promise.allSettled(
    kinds.map((own) => {
      const [{ kind }] = own as [Waiting];
      const members = own.map(({ member }) => member as never);
      return kind.run(tx, members, onLocked);
    }),
  );
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  // The first error aborts the transaction; later ones only report that.
  if (errors.length > 0) throw errors.find((error) => !isAborted(error)) ?? errors[0];
  sendKeyGains(tx);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Groups members by key, in order. */
function groupBy<Key>(group: Waiting[], keyOf: (one: Waiting) => Key): Waiting[][] {
  const byKey = new Map<Key, Waiting[]>();
  for (const one of group) {
    const own = byKey.get(keyOf(one));
    if (own) own.push(one);
    else byKey.set(keyOf(one), [one]);
  }
  return [...byKey.values()];
}

/** The earliest deadline of a group's callers: it commits before that. */
function earliest(group: Waiting[]): { deadline?: number } {
  const deadlines = group.flatMap(({ member }) => member.ctx.db.deadline ?? []);
  return deadlines.length === 0 ? {} : { deadline: Math.min(...deadlines) };
}
