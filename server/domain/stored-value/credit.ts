import type { Tx } from '@/db/client';
import { endOfDayAfter } from '../core/calendar';
import { newId } from '../core/ids';
import { formatMoney } from '../core/money';
import { receipt } from '../core/receipt';
import { checkNotBlocked, lockBalance, spendable } from '../ledger/balance';
import { queueNotices } from '../messaging/notices';
import { answerHeader } from '../transactions/answer';
import { type NewLot, type Recordable, record } from '../transactions/record';
import { checkBalanceLimit } from './rules';
import type { TopUpOutput } from './schemas';

/** What a top-up credits, in minor units. */
export interface TopUpTerms {
  packageId: string;
  principal: number;
  bonus: number;
  /** Null: the bonus never expires. */
  bonusExpiresInDays: number | null;
}

/** Puts a top-up into the ledger, and answers it. Errors: `customer_blocked`, `balance_limit_exceeded`. */
export async function creditTopUp(
  tx: Tx,
  attempt: Recordable,
  { packageId, principal, bonus, bonusExpiresInDays }: TopUpTerms,
): Promise<TopUpOutput> {
  const { now } = attempt;
  const { merchant } = attempt.ctx;
  const customerId = attempt.customerId as string;
  const expiresAt =
    bonus > 0 && bonusExpiresInDays !== null
      ? endOfDayAfter(attempt.occurredAt, bonusExpiresInDays, merchant.timeZone)
      : null;
  // A late top-up of an offline till may bring a bonus that is past its time: credited, and never counted.
  const counted = { principal, bonus: expiresAt !== null && expiresAt <= now ? 0 : bonus };
  const lots: NewLot[] = [{ id: newId(), part: 'principal', amount: principal, expiresAt: null }];
  if (bonus > 0) lots.push({ id: newId(), part: 'bonus', amount: bonus, expiresAt });

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
    packageId,
    principal,
    bonus,
    credited: principal + bonus,
    storedValue,
    bonusExpiresAt: expiresAt?.toISOString() ?? null,
  };
  tx.send(
    tx.sql`
      update balances set principal = principal + ${principal}, bonus = bonus + ${bonus}
      where merchant_id = ${tx.merchantId} and customer_id = ${customerId}`,
    queueNotices(tx, merchant, 'top-up-receipt', [{ customerId, subject: attempt.uid }], now),
    record(tx, attempt, { amount: principal, answer, lots }),
  );
  return answer;
}
