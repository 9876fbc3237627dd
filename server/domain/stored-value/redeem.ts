import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { receipt } from '../core/receipt';
import { say } from '../core/say';
import { type Account, openAccounts, sumByPart, takeFrom } from '../ledger/account';
import { checkNotBlocked } from '../ledger/balance';
import { answerHeader } from '../transactions/answer';
import { byCustomer, inGroups } from '../transactions/group';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { carryOut, type Recorded, spendEntries } from '../transactions/record';
import type { RedeemInput, RedeemOutput } from './schemas';

/**
 * Pays for a bill, or a part of it, with stored value (specification, section 4.2: Redeem Stored-Value).
 * Errors, beside those of every transaction and the PIN's: `customer_blocked`, `insufficient_balance`.
 */
export function redeemStoredValue(ctx: PosContext, input: RedeemInput): Promise<RedeemOutput> {
  const operation = { type: 'redeemStoredValue', input, needsPin: true } as const;
  return oneOutcome(ctx, operation, (attempt) => redeemInGroup({ attempt, input }));
}

interface Redemption {
  attempt: Attempt;
  input: RedeemInput;
}

const redeemInGroup = inGroups<Redemption, RedeemOutput>(byCustomer, async (tx, redemptions, patience) => {
  const purposes = redemptions.map(({ attempt, input: { amount } }) => ({ ...attempt, amount }));
  const accounts = await openAccounts(tx, purposes, { patience, spend: 'stored value' });
  return carryOut(tx, redemptions, accounts, redeem).answers;
});

function redeem({ attempt, input }: Redemption, account: Account): Recorded<RedeemOutput> {
  const { amount, allowPartial = false } = input;
  const { merchant } = attempt.ctx;
  checkNotBlocked(account);
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
  return { amount: amountRedeemed, answer, entries: spendEntries(taken) };
}

function insufficient(balance: number, requested: number, currency: string): DomainError {
  const sentence = say('insufficientBalance', {
    balance: { minor: balance, currency },
    requested: { minor: requested, currency },
  });
  return new DomainError('insufficient_balance', sentence, { balance, requested });
}
