import { type Database, DeadlinePassed, isLocked, type Tx, withMerchant } from '@/db/client';
import { DomainError } from '../core/errors';
import type { Patience } from '../ledger/balance';
import type { Attempt } from './outcome';

/** One transaction of a group. */
interface Member {
  attempt: Attempt;
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
  /** Whose transactions are under way: the next ones of theirs wait here, rather than for a lock. */
  busy: Set<string>;
  groups: number;
  isStarting: boolean;
}

/** Enough for one to be on its way while another one commits; of more, each would be smaller. */
const groupsAtOnce = 2;
const mostInGroup = 64;

/**
 * Group commit: transactions of one kind and merchant that wait at the same moment are carried out in one database
 * transaction, in the order in which they came; one that comes alone goes at once. A group waits for nobody's balance.
 * Nothing is written of a group that fails: then each customer's transactions are carried out by themselves, and of those
 * that fail, each by itself, so that none fails but by its own fault.
 */
export function inGroups<M extends Member, Answer>(carryOut: CarryOut<M, Answer>): (member: M) => Promise<Answer> {
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
    const free = (customer: string) => {
      queue.busy.delete(customer);
      start(queue, end);
    };
    queue.groups += 1;
    const isDone = await carryTogether(group, 'give up');
    queue.groups -= 1;
    for (const [customer, own] of byCustomer(group)) {
      if (isDone) queue.busy.delete(customer);
      else void carryApart(own).finally(() => free(customer));
    }
    start(queue, end);
  }

  /** Carries one customer's transactions out, and waits for its balance: no group waits behind them. */
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

/**
 * The next group: those that came first, but for customers of a group that is under way. They are busy from now on. Whose
 * caller has stopped waiting is told so, and makes no group fail.
 */
function takeFree<M extends Member, Answer>(queue: Queue<M, Answer>): Waiting<M, Answer>[] {
  const group: Waiting<M, Answer>[] = [];
  const others: Waiting<M, Answer>[] = [];
  for (const one of queue.waiting) {
    const { deadline } = one.member.attempt.ctx.db;
    if (deadline !== undefined && performance.now() > deadline) {
      one.reject(new DeadlinePassed('no time is left to begin'));
      continue;
    }
    const isFree = group.length < mostInGroup && !queue.busy.has(customerOf(one.member));
    (isFree ? group : others).push(one);
  }
  queue.waiting = others;
  for (const { member } of group) queue.busy.add(customerOf(member));
  return group;
}

function byCustomer<M extends Member, Answer>(group: Waiting<M, Answer>[]): Map<string, Waiting<M, Answer>[]> {
  const ofCustomers = new Map<string, Waiting<M, Answer>[]>();
  for (const one of group) {
    const customer = customerOf(one.member);
    const own = ofCustomers.get(customer);
    if (own) own.push(one);
    else ofCustomers.set(customer, [one]);
  }
  return ofCustomers;
}

/** A transaction without a customer keeps nobody waiting. */
const customerOf = ({ attempt }: Member): string => attempt.customerId ?? attempt.uid;

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
