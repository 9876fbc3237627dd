/** Random requests in the model's terms, mostly by the first customer, so that they affect the same balance. */
import fc from 'fast-check';
import { redeemPointsOperation, saleOperation } from './points-operations';
import type { Operation } from './session';
import { cashOutOperation, redeemOperation, topUpOperation } from './stored-value-operations';
import { redeemVoucherOperation } from './voucher-operation';

export type AnyOperation = Operation<unknown, { transactionId: string }>;

export const operations = [
  topUpOperation,
  cashOutOperation,
  redeemOperation,
  saleOperation,
  redeemPointsOperation,
  redeemVoucherOperation,
] as unknown as AnyOperation[];

const daysAgo = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 30 }));
const which = fc.constantFrom(0, 2, 4, 0, 2, 1);
const share = fc.constant('percent of the balance' as const);

const topUp = fc.record({
  customer: which,
  package: fc.nat(3),
  percent: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 100 }) }, fc.constant(101)),
  daysAgo,
});
const redeem = fc.record({
  customer: which,
  amount: fc.record({
    of: fc.oneof(share, share, fc.constantFrom('money' as const, 'above the balance' as const)),
    value: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.constant(100)),
  }),
  allowPartial: fc.constantFrom(undefined, true, true, false),
  daysAgo,
});
const cashOut = fc.record({
  customer: which,
  percent: fc.constantFrom(null, 10, 34, 50, 100, 101),
  daysAgo,
});
// Some are a month old, so that their points are close to expiry or past it.
const sale = fc.record({
  customer: fc.oneof({ weight: 8, arbitrary: which }, fc.constant(null)),
  subtotal: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1_000, max: 9_000 }) }, fc.constantFrom(0, 249, 250)),
  discountPercent: fc.constantFrom(0, 0, 0, 0, 0, 15, 40, 100),
  rounding: fc.constantFrom(undefined, 2, -1),
  isOff: fc.oneof({ weight: 24, arbitrary: fc.constant(false) }, fc.constant(true)),
  daysAgo: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 25, max: 30 })),
});
const redeemPoints = fc.record({
  customer: which,
  points: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ of: share, value: fc.oneof(fc.integer({ min: 20, max: 90 }), fc.constant(100)) }),
    },
    fc.record({ of: fc.constant('points' as const), value: fc.constantFrom(1, 4, 5, 20) }),
    fc.record({ of: fc.constant('above the balance' as const), value: fc.integer({ min: 1, max: 50 }) }),
  ),
  daysAgo,
});
const quantity = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(0.25, 1.5, 2.75));
export const redeemVoucherDraft = fc.record({
  customer: which,
  voucher: fc.nat(20),
  isForeign: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.constant(true)),
  spelling: fc.constantFrom(0 as const, 1 as const, 2 as const),
  amount: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1_000, max: 4_000 }) }, fc.integer({ min: 1, max: 999 })),
  lines: fc.option(fc.array(fc.record({ item: fc.nat(3), quantity }), { maxLength: 4 }), { nil: undefined, freq: 6 }),
  bill: fc.constantFrom(null, 1, 1, 1, 1, 2),
  daysAgo: fc.oneof({ weight: 3, arbitrary: daysAgo }, fc.integer({ min: 0, max: 10 })),
});

type Draft = fc.Arbitrary<readonly [AnyOperation, unknown]>;

const of = (operation: unknown, draft: fc.Arbitrary<unknown>): Draft =>
  draft.map((value) => [operation as AnyOperation, value] as const);

const storedValue = [of(topUpOperation, topUp), of(redeemOperation, redeem), of(cashOutOperation, cashOut)];
const points = [of(saleOperation, sale), of(redeemPointsOperation, redeemPoints)];
const vouchers = [of(redeemVoucherOperation, redeemVoucherDraft)];

/** Drafts of any operation, and of one kind for longer sequences. */
export const drafts: Draft[] = [
  fc.oneof(...storedValue, ...points, ...vouchers),
  fc.oneof(...storedValue),
  fc.oneof(...points),
  fc.oneof(...points, points[1] as Draft),
  fc.oneof(...vouchers),
];
