import type { Tx } from '@/db/driver';
import { insertRows } from '@/db/query/expressions';
import { transactions } from '@/db/schema';
import { countGain, dayOfGains, sendKeyGains } from '../daily-limits';
import { findKeptId } from '../identity';
import { DomainError } from '../kernel/errors';
import { type NewEvent, sendEvents, wantsEvent } from '../kernel/events';
import type { Sentence } from '../kernel/say';
import {
  type Account,
  applyTo,
  emptyAccount,
  Locked,
  type LotChange,
  type NewEntry,
  type NewLot,
  type OnLocked,
  postEntries,
  type Repayment,
  reduceDebts,
} from '../ledger';
import { billOf, checkOnBill, countOnBill, lockNamedBills, type NamedBills, sendNamedBills } from './bill';
import type { Accounts, Attempt, Done, Rules } from './kind';
import { TransactionIdTaken } from './taken';

/**
 * Decides transactions in order, each on the state that the ones before it left, and sends the rows. A refused
 * transaction, or one whose account is locked (`Locked`), writes nothing. Returns each answer or error. If another
 * request took a `transactionId` first, the database transaction fails with a unique violation.
 */
export async function recordAll<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  tx: Tx,
  rules: Rules<A, Answer, Loaded>,
  attempts: A[],
  onLocked: OnLocked,
): Promise<(Answer | Error)[]> {
  const found = await load(tx, rules, attempts, onLocked);
  const day = attempts[0] ? dayOfGains(attempts[0]) : null;
  const done: Done<A, Answer>[] = [];
  const answers = attempts.map((attempt) => {
    try {
      const { account, bill, decision } = decide(rules, attempt, found, onLocked);
      if (day !== null) countGain(tx, attempt, account, decision, day);
      applyTo(account, decision, attempt.now);
      rules.apply?.(found.loaded, attempt, decision);
      countOnBill(bill, rules.onBill, attempt, decision);
      done.push({ attempt, decision });
      return decision.answer;
    } catch (error) {
      if (error instanceof DomainError || error instanceof Locked || error instanceof TransactionIdTaken) return error;
      throw error;
    }
  });
  if (done.length === 0) return answers;
  const lots = done.flatMap(({ attempt, decision }) => postingsOf(attempt, decision.lots ?? []));
  const entries = done.flatMap(({ attempt, decision }) => [
    ...postingsOf(attempt, (decision.lots ?? []).map(grantOf)),
    ...postingsOf(attempt, decision.entries ?? []),
    ...postingsOf(attempt, decision.repaid ?? []).map(repaymentEntry),
  ]);
  const repaid = done.flatMap(({ decision }) => decision.repaid ?? []);
  const hasGains = lots.length > 0;
  // Ordered by id, so that two processes with common ids rarely deadlock.
  const rows = done
    .map(({ attempt, decision }) => rowOf(attempt, 'completed', decision))
    .sort((a, b) => (`${a.storeId} ${a.transactionId}` < `${b.storeId} ${b.transactionId}` ? -1 : 1));
  tx.send(insertTransactions(tx, rows), postEntries(tx, entries, lots, hasGains ? day : null), reduceDebts(tx, repaid));
  sendEvents(
    tx,
    done.filter(({ attempt }) => wantsEvent(attempt.ctx.merchant, 'transaction.completed')).map(completion),
  );
  rules.write?.(tx, done, found.loaded);
  sendNamedBills(tx, found.bills, done);
  return answers;
}

interface Found<Loaded> {
  loaded: Loaded;
  bills: NamedBills;
  /** Attempts whose customer is no longer the one that was looked up, because a merge was undone. */
  unmerged: Set<Attempt>;
}

async function load<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  tx: Tx,
  rules: Rules<A, Answer, Loaded>,
  attempts: A[],
  onLocked: OnLocked,
): Promise<Found<Loaded>> {
  const [loaded, bills] = await Promise.all([
    rules.load(tx, attempts, onLocked),
    // Behind the customers' locks, in the same round trip.
    lockNamedBills(tx, rules.onBill, attempts, onLocked),
  ]);
  return { loaded, bills, unmerged: await findUnmerged(tx, attempts, loaded) };
}

/** Looks up again, behind the locks, whom attempts mean whose account a merge was undone of. There are few such accounts. */
async function findUnmerged(tx: Tx, attempts: Attempt[], { accounts }: Accounts): Promise<Set<Attempt>> {
  const found = new Set<Attempt>();
  for (const attempt of attempts) {
    const { customerId, input, ctx } = attempt;
    if (customerId === null || !input.customer || !accounts.get(customerId)?.unmergedAt) continue;
    if ((await findKeptId(tx, ctx.merchant, input.customer)) !== customerId) found.add(attempt);
  }
  return found;
}

/** Errors: a refusal by its kind or its open bill, `Locked`, `TransactionIdTaken`. */
function decide<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  rules: Rules<A, Answer, Loaded>,
  attempt: A,
  { loaded, bills, unmerged }: Found<Loaded>,
  onLocked: OnLocked,
) {
  // The next look-up finds the right one.
  if (unmerged.has(attempt)) throw new TransactionIdTaken();
  const account = accountOf(attempt, loaded, onLocked);
  const bill = billOf(bills, rules.onBill, attempt);
  const decision = rules.decide(attempt, account, loaded, bill?.loaded ?? null);
  checkOnBill(bill, rules.onBill, attempt, decision);
  return { account, bill, decision };
}

/** The event of a completed transaction, with what a look-up returns. */
function completion({ attempt, decision }: Done<Attempt, object>): NewEvent {
  const { storeId, type, input, now } = attempt;
  const data = { transactionId: input.transactionId, type, status: 'completed', answer: decision.answer };
  return { type: 'transaction.completed', storeId, occurredAt: now, data };
}

/** Decides and records one transaction by itself. Errors: its refusal. */
export async function recordOne<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  tx: Tx,
  rules: Rules<A, Answer, Loaded>,
  attempt: A,
): Promise<Answer> {
  const [answer] = await recordAll(tx, rules, [attempt], 'wait');
  sendKeyGains(tx);
  if (answer instanceof Error) throw answer;
  return answer as Answer;
}

/** Returns what a transaction would answer, without writing. Errors: its refusal. */
export async function decideOne<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  tx: Tx,
  rules: Rules<A, Answer, Loaded>,
  attempt: A,
): Promise<Answer> {
  return decide(rules, attempt, await load(tx, rules, [attempt], 'wait'), 'wait').decision.answer;
}

function accountOf({ customerId }: Attempt, { accounts }: Accounts, onLocked: OnLocked): Account {
  const account = customerId === null ? emptyAccount() : accounts.get(customerId);
  // A row that is missing after waiting for its lock was deleted: a sandbox's data was reset.
  if (!account) throw onLocked === 'skip' ? new Locked() : new TransactionIdTaken();
  // The customer was merged into another since the look-up. The next look-up finds the other.
  if (account.mergedAt !== null) throw new TransactionIdTaken();
  return account;
}

const grantOf = ({ id, part, amount }: NewLot): NewEntry => ({ lotId: id, part, kind: 'grant', amount });

/** Ledger entries for what was spent from lots. */
export const spendEntries = (taken: LotChange[]): NewEntry[] =>
  taken.map(({ lotId, part, amount }) => ({ lotId, part, kind: 'spend', amount: -amount }));

/** A repayment is an entry of the voided sale that is owed for. */
const repaymentEntry = ({ amount, ...repayment }: Repayment & { customerId: string; createdAt: Date }) => ({
  ...repayment,
  part: 'points' as const,
  kind: 'void' as const,
  amount: -amount,
});

const postingsOf = <T extends object>({ uid, customerId, now }: Attempt, postings: T[]) =>
  postings.map((posting) => ({
    transactionUid: uid,
    ...posting,
    customerId: customerId as string,
    createdAt: now,
  }));

/** The fields with which every completed transaction's answer begins. */
export function answerHeader({ ctx, input, now, occurredAt }: Attempt) {
  return {
    transactionId: input.transactionId,
    status: 'completed' as const,
    currency: ctx.merchant.currency,
    occurredAt: occurredAt.toISOString(),
    createdAt: now.toISOString(),
  };
}

function rowOf(
  attempt: Attempt,
  status: 'completed' | 'refused',
  { amount, answer }: { amount: number | null; answer: object },
) {
  const { uid, storeId, type, customerId, input, ctx, requestHash, occurredAt, now } = attempt;
  const { transactionId, billId, staffId, receiptNumber } = input;
  return {
    uid,
    storeId,
    transactionId,
    type,
    status,
    customerId,
    amount,
    billId,
    staffId,
    receiptNumber,
    apiKeyId: ctx.apiKeyId,
    requestHash,
    answer: JSON.stringify(answer),
    occurredAt,
    createdAt: now,
  };
}

/** Takes each `transactionId` for good. A unique violation means that another request was first. */
const insertTransactions = insertRows(transactions, [
  'uid',
  'storeId',
  'transactionId',
  'type',
  'status',
  'customerId',
  'amount',
  'billId',
  'staffId',
  'receiptNumber',
  'apiKeyId',
  'requestHash',
  'answer',
  'occurredAt',
  'createdAt',
]);

/** What is kept of a refusal, to repeat it. */
export interface RefusalAnswer extends Pick<DomainError, 'code' | 'details'> {
  /** The text that the POS was told. */
  message: string;
  /** The sentence for staff. Older refusals have none. */
  sentence?: Sentence;
}

/** True if a kept answer is a refusal's. */
export const isRefusal = (answer: object | null): answer is RefusalAnswer =>
  answer !== null && 'code' in answer && 'details' in answer;

/** Sends the row of a refused transaction, as the id's outcome. */
export function recordRefusal(tx: Tx, attempt: Attempt, { code, message, sentence, details }: DomainError): void {
  const answer: RefusalAnswer = { code, message, sentence, details };
  tx.send(insertTransactions(tx, [rowOf(attempt, 'refused', { amount: null, answer })]));
}
