/** Requests as the queue keeps them in its journal. */
import type { ApiErrorBody, paths } from './schema.js';

export type QueuedPath =
  | '/sales'
  | '/transactions/points/redeem'
  | '/transactions/stored-value/redeem'
  | '/transactions/stored-value/top-up'
  | '/transactions/voucher/redeem'
  | '/transactions/void';

type BodyOf<Path extends QueuedPath> = paths[Path]['post']['requestBody']['content']['application/json'];

/** A request with the time at the till. Without a PIN: it must not be stored. */
export type Queueable<Path extends QueuedPath> = Omit<BodyOf<Path>, 'pin' | 'dryRun'> & { occurredAt: string };

export type QueuedRequest = { [Path in QueuedPath]: { path: Path; body: Queueable<Path> } }[QueuedPath];

/** A request that the service refused, set aside until a person decides. */
export interface HeldRequest {
  /** Its name in the journal. */
  name: string;
  request: QueuedRequest;
  /** Why it was refused. */
  error: ApiErrorBody;
}

export type Decision = 'sendAgain' | 'sendWithoutCustomer' | 'sendWithoutExpectedDue' | 'drop';

/** A request in the journal. */
export type Stored = QueuedRequest & {
  /** Why it is sent without its customer, or without the due that the till expected. */
  reasons?: { withoutCustomer?: ApiErrorBody; withoutExpectedDue?: ApiErrorBody };
  /** What was added to the queue, if that is not what is sent. */
  added?: QueuedRequest;
  /** Why it was refused, while it is set aside. */
  held?: ApiErrorBody;
  /** A person has sent it again: a refusal of its id may be recorded. */
  isRepeated?: boolean;
};
