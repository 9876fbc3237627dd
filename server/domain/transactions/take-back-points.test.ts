/** Refunds of a sold bill's card payments take back the points that the money earned: by tills, by staff, and at Stripe. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openPaidTable } from '@/server/testing/bill-payments';
import { createCustomer } from '@/server/testing/factory';
import { refusalOf } from '@/server/testing/menu';
import { dropJobs, queuedJobs } from '@/server/testing/queue';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { reopenBill, takeBackPointsTask } from '../bills';
import { balancesByPhone } from '../customers/balances';
import { mergeCustomers } from '../customers/merge';
import { getHistory } from '../diners/history';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { redeemPoints } from '../points/redeem';
import { submitSale } from '../sales/submit';
import { lookUpTransaction } from './lookup';
import { refundBillPayment } from './refund-bill-payment';
import { takeBackPoints } from './take-back-points';
import { voidTransactions } from './void';

const stage = topUpStage();

afterAll(async () => {
  expect(await verifyLedger(stage.owner)).toEqual([]);
});

const saleOf = (total: number) => ({
  closedAt: new Date().toISOString(),
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: total, amount: total }],
  subtotal: total,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total,
});

/** Runs what is queued for the worker, twice at once. */
async function workOff() {
  const queued = (await queuedJobs(stage.owner)).filter((job) => job.task_identifier === takeBackPointsTask);
  const payloads = queued.map(({ payload }) => payload as { merchantId: string; billUid: string });
  for (const one of payloads) await Promise.all([one, one].map((same) => takeBackPoints(stage.services(), same)));
  if (queued.length > 0)
    await dropJobs(
      stage.owner,
      queued.map(({ id }) => id),
    );
}

/** A bill that phones and the till have paid. Each whole dollar earns a point. */
async function sellBill({ byPhone = [10_000], byTill = 0, sales = 1 } = {}) {
  const total = byPhone.reduce((sum, one) => sum + one, byTill);
  const table = await openPaidTable(stage, total, { settings: { earn_points: 1, earn_per_amount: 100 } });
  const { till, billId, merchant, services } = table;
  const { id: customerId, phone } = await createCustomer(stage.owner, merchant.id);
  const payments: string[] = [];
  for (const amount of byPhone) payments.push((await table.pay({ amount, guestId: newId() })).paymentId);
  const sell = (transactionId: string, of: number, paid: { method: string; amount: number }[]) =>
    submitSale(till, {
      ...saleOf(of),
      transactionId,
      billId,
      customer: { phone },
      payments: paid.filter(({ amount }) => amount > 0),
    });
  const ofPhones = total - byTill;
  if (sales === 1)
    await sell('sale 1', total, [
      { method: 'phone', amount: ofPhones },
      { method: 'cash', amount: byTill },
    ]);
  else {
    await sell('sale 1', ofPhones, [{ method: 'phone', amount: ofPhones }]);
    await sell('sale 2', byTill, [{ method: 'cash', amount: byTill }]);
  }
  const refund = (paymentId: string | undefined, returned?: number, keepPoints?: boolean) =>
    refundBillPayment(till, { billId, paymentId: paymentId ?? '', returned, keepPoints });
  /** As a person does it in Stripe's dashboard: `more` on top of earlier refunds. */
  const refundAtStripe = async (paymentId: string | undefined, more?: number) => {
    stage.stripe.refund(table.sessionOf(paymentId ?? '').id, more);
    await Promise.all([table.settle(paymentId ?? ''), table.settle(paymentId ?? '')]);
  };
  const points = async () => {
    await workOff();
    const { balance, owed } = (await balancesByPhone(till, { phone })).points;
    return { balance, owed };
  };
  const spend = (count: number, transactionId: string = newId()) =>
    redeemPoints(till, { transactionId, customer: { phone }, points: count });
  return { ...table, services, customerId, phone, payments, refund, refundAtStripe, points, spend };
}

describe('a refund takes back points', () => {
  test('in proportion, rounded down over all refunds, and a repeat takes nothing more', async () => {
    const { refund, payments, points, look, till } = await sellBill({ byPhone: [6_550], byTill: 3_450 });
    expect(await points()).toMatchObject({ balance: 100 });
    const [payment] = payments;
    // 0.99 of a dollar earned nothing by itself. 0.20 is less than a card can be charged.
    await refund(payment, 20);
    await refund(payment, 99);
    expect(await points()).toMatchObject({ balance: 100 });
    await refund(payment, 150);
    await refund(payment, 150);
    expect(await points()).toMatchObject({ balance: 99 });
    const { sales } = await refund(payment);
    expect(sales).toMatchObject([{ pointsEarned: 100, pointsTaken: 65 }]);
    expect(await points()).toMatchObject({ balance: 35, owed: 0 });
    expect((await look()).sales).toEqual(sales);
    const sale = () => lookUpTransaction(till, { transactionId: 'sale 1' });
    expect(await sale()).toMatchObject({ status: 'completed', answer: { pointsEarned: 100 }, pointsTaken: 65 });
    await voidTransactions(till, { transactionIds: ['sale 1'] });
    expect(await sale()).toMatchObject({ status: 'voided', effect: { taken: { points: 35 } }, pointsTaken: 65 });
  });

  test('but leaves them if the till says so, or nothing was sold', async () => {
    const { refund, payments, points } = await sellBill({ byPhone: [4_000, 6_000] });
    await refund(payments[0], undefined, true);
    expect(await points()).toMatchObject({ balance: 100 });
    await refund(payments[1]);
    expect(await points()).toMatchObject({ balance: 40 });
    const unsold = await openPaidTable(stage, 1_000);
    const { paymentId } = await unsold.pay();
    await unsold.close();
    const { sales } = await refundBillPayment(unsold.till, { billId: unsold.billId, paymentId });
    expect(sales).toEqual([]);
  });

  test('not of a tip', async () => {
    const table = await sellBill({ byPhone: [10_000] });
    const { owner } = stage;
    await owner`update bill_payments set tip = 1000, kept_tip = 1000 where id = ${table.payments[0] as string}`;
    await table.refund(table.payments[0], 5_000);
    expect(await table.points()).toMatchObject({ balance: 50 });
    await table.refund(table.payments[0]);
    expect(await table.points()).toMatchObject({ balance: 0, owed: 0 });
  });

  test('of the sales that phones paid for', async () => {
    const { refund, payments, points } = await sellBill({ byPhone: [6_000], byTill: 4_000, sales: 2 });
    const { sales } = await refund(payments[0], 3_000);
    expect(sales.map(({ pointsTaken }) => pointsTaken)).toEqual([30, 0]);
    expect(await points()).toMatchObject({ balance: 70 });
  });

  test('and those that were spent are owed, and paid by what comes back', async () => {
    const { refund, payments, points, spend, till } = await sellBill();
    await spend(70, 'spent');
    await refund(payments[0], 5_000);
    expect(await points()).toEqual({ balance: 0, owed: 20 });
    await voidTransactions(till, { transactionIds: ['spent'] });
    expect(await points()).toEqual({ balance: 50, owed: 0 });
  });

  test('and a void of the sale takes only the rest', async () => {
    const { refund, payments, points, spend, till } = await sellBill();
    await spend(80, 'spent');
    await refund(payments[0], 5_000);
    expect(await points()).toEqual({ balance: 0, owed: 30 });
    const { results } = await voidTransactions(till, { transactionIds: ['sale 1'] });
    expect(results).toMatchObject([{ pointsShortfall: 80, effect: { taken: { points: 0 }, shortfall: 80 } }]);
    await voidTransactions(till, { transactionIds: ['spent'] });
    expect(await points()).toEqual({ balance: 0, owed: 0 });
  });

  test('and what voided sales owe is paid before what refunds owe, whichever came first', async () => {
    const { refund, payments, points, spend, till, phone } = await sellBill();
    const sellMore = (transactionId: string) =>
      submitSale(till, {
        ...saleOf(1_000),
        transactionId,
        customer: { phone },
        payments: [{ method: 'cash', amount: 1_000 }],
      });
    const owedAfterVoiding = async (...transactionIds: string[]) =>
      (await voidTransactions(till, { transactionIds })).results.map(({ pointsShortfall = 0 }) => pointsShortfall);
    await spend(10, 'ten');
    await Promise.all(['second', 'third'].map(sellMore));
    await spend(110, 'most');
    await refund(payments[0], 5_000);
    expect(await points()).toEqual({ balance: 0, owed: 50 });
    // Both at once: the ten that come back pay for the second sale.
    expect(await owedAfterVoiding('second', 'ten')).toEqual([0, 0]);
    expect(await points()).toEqual({ balance: 0, owed: 50 });
    expect(await owedAfterVoiding('third')).toEqual([10]);
    await sellMore('fourth');
    expect(await owedAfterVoiding('third')).toEqual([0]);
    expect(await points()).toEqual({ balance: 0, owed: 50 });
  });

  test('also of a customer who was merged into another since', async () => {
    const { refund, payments, till, merchant, customerId } = await sellBill();
    const kept = await createCustomer(stage.owner, merchant.id);
    const staff = await createStaff(stage.owner, stage.services(), merchant.id, 'owner');
    await mergeCustomers(staff, { keptId: kept.id, mergedId: customerId });
    await refund(payments[0], 2_500);
    expect((await balancesByPhone(till, { phone: kept.phone })).points).toMatchObject({ balance: 75 });
  });

  test('if it was made at Stripe, too, and a later void of the sale takes the rest', async () => {
    const { refundAtStripe, refund, payments, points, spend, till } = await sellBill({
      byPhone: [6_550],
      byTill: 3_450,
    });
    await refundAtStripe(payments[0], 99);
    expect(await points()).toMatchObject({ balance: 100 });
    await refundAtStripe(payments[0], 51);
    expect(await points()).toMatchObject({ balance: 99 });
    await spend(90);
    await refundAtStripe(payments[0]);
    expect(await points()).toEqual({ balance: 0, owed: 55 });
    await refund(payments[0]);
    expect(await points()).toEqual({ balance: 0, owed: 55 });
    await voidTransactions(till, { transactionIds: ['sale 1'] });
    expect(await points()).toEqual({ balance: 0, owed: 90 });
  });

  test('as the diner’s history adds up', async () => {
    const { refund, payments, merchant, services, customerId, till } = await sellBill();
    await refund(payments[0], 2_500);
    const { items } = await getHistory(services, { merchant: till.merchant, customerId } as never, {});
    expect(items.map(({ moved }) => moved.points)).toEqual([75]);
    expect(merchant.id).toBe(till.merchant.id);
  });

  test('once, of many at once and beside redemptions', async () => {
    const { refund, refundAtStripe, payments, points, spend } = await sellBill({ byPhone: [5_000, 5_000] });
    const parts = [1_000, 2_000, 3_000, 4_000, 5_000];
    const refunds = payments.flatMap((payment) => parts.map((part) => refund(payment, part)));
    refunds.push(...payments.map((payment) => refundAtStripe(payment, 500).then(workOff) as never));
    const spent = [...Array(10).keys()].map(() =>
      spend(7).then(
        () => 7,
        () => 0,
      ),
    );
    const [, all] = await Promise.all([Promise.all(refunds), Promise.all(spent)]);
    const total = all.reduce((sum, one) => sum + one, 0);
    expect(await points()).toEqual({ balance: 0, owed: total });
  });
});

test('redemptions, their voids and refunds in any order come to the same', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('spend' as const), of: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ kind: fc.constant('void' as const), of: fc.nat(5) }),
    fc.record({ kind: fc.constantFrom('refund' as const, 'stripe' as const), of: fc.integer({ min: 1, max: 10_000 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), fc.boolean(), async (steps, voidsSaleFirst) => {
      const { refund, refundAtStripe, payments, points, spend, till } = await sellBill();
      const spent: { id: string; of: number }[] = [];
      let refunded = 0;
      const net = async () => {
        const { balance, owed } = await points();
        return balance - owed;
      };
      const voidAll = (transactionIds: string[]) =>
        transactionIds.length > 0 ? voidTransactions(till, { transactionIds }) : null;
      for (const { kind, of } of steps) {
        if (kind === 'spend' && (await points()).balance >= of) {
          const id = newId();
          await spend(of, id);
          spent.push({ id, of });
        }
        if (kind === 'void') await voidAll(spent.splice(of, 1).map(({ id }) => id));
        if (kind === 'refund') {
          await refund(payments[0], of);
          refunded = Math.max(refunded, of);
        }
        if (kind === 'stripe' && of > refunded) {
          await refundAtStripe(payments[0], of - refunded);
          refunded = of;
        }
        const left = 100 - Math.floor(refunded / 100) - spent.reduce((sum, one) => sum + one.of, 0);
        expect(await net()).toBe(left);
      }
      if (voidsSaleFirst) await voidAll(['sale 1']);
      await voidAll(spent.map(({ id }) => id));
      await voidAll(['sale 1']);
      expect(await points()).toEqual({ balance: 0, owed: 0 });
    }),
    { numRuns: 12 },
  );
});

describe('staff', () => {
  test('are told how many points a refund took', async () => {
    const { payments, merchant, points } = await sellBill();
    const manager = callAs(await createStaff(stage.owner, stage.services(), merchant.id, 'manager'));
    const refund = { paymentId: payments[0] as string, reason: 'Cold food' };
    expect(await manager.bills.refundPayment({ ...refund, returned: 4_000, keepPoints: true })).toEqual({
      pointsTaken: 0,
    });
    expect(await manager.bills.refundPayment({ ...refund, returned: null })).toEqual({ pointsTaken: 60 });
    expect(await points()).toMatchObject({ balance: 40 });
  });
});

describe('a refund of a bill that is open again', () => {
  test.each(['till', 'Stripe'])('by %s takes the points once the bill is closed', async (by) => {
    const { refund, refundAtStripe, payments, points, till, billId, close } = await sellBill();
    await reopenBill(till, { billId });
    await (by === 'till' ? refund(payments[0], 4_000) : refundAtStripe(payments[0], 4_000));
    expect(await points()).toMatchObject({ balance: 100 });
    await close();
    expect(await points()).toMatchObject({ balance: 60 });
    await reopenBill(till, { billId });
    await close();
    expect(await points()).toMatchObject({ balance: 60 });
  });

  test('takes none if the money is paid again, or the till keeps them', async () => {
    const { refund, payments, pay, points, till, billId, close } = await sellBill({ byPhone: [5_000, 5_000] });
    await reopenBill(till, { billId });
    await refund(payments[0], 3_000);
    await pay({ amount: 2_000 });
    await refund(payments[1], 1_500, true);
    await close();
    expect(await points()).toMatchObject({ balance: 90 });
    await reopenBill(till, { billId });
    await refund(payments[0], 5_000);
    await pay({ amount: 4_500 });
    await close();
    expect(await points()).toMatchObject({ balance: 90 });
  });

  test('takes them when another sale closes the bill', async () => {
    const table = await openPaidTable(stage, 10_000, { settings: { earn_points: 1, earn_per_amount: 100 } });
    const { till, billId, merchant } = table;
    const { phone } = await createCustomer(stage.owner, merchant.id);
    const { paymentId } = await table.pay({ amount: 6_000 });
    const sell = (transactionId: string, of: number, method: string) =>
      submitSale(till, {
        ...saleOf(of),
        transactionId,
        billId,
        customer: { phone },
        payments: [{ method, amount: of }],
      });
    await sell('by phone', 6_000, 'phone');
    await refundBillPayment(till, { billId, paymentId, returned: 2_000 });
    await sell('in cash', 4_000, 'cash');
    await workOff();
    expect((await balancesByPhone(till, { phone })).points.balance).toBe(80);
  });

  test('of an unknown payment is refused', async () => {
    const { refund } = await sellBill();
    expect(await refusalOf(refund(newId()))).toMatchObject({ code: 'bill_payment_not_found' });
  });
});

test('reopenings, refunds, new payments and closings in any order take what was not paid again', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constantFrom('till' as const, 'Stripe' as const, 'kept' as const),
      of: fc.integer({ min: 1, max: 4_000 }),
    }),
    fc.record({ kind: fc.constantFrom('reopen' as const, 'close' as const, 'pay' as const), of: fc.constant(0) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { refund, refundAtStripe, payments, pay, look, points, till, billId, close } = await sellBill();
      const [payment] = payments;
      let [isOpen, refunded, paidAgain, kept, due, counted] = [false, 0, 0, 0, 0, 0];
      const settle = () => {
        counted += isOpen ? 0 : due;
        due = isOpen ? due : 0;
      };
      for (const { kind, of } of steps) {
        if (kind === 'reopen') {
          await reopenBill(till, { billId });
          isOpen = true;
        } else if (kind === 'close') {
          await close();
          if (isOpen) due = Math.min(due, Math.max(0, refunded - paidAgain - kept - counted));
          isOpen = false;
        } else if (kind === 'pay') {
          const amount = isOpen ? (await look()).due : 0;
          // Stripe takes no smaller amount.
          if (amount < 50) continue;
          await pay({ amount });
          paidAgain += amount;
        } else if (refunded + of <= 10_000) {
          refunded += of;
          if (kind === 'Stripe') await refundAtStripe(payment, of);
          else await refund(payment, refunded, kind === 'kept');
          if (kind === 'kept') kept += of;
          else due += of;
        }
        settle();
        expect(await points()).toEqual({ balance: 100 - Math.floor(counted / 100), owed: 0 });
      }
    }),
    { numRuns: 12 },
  );
});
