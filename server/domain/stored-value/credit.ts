import type { Tx } from '@/db/client';
import { endOfDayAfter } from '../core/calendar';
import { newId } from '../core/ids';
import { receipt } from '../core/receipt';
import { type Account, openAccounts } from '../ledger/account';
import { checkNotBlocked, type Patience } from '../ledger/balance';
import type { NewLot } from '../ledger/post';
import { queueNotices } from '../messaging/notices';
import { answerHeader } from '../transactions/answer';
import { answerOfOne } from '../transactions/group';
import { carryOut, type Recordable, type Recorded } from '../transactions/record';
import { checkBalanceLimit } from './rules';
import type { TopUpOutput } from './schemas';

/** A top-up's amounts, in minor units. */
export interface TopUpTerms {
  packageId: string;
  principal: number;
  bonus: number;
  /** Null: the bonus never expires. */
  bonusExpiresInDays: number | null;
}

export interface TopUp {
  attempt: Recordable;
  terms: TopUpTerms;
}

/** Credits a top-up, and returns its response. Errors: `customer_blocked`, `balance_limit_exceeded`. */
export async function creditTopUp(tx: Tx, topUp: TopUp): Promise<TopUpOutput> {
  return answerOfOne(await creditTopUps(tx, [topUp], 'wait'));
}

/** Credits several top-ups of one merchant. Returns each response or error. */
export async function creditTopUps(tx: Tx, topUps: TopUp[], patience: Patience): Promise<(TopUpOutput | Error)[]> {
  const attempts = topUps.map(({ attempt }) => attempt);
  const accounts = await openAccounts(tx, attempts, { patience, spend: 'nothing' });
  const { answers, done } = carryOut(tx, topUps, accounts, credit);
  const credited = done.map(({ member: { attempt } }) => attempt);
  const [last] = credited.slice(-1);
  if (last) {
    const notices = credited.map(({ customerId, uid }) => ({ customerId: customerId as string, subject: uid }));
    tx.send(queueNotices(tx, last.ctx.merchant, 'top-up-receipt', notices, last.now));
  }
  return answers;
}

function credit({ attempt, terms }: TopUp, account: Account): Recorded<TopUpOutput> {
  const { merchant } = attempt.ctx;
  const { packageId, principal, bonus, bonusExpiresInDays } = terms;
  const expiresAt =
    bonus > 0 && bonusExpiresInDays !== null
      ? endOfDayAfter(attempt.occurredAt, bonusExpiresInDays, merchant.timeZone)
      : null;
  // An offline till's late top-up may have a bonus that has already expired: it is credited, but not counted.
  const counted = { principal, bonus: expiresAt !== null && expiresAt <= attempt.now ? 0 : bonus };
  const lots: NewLot[] = [{ id: newId(), part: 'principal', amount: principal, expiresAt: null }];
  if (bonus > 0) lots.push({ id: newId(), part: 'bonus', amount: bonus, expiresAt });

  checkNotBlocked(account);
  const before = account.spendable;
  const balanceBefore = before.principal + before.bonus;
  const gained = counted.principal + counted.bonus;
  checkBalanceLimit(balanceBefore, gained, merchant);
  const storedValue = {
    balance: balanceBefore + gained,
    principal: before.principal + counted.principal,
    bonus: before.bonus + counted.bonus,
  };
  const answer: TopUpOutput = {
    ...answerHeader(attempt),
    customerId: attempt.customerId as string,
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
  return { amount: principal, answer, lots };
}
