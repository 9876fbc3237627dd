import { and, asc, eq, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { lots, transactions } from '@/db/schema';
import {
  type Accounts,
  type Attempt,
  answerHeader,
  defineOperation,
  executeTransaction,
  type Rules,
  spendEntries,
} from '../engine';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { formatReceipt } from '../kernel/receipt';
import { say } from '../kernel/say';
import { checkNotBlocked, checkOwesNothing, openAccounts, sumByPart } from '../ledger';
import { type CashableLot, cashOutOf, payableOf } from './rules';
import type { CashOutInput, CashOutOutput } from './schemas';

/**
 * Pays out what is left of a customer's top-ups. Errors: those of every transaction and of the PIN, and
 * `transaction_not_found`, `customer_blocked`, `points_owed`, `insufficient_balance`, `limit_exceeded`.
 */
export const cashOut = (ctx: PosContext, input: CashOutInput): Promise<CashOutOutput> =>
  executeTransaction(cashOutAtTill, ctx, input);

interface Loaded extends Accounts {
  lots: CashableLot[];
}

interface CashOutAttempt extends Attempt {
  storeId: string;
  input: Attempt['input'] & { amount?: number | undefined; topUpTransactionId?: string | undefined };
}

/** Pays out principal, for a POS and for staff. */
export const cashOuts: Rules<CashOutAttempt, CashOutOutput, Loaded> & { onBill: 'nothing' } = {
  onBill: 'nothing',
  async load(tx, [attempt], onLocked) {
    if (!attempt) return { accounts: new Map(), lots: [] };
    const customerId = attempt.customerId as string;
    const topUp = topUpOf(attempt);
    const [accounts, found] = await Promise.all([
      openAccounts(tx, [attempt], { onLocked, spend: 'nothing', withDebts: attempt.ctx.merchant.refusesOwing }),
      // Behind the lock, in the same round trip.
      selectCashable(tx, { customerId, now: attempt.now, topUp }),
    ]);
    if (topUp && found.length === 0) await checkTopUp(tx, customerId, topUp);
    return { accounts, lots: found };
  },
  decide(attempt, account, { lots: cashable }) {
    const { merchant } = attempt.ctx;
    checkNotBlocked(account);
    checkOwesNothing(account, merchant);
    const payable = payableOf(cashable);
    const amount = attempt.input.amount ?? payable;
    if (payable === 0 || amount > payable) throw notPayable(payable, amount, merchant.currency);
    const taken = cashOutOf(cashable, amount, merchant.cashOutKeepsBonus);
    const { bonus: bonusLapsed } = sumByPart(taken);
    const { principal, bonus } = account.spendable;
    const storedValue = {
      balance: principal + bonus - amount - bonusLapsed,
      principal: principal - amount,
      bonus: bonus - bonusLapsed,
    };
    const answer: CashOutOutput = {
      ...answerHeader(attempt),
      customerId: attempt.customerId as string,
      printText: formatReceipt(merchant, [
        ['paidOut', amount],
        ...(bonusLapsed > 0 ? [['bonusLapsed', bonusLapsed] as const] : []),
        ['balance', storedValue.balance],
      ]),
      type: 'cashOut',
      amountPaidOut: amount,
      bonusLapsed,
      storedValue,
    };
    return { amount, answer, entries: spendEntries(taken), paidOut: amount };
  },
};

// Rare, and it locks nothing but its customer's rows: a shared transaction would gain nothing.
const cashOutAtTill = defineOperation<CashOutInput, CashOutOutput, Loaded>({
  type: 'cashOut',
  needsPin: true,
  isApart: true,
  ...cashOuts,
});

const bonusLots = alias(lots, 'bonus_lots');

interface NamedTopUp {
  storeId: string;
  transactionId: string;
}

const topUpOf = ({ storeId, input: { topUpTransactionId } }: CashOutAttempt): NamedTopUp | undefined =>
  topUpTransactionId === undefined ? undefined : { storeId, transactionId: topUpTransactionId };

const isTopUp = ({ storeId, transactionId }: NamedTopUp) =>
  and(
    eq(transactions.storeId, storeId),
    eq(transactions.transactionId, transactionId),
    eq(transactions.type, 'topUp').inlineParams(),
  );

/**
 * Selects what is left of what the customer paid, oldest first, with the bonus that came with it. What was paid by card
 * on a phone is left out: its payment is refunded to the card. With `topUp`, selects only that one.
 */
export function selectCashable(
  { merchantId, db }: Tx,
  { customerId, now, topUp }: { customerId: string; now: Date; topUp?: NamedTopUp | undefined },
) {
  return db
    .select({
      lotId: lots.id,
      remaining: lots.remaining,
      bonusLotId: bonusLots.id,
      bonusRemaining: sql<number>`coalesce(${bonusLots.remaining}, 0)`,
    })
    .from(lots)
    .innerJoin(
      transactions,
      and(eq(transactions.merchantId, lots.merchantId), eq(transactions.uid, lots.transactionUid)),
    )
    .leftJoin(
      bonusLots,
      and(
        eq(bonusLots.merchantId, lots.merchantId),
        eq(bonusLots.customerId, lots.customerId),
        eq(bonusLots.transactionUid, lots.transactionUid),
        eq(bonusLots.part, 'bonus').inlineParams(),
        bonusLots.open,
        or(isNull(bonusLots.expiresAt), gt(bonusLots.expiresAt, now)),
      ),
    )
    .where(
      and(
        eq(lots.merchantId, merchantId),
        eq(lots.customerId, customerId),
        lots.open,
        eq(lots.part, 'principal').inlineParams(),
        or(ne(transactions.type, 'topUp').inlineParams(), isNotNull(transactions.storeId)),
        topUp && isTopUp(topUp),
      ),
    )
    .orderBy(asc(lots.createdAt), asc(lots.transactionUid), asc(lots.id));
}

/** Errors: `transaction_not_found` unless it is a top-up of the customer. */
async function checkTopUp({ merchantId, db }: Tx, customerId: string, topUp: NamedTopUp): Promise<void> {
  const found = await db
    .select({ uid: transactions.uid })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        isTopUp(topUp),
        eq(transactions.customerId, customerId),
        ne(transactions.status, 'refused').inlineParams(),
      ),
    );
  if (found.length === 0) throw new DomainError('transaction_not_found', say('topUpNotInStore'));
}

function notPayable(balance: number, requested: number, currency: string): DomainError {
  if (balance === 0) return new DomainError('insufficient_balance', say('nothingToPayOut'), { balance, requested });
  const money = (minor: number) => ({ minor, currency });
  const sentence = say('payableBalance', { balance: money(balance), requested: money(requested) });
  return new DomainError('insufficient_balance', sentence, { balance, requested });
}
