import { type Accounts, type Attempt, defineOperation, executeTransaction, type Rules } from '../engine';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { openAccounts } from '../ledger';
import {
  decideTopUp,
  type FoundPackage,
  findPackages,
  priceTopUp,
  queueReceipts,
  type TopUpInput,
  type TopUpOutput,
  type TopUpTerms,
} from '../stored-value';
import { topUpAtCounter } from './at-counter';

/**
 * Credits the paid amount and the package's bonus (specification, section 4.2: Top Up Stored Value). With a
 * `counterCode`, uses the terms that the diner was offered. Errors: those of every transaction, and
 * `package_not_found`, `package_unavailable`, `customer_blocked`, `balance_limit_exceeded`, `limit_exceeded`,
 * `top_up_request_not_found`, `top_up_request_closed`, `counter_code_mismatch`.
 */
export const topUp = (ctx: PosContext, input: TopUpInput): Promise<TopUpOutput> =>
  input.counterCode === undefined
    ? executeTransaction(packageTopUp, ctx, input)
    : executeTransaction(topUpAtCounter, ctx, input);

interface Loaded extends Accounts {
  packages: Map<string, FoundPackage>;
}

interface PackageAttempt extends Attempt {
  storeId: string;
  input: Attempt['input'] & { packageId: string; amount?: number | undefined };
}

/** Credits packages on their own terms, for a POS and for staff. */
export const packageTopUps: Rules<PackageAttempt, TopUpOutput, Loaded> & { onBill: 'nothing' } = {
  onBill: 'nothing',
  load: async (tx, attempts, onLocked) => {
    const [accounts, packages] = await Promise.all([
      openAccounts(tx, attempts, { onLocked, spend: 'nothing' }),
      findPackages(
        tx,
        attempts.map(({ uid, input, storeId, occurredAt }) => ({
          uid,
          packageId: input.packageId,
          storeId,
          at: occurredAt,
        })),
      ),
    ]);
    return { accounts, packages };
  },
  decide: (attempt, account, { packages }) => {
    const { input, ctx, uid } = attempt;
    return decideTopUp(attempt, termsOf(packages.get(uid), input.amount, ctx.merchant.currency), account);
  },
  write: queueReceipts,
};

const packageTopUp = defineOperation<TopUpInput, TopUpOutput, Loaded>({ type: 'topUp', ...packageTopUps });

/**
 * Errors: `package_not_found`, `package_unavailable`, `invalid_request` for an amount that the package does not allow.
 */
function termsOf(found: FoundPackage | undefined, amount: number | undefined, currency: string): TopUpTerms {
  if (!found) throw new DomainError('package_not_found', say('packageNotFound'));
  const { packageId, name, bonusExpiresInDays } = found.offer;
  const terms = { packageId, bonusExpiresInDays, ...priceTopUp(found.offer, amount, currency) };
  if (!found.isOnOffer) throw new DomainError('package_unavailable', say('packageUnavailable', { name }));
  return terms;
}
