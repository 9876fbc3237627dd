import type { Tx } from '@/db/driver';
import { type Accounts, type Attempt, answerHeader, type Decision, type Done, type Rules, recordOne } from '../engine';
import { endOfDayAfter } from '../kernel/calendar';
import { newId } from '../kernel/ids';
import { formatReceipt } from '../kernel/receipt';
import { type Account, checkNotBlocked, type NewLot, openAccounts } from '../ledger';
import { queueNotices } from '../messaging';
import { checkBalanceLimit } from './rules';
import type { TopUpOutput } from './schemas';

/** A top-up's amounts, in minor units. */
export interface TopUpTerms {
  packageId: string;
  principal: number;
  bonus: number;
  /** Null if the bonus never expires. */
  bonusExpiresInDays: number | null;
}

/** Credits a top-up that was paid online. Errors: `customer_blocked`, `balance_limit_exceeded`. */
export const creditOnline = (tx: Tx, attempt: Attempt, terms: TopUpTerms): Promise<TopUpOutput> =>
  recordOne(tx, onlineTopUps, { ...attempt, terms });

const onlineTopUps: Rules<Attempt & { terms: TopUpTerms }, TopUpOutput, Accounts> = {
  onBill: 'nothing',
  load: async (tx, attempts, onLocked) => ({
    accounts: await openAccounts(tx, attempts, { onLocked, spend: 'nothing' }),
  }),
  decide: (attempt, account) => decideTopUp(attempt, attempt.terms, account),
  write: queueReceipts,
};

/** Queues receipts for the customers. */
export function queueReceipts(tx: Tx, done: Done<Attempt, TopUpOutput>[]): void {
  const [last] = done.slice(-1);
  if (!last) return;
  const notices = done.map(({ attempt: { customerId, uid } }) => ({ customerId: customerId as string, subject: uid }));
  const { ctx, now } = last.attempt;
  tx.send(queueNotices(tx, ctx.merchant, 'top-up-receipt', notices, now));
}

/** Returns a top-up's ledger entries and its answer. Errors: `customer_blocked`, `balance_limit_exceeded`. */
export function decideTopUp(attempt: Attempt, terms: TopUpTerms, account: Account): Decision<TopUpOutput> {
  const { merchant } = attempt.ctx;
  const { packageId, principal, bonus, bonusExpiresInDays } = terms;
  const expiresAt =
    bonus > 0 && bonusExpiresInDays !== null ? endOfDayAfter(attempt.occurredAt, bonusExpiresInDays, merchant) : null;
  // The bonus of an offline till's late top-up may have expired already. It is credited, but not counted.
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
    printText: formatReceipt(merchant, [
      ['paid', principal],
      ['bonus', bonus],
      ['added', principal + bonus],
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
