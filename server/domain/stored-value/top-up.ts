import { withMerchant } from '@/db/client';
import { endOfDayAfter } from '../core/calendar';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { formatMoney } from '../core/money';
import { receipt } from '../core/receipt';
import { checkNotBlocked, lockBalance, spendable } from '../ledger/balance';
import { answerHeader } from '../transactions/answer';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { type NewLot, record } from '../transactions/record';
import { findPackage } from './packages';
import { checkBalanceLimit, priceTopUp } from './rules';
import type { StoredValuePackage, TopUpInput, TopUpOutput } from './schemas';

/**
 * Credits what the customer paid and the package's bonus (specification, section 4.2: Top Up Stored Value).
 * Errors, beside those of every transaction: `package_not_found`, `package_unavailable`, `customer_blocked`,
 * `balance_limit_exceeded`.
 */
export function topUp(ctx: PosContext, input: TopUpInput): Promise<TopUpOutput> {
  return oneOutcome(ctx, { type: 'topUp', input }, async (attempt) => {
    const found = await findPackage(ctx, input.packageId, attempt.storeId, attempt.occurredAt);
    if (!found) throw new DomainError('package_not_found', 'There is no such stored-value package.');
    const price = priceTopUp(found.offer, input.amount);
    if (!found.isOnOffer) {
      throw new DomainError('package_unavailable', `${found.offer.name} is not on offer at this store.`);
    }
    return credit(attempt, found.offer, price);
  });
}

async function credit(
  attempt: Attempt,
  offer: StoredValuePackage,
  { principal, bonus }: { principal: number; bonus: number },
): Promise<TopUpOutput> {
  const { ctx, now } = attempt;
  const { merchant } = ctx;
  const customerId = attempt.customerId as string;
  const expiresAt =
    bonus > 0 && offer.bonusExpiresInDays !== null
      ? endOfDayAfter(attempt.occurredAt, offer.bonusExpiresInDays, merchant.timeZone)
      : null;
  // A late top-up of an offline till may bring a bonus that is past its time: credited, and never counted.
  const counted = { principal, bonus: expiresAt !== null && expiresAt <= now ? 0 : bonus };
  const lots: NewLot[] = [{ id: newId(), part: 'principal', amount: principal, expiresAt: null }];
  if (bonus > 0) lots.push({ id: newId(), part: 'bonus', amount: bonus, expiresAt });

  return withMerchant(ctx.db, merchant.id, async (tx) => {
    const [[held], [before]] = await Promise.all([lockBalance(tx, customerId), spendable(tx, customerId, now)]);
    checkNotBlocked(held);
    const balanceBefore = before.principal + before.bonus;
    const gained = counted.principal + counted.bonus;
    checkBalanceLimit(balanceBefore, gained, merchant.balanceLimit, (sum) => formatMoney(sum, merchant.currency));
    const storedValue = {
      balance: balanceBefore + gained,
      principal: before.principal + counted.principal,
      bonus: before.bonus + counted.bonus,
    };
    const answer: TopUpOutput = {
      ...answerHeader(attempt),
      customerId,
      printText: receipt(merchant, [
        ['topUp', principal + bonus],
        ['paid', principal],
        ['bonus', bonus],
        ['balance', storedValue.balance],
      ]),
      type: 'topUp',
      packageId: offer.packageId,
      principal,
      bonus,
      credited: principal + bonus,
      storedValue,
      bonusExpiresAt: expiresAt?.toISOString() ?? null,
    };
    await Promise.all([
      tx.sql`
        update balances set principal = principal + ${principal}, bonus = bonus + ${bonus}
        where merchant_id = ${tx.merchantId} and customer_id = ${customerId}`,
      record(tx, attempt, { amount: principal, answer, lots }),
    ]);
    return answer;
  });
}
