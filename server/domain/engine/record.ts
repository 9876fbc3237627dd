import type { Tx } from '@/db/driver';
import { insertRows } from '@/db/query/expressions';
import { transactions } from '@/db/schema';
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
  post,
} from '../ledger';
import { checkOnBill, countOnBill, lockOpenBills, type OpenBills, openBillOf, sendOpenBills } from './bill';
import { countGain, dayOfGains, sendKeyGains } from './daily-limits';
import type { Accounts, Attempt, Done, Rules } from './kind';
import { TransactionIdTaken } from './taken';

/**
 * Decides on transactions in their order, each on what those before it left, and sends the rows to be written. One that is
 * refused leaves nothing, nor does one whose account is locked (`Locked`). Returns each one's answer or error. The database
 * transaction then fails with a unique violation where another request took a `transactionId` first.
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
      if (day !== null && decision.lots) countGain(tx, attempt, account, decision.lots, day);
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
  ]);
  const hasGains = lots.length > 0 && attempts.every(({ storeId }) => storeId !== null);
  // In the order of their ids: two processes that have the same ones then seldom wait for each other in a circle.
  const rows = done
    .map(({ attempt, decision }) => rowOf(attempt, 'completed', decision))
    .sort((a, b) => (`${a.storeId} ${a.transactionId}` < `${b.storeId} ${b.transactionId}` ? -1 : 1));
  tx.send(insertTransactions(tx, rows), post(tx, entries, lots, hasGains ? day : null));
  sendEvents(
    tx,
    done.filter(({ attempt }) => wantsEvent(attempt.ctx.merchant, 'transaction.completed')).map(completion),
  );
  rules.write?.(tx, done, found.loaded);
  sendOpenBills(tx, found.open, rules.onBill, done);
  return answers;
}

interface Found<Loaded> {
  loaded: Loaded;
  open: OpenBills;
}

async function load<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  tx: Tx,
  rules: Rules<A, Answer, Loaded>,
  attempts: A[],
  onLocked: OnLocked,
): Promise<Found<Loaded>> {
  const [loaded, open] = await Promise.all([
    rules.load(tx, attempts, onLocked),
    // Behind the customers' locks, in the same round trip.
    lockOpenBills(tx, rules.onBill, attempts, onLocked),
  ]);
  return { loaded, open };
}

/** Errors: a refusal by its kind or its open bill, `Locked`, `TransactionIdTaken`. */
function decide<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  rules: Rules<A, Answer, Loaded>,
  attempt: A,
  { loaded, open }: Found<Loaded>,
  onLocked: OnLocked,
) {
  const account = accountOf(attempt, loaded, onLocked);
  const bill = openBillOf(open, attempt);
  const decision = rules.decide(attempt, account, loaded, bill?.loaded ?? null);
  checkOnBill(bill, rules.onBill, attempt, decision);
  return { account, bill, decision };
}

/** The event of a completed transaction: what a look-up of it returns. */
function completion({ attempt, decision }: Done<Attempt, object>): NewEvent {
  const { storeId, type, input, now } = attempt;
  const data = { transactionId: input.transactionId, type, status: 'completed', answer: decision.answer };
  return { type: 'transaction.completed', storeId, occurredAt: now, data };
}

/** The same of one that goes by itself. Errors: its refusal. */
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

/** What a transaction would answer; nothing is written. Errors: its refusal. */
export async function decideOne<A extends Attempt, Answer extends object, Loaded extends Accounts>(
  tx: Tx,
  rules: Rules<A, Answer, Loaded>,
  attempt: A,
): Promise<Answer> {
  return decide(rules, attempt, await load(tx, rules, [attempt], 'wait'), 'wait').decision.answer;
}

function accountOf({ customerId }: Attempt, { accounts }: Accounts, onLocked: OnLocked): Account {
  const account = customerId === null ? emptyAccount() : accounts.get(customerId);
  // One that was waited for and is not there was deleted: a sandbox's data was reset.
  if (!account) throw onLocked === 'skip' ? new Locked() : new TransactionIdTaken();
  // Merged into another since it was looked up. The next look-up finds that one.
  if (account.mergedAt !== null) throw new TransactionIdTaken();
  return account;
}

const grantOf = ({ id, part, amount }: NewLot): NewEntry => ({ lotId: id, part, kind: 'grant', amount });

/** The entries of what was spent from lots. */
export const spendEntries = (taken: LotChange[]): NewEntry[] =>
  taken.map(({ lotId, part, amount }) => ({ lotId, part, kind: 'spend', amount: -amount }));

const postingsOf = <T extends object>({ uid, customerId, now }: Attempt, postings: T[]) =>
  postings.map((posting) => ({
    ...posting,
    transactionUid: uid,
    customerId: customerId as string,
    createdAt: now,
  }));

/** What every completed transaction's answer begins with. */
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

/** Takes each `transactionId` for ever: a unique violation where another request has. */
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

/** What is kept of a refusal, to answer it again. */
export interface RefusalAnswer extends Pick<DomainError, 'code' | 'details'> {
  /** As the POS was told, and is told again. */
  message: string;
  /** For staff; refusals that are older have none. */
  sentence?: Sentence;
}

/** Whether a kept answer is a refusal's, rather than a completed operation's. */
export const isRefusal = (answer: object | null): answer is RefusalAnswer =>
  answer !== null && 'code' in answer && 'details' in answer;

/** Sends the row of a transaction that was refused, as its outcome. */
export function recordRefusal(tx: Tx, attempt: Attempt, { code, message, sentence, details }: DomainError): void {
  const answer: RefusalAnswer = { code, message, sentence, details };
  tx.send(insertTransactions(tx, [rowOf(attempt, 'refused', { amount: null, answer })]));
}
