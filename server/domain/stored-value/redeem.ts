import { answerHeader, defineOperation, executeTransaction, spendEntries } from '../engine';
import type { TransactionContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { formatReceipt } from '../kernel/receipt';
import { say } from '../kernel/say';
import { checkNotBlocked, checkOwesNothing, openAccounts, sumByPart, takeFrom } from '../ledger';
import type { RedeemInput, RedeemOutput } from './schemas';

/**
 * Pays for a bill, or a part of it, with stored value (specification, section 4.2: Redeem Stored-Value). Errors: those
 * of every transaction and of the PIN, and `customer_blocked`, `points_owed`, `insufficient_balance`, `bill_due_exceeded`.
 */
export const redeemStoredValue = (ctx: TransactionContext, input: RedeemInput): Promise<RedeemOutput> =>
  executeTransaction(redemption, ctx, input);

const redemption = defineOperation<RedeemInput, RedeemOutput>({
  type: 'redeemStoredValue',
  needsPin: true,
  onBill: { redeems: ({ amount }) => amount },
  load: async (tx, attempts, onLocked) => {
    const purposes = attempts.map((attempt) => ({ ...attempt, amount: attempt.input.amount }));
    return {
      accounts: await openAccounts(tx, purposes, {
        onLocked,
        spend: 'stored value',
        withDebts: attempts.some(({ ctx }) => ctx.merchant.refusesOwing),
      }),
    };
  },
  decide(attempt, account) {
    const { amount, allowPartial = false } = attempt.input;
    const { merchant } = attempt.ctx;
    checkNotBlocked(account);
    checkOwesNothing(account, merchant);
    const { principal, bonus } = account.spendable;
    const taken = takeFrom(account, amount, allowPartial);
    if (taken === null) throw insufficient(principal + bonus, amount, merchant.currency);
    const used = sumByPart(taken);
    const amountRedeemed = used.principal + used.bonus;
    const storedValue = {
      balance: principal + bonus - amountRedeemed,
      principal: principal - used.principal,
      bonus: bonus - used.bonus,
    };
    const answer: RedeemOutput = {
      ...answerHeader(attempt),
      customerId: attempt.customerId as string,
      printText: formatReceipt(merchant, [
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
    return { amount: amountRedeemed, answer, entries: spendEntries(taken) };
  },
});

function insufficient(balance: number, requested: number, currency: string): DomainError {
  const sentence = say('insufficientBalance', {
    balance: { minor: balance, currency },
    requested: { minor: requested, currency },
  });
  return new DomainError('insufficient_balance', sentence, { balance, requested });
}
