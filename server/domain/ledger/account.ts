/** A customer's balance under its lock, as one transaction after another leaves it: computed in memory, then posted. */
import type { Tx } from '@/db/client';
import {
  type Held,
  lockBalances,
  nothing,
  type OpenLot,
  type Patience,
  type Spendable,
  spendable,
  spendableLots,
  type Value,
} from './balance';
import type { NewEntry, NewLot } from './post';

export interface Account extends Held {
  /** What can be spent now; limited to the part it was opened for, if one was given. */
  spendable: Value;
  /** Where the next of it comes from, as far as it was asked for. */
  lots: OpenLot[];
}

/** The account of a transaction without a customer. */
export const nobodys = (): Account => ({ points: 0, blockedAt: null, spendable: { ...nothing }, lots: [] });

/** What an account is opened for. */
interface Purpose {
  /** Null: nobody's balance changes. */
  customerId: string | null;
  now: Date;
  /** How much is to be spent, at most. */
  amount?: number;
}

interface Options {
  patience: Patience;
  /** What is to be spent; `nothing` where value is only added. */
  spend: Spendable | 'nothing';
}

/** `lots` is null where an account was opened for no amount. */
type Spendings = Value & { lots?: OpenLot[] | null };

/**
 * Locks the balances of those customers, and reads what they can spend: by customer, in one round trip. Customers whose
 * lock was skipped are absent.
 */
export async function openAccounts(
  tx: Tx,
  purposes: Purpose[],
  { patience, spend }: Options,
): Promise<Map<string, Account>> {
  const amounts = new Map<string, number>();
  for (const { customerId, amount = 0 } of purposes) {
    if (customerId !== null) amounts.set(customerId, amount + (amounts.get(customerId) ?? 0));
  }
  if (amounts.size === 0) return new Map();
  const customerIds = [...amounts.keys()];
  const now = new Date(Math.max(...purposes.map((purpose) => purpose.now.getTime())));
  const wanted = customerIds.map((customerId) => ({ customerId, amount: amounts.get(customerId) ?? 0 }));
  const [held, values] = await Promise.all([
    lockBalances(tx, customerIds, patience),
    spend === 'nothing' ? spendable(tx, customerIds, now) : spendableLots(tx, wanted, spend, now),
  ]);
  const byCustomer = new Map<string, Spendings>();
  for (const { customerId, ...value } of values) byCustomer.set(customerId, value);
  return new Map(
    held.map(({ customerId, points, blockedAt }) => {
      const { lots, ...value }: Spendings = byCustomer.get(customerId) ?? nothing;
      return [customerId, { points, blockedAt, spendable: { ...value }, lots: lots ?? [] }];
    }),
  );
}

/** Locks the accounts of those whose balances stay as they are; what can be spent is not read. */
export async function lockAccounts(
  tx: Tx,
  purposes: Pick<Purpose, 'customerId'>[],
  patience: Patience,
): Promise<Map<string, Account>> {
  const customerIds = [...new Set(purposes.flatMap(({ customerId }) => customerId ?? []))];
  const held = await lockBalances(tx, customerIds, patience);
  return new Map(held.map(({ customerId, points, blockedAt }) => [customerId, { ...nobodys(), points, blockedAt }]));
}

/** What is taken from a lot; a positive amount. */
export interface LotChange {
  lotId: string;
  part: OpenLot['part'];
  amount: number;
}

/**
 * From which lots `amount` would be taken, or with `allowPartial` what there is of it. Null where there is not enough,
 * or nothing at all. The account stays as it is.
 */
export function takeFrom(
  { spendable: value, lots }: Account,
  amount: number,
  allowPartial: boolean,
): LotChange[] | null {
  const available = value.principal + value.bonus + value.points;
  if (available === 0 || (available < amount && !allowPartial)) return null;
  const taken: LotChange[] = [];
  let left = Math.min(amount, available);
  for (const { id, part, remaining } of lots) {
    if (left === 0) break;
    const change = Math.min(left, remaining);
    taken.push({ lotId: id, part, amount: change });
    left -= change;
  }
  if (left > 0) throw new RangeError('an account was opened for less than is taken from it');
  return taken;
}

/** The sum of `changes` in each part. */
export function sumByPart(changes: LotChange[]): Value {
  const value = { ...nothing };
  for (const { part, amount } of changes) value[part] += amount;
  return value;
}

/**
 * Brings an account to where a transaction's lots and entries leave it. What has expired before `now` is not spendable.
 */
export function applyTo(
  account: Account,
  { lots = [], entries = [] }: { lots?: NewLot[]; entries?: NewEntry[] },
  now: Date,
) {
  for (const { part, amount, expiresAt } of lots) {
    if (part === 'points') account.points += amount;
    if (expiresAt === null || expiresAt > now) account.spendable[part] += amount;
  }
  for (const { lotId, part, amount } of entries) {
    if (part === 'points') account.points += amount;
    account.spendable[part] += amount;
    const lot = account.lots.find(({ id }) => id === lotId);
    if (lot) lot.remaining += amount;
  }
  account.lots = account.lots.filter(({ remaining }) => remaining > 0);
}
