/** Ids that another copy of a request has taken. */
import { isUniqueViolation } from '@/db/driver';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';

/** Look up again: another request took the same id first and has finished, or the customer was merged into another. */
export class TransactionIdTaken extends Error {}

const maxTries = 4;

/**
 * Retries if another copy of the request took the id first, or if this one was committed and its result lost. Errors:
 * `service_unavailable` after several tries.
 */
export async function retryWhileTaken<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (tries === maxTries) {
        throw new DomainError('service_unavailable', say('transactionIdBusy'));
      }
    }
  }
}

const takenKeys = ['transactions_transaction_id', 'transactions_merchant_id_uid_pk', 'voids_merchant_id_id_pk'];

const isTaken = (error: unknown) =>
  error instanceof TransactionIdTaken || takenKeys.some((key) => isUniqueViolation(error, key));
