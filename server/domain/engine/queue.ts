/** Queues of transactions that wait for a group, and the choice of the next group. */
import { DeadlinePassed, type Tx } from '@/db/driver';
import type { currentSpan } from '@/server/observe/spans';
import type { TransactionContext } from '../kernel/context';
import type { OnLocked } from '../ledger';
import { TransactionIdTaken } from './taken';

/** One transaction of a group, or one void. */
export interface Member {
  ctx: TransactionContext;
}

/** What only one group of the process may use at a time. */
interface Claims {
  /** Customers whose balances it changes. */
  customerIds: string[];
  /** Transactions that a void names, with their store. */
  voidedIds: string[];
  /** New transaction ids, with their store. A request that waited for one of them must look it up again. */
  newIds: string[];
}

/** Transactions of a kind, or voids, that can share a database transaction. */
export interface Groupable<M extends Member, Answer> {
  claimsOf(member: M): Claims;
  /** True if members with a customer in common run together. If false, they run one after the other. */
  areShared: boolean;
  /** Runs members in one transaction. Returns each member's result, or the error that made it write nothing. */
  run(tx: Tx, members: M[], onLocked: OnLocked): Promise<(Answer | Error)[]>;
}

type Kind = Groupable<never, unknown>;

export interface Waiting {
  kind: Kind;
  member: Member;
  claims: Claims;
  /** The round of its group in which it runs: after members of the same customer that it can't run together with. */
  round: number;
  isOvertaken: boolean;
  since: number;
  span: ReturnType<typeof currentSpan>;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Transactions of this process that may share a group. */
export interface Queue {
  waiting: Waiting[];
  /** Claims of the groups in progress. A request with one of these claims waits here instead of for a lock. */
  busy: Set<string>;
  groups: number;
  isStarting: boolean;
}

export const newQueue = (): Queue => ({ waiting: [], busy: new Set(), groups: 0, isStarting: false });

const maxClaims = 128;
const maxMerchants = 32;
/** Each further round holds the group's locks, and delays all of its members, for two round trips. */
const maxRounds = 4;
/** Rejects members that were queued longer than this and have less than this left: they would delay the group. */
const staleAfterMs = 1_000;

export const merchantOf = ({ member }: Waiting) => member.ctx.merchant.id;
export const namesOf = ({ customerIds, voidedIds }: Claims) => [...customerIds, ...voidedIds];
export const allOf = (claims: Claims) => [...namesOf(claims), ...claims.newIds];

/** Groups members by key, in order. */
export function groupBy<Key>(group: Waiting[], keyOf: (one: Waiting) => Key): Waiting[][] {
  const byKey = new Map<Key, Waiting[]>();
  for (const one of group) {
    const own = byKey.get(keyOf(one));
    if (own) own.push(one);
    else byKey.set(keyOf(one), [one]);
  }
  return [...byKey.values()];
}

/**
 * Takes the next group: the first requests whose claims are held by no group in progress. Marks their claims as busy.
 * Rejects members whose caller timed out, without failing the group, and members that waited for an id, which then look
 * it up again.
 */
export function takeFree(queue: Queue): Waiting[] {
  const group: Waiting[] = [];
  const others: Waiting[] = [];
  const lastOf = new Map<string, Waiting>();
  const closed = new Set(queue.busy);
  const merchants = new Set<string>();
  const isOpen = (claim: string) => !closed.has(claim);
  let claimed = 0;
  for (const one of inTurns(queue.waiting)) {
    const { claims, member, since, reject } = one;
    const { deadline } = member.ctx.db;
    if (deadline !== undefined && isTooLate(since, deadline)) {
      const waited = Math.round(performance.now() - since);
      reject(new DeadlinePassed(`no time is left to begin, after ${waited} ms behind others`));
      continue;
    }
    const { newIds } = claims;
    const names = namesOf(claims);
    one.isOvertaken ||= !newIds.every(isOpen);
    const size = names.length + newIds.length;
    const hasRoom = merchants.size < maxMerchants || merchants.has(member.ctx.merchant.id);
    const fits = claimed === 0 || (claimed + size <= maxClaims && hasRoom);
    one.round = Math.max(0, ...names.map((name) => roundBehind(lastOf.get(name), one)));
    const isFree = fits && one.round < maxRounds && allOf(claims).every(isOpen);
    if (isFree && one.isOvertaken) {
      reject(new TransactionIdTaken());
      continue;
    }
    (isFree ? group : others).push(one);
    if (isFree) {
      claimed += size;
      merchants.add(member.ctx.merchant.id);
    }
    for (const name of names) {
      if (isFree) lastOf.set(name, one);
      // A later request never overtakes one that waits for the same name.
      else closed.add(name);
    }
    for (const id of newIds) closed.add(id);
  }
  queue.waiting = others;
  for (const claim of group.flatMap(({ claims }) => allOf(claims))) queue.busy.add(claim);
  return group;
}

/** The first round in which a member can run whose predecessor with the same name is `last`. */
const roundBehind = (last: Waiting | undefined, { kind }: Waiting): number =>
  last === undefined ? 0 : last.kind === kind && kind.areShared ? last.round : last.round + 1;

/**
 * If more members wait than fit into a group, lets merchants take turns, so that one with many tills does not delay the
 * others. Each merchant's members stay in order.
 */
function inTurns(waiting: Waiting[]): Waiting[] {
  if (waiting.length <= maxClaims / 2) return waiting;
  const counts = new Map<string, number>();
  const turnOf = (one: Waiting) => {
    const turn = counts.get(merchantOf(one)) ?? 0;
    counts.set(merchantOf(one), turn + 1);
    return turn;
  };
  const numbered = waiting.map((one) => ({ one, turn: turnOf(one) }));
  return numbered.sort((a, b) => a.turn - b.turn).map(({ one }) => one);
}

function isTooLate(since: number, deadline: number): boolean {
  const now = performance.now();
  return now > deadline || (now - since > staleAfterMs && deadline - now < staleAfterMs);
}
