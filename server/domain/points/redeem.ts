import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { receipt } from '../core/receipt';
import { say } from '../core/say';
import { type Account, openAccounts, takeFrom } from '../ledger/account';
import { checkNotBlocked } from '../ledger/balance';
import { answerHeader } from '../transactions/answer';
import { byCustomer, inGroups } from '../transactions/group';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { carryOut, type Recorded, spendEntries } from '../transactions/record';
import { pointsBalance } from './rules';
import type { RedeemPointsInput, RedeemPointsOutput } from './schemas';

/**
 * Turns points into money off the bill (specification, section 4.2: Redeem Points).
 * Errors, beside those of every transaction and the PIN's: `customer_blocked`, `minimum_points_not_met`,
 * `insufficient_points`.
 */
export function redeemPoints(ctx: PosContext, input: RedeemPointsInput): Promise<RedeemPointsOutput> {
  const operation = { type: 'redeemPoints', input, needsPin: true } as const;
  return oneOutcome(ctx, operation, async (attempt) => {
    const { points } = input;
    const { minRedeemPoints } = ctx.merchant;
    if (points >= minRedeemPoints) return redeemInGroup({ attempt, points });
    const sentence = say('minimumPointsNotMet', { count: minRedeemPoints });
    throw new DomainError('minimum_points_not_met', sentence, { minRedeemPoints, requested: points });
  });
}

interface Redemption {
  attempt: Attempt;
  points: number;
}

const redeemInGroup = inGroups<Redemption, RedeemPointsOutput>(byCustomer, async (tx, redemptions, patience) => {
  const purposes = redemptions.map(({ attempt, points }) => ({ ...attempt, amount: points }));
  const accounts = await openAccounts(tx, purposes, { patience, spend: 'points' });
  return carryOut(tx, redemptions, accounts, redeem).answers;
});

function redeem({ attempt, points }: Redemption, account: Account): Recorded<RedeemPointsOutput> {
  const { merchant } = attempt.ctx;
  checkNotBlocked(account);
  const balance = account.spendable.points;
  const taken = takeFrom(account, points, false);
  if (taken === null) {
    const figures = { balance, requested: points };
    throw new DomainError('insufficient_points', say('insufficientPoints', figures), figures);
  }
  const left = pointsBalance(balance - points, merchant);
  const amount = points * merchant.pointValue;
  const answer: RedeemPointsOutput = {
    ...answerHeader(attempt),
    customerId: attempt.customerId as string,
    printText: receipt(merchant, [
      ['pointsUsed', String(points)],
      ['discount', 0 - amount],
      ['points', String(left.balance)],
    ]),
    type: 'redeemPoints',
    pointsRedeemed: points,
    amount,
    points: left,
  };
  return { amount: points, answer, entries: spendEntries(taken) };
}
