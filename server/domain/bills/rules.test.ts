import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardLimits } from '../kernel/card-currencies';
import {
  availableOf,
  type BillPayment,
  equalParts,
  figuresOf,
  owedOf,
  partsOfLines,
  type Redemption,
  returnExcess,
  returnedOf,
  withReturned,
} from './rules';

const sumOf = (parts: number[]) => parts.reduce((sum, part) => sum + part, 0);
const now = new Date('2026-11-20T12:00:00Z');
const later = new Date(now.getTime() + 1);

const money = fc.integer({ min: 0, max: 99_999_999_999 });

const redemption = (rest: Partial<Redemption>): Redemption => ({
  transactionId: 't',
  type: 'redeemStoredValue',
  customerId: 'c',
  amount: 0,
  occurredAt: now,
  createdAt: now,
  isInDiscount: false,
  terms: null,
  isVoided: false,
  isByDiner: false,
  ...rest,
});
const plain = {
  rounding: 0,
  listedAtTill: null,
  paidAtTill: [],
  sold: [],
  redemptions: [],
  payments: [],
  createdAt: now,
  sentAt: now,
};
const sumsOf = (total: number) => ({ total, subtotal: total });
const saleOf = (total: number, uid = 's') => ({ ...sumsOf(total), uid, rounding: 0, taken: total, createdAt: now });
const payment = (rest: Partial<BillPayment>): BillPayment => ({
  id: 'p',
  state: 'taken',
  amount: 0,
  tip: 0,
  keptAmount: 0,
  keptTip: 0,
  returnedAmount: 0,
  pointsDueFor: 0,
  pointsKeptFor: 0,
  heldUntil: now,
  createdAt: now,
  ...rest,
});

test.each([
  ['a part so far', [7_700], [], 7_700],
  ['a part, and a sale of the rest', [7_700], [3_300], 11_000],
  ['a part, and a sale of the whole bill that lists it', [7_700], [11_000], 11_000],
  ['sales of parts only', [], [5_000, 6_000], 11_000],
])('what the till took in all: %s', (_, before, sold, taken) => {
  const bill = {
    ...plain,
    ...sumsOf(11_000),
    paidAtTill: before.map((amount) => ({ amount })),
    sold: sold.map((total) => saleOf(total)),
  };
  expect(figuresOf(bill, now).takenAtTill).toBe(taken);
});

describe('equal parts', () => {
  test.each([
    [1_000, 3, 1, [334, 333, 333]],
    [2, 3, 1, [1, 1, 0]],
    [1_000, 3, 10, [340, 330, 330]],
    [1_005, 3, 10, [345, 330, 330]],
    [0, 2, 1, [0, 0]],
  ])('of %i for %i payers in steps of %i are %j', (due, payers, step, parts) => {
    expect(equalParts(due, payers, step)).toEqual(parts);
  });

  test('add up exactly, and differ by one step at most', () => {
    fc.assert(
      fc.property(money, fc.integer({ min: 1, max: 99 }), fc.constantFrom(1, 10), (due, payers, step) => {
        const parts = equalParts(due, payers, step);
        const rest = due % step;
        expect(sumOf(parts)).toBe(due);
        const [first = 0, ...others] = parts;
        const even = [first - rest, ...others];
        expect(Math.max(...even) - Math.min(...even)).toBeLessThanOrEqual(step);
        expect(even.every((part) => part >= 0 && part % step === 0)).toBe(true);
      }),
    );
  });
});

describe('parts of lines', () => {
  test('carry discount, service charge and tax in proportion', () => {
    // Goods of 19.60 come to 21.35, with 10 % service charge and 9 % tax, less a discount.
    expect(partsOfLines(2_135, [{ amount: 1_780 }, { amount: 180 }])).toEqual([1_939, 196]);
    expect(partsOfLines(300, [{ amount: 0 }, { amount: 0 }, { amount: 0 }])).toEqual([100, 100, 100]);
    expect(partsOfLines(300, [])).toEqual([]);
  });

  test('add up to the total exactly, each within a cent of its part', () => {
    const lines = fc.array(fc.record({ amount: money }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(money, lines, (total, all) => {
        const parts = partsOfLines(total, all);
        expect(sumOf(parts)).toBe(total);
        const goods = all.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
        for (const [n, part] of parts.entries()) {
          if (goods === 0n) continue;
          const exact = (BigInt(total) * BigInt(all[n]?.amount ?? 0)) / goods;
          expect(BigInt(part) - exact >= 0n && BigInt(part) - exact <= 1n).toBe(true);
        }
      }),
    );
  });
});

describe('phones that share a bill', () => {
  test('by lines: whoever takes which, together they pay the bill', () => {
    const chosen = fc.array(fc.record({ amount: money, phone: fc.integer({ min: 0, max: 11 }) }), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(money, chosen, (total, lines) => {
        const parts = partsOfLines(total, lines);
        const ofPhone = (phone: number) => sumOf(parts.filter((_, n) => lines[n]?.phone === phone));
        expect(sumOf(Array.from({ length: 12 }, (_, phone) => ofPhone(phone)))).toBe(total);
      }),
    );
  });

  test('equally: each pays the largest part, as far as it is still due, and nothing is left; in yen as in dinars', () => {
    const currency = fc.constantFrom('JPY', 'SGD', 'KWD');
    fc.assert(
      fc.property(money, fc.integer({ min: 1, max: 12 }), currency, (amount, payers, code) => {
        const { step } = cardLimits(code);
        const total = amount - (amount % step);
        const [share = 0] = equalParts(total, payers, step);
        let due = total;
        for (let phone = 0; phone < payers; phone++) {
          const paid = Math.min(due, share);
          expect(paid % step).toBe(0);
          due -= paid;
        }
        expect(due).toBe(0);
      }),
    );
  });
});

describe('figures', () => {
  test('a redemption that the discount includes counts once, and is due again once it is voided', () => {
    const account = (rest: Partial<Redemption>) => ({
      ...plain,
      ...sumsOf(900),
      redemptions: [redemption({ amount: 100, ...rest })],
    });
    expect(figuresOf(account({}), now)).toMatchObject({ redeemed: 100, due: 800 });
    expect(figuresOf(account({ isInDiscount: true }), now)).toMatchObject({ redeemed: 0, due: 900 });
    expect(figuresOf(account({ isInDiscount: true, isVoided: true }), now)).toMatchObject({ redeemed: 0, due: 1_000 });
    expect(figuresOf(account({ isVoided: true }), now)).toMatchObject({ redeemed: 0, due: 900 });
  });

  test('an amount is held until its time is over, and stays due', () => {
    const payments = [payment({ state: 'held', amount: 300, heldUntil: later })];
    const figures = figuresOf({ ...plain, ...sumsOf(900), redemptions: [], payments }, now);
    expect(figures).toMatchObject({ held: 300, due: 900, isPaid: false });
    expect(availableOf(figures)).toBe(600);
    expect(availableOf(figuresOf({ ...plain, ...sumsOf(900), redemptions: [], payments }, later))).toBe(900);
  });

  test('are never negative, and what is due, paid, redeemed and overpaid is the bill', () => {
    const amounts = fc.array(
      fc.record({ amount: fc.integer({ min: 0, max: 10_000 }), isInDiscount: fc.boolean(), isVoided: fc.boolean() }),
    );
    const kept = fc.array(fc.integer({ min: 0, max: 10_000 }));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50_000 }), amounts, kept, (total, redeemed, paid) => {
        const redemptions = redeemed.map(redemption);
        const payments = paid.map((keptAmount) => payment({ amount: keptAmount, keptAmount }));
        const figures = figuresOf({ ...plain, ...sumsOf(total), redemptions, payments }, now);
        const givenBack = redeemed.filter((one) => one.isInDiscount && one.isVoided);
        const whole = total + sumOf(givenBack.map(({ amount }) => amount));
        expect(figures.due - figures.overpaid).toBe(whole - figures.redeemed - figures.paid);
        expect(Math.min(figures.due, figures.overpaid)).toBe(0);
        expect(figures.payable).toBe(Math.max(0, whole - figures.redeemed));
      }),
    );
  });
});

describe('what sales take above the bill', () => {
  const cash = (...totals: number[]) => totals.map((total, n) => saleOf(total, `s${n}`));
  const bill = { ...plain, ...sumsOf(2_000) };
  const resent = { ...plain, sentAt: new Date(now.getTime() + 1) };
  test.each([
    ['one sale may have more on it than the till last sent', { ...bill, sold: cash(2_100) }, 0],
    ['the bill was sold twice', { ...bill, sold: cash(2_000, 2_000) }, 2_000],
    ['with more on it, twice', { ...bill, sold: cash(2_100, 2_100) }, 2_100],
    ['a part, and then all of it', { ...bill, sold: cash(1_000, 2_000) }, 1_000],
    ['parts that are the bill', { ...bill, sold: cash(1_500, 500) }, 0],
    ['the bill shrank under a part that was sold', { ...resent, ...sumsOf(180), sold: cash(890) }, 710],
    [
      'it shrank by a discount, with the same goods',
      { ...resent, total: 500, subtotal: 2_000, sold: cash(1_000) },
      500,
    ],
    [
      'parts round their own service charge',
      { ...bill, sold: cash(1_001, 1_000).map((s) => ({ ...s, subtotal: 1_000 })) },
      0,
    ],
    ['a bill of before we kept when it was sent', { ...bill, sentAt: null, sold: cash(2_100) }, 0],
  ])('%s', (_, sold, overpaid) => {
    expect(figuresOf(sold, now)).toMatchObject({ overpaid, returnable: 0 });
  });

  test('goes back to cards only if it is too much in any case, since guests may have ordered more', () => {
    const paid = payment({ amount: 1_000, keptAmount: 1_000 });
    const parts = { ...bill, payments: [paid] };
    const byPhone = { ...saleOf(1_000, 's0'), taken: 0 };
    expect(figuresOf({ ...parts, sold: [byPhone, saleOf(1_500, 's1')] }, now)).toMatchObject({
      overpaid: 500,
      returnable: 0,
    });
    expect(figuresOf({ ...parts, sold: cash(2_000) }, now)).toMatchObject({
      overpaid: 1_000,
      returnable: 1_000,
    });
  });
});

describe('figures of a bill that the till sells, too', () => {
  const ways = ['phone', 'value', 'paidAtTill', 'sale', 'nobody'] as const;
  const dishes = fc.array(
    fc.record({ amount: fc.integer({ min: 1, max: 10_000 }), by: fc.constantFrom(...ways), isPaidAgain: fc.boolean() }),
    { minLength: 1, maxLength: 20 },
  );
  type Dish = { amount: number; by: (typeof ways)[number]; isPaidAgain: boolean };
  /** Dishes that are paid in different ways, some of them by phone as well. */
  function accountOf(all: Dish[]) {
    const by = (way: Dish['by']) => all.filter((dish) => dish.by === way);
    const amounts = (way: Dish['by']) => sumOf(by(way).map(({ amount }) => amount));
    const again = all.filter(({ isPaidAgain }) => isPaidAgain).map(({ amount }) => amount);
    const account = {
      ...plain,
      ...sumsOf(sumOf(all.map(({ amount }) => amount))),
      redemptions: by('value').map(({ amount }) => redemption({ amount })),
      payments: [...by('phone').map(({ amount }) => amount), ...again].map((amount) =>
        payment({ amount, keptAmount: amount }),
      ),
      paidAtTill: by('paidAtTill').map(({ amount }) => ({ amount })),
      sold: by('sale').map(({ amount }) => saleOf(amount)),
    };
    return { account, amounts, paid: amounts('phone') + sumOf(again) };
  }

  test('sales of parts beside what was paid at the till: all that was taken counts', () => {
    fc.assert(
      fc.property(dishes, (all) => {
        const { account, amounts, paid } = accountOf(all);
        const takenAtTill = amounts('paidAtTill') + amounts('sale');
        const left = account.total - takenAtTill - amounts('value') - paid;
        const figures = figuresOf(account, now);
        expect(figures).toMatchObject({ takenAtTill, paid, redeemed: amounts('value') });
        expect([figures.due, figures.overpaid]).toEqual([Math.max(0, left), Math.max(0, -left)]);
      }),
    );
  });

  test('a sale of the whole bill lists what was paid at the till: that counts once', () => {
    fc.assert(
      fc.property(dishes, (all) => {
        const { account, amounts, paid } = accountOf(all.map((dish) => ({ ...dish, isPaidAgain: false })));
        const taken = account.total - amounts('value') - paid;
        const figures = figuresOf({ ...account, sold: [{ ...saleOf(account.total), taken }] }, now);
        expect(figures).toMatchObject({ due: 0, overpaid: 0, takenAtTill: taken });
      }),
    );
  });
});

describe('what is returned', () => {
  test('is the excess, of the newest payments first', () => {
    const payments = [600, 300, 200].map((keptAmount, n) => payment({ id: `p${n}`, amount: keptAmount, keptAmount }));
    expect(returnExcess(payments, 0)).toEqual([]);
    expect(returnExcess(payments, 350)).toEqual([
      { id: 'p2', keptAmount: 0, keptTip: 0 },
      { id: 'p1', keptAmount: 150, keptTip: 0 },
    ]);
    expect(sumOf(returnExcess(payments, 9_999).map(({ keptAmount }) => keptAmount))).toBe(0);
  });

  test('takes the tip of a payment along only if all of it goes back', () => {
    const tipped = [
      payment({ id: 'p0', keptAmount: 500, keptTip: 50 }),
      payment({ id: 'p1', keptAmount: 500, keptTip: 40 }),
    ];
    expect(returnExcess(tipped, 499)).toEqual([{ id: 'p1', keptAmount: 1, keptTip: 40 }]);
    expect(returnExcess(tipped, 501)).toEqual([
      { id: 'p1', keptAmount: 0, keptTip: 0 },
      { id: 'p0', keptAmount: 499, keptTip: 50 },
    ]);
  });

  test('is at least the excess, in amounts that cards take', () => {
    const payments = fc.array(
      fc.record({ keptAmount: fc.integer({ min: 0, max: 50_000 }), keptTip: fc.integer({ min: 0, max: 5_000 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(payments, fc.integer({ min: 0, max: 200_000 }), fc.constantFrom(1, 10), (all, excess, step) => {
        // The part of each payment that was returned is a multiple of the step.
        const kept = all.map(({ keptAmount, keptTip }, n) => {
          const amount = keptAmount + ((step - ((keptAmount + keptTip) % step)) % step);
          return payment({ id: `p${n}`, amount, tip: keptTip, keptAmount: amount, keptTip });
        });
        const changed = returnExcess(kept, excess, step);
        const amounts = kept.map(
          ({ id, keptAmount }) => keptAmount - (changed.find((one) => one.id === id)?.keptAmount ?? keptAmount),
        );
        const wanted = Math.min(excess, sumOf(kept.map(({ keptAmount }) => keptAmount)));
        expect(sumOf(amounts)).toBeGreaterThanOrEqual(wanted);
        expect(sumOf(amounts)).toBeLessThan(wanted + step);
        for (const { id, ...rest } of changed) {
          const before = kept.find((one) => one.id === id) as BillPayment;
          expect(returnedOf({ ...before, ...rest }) % step).toBe(0);
        }
      }),
    );
  });

  test('is counted as the payment service says, however often it is told', () => {
    const late = payment({ amount: 1_000, tip: 100 });
    expect(owedOf(late)).toBe(1_100);
    const part = withReturned(late, 400);
    expect(owedOf(part)).toBe(700);
    expect(withReturned(part, 400)).toEqual(part);
    // A refund that failed later is owed again.
    expect(owedOf(withReturned(part, 0))).toBe(1_100);
    expect(owedOf(withReturned(part, 1_100))).toBe(0);
  });

  test('and was not owed, is no longer kept: the amount is due again', () => {
    const kept = payment({ amount: 1_000, tip: 100, keptAmount: 1_000, keptTip: 100 });
    expect(withReturned(kept, 50)).toMatchObject({ keptAmount: 950, keptTip: 100, returnedAmount: 50 });
    const half = withReturned(kept, 600);
    expect(half).toMatchObject({ keptAmount: 400, keptTip: 100, returnedAmount: 600 });
    expect(owedOf(half)).toBe(0);
    expect(figuresOf({ ...plain, ...sumsOf(1_000), redemptions: [], payments: [half] }, now)).toMatchObject({
      paid: 400,
      due: 600,
    });
    expect(withReturned(kept, 1_050)).toMatchObject({ keptAmount: 0, keptTip: 50, returnedAmount: 1_050 });
  });
});
