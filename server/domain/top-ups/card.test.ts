import { describe, expect, test } from 'vitest';
import { createStripe } from '@/server/gateways/stripe';
import { blockCustomer, createCustomer } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { dateIn } from '../kernel/calendar';
import { createCell } from '../kernel/cells';
import { newId } from '../kernel/ids';
import { rollUpReports } from '../reports/roll-up';
import { cancelTopUp, checkTopUp, settleOverdueTopUps } from './change';
import { listRefundAlerts } from './refund-alerts';
import { settleTopUp } from './settle';
import { getTopUpRequest } from './view';

const stage = topUpStage();
const minuteMs = 60_000;
const many = (count: number) => Array.from({ length: count });

describe('a top-up by card', () => {
  test('is credited once it is paid, on the terms offered at its start', async () => {
    const { ctx, beginByCard, balance, packageId, merchant, customer } = await stage.scene();
    const { session, ...asked } = await beginByCard();
    expect(session).toMatchObject({ amount_total: 10_000, currency: 'sgd', title: 'Test Kitchen: Package' });
    expect(session.success_url).toBe(
      `http://localhost:3000/loyalty/${merchant.id}/top-up/${asked.topUpRequestId}?back=paid`,
    );
    await stage.owner`
      update stored_value_packages set amount = 99, bonus_amount = 0, archived_at = now() where id = ${packageId}`;
    expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'open', checkoutUrl: expect.any(String) });
    await settleTopUp(ctx, asked);
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });

    stage.stripe.pay(session.id);
    await settleTopUp(ctx, asked);
    expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
    expect(await getTopUpRequest(ctx, asked)).toMatchObject({
      state: 'credited',
      credited: 12_000,
      balance: 12_000,
      checkoutUrl: null,
    });
    const [transaction] = await stage.owner`
      select transaction_id, store_id, api_key_id, type, status, amount::int from transactions
      where merchant_id = ${merchant.id} and customer_id = ${customer.id}`;
    expect(transaction).toEqual({
      transaction_id: `online-${asked.topUpRequestId}`,
      store_id: null,
      api_key_id: null,
      type: 'topUp',
      status: 'completed',
      amount: 10_000,
    });
  });

  test('names its cell to Stripe, so that events find the way', async () => {
    const { beginByCard } = await stage.scene();
    expect(Object.keys((await beginByCard()).session.metadata)).toEqual(['merchantId', 'topUpRequestId']);
    const cell = createCell('sg1', 'https://{cell}.loyalty.example.com');
    const checkout = await createStripe({ ...stage.settings, cell })
      ?.on(null)
      .createCheckout({
        merchantId: newId(),
        title: 'Package',
        amount: 10_000,
        currency: 'SGD',
        purpose: { kind: 'topUp', id: newId() },
        expiresAt: new Date(Date.now() + 60 * minuteMs),
        paidUrl: 'https://sg1.loyalty.example.com',
        unpaidUrl: 'https://sg1.loyalty.example.com',
      });
    expect(stage.stripe.sessions.get(checkout?.checkoutId ?? '')?.metadata).toMatchObject({ cell: 'sg1' });
  });

  test('is credited to the kept customer if its payer is merged, also at that moment', async () => {
    const { ctx, beginByCard, merchant, customer } = await stage.scene();
    const kept = await createCustomer(stage.owner, merchant.id);
    const manager = await createStaff(stage.owner, ctx, merchant.id, 'manager');
    const [early, late] = [await beginByCard(), await beginByCard()];
    for (const { session } of [early, late]) stage.stripe.pay(session.id);
    const started = await stage.owner.begin(async (sql) => {
      // Stops the merge while it holds the balances.
      await sql`select from customers where id = ${customer.id} for update`;
      const merging = callAs(manager).customers.merge({ keptId: kept.id, mergedId: customer.id });
      await stage.waiting(1);
      const settling = settleTopUp(ctx, early);
      await stage.waiting(2);
      return [merging, settling];
    });
    await Promise.all(started);
    await settleTopUp(ctx, late);
    const rows = await stage.owner`
      select principal::int from balances where customer_id in ${stage.owner([kept.id, customer.id])} order by 1`;
    expect([...rows]).toEqual([{ principal: 0 }, { principal: 20_000 }]);
  });

  test('is credited once by 20 webhooks and 20 returns at the same moment', async () => {
    const { ctx, beginByCard, balance } = await stage.scene();
    const { session, ...asked } = await beginByCard();
    stage.stripe.pay(session.id);
    await Promise.all([...many(20).map(() => settleTopUp(ctx, asked)), ...many(20).map(() => checkTopUp(ctx, asked))]);
    expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  });

  test('is credited by the worker if no one reported the payment', async () => {
    const { ctx, beginByCard, balance } = await stage.scene();
    const { session } = await beginByCard();
    stage.stripe.pay(session.id);
    await settleOverdueTopUps(ctx);
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    stage.travel(minuteMs + 1_000);
    await Promise.all([settleOverdueTopUps(ctx), settleOverdueTopUps(ctx)]);
    expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  });

  test('is looked up by the worker after a minute, then rarer, but once an hour', async () => {
    const { ctx, beginByCard, merchant } = await stage.scene();
    const { session, topUpRequestId } = await beginByCard();
    stage.stripe.pay(session.id, 'processing');
    const waits: number[] = [];
    for (const _ of many(12)) {
      const [row] = await stage.owner`
        select coalesce(check_at, created_at + interval '1 minute') as due from top_up_requests
        where merchant_id = ${merchant.id} and id = ${topUpRequestId}`;
      const wait = row?.due.getTime() - ctx.systemClock.now().getTime();
      waits.push(Math.round(wait / minuteMs));
      stage.travel(wait);
      await settleOverdueTopUps(ctx);
    }
    expect(waits).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    stage.stripe.conclude(session.id, 'paid');
    stage.travel(61 * minuteMs);
    await settleOverdueTopUps(ctx);
    expect(await getTopUpRequest(ctx, { topUpRequestId })).toMatchObject({ state: 'credited' });
  });

  test('waits for the bank, and ends if it refuses', async () => {
    const { ctx, beginByCard, balance } = await stage.scene();
    const [good, bad] = [await beginByCard(), await beginByCard()];
    for (const { session } of [good, bad]) stage.stripe.pay(session.id, 'processing');
    expect(await checkTopUp(ctx, good)).toMatchObject({ state: 'processing' });
    stage.stripe.conclude(good.session.id, 'paid');
    stage.stripe.conclude(bad.session.id, 'failed');
    expect(await checkTopUp(ctx, good)).toMatchObject({ state: 'credited' });
    expect(await checkTopUp(ctx, bad)).toMatchObject({ state: 'failed' });
    expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  });

  test('ends when its checkout does, and when its customer cancels it', async () => {
    const { ctx, beginByCard } = await stage.scene();
    const [left, givenUp] = [await beginByCard(), await beginByCard()];
    stage.stripe.expire(left.session.id);
    expect(await checkTopUp(ctx, left)).toMatchObject({ state: 'expired' });
    expect(await cancelTopUp(ctx, givenUp)).toMatchObject({ state: 'cancelled', checkoutUrl: null });
    expect(givenUp.session.status).toBe('expired');
  });

  test('cancelled after the payment is credited, whatever its state was', async () => {
    const { ctx, beginByCard, balance } = await stage.scene();
    const [paid, late] = [await beginByCard(), await beginByCard()];
    stage.stripe.pay(paid.session.id);
    expect(await cancelTopUp(ctx, paid)).toMatchObject({ state: 'credited' });
    await stage.owner`update top_up_requests set state = 'cancelled' where id = ${late.topUpRequestId}`;
    stage.stripe.pay(late.session.id);
    await settleTopUp(ctx, late);
    expect(await balance()).toEqual({ principal: 20_000, bonus: 4_000 });
  });

  test('cancelled and paid at the same moment is credited, or can’t be paid', async () => {
    const { ctx, beginByCard, balance } = await stage.scene();
    let paid = 0;
    for (let round = 0; round < 8; round++) {
      const one = await beginByCard();
      const pay = async () => {
        await new Promise((done) => setImmediate(done));
        try {
          stage.stripe.pay(one.session.id);
          paid += 1;
          await settleTopUp(ctx, one);
        } catch {}
      };
      await (round % 2 ? Promise.all([cancelTopUp(ctx, one), pay()]) : Promise.all([pay(), cancelTopUp(ctx, one)]));
      const { state } = await getTopUpRequest(ctx, one);
      expect(state).toBe(one.session.status === 'complete' ? 'credited' : 'cancelled');
    }
    expect(await balance()).toEqual({ principal: 10_000 * paid, bonus: 2_000 * paid });
  });
});

describe('a payment that can’t be credited is refunded, once', () => {
  const refunds = () => stage.stripe.requests.filter((one) => one === 'POST /v1/refunds').length;

  test.each([
    ['customer_blocked', async (id: string) => blockCustomer(stage.owner, id)],
    [
      'balance_limit_exceeded',
      async (id: string) => {
        await stage.owner`
          update merchants set balance_limit = 11_999 where id = (select merchant_id from customers where id = ${id})`;
      },
    ],
    [
      'merchant_closed',
      async (id: string) => {
        await stage.owner`
          update merchants set closed_at = now() where id = (select merchant_id from customers where id = ${id})`;
      },
    ],
  ])('for %s', async (refusal, prevent) => {
    const { ctx, beginByCard, balance, customer } = await stage.scene();
    const { session, ...asked } = await beginByCard();
    await prevent(customer.id);
    stage.stripe.pay(session.id);
    const before = refunds();
    await Promise.all(many(5).map(() => settleTopUp(ctx, asked)));
    expect(session.amountRefunded).toBe(10_000);
    expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'refunded', refusal });
    const asks = refunds();
    expect(asks).toBeGreaterThan(before);
    // Neither its own webhook nor another one changes anything.
    await Promise.all(many(3).map(() => settleTopUp(ctx, asked)));
    expect(refunds()).toBe(asks);
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  });

  test('for another amount or currency than requested', async () => {
    const { ctx, beginByCard, balance } = await stage.scene();
    for (const wrong of [{ amount_total: 100 }, { currency: 'idr' }]) {
      const { session, ...asked } = await beginByCard();
      Object.assign(session, wrong);
      stage.stripe.pay(session.id);
      await settleTopUp(ctx, asked);
      expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'refunded', refusal: 'payment_mismatch' });
      expect(session.amountRefunded).toBe(session.amount_total);
    }
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  });

  test('later, if Stripe refuses: staff are alerted meanwhile', async () => {
    const { ctx, beginByCard, customer, merchant } = await stage.scene();
    const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
    const { session, ...asked } = await beginByCard();
    await blockCustomer(stage.owner, customer.id);
    stage.stripe.pay(session.id);
    stage.stripe.fault = 'no refunds';
    await settleTopUp(ctx, asked);
    expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'refunding' });
    expect(await listRefundAlerts(staff)).toMatchObject([{ transactionUid: null, amount: 10_000, refunded: 0 }]);
    stage.stripe.fault = null;
    const before = refunds();
    stage.travel(30 * minuteMs);
    await settleOverdueTopUps(ctx);
    expect(refunds()).toBe(before);
    stage.travel(31 * minuteMs);
    await settleOverdueTopUps(ctx);
    expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'refunded' });
    expect(await listRefundAlerts(staff)).toEqual([]);
  });

  test('and is not considered refunded if Stripe’s refund fails: staff are alerted', async () => {
    const { ctx, beginByCard, customer, merchant } = await stage.scene();
    const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
    const { session, ...asked } = await beginByCard();
    await blockCustomer(stage.owner, customer.id);
    stage.stripe.pay(session.id);
    stage.stripe.fault = 'failed refunds';
    await settleTopUp(ctx, asked);
    stage.stripe.fault = null;
    expect(await getTopUpRequest(ctx, asked)).toMatchObject({ state: 'refunding' });
    expect(await listRefundAlerts(staff)).toMatchObject([{ amount: 10_000, refunded: 0 }]);
  });
});

test('online payments are in the books under no store, summed up or not', async () => {
  const { ctx, beginByCard, merchant } = await stage.scene();
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
  const { transactions, reports } = callAs(staff);
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  const today = dateIn(ctx.merchant, ctx.clock.now());
  const books = async () => {
    const period = { from: today, to: today };
    const { stores, total, days } = await reports.sales(period);
    const liability = await reports.liability(period);
    return { stores, total, days, liability };
  };
  const before = await books();
  expect(before.stores).toMatchObject([{ storeId: null, storeName: null, topUpCount: 1, topUps: 10_000 }]);
  expect(before.total).toMatchObject({ topUpCount: 1, topUps: 10_000 });
  expect(before.days).toMatchObject([{ topUps: 10_000 }]);
  expect(before.liability.total).toMatchObject({ principal: { closing: 10_000 }, bonus: { closing: 2_000 } });
  stage.travel(2 * minuteMs);
  await rollUpReports(ctx);
  await rollUpReports(ctx);
  const [sums] =
    await stage.owner`select count(*)::int as rows from transaction_days where merchant_id = ${merchant.id}`;
  expect(sums).toEqual({ rows: 1 });
  expect(await books()).toEqual(before);
  const { items } = await transactions.list({ search: `online-${asked.topUpRequestId}` });
  expect(items).toMatchObject([{ type: 'topUp', store: null, storedValue: 12_000, billAmount: 10_000 }]);
});

test('events about others’ requests, or unknown ones, change nothing', async () => {
  const { ctx, beginByCard, balance } = await stage.scene();
  const other = await stage.scene();
  const mine = await beginByCard();
  const theirs = await other.beginByCard();
  stage.stripe.pay(mine.session.id);
  await settleTopUp(ctx, { merchantId: other.merchant.id, topUpRequestId: mine.topUpRequestId });
  await settleTopUp(ctx, { merchantId: theirs.topUpRequestId, topUpRequestId: mine.topUpRequestId });
  // The session of another request, under this request's name.
  await stage.owner`update top_up_requests set checkout_id = ${mine.session.id} where id = ${theirs.topUpRequestId}`;
  await settleTopUp(ctx, theirs);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  expect(await other.balance()).toEqual({ principal: 0, bonus: 0 });
  await expect(getTopUpRequest(other.ctx, mine)).rejects.toMatchObject({ code: 'top_up_request_not_found' });
  await expect(checkTopUp(other.ctx, mine)).rejects.toMatchObject({ code: 'top_up_request_not_found' });
  await expect(cancelTopUp(other.ctx, mine)).rejects.toMatchObject({ code: 'top_up_request_not_found' });
});

test('while Stripe is down nothing changes, and the response says so', async () => {
  const { ctx, begin, beginByCard } = await stage.scene();
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  stage.stripe.fault = 'away';
  const away = { code: 'service_unavailable' };
  await expect(settleTopUp(ctx, asked)).rejects.toMatchObject(away);
  await expect(begin()).rejects.toMatchObject(away);
  stage.stripe.fault = null;
  expect(await checkTopUp(ctx, asked)).toMatchObject({ state: 'credited' });
});

test('while Stripe is down, the worker calls it once a round, and continues with counter top-ups', async () => {
  const { ctx, begin, beginByCard } = await stage.scene();
  const cards = [await beginByCard(), await beginByCard(), await beginByCard()];
  const { topUpRequestId } = await begin({ method: 'counter' });
  stage.travel(31 * minuteMs);
  stage.stripe.fault = 'away';
  const before = stage.stripe.requests.length;
  await expect(settleOverdueTopUps(ctx)).rejects.toMatchObject({ code: 'service_unavailable' });
  stage.stripe.fault = null;
  // The library makes three attempts.
  expect(stage.stripe.requests.length - before).toBe(3);
  expect(await getTopUpRequest(ctx, { topUpRequestId })).toMatchObject({ state: 'expired' });
  for (const { session } of cards) stage.stripe.expire(session.id);
  await settleOverdueTopUps(ctx);
});

test('a checkout unknown to Stripe is over; if it is paid after all, it is credited', async () => {
  const { ctx, beginByCard, balance } = await stage.scene();
  const { session, ...asked } = await beginByCard();
  stage.stripe.sessions.delete(session.id);
  expect(await checkTopUp(ctx, asked)).toMatchObject({ state: 'expired' });
  stage.stripe.sessions.set(session.id, session);
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
});

test('names that change between two attempts end the first top-up, and the next is another', async () => {
  const { ctx, begin, merchant } = await stage.scene();
  const input = { requestKey: newId() };
  const { topUpRequestId } = await begin(input);
  // As if the record of the response had been lost.
  await stage.owner`update top_up_requests set checkout_id = null, checkout_url = null where id = ${topUpRequestId}`;
  await stage.owner`update stored_value_packages set name = 'Renamed' where merchant_id = ${merchant.id}`;
  await expect(begin(input)).rejects.toMatchObject({ code: 'card_payment_unavailable' });
  expect(await getTopUpRequest(ctx, { topUpRequestId })).toMatchObject({ state: 'failed' });
  expect((await begin()).checkoutUrl).not.toBeNull();
});

test('the ledger adds up', async () => {
  expect(await stage.ledgerViolations()).toEqual([]);
});
