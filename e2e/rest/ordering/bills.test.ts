import { beforeAll, describe, expect, test } from 'vitest';
import { waitForEvents } from '@/server/testing/events';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { operationSuite, stateOf } from '../expectations';
import { type Answer, ledgerViolations, newTransactionId, restApi } from '../harness';
import { billBody, createFullStage, type FullStage, payOnBill, plainBill, plainSale } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
let key: string;

beforeAll(async () => {
  stage = await createFullStage(api);
  ({ key } = stage);
});

const newBill = () => `bill-${newTransactionId()}`;
const put = (billId: string, body: object = billBody(), by = key) => api.put(by, `/bills/${billId}`, body);
const get = (billId: string, by = key, query = '') => api.get(by, `/bills/${billId}${query}`);
const close = (billId: string, body: object = {}, by = key) => api.post(by, `/bills/${billId}/close`, body);
const cancel = (billId: string, body: object = {}, by = key) => api.post(by, `/bills/${billId}/void`, body);

function bodyOf({ status, text, body }: Answer) {
  expect(status, text).toBe(200);
  return body;
}

/** An open bill of one amount. */
async function opened(total: number): Promise<string> {
  const billId = newBill();
  bodyOf(await put(billId, plainBill(total)));
  return billId;
}

async function redeem(kind: 'stored-value' | 'points' | 'voucher', billId: string, rest: object): Promise<string> {
  const transactionId = newTransactionId();
  const customer = { customerId: stage.customer.id };
  bodyOf(await api.post(key, `/transactions/${kind}/redeem`, { transactionId, customer, billId, ...rest }));
  return transactionId;
}
const redeemVoucher = async (billId: string, amount: number): Promise<string> => {
  const { merchant, campaignId, customer } = stage;
  const voucherCode = await createVoucher(api.owner, merchant.id, { campaignId, customerId: customer.id });
  return redeem('voucher', billId, { voucherCode, bill: { amount } });
};
/** Redeems the customer’s stored value on a bill. */
const payOnTill = (billId: string, amount: number) =>
  api.post(key, '/transactions/stored-value/redeem', {
    transactionId: newTransactionId(),
    customer: { customerId: stage.customer.id },
    billId,
    amount,
  });
const voidAll = async (...transactionIds: string[]) =>
  bodyOf(await api.post(key, '/transactions/void', { transactionIds }));

/** The events of a bill, in order. */
async function eventsOf(billId: string) {
  await waitForEvents(api.owner);
  const rows = await api.owner`
    select type, data from events
    where merchant_id = ${stage.merchant.id} and type like 'bill.%' and data ->> 'billId' = ${billId} order by xid, seq`;
  return rows.map(({ type, data }) => ({ type, ...data }));
}

describe('putBill', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('putBill');

  test('200: a number that comes again on the same day begins a new bill, if the till says when it opened it', async () => {
    const billId = await opened(1_000);
    bodyOf(await close(billId));
    const dinner = { ...plainBill(2_000), revision: 1 };
    expectError(await put(billId, dinner), 402, 'bill_closed');
    const before = new Date(Date.now() - 60_000).toISOString();
    expectError(await put(billId, { ...dinner, openedAt: before }), 402, 'bill_closed');
    const openedAt = new Date().toISOString();
    const begun = { ...dinner, openedAt };
    expect(expectSuccess(await put(billId, begun))).toMatchObject({ state: 'open', total: 2_000, openedAt });
    expect(bodyOf(await put(billId, { ...begun, revision: 2 }))).toMatchObject({
      state: 'open',
      revision: 2,
      openedAt,
    });
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const { issues } = expectError(await put(newBill(), { ...dinner, openedAt: inAnHour }), 400, 'invalid_request');
    expect(issues).toEqual([{ path: 'openedAt', message: 'is more than 5 minutes ahead' }]);
  });

  test('200: a table is the same in full-width characters and with spaces around its name', async () => {
    const billId = newBill();
    for (const [n, table] of ['12', ' 12', '１２', '12\u3000'].entries()) {
      expectSuccess(await put(billId, billBody({ revision: n + 1, table })));
      expect(expectSuccess(await get(billId)).table).toBe('12');
    }
    const code = await api.post(key, '/qr-codes', { billId, table: '１２ ' });
    expect(code.body.table).toBe('12');
    expectError(await put(newBill(), billBody({ table: '\u3000' })), 400, 'invalid_request');
  });

  test('200: a new bill, and as it is looked up', async () => {
    const billId = newBill();
    const answer = expectSuccess(await put(billId));
    expect(answer).toEqual({
      ...billBody(),
      billId,
      state: 'open',
      discountTransactionIds: [],
      taxIncluded: [],
      paidAtTill: [],
      redemptions: [],
      payments: [],
      redeemed: 0,
      paid: 0,
      held: 0,
      tips: 0,
      due: 2_135,
      overpaid: 0,
      sales: [],
      sold: 0,
      unsettled: 0,
      reopenedAt: null,
      settlingUntil: null,
      openedAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      closedAt: null,
    });
    expect(bodyOf(await get(billId))).toEqual(answer);
  });

  test('200: a higher revision replaces all of the bill', async () => {
    const billId = newBill();
    const first = expectSuccess(await put(billId));
    const next = plainBill(5_000, { revision: 7, table: undefined });
    const second = expectSuccess(await put(billId, next));
    expect(second).toMatchObject({ ...next, table: null, due: 5_000, openedAt: first.openedAt });
    expect((await eventsOf(billId)).map(({ type, revision, due }) => [type, revision, due])).toEqual([
      ['bill.updated', 1, 2_135],
      ['bill.updated', 7, 5_000],
    ]);
  });

  test('200: the same request again changes nothing, whatever came since', async () => {
    const billId = newBill();
    const sent = billBody();
    const first = expectSuccess(await put(billId, sent));
    const before = await stateOf(api, stage.merchant.id);
    expect(expectSuccess(await put(billId, sent))).toEqual(first);
    expect(await stateOf(api, stage.merchant.id)).toEqual(before);
    bodyOf(await close(billId));
    expect(expectSuccess(await put(billId, sent))).toMatchObject({ state: 'closed', revision: 1 });
  });

  test('200: a part that is paid at the till lowers what is due, and nothing else', async () => {
    const billId = newBill();
    const lines = [
      { plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 3_000, amount: 3_000 },
      { plu: 'N002', name: 'Crab', quantity: 1, unitPrice: 7_000, amount: 7_000 },
    ];
    const paidAtTill = [{ amount: 7_700, lines: [{ plu: 'N002', quantity: 1 }] }];
    const sent = plainBill(10_000, { lines, serviceCharge: 1_000, total: 11_000, paidAtTill });
    const answer = expectSuccess(await put(billId, sent));
    expect(answer).toMatchObject({ total: 11_000, discount: 0, paid: 0, due: 3_300, paidAtTill, lines });
    expect(await payOnTill(billId, 3_301)).toMatchObject({
      status: 402,
      body: { error: { code: 'bill_due_exceeded' } },
    });
    bodyOf(await payOnTill(billId, 3_300));
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'paid', due: 0, redeemed: 3_300 });
    // The same till, a little later: what was taken twice by mistake is sent right again.
    const more = { ...sent, revision: 2, paidAtTill: [...paidAtTill, { amount: 100 }] };
    expect(bodyOf(await put(billId, more))).toMatchObject({
      overpaid: 100,
      paidAtTill: [{}, { amount: 100, lines: [] }],
    });
    expect(bodyOf(await put(billId, { ...sent, revision: 3 }))).toMatchObject({ overpaid: 0, due: 0 });
  });

  test('400: items paid at the till that the bill does not have, and a rounding that is none', async () => {
    const paidFor = (plu: string, quantity: number) => [{ amount: 100, lines: [{ plu, quantity }] }];
    for (const paidAtTill of [paidFor('N009', 1), [...paidFor('N001', 1), ...paidFor('N001', 1)]]) {
      const { issues } = expectError(await put(newBill(), plainBill(1_000, { paidAtTill })), 400, 'invalid_request');
      expect(issues[0].path).toBe(`paidAtTill.${paidAtTill.length - 1}.lines.0.quantity`);
    }
    const rounded = (rounding: number) => put(newBill(), plainBill(1_000, { rounding, total: 1_000 + rounding }));
    for (const rounding of [-99, 99]) expectSuccess(await rounded(rounding));
    for (const rounding of [-100, 400]) {
      const { issues } = expectError(await rounded(rounding), 400, 'totals_mismatch');
      expect(issues).toEqual([{ path: 'rounding', message: 'must be less than 1.00 SGD, up or down' }]);
    }
  });

  test('200: an item struck out by a line below zero, and deposits handed back; vouchers count what is left', async () => {
    const billId = newBill();
    const laksa = { plu: 'N001', name: 'Laksa', unitPrice: 1_000 };
    const lines = [
      { ...laksa, quantity: 2, amount: 2_000 },
      { ...laksa, quantity: -1, amount: -1_000 },
      { plu: 'BOTTLE', name: 'Deposit', quantity: -4, unitPrice: 25, amount: -100 },
    ];
    const sums = { lines, subtotal: 900, total: 900 };
    expect(expectSuccess(await put(billId, plainBill(900, sums)))).toMatchObject({ lines, due: 900 });
    const { merchant, customer } = stage;
    const campaignId = await createCampaign(api.owner, merchant.id, {
      unit: 'ItemDollarPercentage',
      value: 1_000,
      plus: ['N001', 'BOTTLE'],
      max_units: 5,
    });
    const voucherCode = await createVoucher(api.owner, merchant.id, { campaignId, customerId: customer.id });
    const bill = { amount: 900, lines: lines.map(({ name: _, ...line }) => line) };
    const redeemed = await api.post(key, '/transactions/voucher/redeem', {
      transactionId: newTransactionId(),
      customer: { customerId: customer.id },
      billId,
      voucherCode,
      bill,
    });
    // 10 % of the one bowl that is left.
    expect(bodyOf(redeemed).discount).toEqual({
      amount: 100,
      lines: [
        { index: 0, plu: 'N001', amount: 100 },
        { index: 1, plu: 'N001', amount: 0 },
        { index: 2, plu: 'BOTTLE', amount: 0 },
      ],
    });
    const below = plainBill(0, { lines: [lines[2]], subtotal: -100, total: -100 });
    expectError(await put(newBill(), below), 400, 'invalid_request');
    for (const wrong of [
      { quantity: 1, amount: -1 },
      { quantity: -1, amount: 1 },
    ]) {
      const { issues } = expectError(
        await put(newBill(), plainBill(1, { lines: [{ ...laksa, ...wrong }] })),
        400,
        'invalid_request',
      );
      expect(issues[0].path).toBe('lines.0.amount');
    }
  });

  test('200: tax that prices include is kept, by rate, and not added', async () => {
    const billId = newBill();
    const taxIncluded = [
      { rate: 10, amount: 91 },
      { rate: 5.5, amount: 52 },
      { rate: 0, amount: 0 },
    ];
    const answer = expectSuccess(await put(billId, plainBill(2_000, { taxIncluded })));
    expect(answer).toMatchObject({ total: 2_000, due: 2_000, tax: 0, taxIncluded });
    const withoutRate = plainBill(2_000, { revision: 2, taxIncluded: [{ amount: 182 }] });
    expect(bodyOf(await put(billId, withoutRate)).taxIncluded).toEqual([{ rate: null, amount: 182 }]);
    const above = expectError(
      await put(newBill(), plainBill(100, { taxIncluded: [{ amount: 101 }] })),
      400,
      'totals_mismatch',
    );
    expect(above.issues).toEqual([{ path: 'taxIncluded', message: 'is 101 in all; the total is 100' }]);
  });

  test('200: a bill without lines, and another store’s bill of the same number', async () => {
    const billId = newBill();
    const [, south] = stage.merchant.stores;
    const empty = plainBill(0, { lines: [] });
    expect(expectSuccess(await put(billId, empty))).toMatchObject({ state: 'open', due: 0, lines: [] });
    expect(expectSuccess(await put(billId, billBody(), south.key)).due).toBe(2_135);
    expect(bodyOf(await get(billId)).total).toBe(0);
  });

  test('200: twelve hours after a bill was closed, its number is another bill’s', async () => {
    const billId = await opened(3_000);
    bodyOf(await close(billId));
    const age = (minutes: number) => api.owner`
      update bills set closed_at = closed_at - make_interval(mins => ${minutes}),
        updated_at = updated_at - make_interval(mins => ${minutes}) where bill_id = ${billId}`;
    await age(719);
    expectError(await put(billId, plainBill(4_000, { revision: 2 })), 402, 'bill_closed');
    await age(1);
    // What is redeemed now counts on the next.
    await redeem('stored-value', billId, { amount: 1_000 });
    expect(expectSuccess(await put(billId, plainBill(4_000)))).toMatchObject({ state: 'open', redeemed: 1_000 });
  });

  test('200: twelve hours later, the same request is another bill, too', async () => {
    const [closed, forgotten] = [newBill(), newBill()];
    const coffee = plainBill(180);
    for (const billId of [closed, forgotten]) bodyOf(await put(billId, coffee));
    bodyOf(await close(closed));
    await api.owner`
      update bills set updated_at = updated_at - interval '12 hours', closed_at = closed_at - interval '12 hours'
      where bill_id in ${api.owner([closed, forgotten])}`;
    for (const billId of [closed, forgotten]) {
      const { state, openedAt } = expectSuccess(await put(billId, coffee));
      expect(state).toBe('open');
      expect(bodyOf(await close(billId)).openedAt).toBe(openedAt);
      const rows = await api.owner`select state from bills where bill_id = ${billId}`;
      expect(rows.map((one) => one.state)).toEqual(['closed', 'closed']);
    }
  });

  test('200: a bill that its till has forgotten gives its number to the next one that is sent, and to nothing before', async () => {
    const billId = newBill();
    bodyOf(await put(billId, plainBill(3_000, { revision: 9 })));
    const early = await redeem('stored-value', billId, { amount: 1_000 });
    const [row] = await api.owner`
      update bills set updated_at = now() - interval '12 hours 1 second', counts_from = counts_from - interval '13 hours'
      where bill_id = ${billId} returning id, updated_at`;
    await api.owner`
      update transactions set occurred_at = now() - interval '12 hours 2 seconds' where transaction_id = ${early}`;
    expectError(await payOnTill(billId, 100), 402, 'bill_closed');
    expect(bodyOf(await get(billId))).toMatchObject({ revision: 9, redeemed: 1_000, due: 0, unsettled: 2_000 });
    expect(expectSuccess(await put(billId, plainBill(4_000)))).toMatchObject({
      revision: 1,
      state: 'open',
      redeemed: 0,
    });
    const today = await redeem('stored-value', billId, { amount: 2_500 });
    const next = bodyOf(await get(billId));
    expect(next).toMatchObject({ revision: 1, state: 'open', redeemed: 2_500, due: 1_500 });
    expect(next.redemptions).toMatchObject([{ transactionId: today }]);
    const [old] = await api.owner`select state, closed_at, updated_at from bills where id = ${row?.id}`;
    const endedAt = new Date(row?.updated_at.getTime() + 12 * 3_600_000);
    expect(old).toEqual({ state: 'closed', closed_at: endedAt, updated_at: row?.updated_at });
    expect((await eventsOf(billId)).map(({ type, revision }) => [type, revision])).toEqual([
      ['bill.updated', 9],
      ['bill.updated', 9],
      ['bill.closed', 9],
      ['bill.updated', 1],
      ['bill.updated', 1],
    ]);
  });

  test('200: what is in the discount already is not subtracted again', async () => {
    const billId = await opened(5_000);
    const voucher = await redeemVoucher(billId, 5_000);
    const points = await redeem('points', billId, { points: 300 });
    expect(bodyOf(await get(billId))).toMatchObject({ redeemed: 800, due: 4_200 });
    const discounted = (ids: string[], discount: number) => ({
      ...plainBill(5_000, { revision: 1 + discount, discountTransactionIds: ids }),
      discount,
      total: 5_000 - discount,
    });
    expect(expectSuccess(await put(billId, discounted([voucher], 500)))).toMatchObject({ redeemed: 300, due: 4_200 });
    const both = expectSuccess(await put(billId, discounted([voucher, points], 900)));
    expect(both).toMatchObject({ redeemed: 0, due: 4_100 });
    expect(both.redemptions).toMatchObject([
      { transactionId: voucher, type: 'redeemVoucher', amount: 500, isInDiscount: true, status: 'completed' },
      { transactionId: points, type: 'redeemPoints', amount: 300, isInDiscount: true, status: 'completed' },
    ]);
    // A void gives it back at once, before the till has changed its discount.
    await voidAll(voucher);
    const voided = bodyOf(await get(billId));
    expect(voided).toMatchObject({ redeemed: 0, due: 4_600, redemptions: [{ status: 'voided' }, {}] });
    const without = expectSuccess(await put(billId, { ...discounted([points], 300), revision: 1_000 }));
    expect(without).toMatchObject({ due: 4_700, redemptions: [{ transactionId: points }] });
  });

  test('400: sums, currency and redemptions that are not right', async () => {
    const billId = await opened(5_000);
    const issuesOf = async (rest: object, code = 'invalid_request') => {
      const { issues, details } = expectError(
        await put(billId, { ...plainBill(5_000), revision: 2, ...rest }),
        400,
        code,
      );
      return [issues.map(({ path }: { path: string }) => path), details];
    };
    const sums = { expectedTotal: 5_000 };
    expect(await issuesOf({ total: 4_999 }, 'totals_mismatch')).toEqual([['total'], sums]);
    expect(await issuesOf({ subtotal: 4_999, discount: -1 + 1 }, 'totals_mismatch')).toEqual([
      ['total', 'lines'],
      { expectedTotal: 4_999 },
    ]);
    expect(await issuesOf({ currency: 'MYR' })).toEqual([['currency'], {}]);
    const [voucher, paid] = [await redeemVoucher(billId, 5_000), await redeem('stored-value', billId, { amount: 100 })];
    const elsewhere = await redeem('points', newBill(), { points: 10 });
    expect(await issuesOf({ discountTransactionIds: [voucher, paid, elsewhere, 'never'] })).toEqual([
      ['discountTransactionIds.1', 'discountTransactionIds.2', 'discountTransactionIds.3'],
      {},
    ]);
    expect(await issuesOf({ discountTransactionIds: [voucher], discount: 499, total: 4_501 })).toEqual([
      ['discount'],
      {},
    ]);
    expect(bodyOf(await get(billId))).toMatchObject({ revision: 1, due: 4_400 });
  });

  test('401, 403 and 404', async () => {
    const billId = newBill();
    expectError(await put(billId, billBody(), 'no key'), 401, 'invalid_api_key');
    expectError(await put(billId, billBody({ storeCode: 'SOUTH' })), 403, 'store_forbidden');
    expectError(await put(billId, billBody({ storeCode: 'EAST' }), stage.merchant.key), 404, 'store_not_found');
  });

  test('402: an older revision, the same with other content, and a bill that is over', async () => {
    const billId = newBill();
    bodyOf(await put(billId, billBody({ revision: 4 })));
    const older = expectError(await put(billId, billBody({ revision: 3 })), 402, 'bill_revision_outdated');
    expect(older.details).toEqual({ revision: 4, requested: 3 });
    const reused = expectError(await put(billId, plainBill(1, { revision: 4 })), 402, 'bill_revision_reused');
    expect(reused.details).toEqual({ revision: 4, requested: 4 });
    expect(bodyOf(await get(billId))).toMatchObject({ revision: 4, total: 2_135 });
    bodyOf(await close(billId));
    expect(expectError(await put(billId, billBody({ revision: 5 })), 402, 'bill_closed').details).toEqual({
      state: 'closed',
    });
    const voided = await opened(100);
    bodyOf(await cancel(voided));
    expect(expectError(await put(voided, billBody({ revision: 5 })), 402, 'bill_closed').details).toEqual({
      state: 'void',
    });
  });

  coversReference();
});

describe('getBill', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('getBill');

  test('200: what was redeemed, until nothing is due, and given back by a void', async () => {
    const billId = await opened(1_000);
    const value = await redeem('stored-value', billId, { amount: 600 });
    expect(expectSuccess(await get(billId))).toMatchObject({ state: 'open', redeemed: 600, due: 400 });
    const points = await redeem('points', billId, { points: 400 });
    const paid = expectSuccess(await get(billId));
    expect(paid).toMatchObject({ state: 'paid', redeemed: 1_000, due: 0, overpaid: 0 });
    expect(paid.redemptions).toMatchObject([
      { transactionId: value, type: 'redeemStoredValue', amount: 600, isInDiscount: false, status: 'completed' },
      { transactionId: points, type: 'redeemPoints', amount: 400, customerId: stage.customer.id },
    ]);
    await voidAll(value);
    const open = expectSuccess(await get(billId));
    expect(open).toMatchObject({ state: 'open', redeemed: 400, due: 600, redemptions: [{ transactionId: points }] });
    expect((await eventsOf(billId)).map(({ type, due }) => [type, due])).toEqual([
      ['bill.updated', 1_000],
      ['bill.updated', 400],
      ['bill.updated', 0],
      ['bill.paid', 0],
      ['bill.updated', 600],
    ]);
  });

  test('200: a bill that shrinks says by how much too much was paid', async () => {
    const billId = await opened(1_000);
    await redeem('stored-value', billId, { amount: 1_000 });
    bodyOf(await put(billId, plainBill(700, { revision: 2 })));
    expect(expectSuccess(await get(billId))).toMatchObject({ state: 'paid', due: 0, overpaid: 300 });
    bodyOf(await put(billId, plainBill(1_100, { revision: 3 })));
    expect(expectSuccess(await get(billId))).toMatchObject({ state: 'open', due: 100, overpaid: 0 });
  });

  test('200: what was redeemed before the till first sent the bill, and nothing of an older one', async () => {
    const billId = newBill();
    const late = (hours: number) => ({
      amount: 10,
      occurredAt: new Date(Date.now() - hours * 3_600_000).toISOString(),
    });
    await redeem('stored-value', billId, late(11));
    await redeem('stored-value', billId, late(13));
    bodyOf(await put(billId, plainBill(500)));
    expect(expectSuccess(await get(billId))).toMatchObject({ redeemed: 10, due: 490 });
    await redeem('stored-value', billId, late(13));
    expect(expectSuccess(await get(billId))).toMatchObject({ redeemed: 10, due: 490 });
  });

  test('401, 403 and 404', async () => {
    const billId = await opened(1_000);
    expectError(await get(billId, 'no key'), 401, 'invalid_api_key');
    expectError(await get(billId, key, '?storeCode=SOUTH'), 403, 'store_forbidden');
    expectError(await get(billId, stage.merchant.key, '?storeCode=EAST'), 404, 'store_not_found');
    expectError(await get(newBill()), 404, 'bill_not_found');
    expectError(await get(billId, stage.merchant.stores[1].key), 404, 'bill_not_found');
    expect(expectError(await get(billId, stage.merchant.key), 400, 'invalid_request').issues).toMatchObject([
      { path: 'storeCode' },
    ]);
  });

  coversReference();
});

describe('closeBill', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('closeBill');

  test('200: whatever was due, and the same again', async () => {
    const billId = await opened(1_000);
    await redeem('stored-value', billId, { amount: 400 });
    const answer = expectSuccess(await close(billId, { staffId: 'S-1' }));
    expect(answer).toMatchObject({ state: 'closed', redeemed: 400, due: 0, closedAt: expect.stringMatching(/Z$/) });
    expect(expectSuccess(await close(billId))).toEqual(answer);
    expect((await eventsOf(billId)).map(({ type, state }) => [type, state])).toEqual([
      ['bill.updated', 'open'],
      ['bill.updated', 'open'],
      ['bill.closed', 'closed'],
    ]);
  });

  test('200: the sale closes its bill, once', async () => {
    const billId = await opened(1_000);
    await redeem('stored-value', billId, { amount: 400 });
    const sale = plainSale(1_000, { billId });
    bodyOf(await api.post(key, '/sales', sale));
    bodyOf(await api.post(key, '/sales', sale));
    const closed = bodyOf(await get(billId));
    expect(closed).toMatchObject({ state: 'closed', redeemed: 400, due: 0 });
    expect(expectSuccess(await close(billId))).toEqual(closed);
    const types = (await eventsOf(billId)).map(({ type }) => type);
    expect(types).toEqual(['bill.updated', 'bill.updated', 'bill.closed']);
  });

  test('200: a sale of an earlier day closes no bill of today', async () => {
    const billId = await opened(1_000);
    const occurredAt = new Date(Date.now() - 24 * 3_600_000).toISOString();
    bodyOf(await api.post(key, '/sales', plainSale(1_000, { billId, occurredAt })));
    expect(bodyOf(await get(billId)).state).toBe('open');
  });

  test('401, 402, 403 and 404', async () => {
    const billId = await opened(1_000);
    expectError(await close(billId, {}, 'no key'), 401, 'invalid_api_key');
    expectError(await close(billId, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await close(billId, { storeCode: 'EAST' }, stage.merchant.key), 404, 'store_not_found');
    expectError(await close(newBill()), 404, 'bill_not_found');
    expectError(await close(billId, { billId }), 400, 'invalid_request');
    expectError(await close(billId, { expectedDue: 999 }), 402, 'bill_changed');
    bodyOf(await cancel(billId));
    expect(expectError(await close(billId), 402, 'bill_closed').details).toEqual({ state: 'void' });
  });

  coversReference();
});

describe('voidBill', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('voidBill');

  test('200: with its reason in the audit log, and the same again', async () => {
    const billId = await opened(1_000);
    const answer = expectSuccess(await cancel(billId, { reason: 'Wrong table' }));
    expect(answer).toMatchObject({ state: 'void', due: 0, closedAt: expect.stringMatching(/Z$/) });
    expect(expectSuccess(await cancel(billId))).toEqual(answer);
    expect((await eventsOf(billId)).map(({ type }) => type)).toEqual(['bill.updated', 'bill.voided']);
    const entries = await api.owner`
      select after from audit_log where action = 'bill.void' and after like ${`%${billId}%`}`;
    expect(entries.map(({ after }) => JSON.parse(after))).toEqual([{ billId, total: 1_000, reason: 'Wrong table' }]);
  });

  test('402: while something was redeemed on it', async () => {
    const billId = await opened(1_000);
    const transactionId = await redeem('stored-value', billId, { amount: 400 });
    const { details } = expectError(await cancel(billId), 402, 'bill_paid');
    expect(details).toEqual({ paid: 0, transactionIds: [transactionId], paymentIds: [] });
    await voidAll(transactionId);
    expect(expectSuccess(await cancel(billId)).state).toBe('void');
  });

  test('401, 402, 403 and 404', async () => {
    const billId = await opened(1_000);
    expectError(await cancel(billId, {}, 'no key'), 401, 'invalid_api_key');
    expectError(await cancel(billId, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await cancel(billId, { storeCode: 'EAST' }, stage.merchant.key), 404, 'store_not_found');
    expectError(await cancel(newBill()), 404, 'bill_not_found');
    expectError(await cancel(billId, { reason: '' }), 400, 'invalid_request');
    bodyOf(await close(billId));
    expect(expectError(await cancel(billId), 402, 'bill_closed').details).toEqual({ state: 'closed' });
  });

  coversReference();
});

describe('refundBillPayment', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('refundBillPayment');
  const refund = (billId: string, paymentId: string, body: object = {}, by = key) =>
    api.post(by, `/bills/${billId}/payments/${paymentId}/refund`, body);
  const pay = (billId: string, amount: number, tip = 0) => payOnBill(api, stage, billId, amount, tip);

  test('200: in part, so that it is due again, then all with its tip; each once, however often it is sent', async () => {
    const billId = await opened(1_000);
    const paymentId = await pay(billId, 600, 60);
    const part = expectSuccess(await refund(billId, paymentId, { returned: 200, reason: 'Cold dish' }));
    expect(part).toMatchObject({ paid: 400, tips: 60, due: 600, payments: [{ state: 'paid', returned: 200 }] });
    expect(expectSuccess(await refund(billId, paymentId, { returned: 200 }))).toEqual(part);
    const all = await Promise.all([refund(billId, paymentId), refund(billId, paymentId)]);
    for (const one of all) {
      const answer = expectSuccess(one);
      expect(answer).toMatchObject({ paid: 0, tips: 0, due: 1_000, payments: [{ state: 'returned', returned: 660 }] });
    }
    // A smaller one that arrives late changes nothing.
    expect(expectSuccess(await refund(billId, paymentId, { returned: 300 })).due).toBe(1_000);
    const entries = await api.owner`
      select after from audit_log where action = 'bill.refundPayment' and after like ${`%${paymentId}%`} order by id`;
    expect(entries.map(({ after }) => JSON.parse(after))).toEqual([
      { billId, paymentId, amount: 200, pointsTaken: 0, reason: 'Cold dish' },
      { billId, paymentId, amount: 460, pointsTaken: 0 },
    ]);
    expect((await eventsOf(billId)).map(({ type, paid }) => [type, paid])).toEqual([
      ['bill.updated', 0],
      ['bill.updated', 400],
      ['bill.updated', 0],
    ]);
  });

  test('200: of a closed bill; and then nothing keeps a bill from being voided', async () => {
    const [closed, wrong] = [await opened(1_000), await opened(1_000)];
    const [first, second] = [await pay(closed, 1_000), await pay(wrong, 1_000)];
    bodyOf(await close(closed));
    expect(expectSuccess(await refund(closed, first))).toMatchObject({ state: 'closed', paid: 0, due: 0 });
    expect((await cancel(wrong)).body.error.details).toEqual({ paid: 1_000, transactionIds: [], paymentIds: [second] });
    bodyOf(await refund(wrong, second));
    expect(bodyOf(await cancel(wrong)).state).toBe('void');
  });

  test('400, 401, 403 and 404', async () => {
    const billId = await opened(1_000);
    const paymentId = await pay(billId, 600);
    expectError(await refund(billId, paymentId, { returned: 601 }), 400, 'invalid_request');
    expectError(await refund(billId, paymentId, { returned: 0 }), 400, 'invalid_request');
    expectError(await refund(billId, paymentId, {}, 'no key'), 401, 'invalid_api_key');
    expectError(await refund(billId, paymentId, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await refund(billId, paymentId, { storeCode: 'EAST' }, stage.merchant.key), 404, 'store_not_found');
    expectError(await refund(billId, crypto.randomUUID()), 404, 'bill_payment_not_found');
    expectError(await refund(await opened(1_000), paymentId), 404, 'bill_payment_not_found');
    expect(bodyOf(await get(billId)).paid).toBe(600);
  });

  coversReference();
});

test('the ledger is right', async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});
