import type { Tx } from '@/db/client';
import { insertRows } from '@/db/expressions';
import { transactions } from '@/db/schema';
import type { Merchant } from '../core/context';
import { DomainError } from '../core/errors';
import { type Account, applyTo, type LotChange, nobodys } from '../ledger/account';
import { Locked } from '../ledger/balance';
import { type NewEntry, type NewLot, post } from '../ledger/post';
import type { Attempt } from './outcome';

/** What is carried out: a POS's attempt, or a top-up that was paid online, which has no store, key or request of a POS. */
export interface Recordable extends Omit<Attempt, 'ctx' | 'storeId' | 'requestHash'> {
  ctx: { merchant: Merchant; apiKeyId: string | null };
  storeId: string | null;
  requestHash: Buffer | null;
}

/** What a transaction did. */
export interface Recorded<Answer extends object> {
  /** Minor units or points, for lists and reports. */
  amount: number;
  /** Replayed byte for byte. */
  answer: Answer;
  lots?: NewLot[];
  /** Beside those that grant the lots. */
  entries?: NewEntry[];
}

/** The entries of what was spent from lots. */
export const spendEntries = (taken: LotChange[]): NewEntry[] =>
  taken.map(({ lotId, part, amount }) => ({ lotId, part, kind: 'spend', amount: -amount }));

/** A transaction that was carried out, among others. */
export interface Done<Member, Answer extends object> {
  member: Member;
  recorded: Recorded<Answer>;
}

/**
 * Has `work` carry out several transactions, in their order and each on the account that those before it left, and
 * sends the rows to be written. A transaction that `work` refuses leaves nothing, nor does one whose account is locked
 * (`Locked`). Returns each one's answer or error, and what was done. The database transaction then fails with a unique
 * violation where another request took a `transactionId` first.
 */
export function carryOut<Member extends { attempt: Recordable }, Answer extends object>(
  tx: Tx,
  members: Member[],
  accounts: Map<string, Account>,
  work: (member: Member, account: Account) => Recorded<Answer>,
): { answers: (Answer | Error)[]; done: Done<Member, Answer>[] } {
  const done: Done<Member, Answer>[] = [];
  const answers = members.map((member) => {
    const { customerId, now } = member.attempt;
    const account = customerId === null ? nobodys() : accounts.get(customerId);
    if (!account) return new Locked();
    try {
      const recorded = work(member, account);
      applyTo(account, recorded, now);
      done.push({ member, recorded });
      return recorded.answer;
    } catch (error) {
      if (error instanceof DomainError || error instanceof Locked) return error;
      throw error;
    }
  });
  const lots = done.flatMap(({ member, recorded }) => postingsOf(member.attempt, recorded.lots ?? []));
  const entries = done.flatMap(({ member, recorded }) => [
    ...postingsOf(member.attempt, (recorded.lots ?? []).map(grantOf)),
    ...postingsOf(member.attempt, recorded.entries ?? []),
  ]);
  // In the order of their ids: two processes that have the same ones then seldom wait for each other in a circle.
  const rows = done
    .map(({ member, recorded }) => rowOf(member.attempt, 'completed', recorded))
    .sort((a, b) => (`${a.storeId} ${a.transactionId}` < `${b.storeId} ${b.transactionId}` ? -1 : 1));
  tx.send(insertTransactions(tx, rows), post(tx, entries, lots));
  return { answers, done };
}

const grantOf = ({ id, part, amount }: NewLot): NewEntry => ({ lotId: id, part, kind: 'grant', amount });

const postingsOf = <T extends object>({ uid, customerId, now }: Recordable, postings: T[]) =>
  postings.map((posting) => ({
    ...posting,
    transactionUid: uid,
    customerId: customerId as string,
    createdAt: now,
  }));

/** The row of a transaction. */
export function rowOf(
  attempt: Recordable,
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

const insert = insertRows(transactions, [
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

/** Takes each `transactionId` for ever: a unique violation where another request has. Unsent; null where there is none. */
export const insertTransactions = (tx: Tx, rows: ReturnType<typeof rowOf>[]) =>
  rows.length === 0 ? null : insert(tx, rows);
