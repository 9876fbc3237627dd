/** What a kind of transaction defines. */
import type { Tx } from '@/db/driver';
import type { LoadedBill, RedemptionType, SoldPart } from '../bills';
import type { CustomerRef } from '../identity';
import type { Merchant } from '../kernel/context';
import type { WriteFields } from '../kernel/schemas';
import type { RedeemedTerms } from '../kernel/voucher-pricing';
import type { Account, NewEntry, NewLot, OnLocked, Repayment } from '../ledger';
import type { TransactionType } from './schemas';

/** What a POS sends with every transaction, besides the fields of its operation. */
export interface TransactionInput extends WriteFields {
  transactionId: string;
  customer?: CustomerRef | undefined;
  /** What to do if nobody is known by `customer`; only a sale can be recorded without. */
  ifCustomerUnknown?: 'refuse' | 'recordWithout' | undefined;
  pin?: string | undefined;
}

/**
 * A transaction to be decided. It comes from a POS, or is a top-up paid online, which has no store, key or POS request.
 */
export interface Attempt {
  ctx: { merchant: Merchant; apiKeyId: string | null };
  type: TransactionType;
  input: TransactionInput;
  /** Our own key of the transaction. It starts with `now`, so that lists by time are ranges of it. */
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
  /** Replayed exactly, byte for byte. */
  answer: Answer;
  lots?: NewLot[];
  /** Entries besides those of the new lots. */
  entries?: NewEntry[];
  /** Minor units that the till gives to the customer. */
  paidOut?: number;
  /** Of a redeemed voucher, for its open bill. */
  terms?: RedeemedTerms;
  /** What the new lots pay of what the customer owes. */
  repaid?: Repayment[];
}

/** A transaction that was decided and not refused. */
export interface Done<A extends Attempt, Answer extends object> {
  attempt: A;
  decision: Decision<Answer>;
}

/** By customer. Customers whose lock was skipped are absent. */
export interface Accounts {
  accounts: Map<string, Account>;
}

/** What a redemption takes off its bill, in minor units. */
type Worth<Answer extends object> = (decision: Decision<Answer>) => number;

/** What a sale settles of its bill. */
export interface Settlement extends Pick<SoldPart, 'total' | 'subtotal' | 'taken' | 'rounding'> {
  /** Whether it closes the bill. By default when nothing is due, or when all goods are sold. */
  closesBill?: boolean | undefined;
  /** What the till thinks is due before the sale. */
  expectedDue?: number | undefined;
}

interface Redeems<Answer extends object> {
  redeems: Worth<Answer>;
}

interface Sells<A> {
  sells: (attempt: A) => Settlement;
}

/** What transactions do to the open bill that they name. */
export type OnBill<A, Answer extends object> = 'nothing' | Redeems<Answer> | Sells<A>;

/** The same by type: those that are worth something are in `redemptionType`, by which bills are added up. */
export type OnBillByType<A, Answer extends object> =
  | { type: RedemptionType; onBill: Redeems<Answer> }
  | { type: 'sale'; onBill: Sells<A> }
  | { type: Exclude<TransactionType, RedemptionType | 'sale'>; onBill: 'nothing' };

/** How transactions of a kind are executed: one or several in a database transaction. */
export interface Rules<A extends Attempt, Answer extends object, Loaded extends Accounts> {
  onBill: OnBill<A, Answer>;
  /** Locks and reads what the attempts need, besides their open bills. */
  load(tx: Tx, attempts: A[], onLocked: OnLocked): Promise<Loaded>;
  /**
   * Decides one attempt; `bill` is the open one that it names. Pure, except for the ids of new lots. Throws a
   * `DomainError` to refuse, or `Locked` for a skipped lock.
   */
  decide(attempt: A, account: Account, loaded: Loaded, bill: LoadedBill | null): Decision<Answer>;
  /** Updates what was loaded besides the account, so that later attempts see the transaction's effect. */
  apply?(loaded: Loaded, attempt: A, decision: Decision<Answer>): void;
  /** Sends what is written besides the transactions and the ledger, after both. */
  write?(tx: Tx, done: Done<A, Answer>[], loaded: Loaded): void;
}
