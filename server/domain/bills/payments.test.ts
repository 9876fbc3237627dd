/** Payments by diners' phones: one by one, and many at once while the till changes and closes the bill. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Tx, withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { codeOf } from '@/db/testing/error-code';
import { recordingEvents } from '@/server/testing/factory';
import { refusalOf } from '@/server/testing/menu';
import { randomFrom } from '@/server/testing/random';
import { openStage } from '@/server/testing/transaction-stage';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { closeBill, voidBill } from './close';
import { getBill } from './get';
import { countReturned, holdPayment, releasePayment, takePayment } from './payments';
import { putBill } from './put';
import { releaseBillPayment } from './release';
import { equalParts } from './rules';
import { beginSettling } from './settling';

const database = ownDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database, recordingEvents);
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const billOf = (billId: string, total: number, revision = 1) => ({
  billId,
  revision,
  currency: 'SGD',
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: total, amount: total }],
  subtotal: total,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total,
});

interface Paying {
  paymentId?: string;
  amount?: number;
  tip?: number;
  /** In minutes from now. */
  at?: number;
}

const payer = { guestId: null, guestName: '' };

test('an id that another bill’s payment has is refused', async () => {
  const [one, other] = [await openBill(1_000), await openBill(1_000)];
  const { id: paymentId } = await one.hold({ amount: 500 });
  expect(await refusalOf(other.hold({ paymentId, amount: 500 }))).toMatchObject({ code: 'invalid_request' });
  expect(await other.look()).toMatchObject({ held: 0 });
});

/** Opens a bill in the northern store, with functions for what phones do on it. */
async function openBill(total: number) {
  const billId = newId();
  const { north: till, merchant } = stage;
  await putBill(till, billOf(billId, total));
  const name = { storeId: merchant.stores[0].id, billId };
  const change = <T>(work: (tx: Tx) => Promise<T>) => withMerchant(database.db, merchant.id, work);
  const timeOf = (at: number) => new Date(Date.now() + at * 60_000);
  const hold = ({ paymentId = newId(), amount = total, tip = 0, at = 0 }: Paying = {}) =>
    change((tx) => holdPayment(tx, till.merchant, name, { ...payer, paymentId, amount, tip }, timeOf(at)));
  const take = (paymentId: string, at = 0) => change((tx) => takePayment(tx, till.merchant, { paymentId }, timeOf(at)));
  const release = (paymentId: string) => change((tx) => releasePayment(tx, till.merchant, { paymentId }, timeOf(0)));
  const giveBack = (paymentId: string, returned: number) =>
    change((tx) => countReturned(tx, till.merchant, { paymentId, returned }, timeOf(0)));
  const put = (amount: number, revision: number) => putBill(till, billOf(billId, amount, revision));
  const look = () => getBill(till, { billId });
  /** What was taken from payers, and what is owed back to them. */
  const rows = () => database.owner`
    select p.state, p.amount::int, p.tip::int, p.kept_amount::int, p.kept_tip::int from bill_payments p join bills b on b.id = p.bill_uid
    where b.bill_id = ${billId} order by p.id`;
  return { billId, hold, take, release, giveBack, put, look, rows, close: () => closeBill(till, { billId }) };
}
type Bill = Awaited<ReturnType<typeof openBill>>;

const sumOf = (parts: number[]) => parts.reduce((sum, part) => sum + part, 0);
const atOnce = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));
const refusals = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code ?? one.reason] : []));

describe('a payment', () => {
  test('is held, and then paid with its tip', async () => {
    const { hold, take, look } = await openBill(1_000);
    const { id } = await hold({ amount: 600, tip: 50 });
    expect(await look()).toMatchObject({ state: 'open', held: 600, paid: 0, tips: 0, due: 1_000 });
    await take(id);
    const bill = await look();
    expect(bill).toMatchObject({ state: 'open', held: 0, paid: 600, tips: 50, due: 400, overpaid: 0 });
    expect(bill.payments).toMatchObject([{ paymentId: id, state: 'paid', amount: 600, tip: 50, returned: 0 }]);
  });

  test('is held and taken once, however often it is sent', async () => {
    const { hold, take, look } = await openBill(1_000);
    const paymentId = newId();
    await atOnce(6, () => hold({ paymentId, amount: 700 }));
    expect((await look()).held).toBe(700);
    await atOnce(6, () => take(paymentId));
    expect(await look()).toMatchObject({ paid: 700, due: 300, payments: [{ paymentId }] });
    expect(await refusalOf(hold({ paymentId, amount: 701 }))).toEqual({
      code: 'invalid_request',
      paths: ['paymentId'],
    });
  });

  test('is refused for more than is due, and nobody else holds', async () => {
    const { hold, release, look } = await openBill(1_000);
    const { id } = await hold({ amount: 600 });
    expect(await refusalOf(hold({ amount: 401 }))).toMatchObject({ code: 'bill_due_exceeded' });
    await hold({ amount: 400 });
    await release(id);
    await hold({ amount: 600 });
    expect((await look()).held).toBe(1_000);
  });

  test('gives way to a redemption at the till, the newest first, and counts later only if it is still due', async () => {
    await stage.newCustomer();
    await stage.paid(stage.north);
    const { billId, hold, take, look } = await openBill(1_000);
    const [first, second] = [await hold({ amount: 600 }), await hold({ amount: 400 })];
    await redeemStoredValue(stage.north, { ...stage.next(), billId, amount: 300 });
    expect(await look()).toMatchObject({ redeemed: 300, held: 600, due: 700 });
    await take(second.id);
    expect(await look()).toMatchObject({ paid: 0, held: 600, overpaid: 0 });
    await take(first.id);
    expect(await look()).toMatchObject({ paid: 600, due: 100, overpaid: 0 });
    const more = redeemStoredValue(stage.north, { ...stage.next(), billId, amount: 101 });
    expect(await refusalOf(more)).toMatchObject({ code: 'bill_due_exceeded' });
  });

  test('is released by the till, once; one that was taken stays', async () => {
    const { billId, hold, take, look } = await openBill(1_000);
    const { id: paymentId } = await hold({ amount: 600 });
    const release = (id = paymentId) => releaseBillPayment(stage.north, { billId, paymentId: id });
    const [answer] = await Promise.all([release(), release()]);
    expect(answer).toMatchObject({ held: 0, due: 1_000, payments: [] });
    const { id: paid } = await hold({ amount: 400 });
    await take(paid);
    expect(await release(paid)).toMatchObject({ paid: 400, due: 600 });
    expect(await look()).toMatchObject({ held: 0, paid: 400 });
    const entries = await database.owner`
      select after from audit_log where action = 'bill.releasePayment' and after like ${`%${billId}%`}`;
    expect(entries.map(({ after }) => JSON.parse(after))).toEqual([{ billId, paymentId, amount: 600 }]);
    expect(await refusalOf(release(newId()))).toMatchObject({ code: 'bill_payment_not_found' });
  });

  test('waits while the till takes money; one that had begun counts', async () => {
    const { billId, hold, take, look } = await openBill(1_000);
    const { id } = await hold({ amount: 300 });
    const settling = await beginSettling(stage.north, { billId, minutes: 5 });
    expect(settling).toMatchObject({ due: 1_000, held: 300 });
    expect(await refusalOf(hold({ amount: 100 }))).toMatchObject({ code: 'bill_settling' });
    await take(id);
    expect(await look()).toMatchObject({ paid: 300, due: 700 });
    // Its minutes are over.
    await hold({ amount: 100, at: 5 });
  });

  test('that was held for too long does not count while the till takes what is due', async () => {
    const { billId, hold, take, look, rows } = await openBill(1_000);
    const { id } = await hold({ amount: 300, at: -11 });
    await beginSettling(stage.north, { billId, minutes: 5 });
    await take(id);
    expect(await look()).toMatchObject({ paid: 0, due: 1_000 });
    expect(await rows()).toMatchObject([{ state: 'taken', kept_amount: 0 }]);
  });

  test('that was held for too long is free for others; it counts as long as it is still due', async () => {
    const { hold, take, look } = await openBill(1_000);
    const [slow, slower] = [await hold({ amount: 600, at: -11 }), await hold({ amount: 400, at: -11 })];
    await hold({ amount: 500 });
    await take(slower.id);
    expect(await look()).toMatchObject({ paid: 400, held: 500, due: 600 });
    await take(slow.id);
    const bill = await look();
    expect(bill).toMatchObject({ paid: 400, held: 500, due: 600, overpaid: 0 });
    expect(bill.payments).toMatchObject([{ state: 'returned', amount: 600, returned: 600 }, { state: 'paid' }, {}]);
  });

  test('for a closed or void bill is owed back, with its tip', async () => {
    const [closed, cancelled] = [await openBill(1_000), await openBill(1_000)];
    const ends: [Bill, () => Promise<unknown>][] = [
      [closed, closed.close],
      [cancelled, () => voidBill(stage.north, { billId: cancelled.billId })],
    ];
    for (const [bill, end] of ends) {
      const { id } = await bill.hold({ amount: 600, tip: 60 });
      await end();
      expect(await bill.look()).toMatchObject({ held: 0, payments: [] });
      expect(await refusalOf(bill.hold({ amount: 1 }))).toMatchObject({ code: 'bill_closed' });
      expect(await bill.take(id)).toMatchObject({ state: 'taken', keptAmount: 0, keptTip: 0 });
      expect(await bill.look()).toMatchObject({ paid: 0, tips: 0, payments: [{ state: 'returned', returned: 660 }] });
    }
  });

  test('for a bill that its till has forgotten is owed back', async () => {
    const { hold, take, look } = await openBill(1_000);
    const { id } = await hold({ amount: 600 });
    const [justInTime, tooLate] = [12 * 60 - 1, 12 * 60 + 1];
    const last = await hold({ amount: 100, at: justInTime });
    expect(await refusalOf(hold({ amount: 100, at: tooLate }))).toMatchObject({ code: 'bill_closed' });
    await take(last.id, justInTime);
    await take(id, tooLate);
    expect(await look()).toMatchObject({
      paid: 100,
      payments: [{ state: 'returned', returned: 600 }, { state: 'paid' }],
    });
  });

  test('that is given back is due again', async () => {
    const { hold, take, giveBack, look } = await openBill(1_000);
    const { id } = await hold();
    await take(id);
    expect((await look()).state).toBe('paid');
    await giveBack(id, 300);
    await giveBack(id, 300);
    expect(await look()).toMatchObject({ state: 'open', paid: 700, due: 300, payments: [{ returned: 300 }] });
  });

  test('is no void’s: a bill that something was paid on can’t be voided', async () => {
    const { billId, hold, take } = await openBill(1_000);
    await take((await hold({ amount: 100 })).id);
    expect(await refusalOf(voidBill(stage.north, { billId }))).toMatchObject({ code: 'bill_paid' });
  });

  test('of nobody changes nothing', async () => {
    const { take, release, giveBack } = await openBill(1_000);
    expect([await take(newId()), await release(newId()), await giveBack(newId(), 1)]).toEqual([null, null, null]);
  });
});

test('a bill that shrinks below what was paid says by how much, and returns it when it is closed', async () => {
  const { hold, take, put, look, close, rows } = await openBill(1_000);
  for (const amount of [600, 400]) await take((await hold({ amount, tip: 10 })).id);
  await put(300, 2);
  expect(await look()).toMatchObject({ state: 'paid', paid: 1_000, due: 0, overpaid: 700 });
  await put(900, 3);
  expect(await look()).toMatchObject({ paid: 1_000, overpaid: 100 });
  const closed = await close();
  expect(closed).toMatchObject({ paid: 900, tips: 20, overpaid: 0 });
  expect(closed.payments).toMatchObject([{ returned: 0 }, { amount: 400, returned: 100 }]);
  expect((await rows()).map(({ kept_amount }) => kept_amount)).toEqual([600, 300]);
});

test('the database itself refuses to hold more than the bill', async () => {
  const { billId, hold } = await openBill(1_000);
  await hold({ amount: 600 });
  const more = database.owner`update bills set held_amount = held_amount + 401 where bill_id = ${billId}`;
  expect(await codeOf(more)).toBe('23514');
});

describe('at once', () => {
  test('twelve phones that each hold a fifth: five get it', async () => {
    const { hold, take, look } = await openBill(1_000);
    const outcomes = await atOnce(12, () => hold({ amount: 200 }));
    expect(refusals(outcomes)).toEqual(Array(7).fill('bill_due_exceeded'));
    expect(await look()).toMatchObject({ held: 1_000, due: 1_000 });
    const held = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    await Promise.all(held.map((id) => take(id)));
    expect(await look()).toMatchObject({ state: 'paid', paid: 1_000, due: 0, overpaid: 0 });
  });

  test('stored value at the till and cards on phones never exceed the bill', async () => {
    await stage.newCustomer();
    await stage.paid(stage.north);
    const { billId, hold, look } = await openBill(1_000);
    const redeem = () => redeemStoredValue(stage.north, { ...stage.next(), billId, amount: 200 });
    const outcomes = await atOnce(12, (n) => (n % 2 === 0 ? hold({ amount: 200 }) : redeem().then(() => ({ id: '' }))));
    // The till goes before the phones: five of its six redemptions take all that is due.
    const byTill = outcomes.filter((_, n) => n % 2 === 1);
    expect(refusals(byTill)).toEqual(['bill_due_exceeded']);
    expect(await look()).toMatchObject({ redeemed: 1_000, held: 0, due: 0, overpaid: 0 });
  });

  test('the same bill sent eight times is one, and of eight revisions the highest stays', async () => {
    const billId = newId();
    const same = await atOnce(8, () => putBill(stage.north, billOf(billId, 500)));
    expect(refusals(same)).toEqual([]);
    const rows = await database.owner`select revision from bills where bill_id = ${billId}`;
    expect(rows).toHaveLength(1);
    const others = await atOnce(8, (n) => putBill(stage.north, billOf(billId, 500 + n, 2 + n)));
    expect(new Set(refusals(others))).toEqual(new Set(refusals(others).length > 0 ? ['bill_revision_outdated'] : []));
    expect(await getBill(stage.north, { billId })).toMatchObject({ revision: 9, total: 507 });
  });

  test('a close and a sale while phones hold and pay: what was taken too late is owed back', async () => {
    for (const isSale of [false, true]) {
      const { billId, hold, take, look, rows, close } = await openBill(1_200);
      const pay = async () => {
        const { id } = await hold({ amount: 100, tip: 7 });
        await take(id);
      };
      const { lines, discount, serviceCharge, tax, subtotal, total } = billOf(billId, 1_200);
      const sale = {
        transactionId: newId(),
        billId,
        lines,
        subtotal,
        discount,
        serviceCharge,
        tax,
        total,
        payments: [{ method: 'cash', amount: total }],
        closedAt: new Date().toISOString(),
      };
      const end = () => (isSale ? submitSale(stage.north, sale) : close());
      const outcomes = await atOnce(13, async (n) => (n === 6 ? void (await end()) : pay()));
      expect(new Set([...refusals(outcomes), 'bill_closed'])).toEqual(new Set(['bill_closed']));
      const bill = await look();
      const taken = (await rows()).filter(({ state }) => state === 'taken');
      expect(bill.state).toBe('closed');
      expect(bill.paid + bill.tips + sumOf(bill.payments.map(({ returned }) => returned))).toBe(taken.length * 107);
      expect(bill.paid).toBeLessThanOrEqual(1_200);
    }
  });

  test.each([1, 2, 3, 4])(
    'twelve phones, a till that changes its bill and closes it, and stored value (%i)',
    async (seed) => {
      const random = randomFrom(seed);
      await stage.newCustomer();
      await stage.paid(stage.north);
      const bill = await openBill(6_000);
      const pay = async (share: number) => {
        const [luck, lateness] = [random(), random()];
        const amount = Math.max(1, share + Math.floor(random() * 3) - 1);
        const { id } = await bill.hold({ amount, tip: 33, at: lateness < 0.3 ? -11 : 0 });
        if (luck < 0.15) await bill.release(id);
        // Stripe reports it twice, even for a released payment.
        if (luck < 0.9) await Promise.all([bill.take(id), bill.take(id)]);
      };
      const shares = equalParts(6_000, 12);
      const redeem = () => redeemStoredValue(stage.north, { ...stage.next(), billId: bill.billId, amount: 400 });
      const change = async (redemptions: Promise<unknown>[]) => {
        for (const revision of [2, 3, 4]) await bill.put(4_000 + Math.floor(random() * 4_000), revision);
        const final = await bill.put(5_500, 5);
        // A till may still redeem for a bill that it has closed, which would add to these.
        await Promise.allSettled(redemptions);
        await bill.close();
        return final;
      };
      const redemptions = [redeem(), redeem()];
      const outcomes = await Promise.allSettled([
        ...shares.map(pay),
        change(redemptions),
        ...redemptions,
        ...shares.map(pay),
      ]);
      const allowed = new Set(['bill_due_exceeded', 'bill_closed']);
      expect(refusals(outcomes).filter((code) => !allowed.has(code))).toEqual([]);
      const { state, total, redeemed, paid, tips, overpaid, held } = await bill.look();
      expect({ state, total, held }).toEqual({ state: 'closed', total: 5_500, held: 0 });
      // Only redemptions remain to be voided. Of card payments, everything above the bill is owed back.
      expect(redeemed + paid).toBeLessThanOrEqual(Math.max(total, redeemed));
      expect(overpaid).toBe(Math.max(0, redeemed - total));
      const taken = (await bill.rows()).filter((row) => row.state === 'taken');
      expect(paid + tips).toBe(sumOf(taken.map(({ kept_amount, kept_tip }) => kept_amount + kept_tip)));
      const returned = sumOf((await bill.look()).payments.map((one) => one.returned));
      expect(paid + tips + returned).toBe(sumOf(taken.map(({ amount, tip }) => amount + tip)));
    },
  );
});
