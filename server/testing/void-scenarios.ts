/** Scenarios in which something is voided, and the plan for it, for the tests of `planVoid`. */
import fc from 'fast-check';
import { planVoid, type VoidableTransaction, type VoidPlan } from '@/server/domain/transactions/void-plan';
import { type Event, future, type History, now, past, playHistory } from './ledger-history';

const customer = fc.nat(1);
const amount = fc.integer({ min: 1, max: 1_000 });
const expiry = fc.constantFrom(null, past, future);
export const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('topUp' as const), customer, principal: amount, bonus: fc.nat(500), expiry }),
  fc.record({ kind: fc.constant('sale' as const), customer, points: amount, expiry }),
  fc.record({ kind: fc.constant('spend' as const), customer, what: fc.constantFrom('money', 'points'), amount }),
  fc.record({ kind: fc.constant('expiryJob' as const), customer }),
);

export interface Scenario extends History {
  /** The ids that were voided before. */
  voided: string[];
  /** The batch to be voided. */
  batch: VoidableTransaction[];
}

/** A history, a first voided batch in it, and the batch to void. */
export const scenario: fc.Arbitrary<Scenario> = fc
  .tuple(
    fc.array(event, { minLength: 1, maxLength: 14, size: 'max' }),
    fc.array(fc.constantFrom('first', 'second', 'second', 'never'), { minLength: 14, maxLength: 14 }),
  )
  .map(([events, when]) => {
    const history = playHistory(events);
    const { transactions } = history;
    const [first, batch] = ['first', 'second'].map((turn) => transactions.filter((_, i) => when[i] === turn));
    const voided = voidFirst(history, first ?? []);
    return { ...history, voided, batch: batch ?? [] };
  });

/** Voids a batch in the history, unless something blocks it. */
export function voidFirst(history: History, batch: VoidableTransaction[]): string[] {
  const { entries, lots, blocking, shortfalls } = planScenario({ ...history, voided: [], batch });
  if (blocking.length > 0) return [];
  for (const entry of entries) {
    history.entries.push({
      ...entry,
      id: history.entries.length + 1,
      transactionUid: entry.transactionUid ?? 'expiry',
    });
  }
  history.lots = history.lots.map((lot) => ({
    ...lot,
    remaining: lots.find(({ id }) => id === lot.id)?.remaining ?? lot.remaining,
  }));
  history.debts = [...shortfalls]
    .filter(([, points]) => points > 0)
    .map(([transactionUid, points]) => {
      const { customerId } = history.transactions.find(({ uid }) => uid === transactionUid) as { customerId: string };
      return { transactionUid, customerId, points, isOfVoid: true };
    });
  return batch.map(({ uid }) => uid);
}

/** Plans the void from what the service would load. */
export function planScenario({ batch, entries, lots, debts }: Scenario): VoidPlan {
  const uids = new Set(batch.map(({ uid }) => uid));
  const granted = new Set(lots.filter((lot) => uids.has(lot.transactionUid)).map(({ id }) => id));
  const spent = entries.filter((e) => uids.has(e.transactionUid) && e.part === 'points' && e.amount < 0);
  const grants = new Set(spent.map(({ lotId }) => lots.find(({ id }) => id === lotId)?.transactionUid));
  for (const grant of grants) {
    const takings = entries.filter(({ transactionUid, kind }) => transactionUid === grant && kind === 'void');
    for (const { lotId } of takings) grants.add(lots.find(({ id }) => id === lotId)?.transactionUid);
  }
  const own = entries.filter(
    ({ transactionUid, kind, lotId }) =>
      uids.has(transactionUid) ||
      (kind === 'expiry' && granted.has(lotId)) ||
      (kind === 'void' && grants.has(transactionUid)),
  );
  const customers = new Set(batch.map(({ customerId }) => customerId));
  const owed = debts.filter(({ customerId }) => customers.has(customerId));
  return planVoid({ transactions: batch, entries: own, lots, debts: owed, now });
}

export const sum = (amounts: number[]) => amounts.reduce((total, one) => total + one, 0);
export const runs = { numRuns: 2_000 };
