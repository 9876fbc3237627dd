/** A customer's account under its lock. Transactions are computed in memory one after another, then posted. */
import type { Tx } from '@/db/driver';
import {
  type Held,
  loadSpendable,
  loadSpendableAndDebts,
  lockBalances,
  noValue,
  type OnLocked,
  type OpenLot,
  type Spendable,
  spendableLots,
  type Value,
} from './balance';
import { type Debt, loadDebts, type Repayment } from './debts';
import type { NewEntry, NewLot } from './post';

export interface Account extends Held {
  /** What can be spent now. If the account was opened for one part, it is only that part. */
  spendable: Value;
  /** The next lots to spend from, up to the requested amount. */
  lots: OpenLot[];
  /** Points owed, oldest debt first. Empty if the account was opened without them. */
  debts: Debt[];
}

/** The account of a transaction without a customer. */
export const emptyAccount = (): Account => ({
  points: 0,
  blockedAt: null,
  mergedAt: null,
  unmergedAt: null,
  gainedOn: null,
  gainedPoints: 0,
  gainedValue: 0,
  spendable: { ...noValue },
  lots: [],
  debts: [],
});

/** Why an account is opened. */
interface Purpose {
  /** Null if no balance changes. */
  customerId: string | null;
  now: Date;
  /** The most that may be spent. */
  amount?: number;
}

interface Options {
  onLocked: OnLocked;
  /** The part to spend from, or `noValue` if value is only added. */
  spend: Spendable | 'nothing';
  /** Whether to read what the customers owe. */
  withDebts?: boolean;
}

/** `lots` is null if the account was opened without an amount. */
type Spendings = Value & { lots?: OpenLot[] | null; debts?: Debt[] | null };

/**
 * Locks the customers' balances and reads what they can spend, in one round trip. Returns accounts by customer. A
 * customer whose lock was skipped is absent.
 */
export async function openAccounts(
  tx: Tx,
  purposes: Purpose[],
  { onLocked, spend, withDebts = false }: Options,
): Promise<Map<string, Account>> {
  const amounts = new Map<string, number>();
  for (const { customerId, amount = 0 } of purposes) {
    if (customerId !== null) amounts.set(customerId, amount + (amounts.get(customerId) ?? 0));
  }
  if (amounts.size === 0) return new Map();
  const customerIds = [...amounts.keys()];
  const now = new Date(Math.max(...purposes.map((purpose) => purpose.now.getTime())));
  const wanted = customerIds.map((customerId) => ({ customerId, amount: amounts.get(customerId) ?? 0 }));
  const [held, values, debts] = await Promise.all([
    lockBalances(tx, customerIds, onLocked),
    spend !== 'nothing'
      ? spendableLots(tx, wanted, spend, now)
      : (withDebts ? loadSpendableAndDebts : loadSpendable)(tx, customerIds, now),
    withDebts && spend !== 'nothing' ? loadDebts(tx, customerIds) : noDebts,
  ]);
  const byCustomer = new Map<string, Spendings>();
  for (const { customerId, ...value } of values) byCustomer.set(customerId, value);
  return new Map(
    held.map(({ customerId, ...balance }) => {
      const { lots, debts: owed, ...value }: Spendings = byCustomer.get(customerId) ?? noValue;
      return [
        customerId,
        { ...balance, spendable: { ...value }, lots: lots ?? [], debts: owed ?? debts.get(customerId) ?? [] },
      ];
    }),
  );
}

const noDebts = new Map<string, Debt[]>();

/** Locks accounts whose balances will not change, without reading what can be spent. */
export async function lockAccounts(
  tx: Tx,
  purposes: Pick<Purpose, 'customerId'>[],
  { onLocked, withDebts = false }: Pick<Options, 'onLocked' | 'withDebts'>,
): Promise<Map<string, Account>> {
  const customerIds = [...new Set(purposes.flatMap(({ customerId }) => customerId ?? []))];
  const [held, debts] = await Promise.all([
    lockBalances(tx, customerIds, onLocked),
    withDebts ? loadDebts(tx, customerIds) : noDebts,
  ]);
  return new Map(
    held.map(({ customerId, ...balance }) => [
      customerId,
      { ...emptyAccount(), ...balance, debts: debts.get(customerId) ?? [] },
    ]),
  );
}

/** The amount taken from a lot; positive. */
export interface LotChange {
  lotId: string;
  part: OpenLot['part'];
  amount: number;
}

/**
 * Returns what taking `amount` takes from each lot. With `allowPartial`, takes what is available. Returns null if that
 * is not enough, or nothing. Does not change the account.
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

/** Sums the changes by part. */
export function sumByPart(changes: LotChange[]): Value {
  const value = { ...noValue };
  for (const { part, amount } of changes) value[part] += amount;
  return value;
}

/** Updates an account with a transaction's lots and entries. Lots that expired before `now` can't be spent. */
export function applyTo(
  account: Account,
  { lots = [], entries = [], repaid = [] }: { lots?: NewLot[]; entries?: NewEntry[]; repaid?: Repayment[] },
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
  for (const { transactionUid, amount } of repaid) {
    account.points -= amount;
    account.spendable.points -= amount;
    account.debts = account.debts.map((debt) =>
      debt.transactionUid === transactionUid ? { ...debt, points: debt.points - amount } : debt,
    );
  }
  account.lots = account.lots.filter(({ remaining }) => remaining > 0);
}
