import { type Database, DeadlinePassed, isLocked, type Tx, withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import type { Patience } from '../ledger/balance';
import type { Attempt } from './outcome';

/** One transaction of a group, or one void. */
interface Member {
  attempt: { ctx: PosContext };
}

/** Carries members of one kind out in one database transaction; answers of each its answer, or the error that leaves nothing. */
type CarryOut<M extends Member, Answer> = (tx: Tx, members: M[], patience: Patience) => Promise<(Answer | Error)[]>;

interface Claims<M> {
  /** What no two groups may have at once, nor two kinds in one group: the customer, say. */
  of(member: M): string[];
  /** Whether two members of one kind and group may claim the same. */
  areShared: boolean;
}

/** Of what changes at most one customer's balance: the next ones of that customer may come with it. */
export const byCustomer: Claims<{ attempt: Attempt }> = {
  of: ({ attempt }) => [attempt.customerId ?? attempt.uid],
  areShared: true,
};

interface Kind {
  areShared: boolean;
  carryOut(tx: Tx, members: Member[], patience: Patience): Promise<unknown[]>;
}

interface Waiting {
  kind: Kind;
  member: Member;
  claims: string[];
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
const mostClaims = 64;

/** By pool of connections, and by merchant. */
const queues = new WeakMap<Database['sql'], Map<string, Queue>>();

/**
 * Group commit: transactions of a merchant, of this kind and of others, that wait at the same moment are carried out in one
 * database transaction, those of a kind in the order in which they came; one that comes alone goes at once. A group waits
 * for nobody's balance. Nothing is written of a group that fails: then those of each claim (each customer's) are carried out
 * by themselves, and of those that fail, each by itself, so that none fails but by its own fault.
 */
export function inGroups<M extends Member, Answer>(
  { of, areShared }: Claims<M>,
  carryOut: CarryOut<M, Answer>,
): (member: M) => Promise<Answer> {
  const kind: Kind = {
    areShared,
    carryOut: (tx, members, patience) => carryOut(tx, members as M[], patience),
  };
  return (member) =>
    new Promise((resolve, reject) => {
      const { db, merchant } = member.attempt.ctx;
      const ofPool = queues.get(db.sql) ?? new Map<string, Queue>();
      queues.set(db.sql, ofPool);
      const queue = ofPool.get(merchant.id) ?? { waiting: [], busy: new Set(), groups: 0, isStarting: false };
      ofPool.set(merchant.id, queue);
      queue.waiting.push({ kind, member, claims: of(member), resolve: resolve as Waiting['resolve'], reject });
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
  const free = (own: Waiting[]) => {
    for (const { claims } of own) for (const claim of claims) queue.busy.delete(claim);
  };
  queue.groups += 1;
  const isDone = await carryTogether(group, 'give up');
  queue.groups -= 1;
  if (isDone) free(group);
  else {
    for (const own of by(group, ({ claims }) => claims[0])) {
      void carryApart(own).finally(() => {
        free(own);
        start(queue, end);
      });
    }
  }
  start(queue, end);
}

/**
 * The next group: those that came first, but for claims of a group that is under way, or of another kind. Theirs are busy from
 * now on. Whose caller has stopped waiting is told so, and makes no group fail.
 */
function takeFree(queue: Queue): Waiting[] {
  const group: Waiting[] = [];
  const others: Waiting[] = [];
  const owners = new Map<string, Kind>();
  const closed = new Set(queue.busy);
  let size = 0;
  for (const one of queue.waiting) {
    const { kind, claims, member, reject } = one;
    const { deadline } = member.attempt.ctx.db;
    if (deadline !== undefined && performance.now() > deadline) {
      reject(new DeadlinePassed('no time is left to begin'));
      continue;
    }
    const fits = size === 0 || size + claims.length <= mostClaims;
    const isFree = fits && claims.every((claim) => !closed.has(claim) && (owners.get(claim) ?? kind) === kind);
    (isFree ? group : others).push(one);
    if (isFree) size += claims.length;
    for (const claim of claims) {
      if (isFree && kind.areShared) owners.set(claim, kind);
      // Nobody overtakes who waits for the same.
      else closed.add(claim);
    }
  }
  queue.waiting = others;
  for (const { claims } of group) for (const claim of claims) queue.busy.add(claim);
  return group;
}

/** Carries those of one claim out (of one customer), and waits for the balance: no group waits behind them. */
async function carryApart(own: Waiting[]): Promise<void> {
  if (await carryTogether(own, 'wait')) return;
  await Promise.all(own.map((one) => carryTogether([one], 'wait')));
}

/** Whether they are done with: one by itself is even where it fails, but for a lock that it did not wait for. */
async function carryTogether(group: Waiting[], patience: Patience): Promise<boolean> {
  const [{ member: first }] = group as [Waiting];
  const { db, merchant } = first.attempt.ctx;
  const kinds = by(group, ({ kind }) => kind);
  try {
    const answers = await withMerchant({ ...db, ...earliest(group) }, merchant.id, (tx) =>
      carryKinds(tx, kinds, patience),
    );
    for (const [k, own] of kinds.entries()) {
      for (const [n, { resolve, reject }] of own.entries()) {
        const answer = answers[k]?.[n];
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      }
    }
    return true;
  } catch (error) {
    if (group.length > 1 || (patience === 'give up' && isLocked(error))) return false;
    group[0]?.reject(error);
    return true;
  }
}

/** All kinds share their round trips. Where one fails, the others come to their end first: nothing is sent behind the rollback. */
async function carryKinds(tx: Tx, kinds: Waiting[][], patience: Patience): Promise<unknown[][]> {
  const results = await Promise.allSettled(
    kinds.map((own) => {
      const [{ kind }] = own as [Waiting];
      const members = own.map(({ member }) => member);
      return kind.carryOut(tx, members, patience);
    }),
  );
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
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
  const deadlines = group.flatMap(({ member }) => member.attempt.ctx.db.deadline ?? []);
  return deadlines.length === 0 ? {} : { deadline: Math.min(...deadlines) };
}

/** Of a transaction that went by itself. Errors: its refusal. */
export function answerOfOne<Answer>([answer]: (Answer | DomainError)[]): Answer {
  if (answer instanceof DomainError) throw answer;
  return answer as Answer;
}
