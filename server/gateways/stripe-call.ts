/** How each call to Stripe ends. */
import Stripe from 'stripe';
import { say } from '@/server/domain/kernel/say';
import { DomainError } from '../domain/kernel/errors';

/** The code of a refusal to act on an account that is not, or no longer, connected (https://docs.stripe.com/error-codes#account-invalid). */
export const accountGone = 'account_invalid';

export function tryLater(): never {
  throw new DomainError('service_unavailable', say('cardsAway'));
}

type Refusal = Pick<Stripe.errors.StripeError, 'code' | 'type'>;

/**
 * Calls Stripe. `refused` handles final refusals, which include an idempotency key that was used with other parameters
 * (names may change between attempts). All other errors can be retried. No message is passed on.
 */
export async function ask<T>(call: () => Promise<T>, refused?: (error: Refusal) => T): Promise<T>;
export async function ask<T>(call: () => Promise<T>, refused?: (error: Refusal) => T | null): Promise<T | null>;
export async function ask<T>(call: () => Promise<T>, refused?: (error: Refusal) => T | null) {
  try {
    return await call();
  } catch (error) {
    const { StripeError, StripeIdempotencyError, StripeInvalidRequestError, StripePermissionError } = Stripe.errors;
    const isRefused = [StripeInvalidRequestError, StripeIdempotencyError, StripePermissionError].some(
      (kind) => error instanceof kind,
    );
    if (!(error instanceof StripeError)) throw error;
    if (isRefused && refused) return refused(error);
    tryLater();
  }
}
