import { and, asc, eq, exists, gt, isNotNull, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { adjustments, customers, ledgerEntries, lots, transactions } from '@/db/schema';
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

/** True if a merge, or its undo, moved value to the lot. */
const isMoved = ({ merchantId, db }: Pick<Tx, 'merchantId' | 'db'>, uid: PgColumn) =>
  exists(
    db
      .select({ id: adjustments.id })
      .from(adjustments)
      .where(
        and(
          eq(adjustments.merchantId, merchantId),
          eq(adjustments.transactionUid, uid),
          isNotNull(adjustments.mergedWith),
        ),
      ),
  );

/** Selects the bonus that came with a lot: of the same top-up, or of the same age where a merge moved both. */
function selectBonusOf(tx: Pick<Tx, 'merchantId' | 'db'>, now: Date) {
  const { id, remaining, transactionUid, customerId, part, expiresAt, createdAt, open } = bonusLots;
  const isSameTopUp = eq(transactionUid, lots.transactionUid);
  const isOfSameAge = and(eq(createdAt, lots.createdAt), isMoved(tx, transactionUid), isMoved(tx, lots.transactionUid));
  return tx.db
    .select({ id, remaining })
    .from(bonusLots)
    .where(
      and(
        eq(bonusLots.merchantId, tx.merchantId),
        eq(customerId, lots.customerId),
        eq(part, 'bonus').inlineParams(),
        open,
        or(isNull(expiresAt), gt(expiresAt, now)),
        or(isSameTopUp, isOfSameAge),
      ),
    )
    .orderBy(asc(id))
    .limit(1)
    .as('bonus_of');
}
const bonusLots = alias(lots, 'bonus_lots');

/** A top-up by card on a phone has no store. */
const isByCard = (topUps: { type: PgColumn; storeId: PgColumn }) =>
  and(eq(topUps.type, 'topUp').inlineParams(), isNull(topUps.storeId));

/**
 * True if the lot comes from a top-up by card. A merge, and its undo, move value to a lot of the same age. Value that was
 * spent before the merge, and came back after it, is in a lot of the transaction that spent it.
 */
function isMovedFromCard({ merchantId, db }: Pick<Tx, 'merchantId' | 'db'>, customerId: string) {
  const [original, drawn] = [alias(lots, 'original'), alias(lots, 'drawn')];
  const [paid, owner] = [alias(transactions, 'paid'), alias(customers, 'owner')];
  const spent = db
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .innerJoin(drawn, and(eq(drawn.merchantId, merchantId), eq(drawn.id, ledgerEntries.lotId)))
    .where(
      and(
        eq(ledgerEntries.merchantId, merchantId),
        eq(ledgerEntries.transactionUid, lots.transactionUid),
        eq(drawn.createdAt, original.createdAt),
      ),
    );
  const duplicates = db
    .select({ id: owner.id })
    .from(owner)
    .where(and(eq(owner.merchantId, merchantId), eq(owner.mergedInto, customerId)));
  return exists(
    db
      .select({ id: original.id })
      .from(paid)
      .innerJoin(original, and(eq(original.merchantId, merchantId), eq(original.transactionUid, paid.uid)))
      .where(
        and(
          eq(paid.merchantId, merchantId),
          // Looked up once, so that each of their transactions is found by its index.
          sql`${paid.customerId} = any(array(${duplicates} union all select ${customerId}::uuid))`,
          isByCard(paid),
          eq(original.part, 'principal').inlineParams(),
          ne(original.id, lots.id),
          or(eq(original.createdAt, lots.createdAt), exists(spent)),
        ),
      ),
  );
}

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
 * on a phone is left out, also after a merge: its payment is refunded to the card. With `topUp`, selects only that one.
 */
export function selectCashable(
  { merchantId, db }: Pick<Tx, 'merchantId' | 'db'>,
  { customerId, now, topUp }: { customerId: string; now: Date; topUp?: NamedTopUp | undefined },
) {
  const bonus = selectBonusOf({ merchantId, db }, now);
  return db
    .select({
      lotId: lots.id,
      remaining: lots.remaining,
      bonusLotId: bonus.id,
      bonusRemaining: sql<number>`coalesce(${bonus.remaining}, 0)`.mapWith(Number),
    })
    .from(lots)
    .innerJoin(
      transactions,
      and(eq(transactions.merchantId, lots.merchantId), eq(transactions.uid, lots.transactionUid)),
    )
    .leftJoinLateral(bonus, sql`true`)
    .where(
      and(
        eq(lots.merchantId, merchantId),
        eq(lots.customerId, customerId),
        lots.open,
        eq(lots.part, 'principal').inlineParams(),
        not(or(isByCard(transactions), isMovedFromCard({ merchantId, db }, customerId)) as SQL),
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
