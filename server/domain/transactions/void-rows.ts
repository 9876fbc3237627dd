import { sql } from 'drizzle-orm';
import { customers, transactions } from '@/db/schema';
import { keptId } from '../identity';

/** Nested, because Drizzle drops the tables' names from the columns of a field itself. */
const holder = sql`select ${keptId} from ${customers}
  where ${customers.merchantId} = ${transactions.merchantId} and ${customers.id} = ${transactions.customerId}`;

/** Transactions whose amount may be points. */
export const withoutMoney = ['redeemPoints', 'expiry', 'adjustment'] as const;

export const voidRowColumns = {
  uid: transactions.uid,
  transactionId: transactions.transactionId,
  type: transactions.type,
  status: transactions.status,
  customerId: transactions.customerId,
  /** The customer who holds what the transaction moved: its own, or the one who was kept in a merge. */
  keptId: sql<string | null>`(${holder})`,
  amount: transactions.amount,
  pointsShortfall: transactions.pointsShortfall,
  voidId: transactions.voidId,
  effect: transactions.voidEffect,
};

/** A transaction that is to be voided. */
export type VoidRow = Pick<
  typeof transactions.$inferSelect,
  'uid' | 'transactionId' | 'type' | 'status' | 'customerId' | 'amount' | 'pointsShortfall' | 'voidId'
> & {
  keptId: string | null;
  /** Of a transaction that was voided before: what the void did, as JSON. */
  effect: string | null;
};

/** Returns the ids of those who hold what the transactions moved, without duplicates. */
export const holdersOf = (rows: Pick<VoidRow, 'keptId'>[]): string[] => [
  ...new Set(rows.flatMap(({ keptId: one }) => one ?? [])),
];

/** True for a transaction of a customer who was merged into another since. */
export const isOfMerged = ({ customerId, keptId: holderId }: Pick<VoidRow, 'customerId' | 'keptId'>): boolean =>
  customerId !== holderId;
