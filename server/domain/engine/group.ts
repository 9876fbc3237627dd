import { type Database, DeadlinePassed, isAborted, isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { Locked, type Patience } from '../ledger';

/** One transaction of a group, or one void. */
interface Member {
  ctx: PosContext;
}

/** What nobody else in the process may use meanwhile. */
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
  /** Carries members out; returns each one's answer, or the error with which nothing of it is written. */
  run(tx: Tx, members: M[], patience: Patience): Promise<(Answer | Error)[]>;
}

/** Another one that had the same id came before it, and is done with: look again what became of it. */
export class TransactionIdTaken extends Error {}

const maxTries = 4;

/**
 * Looks again, and goes on from there, where another copy of a request took an id first, or where this one committed and
 * its answer was lost. Errors: `service_unavailable` where that happens again and again.
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
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** The transactions of a merchant in this process. */
interface Queue {
  waiting: Waiting[];
  /** What the groups under way claim: who claims it as well waits here, rather than for a lock. */
  busy: Set<string>;
  groups: number;
  isStarting: boolean;
}

/** Enough for one to be on its way while another one commits; of more, each would be smaller. */
const groupsAtOnce = 2;
const mostClaims = 128;
/** What has waited for longer, and has less left, is not begun: its group would be late, and nothing of it written. */
const longWaitMs = 1_000;

/** By pool of connections, and by merchant. */
const queues = new WeakMap<Database['pool'], Map<string, Queue>>();

/**
 * Group commit: transactions of a merchant, of this kind and of others, that wait at the same moment are carried out in
 * one database transaction, those of a kind in the order in which they came; one that comes alone goes at once. A group
 * waits for nothing that another database transaction has locked: what needs that is carried out apart. Nothing is
 * written of a group that fails: then each customer's transactions are carried out by themselves, and of those that
 * fail, each by itself, so that none fails but by its own fault. Errors, beside those of `run`: `TransactionIdTaken`.
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
      resolve: resolve as Waiting['resolve'],
      reject,
    });
    const end = () => {
      const isIdle = queue.busy.size === 0 && queue.waiting.length === 0;
      if (isIdle && ofPool.get(merchant.id) === queue) ofPool.delete(merchant.id);
    };
    if (queue.isStarting) return;
    queue.isStarting = true;
    // Those that come at the same moment go together.
    setImmediate(() => {
      queue.isStarting = false;
      start(queue, end);
    });
  });
}

function start(queue: Queue, end: () => void): void {
  while (queue.groups < groupsAtOnce) {
    const group = takeFree(queue);
    if (group.length === 0) break;
    void run(queue, group, end);
  }
  end();
}

async function run(queue: Queue, group: Waiting[], end: () => void): Promise<void> {
  queue.groups += 1;
  const left = await carryTogether(group, 'give up');
  queue.groups -= 1;
  // Those left wait for a lock, and go apart: what takes the same id meanwhile harms no group, and a void comes first.
  const held = new Set(left.flatMap(({ claims }) => claims.names));
  for (const claim of group.flatMap(({ claims }) => allOf(claims))) if (!held.has(claim)) queue.busy.delete(claim);
  for (const own of by(left, ({ claims }) => allOf(claims)[0])) {
    void carryApart(own).finally(() => {
      for (const name of own.flatMap(({ claims }) => claims.names)) queue.busy.delete(name);
      start(queue, end);
    });
  }
  start(queue, end);
}

const allOf = ({ names, newIds }: Claims) => [...names, ...newIds];

/**
 * The next group: those that came first, but for claims of a group that is under way, or of another kind. Theirs are
 * busy from now on. Members whose caller timed out are rejected, without failing the group; those that waited for an id
 * look again.
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
    const fits = claimed === 0 || claimed + size <= mostClaims;
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
      // Nobody overtakes a request that waits for the same.
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
  return now > deadline || (now - since > longWaitMs && deadline - now < longWaitMs);
}

/** Carries one customer's out, and waits for what is locked: no group waits behind them. */
async function carryApart(own: Waiting[]): Promise<void> {
  const left = await carryTogether(own, 'wait');
  await Promise.all(left.map((one) => carryTogether([one], 'wait')));
}

/** Answers those that are still to be carried out: of one that goes by itself none, unless it gave up on a lock. */
async function carryTogether(group: Waiting[], patience: Patience): Promise<Waiting[]> {
  const [{ member: first }] = group as [Waiting];
  const { db, merchant } = first.ctx;
  const kinds = by(group, ({ kind }) => kind);
  try {
    const answers = await withMerchant({ ...db, ...earliest(group) }, merchant.id, (tx) =>
      carryKinds(tx, kinds, patience),
    );
    const left: Waiting[] = [];
    for (const [k, own] of kinds.entries()) {
      for (const [n, one] of own.entries()) {
        const answer = answers[k]?.[n];
        if (answer instanceof Locked && patience === 'give up') left.push(one);
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

/** All kinds share their round trips. Where one fails, the others come to their end first: nothing is sent behind the rollback. */
async function carryKinds(tx: Tx, kinds: Waiting[][], patience: Patience): Promise<unknown[][]> {
  const results = await Promise.allSettled(
    kinds.map((own) => {
      const [{ kind }] = own as [Waiting];
      const members = own.map(({ member }) => member as never);
      return kind.run(tx, members, patience);
    }),
  );
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  // Those behind the first fail for it alone.
  if (errors.length > 0) throw errors.find((error) => !isAborted(error)) ?? errors[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Those of each key, in their order. */
function by<Key>(group: Waiting[], keyOf: (one: Waiting) => Key): Waiting[][] {
  const ofKeys = new Map<Key, Waiting[]>();
  for (const one of group) {
    const own = ofKeys.get(keyOf(one));
    if (own) own.push(one);
    else ofKeys.set(keyOf(one), [one]);
  }
  return [...ofKeys.values()];
}

/** A group commits before the first of its callers stops waiting. */
function earliest(group: Waiting[]): { deadline?: number } {
  const deadlines = group.flatMap(({ member }) => member.ctx.db.deadline ?? []);
  return deadlines.length === 0 ? {} : { deadline: Math.min(...deadlines) };
}
