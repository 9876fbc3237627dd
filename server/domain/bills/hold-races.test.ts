/** Phones that hold all of a bill, again and again and all at once, while its till redeems, releases and closes. */
import { afterAll, expect, test } from 'vitest';
import { countAttempt } from '@/server/testing/attempts';
import { openPaidTable } from '@/server/testing/bill-payments';
import { createCustomer } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { redeemStoredValue } from '../stored-value/redeem';
import { releaseBillPayment } from './release';

const stage = topUpStage();

afterAll(async () => {
  expect(await verifyLedger(stage.owner)).toEqual([]);
});

const total = 6_000;

/** A bill of 60.00, and a customer at the till who holds as much. */
async function openTable() {
  const table = await openPaidTable(stage, total);
  const { till, billId, merchant } = table;
  const { id: customerId } = await createCustomer(stage.owner, merchant.id);
  const manager = callAs(await createStaff(stage.owner, stage.services(), merchant.id, 'manager'));
  await manager.customers.adjust({
    adjustmentId: newId(),
    customerId,
    part: 'principal',
    direction: 'add',
    amount: total,
    expiresOn: null,
    reason: 'Opening balance',
  });
  const redeem = (amount: number) =>
    redeemStoredValue(till, { transactionId: newId(), customer: { customerId }, billId, amount });
  return { ...table, manager, redeem };
}

type Outcome = { isDone: boolean; code: string };
/** Waits for an attempt, and counts it. */
const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work
    .then(
      () => ({ isDone: true, code: '' }),
      (error: { code?: string; cause?: { code?: string } }) => ({
        isDone: false,
        code: error.cause?.code ?? error.code ?? String(error),
      }),
    )
    .then((outcome) => {
      countAttempt(!outcome.isDone);
      return outcome;
    });

test('no phone keeps a till from redeeming: sixteen phones hold all they can while it takes the bill in three parts', async () => {
  const { begin, redeem, look } = await openTable();
  const phones = Array.from({ length: 16 }, (_, n) =>
    outcomeOf(begin({ guestId: newId(), amount: n % 2 === 0 ? total : total / 4 })),
  );
  const tills = [1, 2, 3].map(() => outcomeOf(redeem(total / 3)));
  const held = await Promise.all(phones);
  expect((await Promise.all(tills)).map(({ code }) => code)).toEqual(['', '', '']);
  const refusals = new Set(held.flatMap(({ code }) => (code === '' ? [] : [code])));
  refusals.delete('bill_due_exceeded');
  refusals.delete('bill_settled');
  expect([...refusals]).toEqual([]);
  expect(await look()).toMatchObject({ redeemed: total, held: 0, due: 0, overpaid: 0 });
});

test('a hold that gave way is paid after all: the money goes back, once', async () => {
  const { begin, redeem, settle, look, money } = await openTable();
  const { paymentId, session } = await begin();
  await redeem(total);
  stage.stripe.pay(session.id);
  await Promise.all(Array.from({ length: 6 }, () => outcomeOf(settle(paymentId))));
  expect(await look()).toMatchObject({ redeemed: total, paid: 0, due: 0, overpaid: 0 });
  expect(await money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
});

test('till and staff release a hold while its phone pays and cancels it: it counts once, or goes back', async () => {
  for (let round = 0; round < 4; round++) {
    const { begin, cancel, settle, till, billId, manager, look, money } = await openTable();
    const { paymentId, session } = await begin();
    stage.stripe.pay(session.id);
    await Promise.all([
      outcomeOf(releaseBillPayment(till, { billId, paymentId })),
      outcomeOf(manager.bills.releasePayment({ paymentId })),
      outcomeOf(settle(paymentId)),
      outcomeOf(cancel(paymentId)),
      outcomeOf(settle(paymentId)),
    ]);
    await settle(paymentId);
    const { paid, held, due, overpaid } = await look();
    expect({ held, overpaid }).toEqual({ held: 0, overpaid: 0 });
    expect(paid + due).toBe(total);
    expect(await money()).toEqual({ atStripe: paid, kept: paid, owed: 0 });
  }
});

test('refused attempts lock no table, and forty holds lock one phone only', async () => {
  const { begin, cancel, redeem, look } = await openTable();
  const refused = await Promise.all(Array.from({ length: 48 }, () => outcomeOf(begin({ amount: total + 1 }))));
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['bill_due_exceeded']));
  for (let n = 0; n < 40; n++) await cancel((await begin()).paymentId);
  expect(await outcomeOf(begin())).toMatchObject({ code: 'too_many_attempts' });
  expect(await outcomeOf(begin({ guestId: newId(), amount: 1_000 }))).toMatchObject({ isDone: true });
  expect(await outcomeOf(redeem(total))).toMatchObject({ isDone: true });
  expect(await look()).toMatchObject({ redeemed: total, held: 0 });
});
