import { describe, expect, test } from 'vitest';
import { blockCustomer, createFixedPackage, createOpenPackage, createTopUpRequest } from '@/server/testing/factory';
import { topUpStage } from '@/server/testing/top-ups';
import { newId } from '../kernel/ids';
import { listTopUpOffers } from './begin';
import { cancelTopUp, settleOverdueTopUps } from './change';
import { getTopUpRequest } from './view';

const stage = topUpStage();
const minuteMs = 60_000;

describe('offers', () => {
  test('are what every open store offers now, to be paid by card or at a counter', async () => {
    const { ctx, merchant, packageId } = await stage.scene();
    const [north, south] = merchant.stores;
    const add = (settings: object) =>
      createFixedPackage(stage.owner, merchant.id, { amount: 500, bonus: 0, position: 1, ...settings });
    await add({ archived_at: new Date() });
    await add({ valid_until: new Date(Date.now() - 1_000) });
    await add({ storeIds: [north.id] });
    const both = await add({ storeIds: [north.id, south.id] });
    const { packages, methods } = await listTopUpOffers(ctx);
    expect(packages.map((one) => one.packageId)).toEqual([packageId, both]);
    expect(methods).toEqual(['card', 'counter']);
  });

  test('are not reduced by a closed store', async () => {
    const { ctx, merchant, packageId } = await stage.scene();
    const [north, south] = merchant.stores;
    const settings = { amount: 500, bonus: 0, position: 1 };
    const there = await createFixedPackage(stage.owner, merchant.id, { ...settings, storeIds: [north.id] });
    const offered = async () => (await listTopUpOffers(ctx)).packages.map((one) => one.packageId);
    expect(await offered()).toEqual([packageId]);
    await stage.owner`update stores set closed_at = now() where id = ${south.id}`;
    expect(await offered()).toEqual([packageId, there]);
  });

  test('can be paid only at a counter if card payments are not set up', async () => {
    const { ctx, begin } = await stage.scene({}, { withStripe: false });
    expect((await listTopUpOffers(ctx)).methods).toEqual(['counter']);
    await expect(begin({ method: 'card' })).rejects.toMatchObject({ code: 'card_payment_unavailable' });
    const { topUpRequestId } = await begin({ method: 'counter' });
    expect((await getTopUpRequest(ctx, { topUpRequestId })).counterCode).toMatch(/^\d{6}$/);
  });
});

describe('starting a top-up', () => {
  test('twice with one key, also at the same moment, starts one', async () => {
    const { begin, ctx } = await stage.scene();
    const before = stage.stripe.sessions.size;
    const input = { requestKey: newId() };
    const begun = await Promise.all([begin(input), begin(input), begin(input)]);
    expect(new Set(begun.map(({ topUpRequestId }) => topUpRequestId)).size).toBe(1);
    expect(new Set(begun.map(({ checkoutUrl }) => checkoutUrl)).size).toBe(1);
    expect(stage.stripe.sessions.size).toBe(before + 1);
    const [again] = begun;
    expect(await begin(input)).toEqual(again);
    await cancelTopUp(ctx, again as { topUpRequestId: string });
    expect(await begin(input)).toEqual({ ...again, checkoutUrl: null });
  });

  test('is refused as a till would refuse it, before anything is paid', async () => {
    const { begin, customer, merchant } = await stage.scene({ balance_limit: 11_999 });
    const open = await createOpenPackage(stage.owner, merchant.id, { min: 100, max: 500, basisPoints: 1_000 });
    await expect(begin()).rejects.toMatchObject({ code: 'balance_limit_exceeded' });
    await expect(begin({ packageId: newId() })).rejects.toMatchObject({ code: 'package_not_found' });
    await expect(begin({ packageId: open })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(begin({ packageId: open, amount: 501 })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(begin({ packageId: (await stage.scene()).packageId })).rejects.toMatchObject({
      code: 'package_not_found',
    });
    expect(await begin({ packageId: open, amount: 333 })).toMatchObject({ checkoutUrl: expect.any(String) });
    await blockCustomer(stage.owner, customer.id);
    await expect(begin({ packageId: open, amount: 333 })).rejects.toMatchObject({ code: 'customer_blocked' });
  });

  test('by card with an amount that Stripe does not accept is refused, and still works at a counter', async () => {
    const { begin, merchant } = await stage.scene();
    const add = (amount: number) => createFixedPackage(stage.owner, merchant.id, { amount, bonus: 0 });
    // One is too little for Stripe, the other too much for us.
    for (const packageId of [await add(49), await add(100_000_000)]) {
      await expect(begin({ packageId })).rejects.toMatchObject({ code: 'card_payment_unavailable' });
      expect(await begin({ packageId, method: 'counter', replacesCode: true })).toMatchObject({ checkoutUrl: null });
    }
  });

  test('in a currency without minor units requests the amount unchanged', async () => {
    const { beginByCard } = await stage.scene({ currency: 'JPY', country: 'JP', locale: 'ja-JP' });
    expect((await beginByCard()).session).toMatchObject({ amount_total: 10_000, currency: 'jpy' });
  });

  test('too often is throttled', async () => {
    const { begin } = await stage.scene();
    for (let n = 0; n < 20; n++) await begin({ method: 'counter', replacesCode: true });
    await expect(begin({ method: 'counter', replacesCode: true })).rejects.toMatchObject({ code: 'too_many_attempts' });
    stage.travel(61 * minuteMs);
    await begin({ method: 'counter' });
  });
});

describe('a code for the counter', () => {
  test('is found again, and replaced only if its customer agrees', async () => {
    const { begin, ctx, merchant } = await stage.scene();
    const other = await stage.scene();
    expect((await listTopUpOffers(ctx)).openCode).toBeNull();
    const first = await begin({ method: 'counter' });
    expect((await listTopUpOffers(ctx)).openCode).toEqual({
      topUpRequestId: first.topUpRequestId,
      amount: 10_000,
      expiresAt: (await getTopUpRequest(ctx, first)).expiresAt,
    });
    expect((await listTopUpOffers(other.ctx)).openCode).toBeNull();
    await expect(begin({ method: 'counter' })).rejects.toMatchObject({ code: 'counter_code_open' });
    expect(await getTopUpRequest(ctx, first)).toMatchObject({ state: 'open' });
    const second = await begin({ method: 'counter', replacesCode: true });
    expect(await getTopUpRequest(ctx, first)).toMatchObject({ state: 'cancelled', counterCode: null });
    expect(await getTopUpRequest(ctx, second)).toMatchObject({ state: 'open', counterCode: expect.any(String) });
    const states = await stage.owner`select state from top_up_requests where merchant_id = ${merchant.id}`;
    expect(states.map(({ state }) => state).sort()).toEqual(['cancelled', 'open']);
    await other.begin({ method: 'counter' });
    expect(await getTopUpRequest(ctx, second)).toMatchObject({ state: 'open' });
  });

  test('is one, however many are requested at once', async () => {
    const { begin } = await stage.scene();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => begin({ method: 'counter' })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  test('does not stand in the way of a card, nor once it has expired', async () => {
    const { begin, ctx } = await stage.scene();
    await begin({ method: 'counter' });
    await begin({ method: 'card' });
    stage.travel(30 * minuteMs + 1);
    expect((await listTopUpOffers(ctx)).openCode).toBeNull();
    await begin({ method: 'counter' });
  });

  test('belongs to one open top-up of the merchant: the database rejects a second', async () => {
    const { merchant, customer, packageId } = await stage.scene();
    const other = await stage.scene();
    const ordered = { customerId: customer.id, packageId, counter_code: '000000' };
    const theirs = { customerId: other.customer.id, packageId: other.packageId, counter_code: '000000' };
    await createTopUpRequest(stage.owner, merchant.id, ordered);
    await createTopUpRequest(stage.owner, merchant.id, { ...ordered, state: 'expired' });
    await createTopUpRequest(stage.owner, other.merchant.id, theirs);
    await expect(createTopUpRequest(stage.owner, merchant.id, ordered)).rejects.toMatchObject({
      constraint_name: 'top_up_requests_open_code',
    });
  });

  test('ends after half an hour, marked by the worker or not, and when it is cancelled', async () => {
    const { begin, ctx, merchant } = await stage.scene();
    const late = await begin({ method: 'counter' });
    stage.travel(29 * minuteMs);
    expect(await getTopUpRequest(ctx, late)).toMatchObject({ state: 'open' });
    await settleOverdueTopUps(ctx);
    expect(await getTopUpRequest(ctx, late)).toMatchObject({ state: 'open' });
    stage.travel(minuteMs + 1);
    expect(await getTopUpRequest(ctx, late)).toMatchObject({ state: 'expired', counterCode: null });
    await settleOverdueTopUps(ctx);
    const [row] = await stage.owner`select state from top_up_requests where merchant_id = ${merchant.id}`;
    expect(row?.state).toBe('expired');
    const left = await begin({ method: 'counter' });
    expect(await cancelTopUp(ctx, left)).toMatchObject({ state: 'cancelled', counterCode: null });
    expect(await cancelTopUp(ctx, late)).toMatchObject({ state: 'expired' });
  });
});
