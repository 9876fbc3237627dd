import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Event, future, type History, now, past, play } from '@/server/testing/ledger-history';
import { planVoid, type VoidableTransaction, type VoidPlan } from './void-plan';

const customer = fc.nat(1);
const amount = fc.integer({ min: 1, max: 1_000 });
const expiry = fc.constantFrom(null, past, future);
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('topUp' as const), customer, principal: amount, bonus: fc.nat(500), expiry }),
  fc.record({ kind: fc.constant('sale' as const), customer, points: amount, expiry }),
  fc.record({ kind: fc.constant('spend' as const), customer, what: fc.constantFrom('money', 'points'), amount }),
  fc.record({ kind: fc.constant('expiryJob' as const), customer }),
);

interface Scenario extends History {
  /** What was voided before. */
  voided: string[];
  /** What is to be voided now. */
  batch: VoidableTransaction[];
}

/** A history, a first batch that was voided out of it, and the batch to void. */
const scenario: fc.Arbitrary<Scenario> = fc
  .tuple(
    fc.array(event, { minLength: 1, maxLength: 14, size: 'max' }),
    fc.array(fc.constantFrom('first', 'second', 'second', 'never'), { minLength: 14, maxLength: 14 }),
  )
  .map(([events, when]) => {
    const history = play(events);
    const { transactions } = history;
    const [first, batch] = ['first', 'second'].map((turn) => transactions.filter((_, i) => when[i] === turn));
    const voided = voidFirst(history, first ?? []);
    return { ...history, voided, batch: batch ?? [] };
  });

/** Carries a batch out on the history, where nothing blocks it. */
function voidFirst(history: History, batch: VoidableTransaction[]): string[] {
  const { entries, lots, blocking, shortfalls } = plan({ ...history, voided: [], batch });
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
      return { transactionUid, customerId, points };
    });
  return batch.map(({ uid }) => uid);
}

/** What the service would load for the batch. */
function plan({ batch, entries, lots, debts }: Scenario): VoidPlan {
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

const sum = (amounts: number[]) => amounts.reduce((total, one) => total + one, 0);
const runs = { numRuns: 2_000 };

test('the entries of each voided transaction cancel out, but for a recorded shortfall of points', () => {
  let [shortfalls, paidBack] = [0, 0];
  fc.assert(
    fc.property(scenario, (given) => {
      const { entries, blocking, shortfalls: missing } = plan(given);
      fc.pre(blocking.length === 0);
      const owedBefore = (uid: string) => given.debts.find(({ transactionUid }) => transactionUid === uid)?.points ?? 0;
      for (const uid of [...given.voided, ...given.batch.map((one) => one.uid)]) {
        for (const part of ['principal', 'bonus', 'points'] as const) {
          const of = [...given.entries, ...entries].filter((e) => e.transactionUid === uid && e.part === part);
          expect(sum(of.map((e) => e.amount))).toBe(part === 'points' ? (missing.get(uid) ?? owedBefore(uid)) : 0);
        }
        if (missing.get(uid)) shortfalls++;
        if (owedBefore(uid) > 0 && missing.has(uid)) paidBack++;
      }
    }),
    runs,
  );
  expect(shortfalls).toBeGreaterThan(20);
  expect(paidBack).toBeGreaterThan(5);
});

test('no lot goes below zero or over its grant, and each ends where its entries add up', () => {
  fc.assert(
    fc.property(scenario, (given) => {
      const { entries, lots, blocking } = plan(given);
      fc.pre(blocking.length === 0);
      for (const before of given.lots) {
        const own = [...given.entries, ...entries].filter(({ lotId }) => lotId === before.id);
        const after = lots.find(({ id }) => id === before.id)?.remaining ?? before.remaining;
        expect(after).toBe(sum(own.map((entry) => entry.amount)));
        expect(after).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(before.granted);
      }
      expect(entries.every((entry) => entry.amount !== 0)).toBe(true);
    }),
    runs,
  );
});

test('points are owed only where the customer has none left to take', () => {
  let owed = 0;
  fc.assert(
    fc.property(scenario, (given) => {
      const bringsPoints = ({ uid }: VoidableTransaction) =>
        given.entries.some((e) => e.transactionUid === uid && e.part === 'points' && e.kind === 'spend');
      const { lots, blocking, shortfalls } = plan(given);
      fc.pre(blocking.length === 0 && !given.batch.some(bringsPoints));
      for (const { uid, customerId } of given.batch.filter((one) => shortfalls.get(one.uid))) {
        const after = given.lots.map((lot) => lots.find(({ id }) => id === lot.id) ?? lot);
        const usable = after.filter(
          (lot) => lot.customerId === customerId && lot.part === 'points' && lot.expiresAt !== past,
        );
        expect(sum(usable.map(({ remaining }) => remaining))).toBe(0);
        expect(shortfalls.get(uid)).toBeGreaterThan(0);
        owed++;
      }
    }),
    runs,
  );
  expect(owed).toBeGreaterThan(20);
});

test.each([
  ['one after the other', [['uid-000'], ['uid-001'], ['uid-002']]],
  ['the redemption with the second sale', [['uid-000'], ['uid-001', 'uid-002']]],
  ['all at once', [['uid-000', 'uid-001', 'uid-002']]],
  ['the redemption first', [['uid-002'], ['uid-001'], ['uid-000']]],
])('points that come back pay what their customer owes, whichever sale it is for: %s', (_, batches) => {
  const sale = { kind: 'sale', customer: 0, points: 10, expiry: null } as const;
  const history = play([sale, sale, { kind: 'spend', customer: 0, what: 'points', amount: 10 }]);
  for (const uids of batches) {
    const batch = history.transactions.filter(({ uid }) => uids.includes(uid));
    expect(voidFirst(history, batch)).toEqual(batch.map(({ uid }) => uid));
  }
  expect(history.lots.map(({ remaining }) => remaining)).toEqual([0, 0]);
  expect(history.debts).toEqual([]);
});

test('what is left of points, and what is owed, is the same in whatever order and batches transactions are voided', () => {
  const orders = fc
    .tuple(fc.array(event, { minLength: 2, maxLength: 10, size: 'max' }), fc.array(fc.boolean(), { minLength: 10 }))
    .chain(([events, isVoided]) => {
      const { transactions } = play(events);
      const uids = transactions.flatMap(({ uid }, n) => (isVoided[n] ? [uid] : []));
      const order = fc.shuffledSubarray(uids, { minLength: uids.length });
      return fc.tuple(fc.constant(events), order, order, fc.nat(uids.length));
    });
  let compared = 0;
  const left = (events: Event[], batches: string[][]) => {
    const history = play(events);
    let isBlocked = false;
    const owed = new Map<string, number>();
    for (const uids of batches) {
      const batch = history.transactions.filter(({ uid }) => uids.includes(uid));
      const customers = batch.map(({ customerId }) => customerId);
      const ofOthers = history.debts.filter(({ customerId }) => !customers.includes(customerId));
      isBlocked ||= voidFirst(history, batch).length < batch.length;
      history.debts.push(...ofOthers);
    }
    for (const { customerId, points } of history.debts) owed.set(customerId, (owed.get(customerId) ?? 0) + points);
    const usable = history.lots.filter(({ part, expiresAt }) => part === 'points' && expiresAt !== past);
    const sums = ['customer-0', 'customer-1'].map((id) => {
      const held = sum(usable.filter(({ customerId }) => customerId === id).map(({ remaining }) => remaining));
      return held - (owed.get(id) ?? 0);
    });
    return isBlocked ? null : sums;
  };
  fc.assert(
    fc.property(orders, ([events, one, other, cut]) => {
      const apart = (order: string[]) => order.map((uid) => [uid]);
      const batches = [apart(one), apart(other), [one], [other.slice(0, cut), other.slice(cut)]];
      const [first, ...others] = batches.map((some) => left(events, some));
      fc.pre(first !== null && !others.includes(null));
      for (const sums of others) expect(sums).toEqual(first);
      compared++;
    }),
    runs,
  );
  expect(compared).toBeGreaterThan(500);
});

test.each([
  ['the sale first', [['uid-000'], ['uid-001']]],
  ['the redemption first', [['uid-001'], ['uid-000']]],
  ['both at once', [['uid-000', 'uid-001']]],
])('a sale whose points are past their time, and what was redeemed of them, cost no other points: %s', (_, batches) => {
  for (const isSwept of [true, false]) {
    const history = play([
      { kind: 'sale', customer: 0, points: 100, expiry: past },
      { kind: 'spend', customer: 0, what: 'points', amount: 40 },
      ...(isSwept ? [{ kind: 'expiryJob', customer: 0 } as const] : []),
      { kind: 'sale', customer: 0, points: 70, expiry: future },
      { kind: 'sale', customer: 0, points: 30, expiry: null },
    ]);
    for (const uids of batches) {
      voidFirst(
        history,
        history.transactions.filter(({ uid }) => uids.includes(uid)),
      );
    }
    expect(history.lots.map(({ remaining }) => remaining)).toEqual([0, 70, 30]);
    expect(history.debts).toEqual([]);
  }
});

test('stored value goes back to the very lots it came from; what is granted leaves its own', () => {
  fc.assert(
    fc.property(scenario, (given) => {
      const { entries, blocking } = plan(given);
      fc.pre(blocking.length === 0);
      for (const { uid } of given.batch) {
        const own = given.entries.filter((e) => e.transactionUid === uid && e.part !== 'points');
        const mirror = entries.filter((e) => e.transactionUid === uid && e.part !== 'points' && e.kind === 'void');
        const shape = (list: { lotId: string; amount: number }[], sign: 1 | -1) =>
          list.map(({ lotId, amount: value }) => `${lotId} ${value * sign}`).sort();
        expect(shape(mirror, 1)).toEqual(shape(own, -1));
      }
    }),
    runs,
  );
});

test('what comes back to a lot past its time expires at once', () => {
  let expired = 0;
  fc.assert(
    fc.property(scenario, (given) => {
      const { entries, lots, blocking } = plan(given);
      fc.pre(blocking.length === 0);
      const restored = new Set(entries.filter(({ amount: value }) => value > 0).map(({ lotId }) => lotId));
      for (const lot of lots.filter(({ id, expiresAt }) => restored.has(id) && expiresAt === past)) {
        expect(lot.remaining).toBe(0);
        expired++;
      }
    }),
    runs,
  );
  expect(expired).toBeGreaterThan(20);
});

test('a top-up blocks exactly when somebody outside the batch spent of it', () => {
  let blocked = 0;
  fc.assert(
    fc.property(scenario, (given) => {
      const undone = [...given.voided, ...given.batch.map(({ uid }) => uid)];
      const spentOutside = given.batch.filter(({ uid }) =>
        given.lots.some(
          (lot) =>
            lot.transactionUid === uid &&
            lot.part !== 'points' &&
            given.entries.some((e) => e.lotId === lot.id && e.kind === 'spend' && !undone.includes(e.transactionUid)),
        ),
      );
      const { blocking } = plan(given);
      expect(blocking.toSorted()).toEqual(spentOutside.map(({ uid }) => uid).sort());
      blocked += blocking.length;
    }),
    runs,
  );
  expect(blocked).toBeGreaterThan(20);
});

test('the order of transactions, entries and lots does not matter, and what is given stays as it was', () => {
  const shuffled = scenario.chain((given) =>
    fc
      .tuple(
        fc.shuffledSubarray(given.batch, { minLength: given.batch.length }),
        fc.shuffledSubarray(given.entries, { minLength: given.entries.length }),
        fc.shuffledSubarray(given.lots, { minLength: given.lots.length }),
      )
      .map(([batch, entries, lots]) => ({ given, other: { ...given, batch, entries, lots } })),
  );
  const sorted = <T>(list: T[]) => list.map((one) => JSON.stringify(one)).sort();
  fc.assert(
    fc.property(shuffled, ({ given, other }) => {
      const copy = structuredClone(given);
      const [one, two] = [plan(given), plan(other)];
      expect(given).toEqual(copy);
      expect(sorted(two.blocking)).toEqual(sorted(one.blocking));
      fc.pre(one.blocking.length === 0);
      expect(sorted(two.entries)).toEqual(sorted(one.entries));
      expect(sorted(two.lots)).toEqual(sorted(one.lots));
      expect(new Map([...two.shortfalls].sort())).toEqual(new Map([...one.shortfalls].sort()));
    }),
    runs,
  );
});
