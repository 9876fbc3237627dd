import fc from 'fast-check';
import { expect, test } from 'vitest';
import { past } from '@/server/testing/ledger-history';
import { planScenario, runs, scenario, sum } from '@/server/testing/void-scenarios';
import type { VoidableTransaction } from './void-plan';

test('the entries of each voided transaction cancel out, but for a recorded shortfall of points', () => {
  let [shortfalls, paidBack] = [0, 0];
  fc.assert(
    fc.property(scenario, (given) => {
      const { entries, blocking, shortfalls: missing } = planScenario(given);
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
      const { entries, lots, blocking } = planScenario(given);
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
      const { lots, blocking, shortfalls } = planScenario(given);
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

test('stored value goes back to the very lots it came from; what is granted leaves its own', () => {
  fc.assert(
    fc.property(scenario, (given) => {
      const { entries, blocking } = planScenario(given);
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
      const { entries, lots, blocking } = planScenario(given);
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
      const { blocking } = planScenario(given);
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
      const [one, two] = [planScenario(given), planScenario(other)];
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
