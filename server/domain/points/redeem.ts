import { answerHeader, defineOperation, executeTransaction, spendEntries } from '../engine';
import type { TransactionContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { formatReceipt } from '../kernel/receipt';
import { say } from '../kernel/say';
import { checkNotBlocked, checkOwesNothing, openAccounts, takeFrom } from '../ledger';
import { balanceOfPoints } from './rules';
import type { RedeemPointsInput, RedeemPointsOutput } from './schemas';

/**
 * Takes money off the bill for points (specification, section 4.2: Redeem Points). Errors: those of every transaction
 * and of the PIN, and `customer_blocked`, `points_owed`, `minimum_points_not_met`, `insufficient_points`, `bill_due_exceeded`.
 */
export const redeemPoints = (ctx: TransactionContext, input: RedeemPointsInput): Promise<RedeemPointsOutput> =>
  executeTransaction(redemption, ctx, input);

const redemption = defineOperation<RedeemPointsInput, RedeemPointsOutput>({
  type: 'redeemPoints',
  needsPin: true,
  onBill: { redeems: ({ answer }) => answer.amount },
  load: async (tx, attempts, onLocked) => {
    const purposes = attempts.map((attempt) => ({ ...attempt, amount: attempt.input.points }));
    return {
      accounts: await openAccounts(tx, purposes, {
        onLocked,
        spend: 'points',
        withDebts: attempts.some(({ ctx }) => ctx.merchant.refusesOwing),
      }),
    };
  },
  decide(attempt, account) {
    const { points } = attempt.input;
    const { merchant } = attempt.ctx;
    const { minRedeemPoints } = merchant;
    if (points < minRedeemPoints) {
      const sentence = say('minimumPointsNotMet', { count: minRedeemPoints });
      throw new DomainError('minimum_points_not_met', sentence, { minRedeemPoints, requested: points });
    }
    checkNotBlocked(account);
    checkOwesNothing(account, merchant);
    const balance = account.spendable.points;
    const taken = takeFrom(account, points, false);
    if (taken === null) {
      const figures = { balance, requested: points };
      throw new DomainError('insufficient_points', say('insufficientPoints', figures), figures);
    }
    const left = balanceOfPoints(balance - points, merchant);
    const amount = points * merchant.pointValue;
    const answer: RedeemPointsOutput = {
      ...answerHeader(attempt),
      customerId: attempt.customerId as string,
      printText: formatReceipt(merchant, [
        ['pointsUsed', { count: points }],
        ['discount', 0 - amount],
        ['points', { count: left.balance }],
      ]),
      type: 'redeemPoints',
      pointsRedeemed: points,
      amount,
      points: left,
    };
    return { amount: points, answer, entries: spendEntries(taken) };
  },
});
