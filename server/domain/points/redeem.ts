import { withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { receipt } from '../core/receipt';
import { checkNotBlocked, lockBalance, spend } from '../ledger/balance';
import { answerHeader } from '../transactions/answer';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { record, spendEntries } from '../transactions/record';
import { pointsBalance } from './rules';
import type { RedeemPointsInput, RedeemPointsOutput } from './schemas';

/**
 * Turns points into money off the bill (specification, section 4.2: Redeem Points).
 * Errors, beside those of every transaction and the PIN's: `customer_blocked`, `minimum_points_not_met`,
 * `insufficient_points`.
 */
export function redeemPoints(ctx: PosContext, input: RedeemPointsInput): Promise<RedeemPointsOutput> {
  return oneOutcome(ctx, { type: 'redeemPoints', input, needsPin: true }, (attempt) => take(attempt, input.points));
}

function take(attempt: Attempt, points: number): Promise<RedeemPointsOutput> {
  const { ctx, now } = attempt;
  const { merchant } = ctx;
  const customerId = attempt.customerId as string;
  if (points < merchant.minRedeemPoints) {
    const details = { minRedeemPoints: merchant.minRedeemPoints, requested: points };
    const message = `At least ${merchant.minRedeemPoints} points must be redeemed at a time.`;
    throw new DomainError('minimum_points_not_met', message, details);
  }
  return withMerchant(ctx.db, merchant.id, async (tx) => {
    const [[held], [{ before, taken }]] = await Promise.all([
      lockBalance(tx, customerId),
      spend(tx, { customerId, parts: 'points', amount: points, allowPartial: false, now }),
    ]);
    checkNotBlocked(held);
    if (taken === null) {
      const details = { balance: before.points, requested: points };
      throw new DomainError(
        'insufficient_points',
        `The customer has ${before.points} points; ${points} were asked.`,
        details,
      );
    }
    const left = pointsBalance(before.points - points, merchant);
    const amount = points * merchant.pointValue;
    const answer: RedeemPointsOutput = {
      ...answerHeader(attempt),
      customerId,
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
    tx.send(record(tx, attempt, { amount: points, answer, entries: spendEntries(taken) }));
    return answer;
  });
}
