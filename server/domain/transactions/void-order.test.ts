/** The order in which transactions are voided makes no difference to points. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Event, future, past, playHistory } from '@/server/testing/ledger-history';
import { event, runs, sum, voidFirst } from '@/server/testing/void-scenarios';

test.each([
  ['one after the other', [['uid-000'], ['uid-001'], ['uid-002']]],
  ['the redemption with the second sale', [['uid-000'], ['uid-001', 'uid-002']]],
  ['all at once', [['uid-000', 'uid-001', 'uid-002']]],
  ['the redemption first', [['uid-002'], ['uid-001'], ['uid-000']]],
])('points that come back pay what their customer owes, whichever sale it is for: %s', (_, batches) => {
  const sale = { kind: 'sale', customer: 0, points: 10, expiry: null } as const;
  const history = playHistory([sale, sale, { kind: 'spend', customer: 0, what: 'points', amount: 10 }]);
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
      const { transactions } = playHistory(events);
      const uids = transactions.flatMap(({ uid }, n) => (isVoided[n] ? [uid] : []));
      const order = fc.shuffledSubarray(uids, { minLength: uids.length });
      return fc.tuple(fc.constant(events), order, order, fc.nat(uids.length));
    });
  let compared = 0;
  const left = (events: Event[], batches: string[][]) => {
    const history = playHistory(events);
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
    const history = playHistory([
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
