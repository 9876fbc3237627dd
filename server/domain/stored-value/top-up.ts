import { withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { creditAtCounter } from '../top-up-requests/at-counter';
import { byCustomer, inGroups } from '../transactions/group';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { creditTopUps, type TopUp, type TopUpTerms } from './credit';
import { findPackage } from './packages';
import { priceTopUp } from './rules';
import type { TopUpInput, TopUpOutput } from './schemas';

/**
 * Credits the paid amount and the package's bonus (specification, section 4.2: Top Up Stored Value). With a
 * `counterCode`, uses the terms that the diner was offered. Errors, besides those of every transaction:
 * `package_not_found`, `package_unavailable`, `customer_blocked`, `balance_limit_exceeded`, `top_up_request_not_found`,
 * `top_up_request_closed`, `counter_code_mismatch`.
 */
export function topUp(ctx: PosContext, input: TopUpInput): Promise<TopUpOutput> {
  return oneOutcome(ctx, { type: 'topUp', input }, async (attempt) =>
    input.counterCode === undefined
      ? creditInGroup({ attempt, terms: await termsOf(attempt, input) })
      : withMerchant(ctx.db, ctx.merchant.id, (tx) => creditAtCounter(tx, attempt, input)),
  );
}

const creditInGroup = inGroups<TopUp & { attempt: Attempt }, TopUpOutput>(byCustomer, creditTopUps);

/**
 * Errors: `package_not_found`, `package_unavailable`, `invalid_request` for an amount that the package does not allow.
 */
async function termsOf({ ctx, storeId, occurredAt }: Attempt, input: TopUpInput): Promise<TopUpTerms> {
  const found = await findPackage(ctx, input.packageId, storeId, occurredAt);
  if (!found) throw new DomainError('package_not_found', 'There is no such stored-value package.');
  const { packageId, name, bonusExpiresInDays } = found.offer;
  const terms = { packageId, bonusExpiresInDays, ...priceTopUp(found.offer, input.amount, ctx.merchant.currency) };
  if (!found.isOnOffer) throw new DomainError('package_unavailable', `${name} is not on offer at this store.`);
  return terms;
}
