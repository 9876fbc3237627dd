/** What database transactions offer. */
import type { Joinable, Queries } from '../query/queries';

/** A database transaction. */
export interface Transaction {
  /** Queries are sent when awaited; those in one `Promise.all` share a round trip and run in order. */
  db: Queries;
  /**
   * Sends statements without waiting for their results. The commit goes out with the last of them. If one fails, the
   * database transaction fails with its error.
   */
  send(...statements: (Sendable | null)[]): void;
}

/** A database transaction of one merchant. */
export interface Tx extends Transaction {
  merchantId: string;
}

/** A Drizzle query, or one of `db/query/queries.ts`. */
export interface Sendable {
  toSQL(): Joinable;
}
