/** A bill paid by card on phones: held, paid at Stripe, counted, and refunded if it can't count. */

import { describe, expect, test } from 'vitest';
import { openSql } from '@/db/driver';
import { billOf, openPaidTable } from '@/server/testing/bill-payments';
import { refusalOf } from '@/server/testing/menu';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { newId } from '../kernel/ids';
import { invalidateQrCode } from '../qr-ordering/qr-codes';
import { getTablePage } from '../qr-ordering/table-page';
import { refundBillPayment } from '../transactions/refund-bill-payment';
import { voidBill } from './close';
import { closeForgottenBills } from './forgotten';
import { putBill } from './put';
import { settleBillPayment, settleOverdueBillPayments } from './settle';

const stage = topUpStage();
const minuteMs = 60_000;
const refunds = () => stage.stripe.requests.filter((one) => one === 'POST /v1/refunds').length;

describe('a payment', () => {
  test('is opened at Stripe with its tip, and counts once it is paid', async () => {
    const { begin, check, look, view, billId, merchant, visit, money } = await openPaidTable(stage, 1_000);
    const { paymentId, checkoutUrl, session } = await begin({ amount: 600, tip: 60 });
    expect(session).toMatchObject({ amount_total: 660, currency: 'sgd', title: `Test Kitchen: ${billId}` });
    expect(session.metadata).toEqual({ merchantId: merchant.id, billPaymentId: paymentId });
    expect([session.success_url, session.cancel_url]).toEqual(
      Array(2).fill(`http://localhost:3000/q/${visit.token}#bill`),
    );
    const rows = await stage.owner<{ at: Date }[]>`select held_until as at from bill_payments where id = ${paymentId}`;
    const heldUntil = rows[0]?.at.toISOString();
    expect(await check(paymentId)).toEqual({
      state: 'open',
      amount: 600,
      tip: 60,
      returned: 0,
      checkoutUrl,
      heldUntil,
    });
    // The others at the table see until when, too.
    expect((await view({ guestId: newId() }))?.payments).toMatchObject([{ isMine: false, state: 'held', heldUntil }]);
    expect(await look()).toMatchObject({ held: 600, paid: 0, due: 1_000 });
    stage.stripe.pay(session.id);
    expect(await check(paymentId)).toEqual({
      state: 'paid',
      amount: 600,
      tip: 60,
      returned: 0,
      checkoutUrl: null,
      heldUntil: null,
    });
    expect((await view())?.payments).toMatchObject([{ isMine: true, state: 'paid', heldUntil: null }]);
    expect(await look()).toMatchObject({ held: 0, paid: 600, tips: 60, due: 400 });
    expect(await money()).toEqual({ atStripe: 660, kept: 660, owed: 0 });
  });

  test('that is sent twice, also at once, has one page', async () => {
    const { begin, look } = await openPaidTable(stage, 1_000);
    const one = { paymentId: newId(), amount: 500 };
    const begun = await Promise.all([begin(one), begin(one), begin(one)]);
    expect(new Set(begun.map(({ checkoutUrl }) => checkoutUrl)).size).toBe(1);
    expect((await begin(one)).checkoutUrl).toBe(begun[0]?.checkoutUrl);
    expect(await look()).toMatchObject({ held: 500 });
    expect(await refusalOf(begin({ ...one, amount: 501 }))).toMatchObject({ code: 'invalid_request' });
    expect(await refusalOf(begin({ ...one, guestId: newId() }))).toMatchObject({ code: 'invalid_request' });
  });

  test('counts once, however often, late and in whatever order it is reported', async () => {
    const { begin, settle, check, look, money } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await begin({ tip: 5 });
    stage.stripe.pay(session.id);
    await Promise.all([...Array(10).keys()].map((n) => (n % 2 ? settle(paymentId) : check(paymentId))));
    expect(await look()).toMatchObject({ state: 'paid', paid: 1_000, tips: 5 });
    expect(await money()).toEqual({ atStripe: 1_005, kept: 1_005, owed: 0 });
  });

  test('of which only the webhook knows the page counts', async () => {
    const { begin, settle, look } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await begin();
    await stage.owner`update bill_payments set checkout_id = null, checkout_url = null where id = ${paymentId}`;
    stage.stripe.pay(session.id);
    await settle(paymentId, session.id);
    expect(await look()).toMatchObject({ state: 'paid', paid: 1_000 });
  });

  test('takes no method that ends days later', async () => {
    const { begin } = await openPaidTable(stage, 1_000);
    const { session } = await begin();
    expect(session.excluded).toEqual(expect.arrayContaining(['sepa_debit', 'konbini']));
    expect(session.excluded).not.toContain('paynow');
  });

  test('waits for the bank, and ends if that refuses', async () => {
    const { begin, check, look } = await openPaidTable(stage, 1_000);
    const [good, bad] = [await begin({ amount: 600 }), await begin({ amount: 400 })];
    for (const { session } of [good, bad]) stage.stripe.pay(session.id, 'processing');
    expect(await check(good.paymentId)).toMatchObject({ state: 'processing', checkoutUrl: null });
    stage.stripe.conclude(good.session.id, 'paid');
    stage.stripe.conclude(bad.session.id, 'failed');
    expect(await check(good.paymentId)).toMatchObject({ state: 'paid' });
    expect(await check(bad.paymentId)).toMatchObject({ state: 'ended', checkoutUrl: null });
    expect(await look()).toMatchObject({ paid: 600, held: 0, due: 400 });
  });

  test('is refused where diners can’t pay by card, and for what is not due or was done before', async () => {
    const { table, begin, cancel, merchant } = await openPaidTable(stage, 1_000);
    expect(await refusalOf(begin({ amount: 1_001 }))).toMatchObject({ code: 'bill_due_exceeded' });
    const given = await begin();
    await cancel(given.paymentId);
    expect(await refusalOf(begin({ paymentId: given.paymentId }))).toMatchObject({ code: 'bill_payment_over' });
    Object.assign(table.offers, { cardOnBill: false });
    expect(await refusalOf(begin())).toMatchObject({ code: 'card_payment_unavailable' });
    const without = await openPaidTable(stage, 1_000, { services: stage.services({ withStripe: false }) });
    expect(await refusalOf(without.begin())).toMatchObject({ code: 'card_payment_unavailable' });
    const rows = await stage.owner`select state from bill_payments where merchant_id = ${merchant.id}`;
    expect(rows.map(({ state }) => state)).toEqual(['released']);
  });

  test('holds nothing if Stripe is away or takes no such amount', async () => {
    const { begin, look } = await openPaidTable(stage, 1_000);
    stage.stripe.fault = 'away';
    expect(await refusalOf(begin())).toMatchObject({ code: 'service_unavailable' });
    stage.stripe.fault = null;
    // Stripe's minimum is half a dollar.
    expect(await refusalOf(begin({ amount: 49 }))).toMatchObject({ code: 'card_payment_unavailable' });
    expect(await look()).toMatchObject({ held: 0, due: 1_000 });
    await begin();
  });

  test('that is refused counts against no limit, so forty refusals lock no table', async () => {
    const { begin, cancel } = await openPaidTable(stage, 1_000);
    for (let n = 0; n < 45; n++)
      expect(await refusalOf(begin({ amount: 1_001 }))).toMatchObject({ code: 'bill_due_exceeded' });
    for (let n = 0; n < 40; n++) await cancel((await begin()).paymentId);
    expect(await refusalOf(begin())).toMatchObject({ code: 'too_many_attempts' });
    await begin({ guestId: newId() });
  });

  test('is nobody else’s: another phone can neither see nor cancel it', async () => {
    const { begin, check, cancel } = await openPaidTable(stage, 1_000);
    const other = await openPaidTable(stage, 1_000);
    const { paymentId } = await begin();
    const notFound = { code: 'bill_payment_not_found' };
    for (const work of [check, cancel]) expect(await refusalOf(work(paymentId, newId()))).toMatchObject(notFound);
    const [theirs] = [other.cancel(paymentId, newId())];
    expect(await refusalOf(theirs)).toMatchObject(notFound);
    expect(await check(paymentId)).toMatchObject({ state: 'open' });
  });
});

describe('a payment that is given up', () => {
  test('holds nothing, and can’t be paid any more', async () => {
    const { begin, cancel, look } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await begin();
    expect(await cancel(paymentId)).toMatchObject({ state: 'ended', checkoutUrl: null });
    expect(session.status).toBe('expired');
    expect(await look()).toMatchObject({ held: 0, payments: [] });
  });

  test('after it was paid counts, as long as it is due', async () => {
    const { begin, cancel, look } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await begin();
    stage.stripe.pay(session.id);
    expect(await cancel(paymentId)).toMatchObject({ state: 'paid' });
    expect(await look()).toMatchObject({ state: 'paid' });
  });

  test('while Stripe is away is free for others, and its page is ended later', async () => {
    const { begin, cancel, services } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await begin();
    stage.stripe.fault = 'away';
    expect(await cancel(paymentId)).toMatchObject({ state: 'ended' });
    stage.stripe.fault = null;
    await begin();
    await settleOverdueBillPayments(services);
    expect(session.status).toBe('expired');
  });

  test('by nobody but time: the worker ends its page, and releases it', async () => {
    const { begin, look, services } = await openPaidTable(stage, 1_000);
    const { session } = await begin();
    stage.travel(11 * minuteMs);
    await settleOverdueBillPayments(services);
    expect(session.status).toBe('expired');
    expect(await look()).toMatchObject({ held: 0, due: 1_000, payments: [] });
    const asks = stage.stripe.requests.length;
    await settleOverdueBillPayments(services);
    expect(stage.stripe.requests.length).toBe(asks);
  });
});

describe('what can’t count goes back by itself', () => {
  test('for a bill that was closed or voided meanwhile, whoever reports it, once', async () => {
    for (const end of ['close', 'void'] as const) {
      const { begin, settle, check, look, close, money, till, billId } = await openPaidTable(stage, 1_000);
      const { paymentId, session } = await begin({ tip: 100 });
      await (end === 'close' ? close() : voidBill(till, { billId }));
      stage.stripe.pay(session.id);
      await Promise.all([settle(paymentId), settle(paymentId), settle(paymentId)]);
      expect(await check(paymentId)).toMatchObject({ state: 'returned', returned: 1_100 });
      expect(session.amountRefunded).toBe(1_100);
      expect(await money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
      expect((await look()).payments).toMatchObject([{ state: 'returned', returned: 1_100 }]);
      const asked = refunds();
      await settle(paymentId);
      expect(refunds()).toBe(asked);
    }
  });

  test('for a page that was open when the bill was closed: it is ended', async () => {
    const { begin, close, services } = await openPaidTable(stage, 1_000);
    const { session } = await begin();
    await close();
    await settleOverdueBillPayments(services);
    expect(session.status).toBe('expired');
  });

  test('for what a closed bill was overpaid by, from the newest payment', async () => {
    const { pay, put, close, services, money } = await openPaidTable(stage, 1_000);
    const [first, second] = [await pay({ amount: 600 }), await pay({ amount: 400, tip: 40 })];
    await put(900, 2);
    await close();
    await Promise.all([settleOverdueBillPayments(services), settleOverdueBillPayments(services)]);
    expect([first, second].map(({ session }) => session.amountRefunded)).toEqual([0, 100]);
    expect(await money()).toEqual({ atStripe: 940, kept: 940, owed: 0 });
  });

  test('for another amount or currency than requested', async () => {
    for (const wrong of [{ amount_total: 100 }, { currency: 'idr' }]) {
      const { begin, settle, check, look, money } = await openPaidTable(stage, 1_000);
      const { paymentId, session } = await begin();
      Object.assign(session, wrong);
      stage.stripe.pay(session.id);
      await settle(paymentId);
      expect(await check(paymentId)).toMatchObject({ state: 'returned' });
      expect(session.amountRefunded).toBe(session.amount_total);
      expect(await look()).toMatchObject({ paid: 0, due: 1_000 });
      expect(await money()).toMatchObject({ atStripe: 0, owed: 0 });
    }
  });

  test('for a merchant that was closed', async () => {
    const { begin, settle, merchant, money } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await begin();
    await stage.owner`update merchants set closed_at = now() where id = ${merchant.id}`;
    stage.stripe.pay(session.id);
    await settle(paymentId);
    expect(await money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
  });

  test.each(['no refunds', 'forbidden refunds', 'failed refunds'] as const)(
    'later where Stripe refuses (%s): staff see it meanwhile, and the worker tries again each hour',
    async (fault) => {
      const { begin, close, settle, merchant, services, money } = await openPaidTable(stage, 1_000);
      const { paymentId, session } = await begin();
      await close();
      stage.stripe.pay(session.id);
      stage.stripe.fault = fault;
      await settle(paymentId);
      const refusedAt = async () =>
        (await stage.owner`select refund_refused_at as at from bill_payments where merchant_id = ${merchant.id}`)[0]
          ?.at;
      expect(await refusedAt()).toBeInstanceOf(Date);
      expect(await money()).toEqual({ atStripe: 1_000, kept: 0, owed: 1_000 });
      const asked = refunds();
      stage.travel(30 * minuteMs);
      await settleOverdueBillPayments(services);
      expect(refunds()).toBe(asked);
      stage.stripe.fault = null;
      stage.travel(31 * minuteMs);
      await settleOverdueBillPayments(services);
      expect(await money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
      expect(await refusedAt()).toBeNull();
    },
  );

  test('what staff refund at Stripe is due again, and a refund that fails later is owed again', async () => {
    const { pay, settle, look, money } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await pay({ tip: 50 });
    stage.stripe.refund(session.id, 300);
    await Promise.all([settle(paymentId), settle(paymentId)]);
    expect(await look()).toMatchObject({ state: 'open', paid: 700, tips: 50, due: 300 });
    expect(await money()).toEqual({ atStripe: 750, kept: 750, owed: 0 });
    stage.stripe.failRefunds(session.id);
    await settle(paymentId);
    expect(await money()).toEqual({ atStripe: 1_050, kept: 750, owed: 300 });
    // The bank has rejected the first refund. The second is a new one, though it has the same amount.
    await settle(paymentId);
    await settle(paymentId);
    expect(session.amountRefunded).toBe(300);
    expect(await money()).toEqual({ atStripe: 750, kept: 750, owed: 0 });
  });

  test('and a refund by us that fails the same day is made again', async () => {
    const { begin, close, settle, money, services } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await begin();
    await close();
    stage.stripe.pay(session.id);
    await settle(paymentId);
    expect(await money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
    stage.stripe.failRefunds(session.id);
    await settle(paymentId);
    await settleOverdueBillPayments(services);
    expect(await money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
  });

  test('once, if Stripe was asked before another refund was made', async () => {
    const { pay, settle, services, merchant, money } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await pay();
    const payments = services.cardPayments?.on(null);
    if (!payments) throw new Error('no card payments');
    const early = await payments.getPayment(session.id);
    stage.stripe.refund(session.id, 300);
    await settle(paymentId);
    const asked = { ...payments, getPayment: async () => early };
    const late = { ...services, cardPayments: { on: () => asked, connect: null } };
    await settleBillPayment(late, { merchantId: merchant.id, billPaymentId: paymentId });
    await settleOverdueBillPayments(services);
    expect(session.amountRefunded).toBe(300);
    expect(await money()).toEqual({ atStripe: 700, kept: 700, owed: 0 });
  });

  test('after a refusal, also another amount, at once; and nobody else has to wait', async () => {
    const { pay, close, put, settle, till, billId, services, money } = await openPaidTable(stage, 1_000);
    const { paymentId, session } = await pay();
    await put(900, 2);
    await close();
    stage.stripe.fault = 'no refunds';
    await settle(paymentId);
    stage.stripe.fault = null;
    const other = await openPaidTable(stage, 1_000);
    const late = await other.begin();
    await other.close();
    stage.stripe.pay(late.session.id);
    await refundBillPayment(till, { billId, paymentId, returned: 300 });
    await settleOverdueBillPayments(services);
    expect([session.amountRefunded, late.session.amountRefunded]).toEqual([300, 1_000]);
    expect(await money()).toEqual({ atStripe: 700, kept: 700, owed: 0 });
  });

  test('from the newest payment, whatever ids the phones have drawn', async () => {
    const { pay, put, close, services } = await openPaidTable(stage, 1_000);
    const ids = [newId(), newId()].toSorted().toReversed();
    const sessions = [];
    for (const paymentId of ids) {
      sessions.push((await pay({ paymentId, amount: 500 })).session);
      stage.travel(1_000);
    }
    await put(900, 2);
    await close();
    await settleOverdueBillPayments(services);
    expect(sessions.map(({ amountRefunded }) => amountRefunded)).toEqual([0, 100]);
  });
});

test('a tip is refused where none is offered, and above the amount', async () => {
  const { begin, table } = await openPaidTable(stage, 1_000);
  expect(await refusalOf(begin({ amount: 500, tip: 501 }))).toMatchObject({ code: 'invalid_request' });
  Object.assign(table.offers, { tipPercentages: [] });
  expect(await refusalOf(begin({ amount: 500, tip: 1 }))).toMatchObject({ code: 'invalid_request' });
});

test('twelve phones that ask at each change of the bill are all answered, and one that asks without end is not', async () => {
  const { begin, check } = await openPaidTable(stage, 12_000);
  const phones = [];
  for (let n = 0; n < 12; n++) phones.push((await begin({ amount: 1_000 })).paymentId);
  for (const id of phones) for (let n = 0; n < 6; n++) await check(id);
  const [first = ''] = phones;
  for (let n = 6; n < 40; n++) await check(first);
  expect(await refusalOf(check(first))).toMatchObject({ code: 'too_many_attempts' });
});

test('the worker settles what nobody reported', async () => {
  const { begin, services, look } = await openPaidTable(stage, 1_000);
  const { session } = await begin();
  stage.stripe.pay(session.id);
  await settleOverdueBillPayments(services);
  expect(await look()).toMatchObject({ paid: 0 });
  stage.travel(3 * minuteMs);
  await Promise.all([settleOverdueBillPayments(services), settleOverdueBillPayments(services)]);
  expect(await look()).toMatchObject({ state: 'paid', paid: 1_000 });
});

test('while Stripe is away, the worker calls it once a round', async () => {
  const { begin, services } = await openPaidTable(stage, 1_000);
  for (const amount of [300, 300, 400]) await begin({ amount });
  stage.travel(11 * minuteMs);
  stage.stripe.fault = 'away';
  const before = stage.stripe.requests.length;
  expect(await refusalOf(settleOverdueBillPayments(services))).toMatchObject({ code: 'service_unavailable' });
  stage.stripe.fault = null;
  // The library makes three attempts.
  expect(stage.stripe.requests.length - before).toBe(3);
  await settleOverdueBillPayments(services);
});

test('events about others’ payments, or unknown ones, change nothing', async () => {
  const mine = await openPaidTable(stage, 1_000);
  const other = await openPaidTable(stage, 1_000);
  const [begun, theirs] = [await mine.begin(), await other.begin()];
  stage.stripe.pay(begun.session.id);
  await other.settle(begun.paymentId);
  await other.settle(newId());
  // The session of another payment, sent under this payment's name.
  await other.settle(theirs.paymentId, begun.session.id);
  await stage.owner`update bill_payments set checkout_id = ${begun.session.id} where id = ${theirs.paymentId}`;
  await other.settle(theirs.paymentId);
  expect(await other.look()).toMatchObject({ paid: 0, held: 1_000 });
  expect(await mine.look()).toMatchObject({ paid: 0 });
});

test('a currency without decimals is paid as it is', async () => {
  const { pay, look, money } = await openPaidTable(stage, 1_234, { settings: { currency: 'JPY' } });
  const { session } = await pay({ tip: 100 });
  expect(session).toMatchObject({ amount_total: 1_334, currency: 'jpy' });
  expect(await look()).toMatchObject({ state: 'paid', tips: 100 });
  expect(await money()).toEqual({ atStripe: 1_334, kept: 1_334, owed: 0 });
});

describe('the phones at the table', () => {
  test('see the bill with who paid what, and nobody’s number', async () => {
    const { pay, begin, view, guestId } = await openPaidTable(stage, 1_000);
    const friend = newId();
    const { paymentId } = await pay({ amount: 300, tip: 30, guestName: 'Ada' });
    await begin({ amount: 200, guestId: friend });
    const seen = await view();
    expect(seen).toMatchObject({
      state: 'open',
      total: 1_000,
      paid: 300,
      tips: 30,
      held: 200,
      due: 700,
      available: 500,
    });
    expect(seen?.payments).toEqual([
      {
        paymentId,
        state: 'paid',
        heldUntil: null,
        amount: 300,
        tip: 30,
        returned: 0,
        guestName: 'Ada',
        guestNumber: 1,
        isMine: true,
      },
      {
        paymentId: null,
        state: 'held',
        heldUntil: expect.any(String),
        amount: 200,
        tip: 0,
        returned: 0,
        guestName: null,
        guestNumber: 2,
        isMine: false,
      },
    ]);
    const toFriend = JSON.stringify(await view({ guestId: friend }));
    for (const secret of [guestId, friend, paymentId]) expect(toFriend).not.toContain(secret);
  });

  test('number guests alike wherever they look, and for the whole meal', async () => {
    const { begin, pay, cancel, view, visit, services, merchant, qrCodeId, billId } = await openPaidTable(stage, 1_000);
    const [first, second, quitter, payer] = [newId(), newId(), newId(), newId()];
    const [store] = merchant.stores;
    // The first phone's order waited for staff, who accepted it after the second phone's order: its number is higher.
    for (const [at, phone] of [first, second].entries()) {
      await stage.owner`
        insert into orders
          (merchant_id, id, store_id, qr_code_id, client_order_id, number, total, guest_id, placed_at, updated_at)
        values (${merchant.id}, ${newId()}, ${store.id}, ${qrCodeId}, ${newId()}, ${2 - at}, 500, ${phone}, now(), now())`;
    }
    const { paymentId } = await begin({ amount: 100, guestId: quitter });
    for (const phone of [payer, second, first]) await pay({ amount: 100, guestId: phone });
    const numbers = async () => ({
      bill: (await view())?.payments.map(({ guestNumber }) => guestNumber),
      orders: await getTablePage(services, visit, null, first).then((page) =>
        page.state === 'open' ? page.orders.map(({ guestNumber }) => guestNumber) : [],
      ),
    });
    expect(await numbers()).toEqual({ bill: [3, 4, 2, 1], orders: [1, 2] });
    await cancel(paymentId, quitter);
    expect(await numbers()).toEqual({ bill: [4, 2, 1], orders: [1, 2] });
    const { bills } = callAs(await createStaff(stage.owner, services, merchant.id, 'manager'));
    const { items } = await bills.list({ storeId: store.id, state: 'open', limit: 1 });
    const story = await bills.get({ billUid: items.find((one) => one.billId === billId)?.billUid ?? '' });
    expect(story.payments.map(({ guestNumber }) => guestNumber)).toEqual([4, 2, 1]);
  });

  test('see on the page of their table what is due', async () => {
    const { pay, begin, close, services, visit } = await openPaidTable(stage, 1_000);
    const due = async () => {
      const page = await getTablePage(services, visit, null);
      return page.state === 'open' ? page.bill : page;
    };
    await begin({ amount: 300 });
    expect(await due()).toEqual({ total: 1_000, due: 1_000, state: 'open' });
    await pay({ amount: 700 });
    expect(await due()).toEqual({ total: 1_000, due: 300, state: 'open' });
    await close();
    expect(await due()).toBeNull();
  });

  test('hear of each change of their bill, and staff do, too', async () => {
    const { pay, put, qrCodeId, merchant } = await openPaidTable(stage, 1_000);
    const other = await openPaidTable(stage, 1_000);
    const heard: string[] = [];
    const listening = openSql(stage.url);
    await listening.listen('merchant_changes', (payload) => void heard.push(payload));
    await put(1_500, 2);
    await pay({ amount: 500 });
    await other.put(1_200, 2);
    const ofTable = JSON.stringify({ merchantId: merchant.id, topic: 'tableBills', about: qrCodeId });
    const mine = () => heard.map((one) => JSON.parse(one)).filter((one) => one.merchantId === merchant.id);
    await expect
      .poll(() => mine().filter(({ topic }) => topic === 'tableBills'))
      .toEqual(Array(3).fill(JSON.parse(ofTable)));
    expect(mine().filter(({ topic }) => topic === 'bills')).toHaveLength(3);
    await listening.end();
  });

  test('see the closed bill that they paid, also beside the next one, and what they paid', async () => {
    const { pay, view, close, check, till, qrCodeId } = await openPaidTable(stage, 1_000);
    const { paymentId } = await pay();
    expect(await view()).toMatchObject({ state: 'paid', due: 0 });
    await close();
    await invalidateQrCode(till, { qrCodeId });
    const closed = { state: 'closed', due: 0, available: 0, paid: 1_000, paidAtTill: [] };
    expect(await view()).toMatchObject(closed);
    expect(await check(paymentId)).toMatchObject({ state: 'paid' });
    await putBill(till, billOf(newId(), 500));
    expect(await view()).toMatchObject(closed);
  });
});

// Runs last, because it moves the clock far from the database's.
test('a bill that its till forgot is closed after half a day, and what was paid too much goes back', async () => {
  const { begin, pay, put, close, look, money, services, merchant } = await openPaidTable(stage, 1_000);
  const [other, unpaid] = [await openPaidTable(stage, 1_000), await openPaidTable(stage, 1_000)];
  await pay({ amount: 600 });
  await pay({ amount: 200 });
  const { session: late } = await begin({ amount: 200 });
  await put(700, 2);
  stage.travel(12 * 60 * minuteMs - 1_000);
  await other.put(1_000, 2);
  await other.pay({ amount: 100 });
  await closeForgottenBills(services);
  expect(await look()).toMatchObject({ state: 'paid', overpaid: 100 });
  stage.travel(1_000);
  await Promise.all([closeForgottenBills(services), closeForgottenBills(services)]);
  stage.stripe.pay(late.id);
  await settleOverdueBillPayments(services);
  expect(await look()).toMatchObject({ state: 'closed', paid: 700, overpaid: 0 });
  expect(await money()).toEqual({ atStripe: 700, kept: 700, owed: 0 });
  const entries = await stage.owner`
    select actor_kind from audit_log where merchant_id = ${merchant.id} and action = 'bill.close'`;
  expect(entries).toEqual([{ actor_kind: 'service' }]);
  const [row] = await stage.owner`select state from bills where merchant_id = ${unpaid.merchant.id}`;
  expect(row?.state).toBe('closed');
  // A bill that its till still sends stays open. A till that remembers this bill late gets the same response.
  expect(await other.look()).toMatchObject({ state: 'open', paid: 100 });
  expect(await close()).toMatchObject({ state: 'closed', paid: 700 });
});
