/** What a kind of transaction consists of, and what it makes of one. */
import type { Tx } from '@/db/driver';
import type { LoadedBill, RedemptionType } from '../bills';
import type { CustomerRef } from '../identity';
import type { Merchant } from '../kernel/context';
import type { WriteFields } from '../kernel/schemas';
import type { Account, NewEntry, NewLot, OnLocked } from '../ledger';
import type { TransactionType } from './schemas';

/** What a POS sends with every transaction, beside what its operation needs. */
export interface TransactionInput extends WriteFields {
  transactionId: string;
  customer?: CustomerRef | undefined;
  pin?: string | undefined;
}

/** A transaction that is to be: of a POS, or a top-up that was paid online, which has no store, key or request of a POS. */
export interface Attempt {
  ctx: { merchant: Merchant; apiKeyId: string | null };
  type: TransactionType;
  input: TransactionInput;
  /** Our own key of the transaction; begins with `now`, so that lists by time are ranges of it. */
  uid: string;
  storeId: string | null;
  /** Null for a sale without a customer. */
  customerId: string | null;
  requestHash: Buffer | null;
  now: Date;
  occurredAt: Date;
}

/** What a transaction does. */
export interface Decision<Answer extends object> {
  /** Minor units or points, for lists and reports. */
  amount: number;
  /** Replayed byte for byte. */
  answer: Answer;
  lots?: NewLot[];
  /** Beside those that grant the lots. */
  entries?: NewEntry[];
}

/** A transaction that was decided on and not refused. */
export interface Done<A extends Attempt, Answer extends object> {
  attempt: A;
  decision: Decision<Answer>;
}

/** By customer. Those of customers whose lock was skipped are absent. */
export interface Accounts {
  accounts: Map<string, Account>;
}

/** What a redemption takes off its bill, in minor units. */
type Worth<Answer extends object> = (decision: Decision<Answer>) => number;

/** What transactions do to the open bill that they name. */
export type OnBill<Answer extends object> = 'nothing' | 'closes' | Worth<Answer>;

/** The same by type: those that are worth something are in `redemptionType`, by which bills are added up. */
export type OnBillByType<Answer extends object> =
  | { type: RedemptionType; onBill: Worth<Answer> }
  | { type: Exclude<TransactionType, RedemptionType>; onBill: 'nothing' | 'closes' };

/** How transactions of a kind are carried out, one or several of them in a database transaction. */
export interface Rules<A extends Attempt, Answer extends object, Loaded extends Accounts> {
  onBill: OnBill<Answer>;
  /** Locks and reads what all of them need. */
  load(tx: Tx, attempts: A[], onLocked: OnLocked): Promise<Loaded>;
  /**
   * Pure, but for the ids of new lots. `bill` is the open one that it names. Throws a `DomainError` to refuse, or `Locked`
   * for a lock that was skipped.
   */
  decide(attempt: A, account: Account, loaded: Loaded, bill: LoadedBill | null): Decision<Answer>;
  /** Brings what was loaded, beside the account, to where the transaction leaves it: the next ones see it so. */
  apply?(loaded: Loaded, attempt: A, decision: Decision<Answer>): void;
  /** Sends what is written beside the transactions and the ledger, behind both. */
  write?(tx: Tx, done: Done<A, Answer>[], loaded: Loaded): void;
}
