import { withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { formatMoney } from '../core/money';
import { receipt } from '../core/receipt';
import { checkNotBlocked, lockBalance, spend, sumByPart } from '../ledger/balance';
import { answerHeader } from '../transactions/answer';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { record, spendEntries } from '../transactions/record';
import type { RedeemInput, RedeemOutput } from './schemas';

/**
 * Pays for a bill, or a part of it, with stored value (specification, section 4.2: Redeem Stored-Value).
 * Errors, beside those of every transaction and the PIN's: `customer_blocked`, `insufficient_balance`.
 */
export function redeemStoredValue(ctx: PosContext, input: RedeemInput): Promise<RedeemOutput> {
  return oneOutcome(ctx, { type: 'redeemStoredValue', input, needsPin: true }, (attempt) => take(attempt, input));
}

function take(attempt: Attempt, { amount, allowPartial = false }: RedeemInput): Promise<RedeemOutput> {
  const { ctx, now } = attempt;
  const { merchant } = ctx;
  const customerId = attempt.customerId as string;

  return withMerchant(ctx.db, merchant.id, async (tx) => {
    const [[held], [{ before, taken }]] = await Promise.all([
      lockBalance(tx, customerId),
      spend(tx, { customerId, parts: 'stored value', amount, allowPartial, now }),
    ]);
    checkNotBlocked(held);
    const balanceBefore = before.principal + before.bonus;
    if (taken === null) throw insufficient(balanceBefore, amount, merchant.currency);
    const used = sumByPart(taken);
    const amountRedeemed = used.principal + used.bonus;
    const storedValue = {
      balance: balanceBefore - amountRedeemed,
      principal: before.principal - used.principal,
      bonus: before.bonus - used.bonus,
    };
    const answer: RedeemOutput = {
      ...answerHeader(attempt),
      customerId,
      printText: receipt(merchant, [
        ['redeemed', amountRedeemed],
        ...(amount > amountRedeemed ? [['due', amount - amountRedeemed] as const] : []),
        ['balance', storedValue.balance],
      ]),
      type: 'redeemStoredValue',
      amountRedeemed,
      remainingDue: amount - amountRedeemed,
      principalUsed: used.principal,
      bonusUsed: used.bonus,
      storedValue,
    };
    tx.send(record(tx, attempt, { amount: amountRedeemed, answer, entries: spendEntries(taken) }));
    return answer;
  });
}

function insufficient(balance: number, requested: number, currency: string): DomainError {
  const message = `The stored-value balance is ${formatMoney(balance, currency)}; ${formatMoney(requested, currency)} was asked.`;
  return new DomainError('insufficient_balance', message, { balance, requested });
}
