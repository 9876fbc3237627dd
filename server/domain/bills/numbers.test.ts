/** Bills of one number that follow each other, and what happened on each: late or in time, it is on its own bill. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { createBillScene } from '@/server/testing/table-bill';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { closeBill } from './close';
import { readBill } from './get';
import { putBill } from './put';

const database = ownDatabase();
let scene: Awaited<ReturnType<typeof createBillScene>>;

beforeAll(async () => {
  scene = await createBillScene(database);
});

const minuteMs = 60_000;

/** All times are in minutes since the first bill was opened, or since the bill was. */
const happening = fc.record({
  kind: fc.constantFrom('sale', 'redemption'),
  /** A part of the bill's time; above 1, a sale that follows its end. */
  when: fc.double({ min: 0.01, max: 1.9, noNaN: true }),
  amount: fc.integer({ min: 1, max: 99 }),
  delay: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 })),
});
const seating = fc.record({
  length: fc.integer({ min: 1, max: 60 }),
  /** Until the next guests. */
  gap: fc.integer({ min: 1, max: 20 }),
  isClosedBySale: fc.boolean(),
  happenings: fc.array(happening, { maxLength: 5 }),
});
type Seating = typeof seating extends fc.Arbitrary<infer T> ? T : never;

const sums = (amount: number) => ({
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
  subtotal: amount,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: amount,
});
const total = 100_000;

interface Request {
  /** When it arrives. */
  at: number;
  send(till: typeof scene.till): Promise<unknown>;
}

/** Returns the requests of a day in the order of their arrival, and what is sold and redeemed on each bill. */
function planDay(seatings: Seating[], start: number, customerId: string) {
  const billId = newId();
  const isoAt = (minutes: number) => new Date(start + minutes * minuteMs).toISOString();
  const requests: Request[] = [];
  const sell = (amount: number, at: number, closesBill: boolean) => (till: typeof scene.till) =>
    submitSale(till, {
      transactionId: newId(),
      billId,
      ...sums(amount),
      payments: [{ method: 'cash', amount }],
      closedAt: isoAt(at),
      occurredAt: isoAt(at),
      closesBill,
    });
  let opened = 0;
  const expected = seatings.map(({ length, gap, isClosedBySale, happenings }) => {
    const [from, until] = [opened, opened + length];
    opened = until + gap;
    const bill = { openedAt: isoAt(from), sold: isClosedBySale ? 1 : 0, redeemed: 0 };
    const put = { billId, revision: 1, currency: 'SGD', ...sums(total), openedAt: bill.openedAt };
    requests.push({ at: from, send: (till) => putBill(till, put) });
    const close = (till: typeof scene.till) => closeBill(till, { billId, occurredAt: isoAt(until) });
    requests.push({ at: until, send: isClosedBySale ? sell(1, until, true) : close });
    for (const { kind, when, amount, delay } of happenings) {
      const isSale = kind === 'sale';
      const at = when < 1 ? from + when * length : until + (when - 1) * gap;
      if (!isSale && when >= 1) continue;
      bill[isSale ? 'sold' : 'redeemed'] += amount;
      const customer = { customerId };
      const redemption = { transactionId: newId(), billId, customer, amount, occurredAt: isoAt(at) };
      const send = isSale ? sell(amount, at, false) : (till: typeof scene.till) => redeemStoredValue(till, redemption);
      requests.push({ at: at + delay, send });
    }
    return bill;
  });
  return { billId, requests: requests.sort((a, b) => a.at - b.at), expected };
}

test('whatever is sold and redeemed is on the bill of its time, once, however late it arrives', async () => {
  const { till, merchant, addCustomer } = scene;
  const days = fc.asyncProperty(fc.array(seating, { minLength: 2, maxLength: 3 }), async (seatings) => {
    const customer = await addCustomer();
    const start = Date.now() - 10 * 60 * minuteMs;
    const { billId, requests, expected } = planDay(seatings, start, customer.id);
    for (const { at, send } of requests) await send({ ...till, clock: { now: () => new Date(start + at * minuteMs) } });
    const rows = await database.owner`select id from bills where bill_id = ${billId} order by id`;
    const bills = await withMerchant(database.db, merchant.id, (tx) =>
      Promise.all(rows.map(({ id }) => readBill(tx, till.merchant, id, new Date(start + 600 * minuteMs)))),
    );
    const found = bills.map((bill) => bill && { openedAt: bill.openedAt, sold: bill.sold, redeemed: bill.redeemed });
    expect(found).toEqual(expected);
  });
  await fc.assert(days, { numRuns: 40 });
}, 120_000);
