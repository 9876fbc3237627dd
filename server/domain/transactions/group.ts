import { type Database, DeadlinePassed, isLocked, type Tx, withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import type { Patience } from '../ledger/balance';
import type { Attempt } from './outcome';

/** One transaction of a group, or one void. */
interface Member {
  attempt: { ctx: PosContext };
}

/** Carries a group out in one database transaction; answers of each its answer, or the refusal that leaves nothing. */
type CarryOut<M extends Member, Answer> = (
  tx: Tx,
  members: M[],
  patience: Patience,
) => Promise<(Answer | DomainError)[]>;

interface Waiting<M, Answer> {
  member: M;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The transactions of one kind and merchant in this process. */
interface Queue<M, Answer> {
  waiting: Waiting<M, Answer>[];
  /** What the groups under way claim: who claims it as well waits here, rather than for a lock. */
  busy: Set<string>;
  groups: number;
  isStarting: boolean;
}

interface Claims<M> {
  /** What no two groups may have at once: the customer, say. */
  of(member: M): string[];
  /** Whether two members of one group may claim the same. */
  areShared: boolean;
}

/** Of what changes at most one customer's balance: the next ones of that customer may come with it. */
export const byCustomer: Claims<{ attempt: Attempt }> = {
  of: ({ attempt }) => [attempt.customerId ?? attempt.uid],
  areShared: true,
};

/** Enough for one to be on its way while another one commits; of more, each would be smaller. */
const groupsAtOnce = 2;
const mostClaims = 64;

/**
 * Group commit: transactions of one kind and merchant that wait at the same moment are carried out in one database
 * transaction, in the order in which they came; one that comes alone goes at once. A group waits for nobody's balance.
 * Nothing is written of a group that fails: then those of each claim (each customer's) are carried out by themselves, and of
 * those that fail, each by itself, so that none fails but by its own fault.
 */
export function inGroups<M extends Member, Answer>(
  claims: Claims<M>,
  carryOut: CarryOut<M, Answer>,
): (member: M) => Promise<Answer> {
  const queues = new WeakMap<Database['sql'], Map<string, Queue<M, Answer>>>();

  return (member) =>
    new Promise((resolve, reject) => {
      const { db, merchant } = member.attempt.ctx;
      const ofPool = queues.get(db.sql) ?? new Map<string, Queue<M, Answer>>();
      queues.set(db.sql, ofPool);
      const queue = ofPool.get(merchant.id) ?? { waiting: [], busy: new Set(), groups: 0, isStarting: false };
      ofPool.set(merchant.id, queue);
      queue.waiting.push({ member, resolve, reject });
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

  function start(queue: Queue<M, Answer>, end: () => void): void {
    while (queue.groups < groupsAtOnce) {
      const group = takeFree(queue);
      if (group.length === 0) break;
      void run(queue, group, end);
    }
    end();
  }

  async function run(queue: Queue<M, Answer>, group: Waiting<M, Answer>[], end: () => void): Promise<void> {
    const free = (own: Waiting<M, Answer>[]) => {
      for (const { member } of own) for (const claim of claims.of(member)) queue.busy.delete(claim);
    };
    queue.groups += 1;
    const isDone = await carryTogether(group, 'give up');
    queue.groups -= 1;
    if (isDone) free(group);
    else {
      for (const own of byClaim(group)) {
        void carryApart(own).finally(() => {
          free(own);
          start(queue, end);
        });
      }
    }
    start(queue, end);
  }

  /**
   * The next group: those that came first, but for claims of a group that is under way. Theirs are busy from now on. Whose
   * caller has stopped waiting is told so, and makes no group fail.
   */
  function takeFree(queue: Queue<M, Answer>): Waiting<M, Answer>[] {
    const group: Waiting<M, Answer>[] = [];
    const others: Waiting<M, Answer>[] = [];
    const taken = new Set(queue.busy);
    let size = 0;
    for (const one of queue.waiting) {
      const { deadline } = one.member.attempt.ctx.db;
      if (deadline !== undefined && performance.now() > deadline) {
        one.reject(new DeadlinePassed('no time is left to begin'));
        continue;
      }
      const own = claims.of(one.member);
      const fits = group.length === 0 || size + own.length <= mostClaims;
      const isFree = fits && !own.some((claim) => taken.has(claim));
      (isFree ? group : others).push(one);
      if (isFree) size += own.length;
      // Nobody overtakes who waits for the same.
      if (!isFree || !claims.areShared) for (const claim of own) taken.add(claim);
    }
    queue.waiting = others;
    for (const { member } of group) for (const claim of claims.of(member)) queue.busy.add(claim);
    return group;
  }

  /** Members that claim the same, with each other. */
  function byClaim(group: Waiting<M, Answer>[]): Waiting<M, Answer>[][] {
    const ofClaims = new Map<string | undefined, Waiting<M, Answer>[]>();
    for (const one of group) {
      const [claim] = claims.of(one.member);
      const own = ofClaims.get(claim);
      if (own) own.push(one);
      else ofClaims.set(claim, [one]);
    }
    return [...ofClaims.values()];
  }

  /** Carries those of one claim out (of one customer), and waits for the balance: no group waits behind them. */
  async function carryApart(own: Waiting<M, Answer>[]): Promise<void> {
    if (await carryTogether(own, 'wait')) return;
    await Promise.all(own.map((one) => carryTogether([one], 'wait')));
  }

  /** Whether they are done with: one by itself is even where it fails, but for a lock that it did not wait for. */
  async function carryTogether(group: Waiting<M, Answer>[], patience: Patience): Promise<boolean> {
    const [{ member: first }] = group as [Waiting<M, Answer>];
    const { db, merchant } = first.attempt.ctx;
    const members = group.map(({ member }) => member);
    try {
      const answers = await withMerchant({ ...db, ...earliest(members) }, merchant.id, (tx) =>
        carryOut(tx, members, patience),
      );
      for (const [n, { resolve, reject }] of group.entries()) {
        const answer = answers[n] as Answer | DomainError;
        if (answer instanceof DomainError) reject(answer);
        else resolve(answer);
      }
      return true;
    } catch (error) {
      if (group.length > 1 || (patience === 'give up' && isLocked(error))) return false;
      group[0]?.reject(error);
      return true;
    }
  }
}

/** A group commits before the first of its callers stops waiting. */
function earliest(members: Member[]): { deadline?: number } {
  const deadlines = members.flatMap(({ attempt }) => attempt.ctx.db.deadline ?? []);
  return deadlines.length === 0 ? {} : { deadline: Math.min(...deadlines) };
}

/** Of a transaction that went by itself. Errors: its refusal. */
export function answerOfOne<Answer>([answer]: (Answer | DomainError)[]): Answer {
  if (answer instanceof DomainError) throw answer;
  return answer as Answer;
}
