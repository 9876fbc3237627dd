/** How a bill ends, in one part or several, and how it is opened again. */
import { beforeAll, describe, expect, test } from 'vitest';
import { waitForEvents } from '@/server/testing/events';
import { createCustomer } from '@/server/testing/factory';
import { createVoucher } from '@/server/testing/factory-ordering';
import { operationSuite } from '../expectations';
import { type Answer, newTransactionId, restApi } from '../harness';
import { createFullStage, type FullStage, payOnBill, plainBill, plainSale } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
let key: string;

beforeAll(async () => {
  stage = await createFullStage(api);
  ({ key } = stage);
});

const newBill = () => `bill-${newTransactionId()}`;
const put = (billId: string, body: object) => api.put(key, `/bills/${billId}`, body);
const get = (billId: string) => api.get(key, `/bills/${billId}`);
const close = (billId: string, body: object = {}) => api.post(key, `/bills/${billId}/close`, body);
const cancel = (billId: string) => api.post(key, `/bills/${billId}/void`, {});

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

/** Redeems stored value, from a top-up that is large enough. */
async function redeem(billId: string, amount: number): Promise<string> {
  const customer = { customerId: stage.customer.id };
  const topUp = { transactionId: newTransactionId(), customer, packageId: stage.packageId };
  bodyOf(await api.post(key, '/transactions/stored-value/top-up', topUp));
  const transactionId = newTransactionId();
  bodyOf(await api.post(key, '/transactions/stored-value/redeem', { transactionId, customer, billId, amount }));
  return transactionId;
}
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

test('two tables join as the guide says: what was redeemed and paid on one counts on the other, and each thing once', async () => {
  const [seven, twelve] = [await opened(3_000), await opened(2_000)];
  await redeem(twelve, 500);
  await payOnBill(api, stage, twelve, 1_000);
  const less = plainBill(2_000, { revision: 2, discount: 500, total: 1_500 });
  expect(bodyOf(await put(twelve, less))).toMatchObject({ state: 'paid', due: 0, overpaid: 0 });
  const both = plainBill(5_000, { revision: 2, paidAtTill: [{ amount: 1_500 }] });
  expect(bodyOf(await put(seven, both))).toMatchObject({ state: 'open', due: 3_500 });
  expect(bodyOf(await close(twelve, { expectedDue: 0 }))).toMatchObject({ state: 'closed', paid: 1_000, unsettled: 0 });
  const payments = [
    { method: 'stored-value', amount: 500 },
    { method: 'phone', amount: 1_000 },
    { method: 'cash', amount: 3_500 },
  ];
  const sale = bodyOf(await api.post(key, '/sales', plainSale(5_000, { billId: seven, payments })));
  expect(sale).toMatchObject({ overpaid: 0 });
  expect(bodyOf(await get(seven))).toMatchObject({ state: 'closed', overpaid: 0, unsettled: 0 });
  // What counts on the other table is in no cash of the sale: if the bill changes afterwards, it still counts.
  bodyOf(await api.post(key, `/bills/${seven}/reopen`, {}));
  const more = plainBill(5_600, { revision: 3, paidAtTill: [{ amount: 1_500 }] });
  expect(bodyOf(await put(seven, more))).toMatchObject({ due: 600, overpaid: 0 });
});

describe('nobody pays twice', () => {
  const sell = (billId: string, method: string, total: number) =>
    api.post(key, '/sales', plainSale(total, { billId, payments: [{ method, amount: total }] }));

  test('what was redeemed and then taken in cash, too, is said: to the till, in the event, and until it is voided', async () => {
    const billId = await opened(2_000);
    const redemption = await redeem(billId, 800);
    expect(bodyOf(await sell(billId, 'cash', 2_000))).toMatchObject({ overpaid: 800 });
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'closed', due: 0, redeemed: 800, overpaid: 800 });
    expect((await eventsOf(billId)).at(-1)).toMatchObject({ type: 'bill.closed', overpaid: 800 });
    const [found] = await api.owner`
      select after from audit_log a join bills b on b.id::text = a.subject_id
      where action = 'bill.overpaid' and b.bill_id = ${billId}`;
    expect(JSON.parse(found?.after)).toEqual({ amount: 800 });
    await voidAll(redemption);
    const figures = { state: 'closed', redeemed: 0, overpaid: 0, unsettled: 0 };
    expect(bodyOf(await get(billId))).toMatchObject(figures);
    expect((await eventsOf(billId)).at(-1)).toMatchObject({ type: 'bill.updated', ...figures });
  });

  test('what a diner paid by phone goes back where the till takes all of it again, and stays where it does not', async () => {
    const billId = await opened(2_000);
    await payOnBill(api, stage, billId, 1_500);
    expect(bodyOf(await sell(billId, 'cash', 2_000))).toMatchObject({ overpaid: 0 });
    expect(bodyOf(await get(billId))).toMatchObject({
      state: 'closed',
      paid: 0,
      overpaid: 0,
      payments: [{ returned: 1_500 }],
    });
    const right = await opened(2_000);
    await payOnBill(api, stage, right, 1_500);
    const payments = [
      { method: 'phone', amount: 1_500 },
      { method: 'cash', amount: 500 },
    ];
    bodyOf(await api.post(key, '/sales', plainSale(2_000, { billId: right, payments })));
    expect(bodyOf(await get(right))).toMatchObject({
      state: 'closed',
      paid: 1_500,
      overpaid: 0,
      payments: [{ returned: 0 }],
    });
  });

  test('a sale of the whole bill may list what was paid at the till before, and more than the till last sent', async () => {
    const billId = newBill();
    bodyOf(await put(billId, plainBill(2_000, { paidAtTill: [{ amount: 1_200 }] })));
    expect(bodyOf(await sell(billId, 'cash', 2_500))).toMatchObject({ overpaid: 0 });
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'closed', overpaid: 0, unsettled: 0 });
  });
});

describe('a bill that is paid in parts', () => {
  const sell = (billId: string, subtotal: number, rest: object = {}) =>
    api.post(key, '/sales', plainSale(subtotal, { billId, ...rest }));

  test('sales add up and close it once nothing is due; each member earns on the own part', async () => {
    const billId = await opened(2_000);
    const [ada, ben] = [stage.customer.id, await createCustomer(api.owner, stage.merchant.id)];
    const first = bodyOf(await sell(billId, 1_000, { customer: { customerId: ada } }));
    expect(bodyOf(await get(billId))).toMatchObject({
      state: 'open',
      sales: [
        {
          transactionId: first.transactionId,
          customerId: ada,
          total: 1_000,
          taken: 1_000,
          pointsEarned: expect.any(Number),
          pointsTaken: 0,
        },
      ],
      sold: 1_000,
      due: 1_000,
      overpaid: 0,
    });
    const second = bodyOf(await sell(billId, 1_000, { customer: { customerId: ben.id } }));
    expect([first.pointsEarned, second.pointsEarned]).toEqual([10, 10]);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'closed', sold: 2_000, due: 0, unsettled: 0 });
    const types = (await eventsOf(billId)).map(({ type, due }) => [type, due]);
    expect(types).toEqual([
      ['bill.updated', 2_000],
      ['bill.updated', 1_000],
      ['bill.closed', 0],
    ]);
  });

  test('value that a part was paid with counts once, and what is left can be redeemed', async () => {
    const billId = await opened(2_000);
    await redeem(billId, 700);
    const payments = [
      { method: 'Stored-Value', amount: 700 },
      { method: 'cash', amount: 300 },
    ];
    bodyOf(await sell(billId, 1_000, { payments }));
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'open', redeemed: 700, sold: 300, due: 1_000 });
    const body = {
      transactionId: newTransactionId(),
      customer: { customerId: stage.customer.id },
      billId,
      amount: 1_001,
    };
    const { details } = expectRefused(await api.post(key, '/transactions/stored-value/redeem', body));
    expect(details).toMatchObject({ due: 1_000 });
    await redeem(billId, 1_000);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'paid', due: 0 });
  });

  test('sums may be above what one payment can be', async () => {
    const billId = newBill();
    const most = 99_999_999_999;
    bodyOf(await put(billId, plainBill(1_000, { paidAtTill: [{ amount: most }, { amount: most }] })));
    const overpaid = 2 * most - 1_000;
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'paid', due: 0, overpaid });
    expect(bodyOf(await sell(billId, 1_000))).toMatchObject({ overpaid });
    const second = await opened(most);
    for (const closesBill of [false, true]) bodyOf(await sell(second, most, { closesBill }));
    expect(bodyOf(await get(second))).toMatchObject({ state: 'closed', sold: 2 * most });
  });

  test('the till says whether a sale closes it; what is missing then is said', async () => {
    const [early, late] = [await opened(2_000), await opened(2_000)];
    bodyOf(await sell(early, 1_500, { closesBill: true }));
    expect(bodyOf(await get(early))).toMatchObject({ state: 'closed', due: 0, unsettled: 500 });
    bodyOf(await sell(late, 2_000, { closesBill: false }));
    expect(bodyOf(await get(late))).toMatchObject({ state: 'paid', due: 0, unsettled: 0 });
    expect(bodyOf(await close(late))).toMatchObject({ state: 'closed', unsettled: 0 });
    const closed = await opened(2_000);
    expect(bodyOf(await close(closed)).unsettled).toBe(2_000);
    // Its sale arrives later.
    bodyOf(await sell(closed, 2_000));
    expect(bodyOf(await get(closed))).toMatchObject({ state: 'closed', unsettled: 0 });
  });

  test('a sale and a closing are refused if another sum is due than the till expects', async () => {
    const billId = await opened(1_000);
    const value = await redeem(billId, 900);
    await voidAll(value);
    const sale = plainSale(1_000, { billId, expectedDue: 100 });
    const { openedAt } = bodyOf(await get(billId));
    const figures = { expectedDue: 100, due: 1_000, held: 0, redeemed: 0, paid: 0, openedAt };
    expect(expectRefused(await api.post(key, '/sales', sale), 'bill_changed').details).toEqual(figures);
    expect(expectRefused(await close(billId, { expectedDue: 100 }), 'bill_changed').details).toEqual(figures);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'open', due: 1_000 });
    // Nothing was done, so its id is still free.
    bodyOf(await api.post(key, '/sales', { ...sale, expectedDue: 1_000 }));
    expect(bodyOf(await get(billId)).state).toBe('closed');
  });

  test('of cashiers who take money for one bill at the same moment, one is told that nothing is due any more', async () => {
    const [sold, closed] = [await opened(1_000), await opened(1_000)];
    bodyOf(await close(closed, { expectedDue: 1_000 }));
    for (const billId of [sold, closed]) {
      const answers = await Promise.all([1, 2, 3].map(() => sell(billId, 1_000, { expectedDue: 1_000 })));
      const [first, ...others] = answers.sort((a, b) => a.status - b.status) as [Answer, ...Answer[]];
      bodyOf(first);
      for (const one of others) expect(expectRefused(one, 'bill_changed').details).toMatchObject({ due: 0 });
      expect(bodyOf(await get(billId))).toMatchObject({ state: 'closed', sold: 1_000, unsettled: 0 });
    }
  });

  test('a part that is sold does not end the bill for vouchers; its closing does', async () => {
    const billId = await opened(10_000);
    const { merchant, campaignId, customer } = stage;
    const voucher = async () => {
      const voucherCode = await createVoucher(api.owner, merchant.id, { campaignId, customerId: customer.id });
      const body = { transactionId: newTransactionId(), customer: { customerId: customer.id }, billId, voucherCode };
      return api.post(key, '/transactions/voucher/redeem', { ...body, bill: { amount: 5_000 } });
    };
    bodyOf(await voucher());
    bodyOf(await sell(billId, 2_000));
    expectRefused(await voucher(), 'voucher_not_stackable');
    bodyOf(await close(billId));
    bodyOf(await put(billId, { ...plainBill(5_000), openedAt: new Date().toISOString() }));
    bodyOf(await voucher());
  });

  test('sales of both halves at once close it once', async () => {
    const billId = await opened(2_000);
    const answers = await Promise.all([1, 2, 3, 4].map(() => sell(billId, 500)));
    for (const answer of answers) bodyOf(answer);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'closed', sold: 2_000 });
    expect((await eventsOf(billId)).filter(({ type }) => type === 'bill.closed')).toHaveLength(1);
  });

  function expectRefused({ status, body, text }: Answer, code = 'bill_due_exceeded') {
    expect([status, body.error?.code], text).toEqual([402, code]);
    return body.error;
  }
});

describe('beginSettling', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('beginSettling');
  const settle = (billId: string, body: object = {}, by = key) => api.post(by, `/bills/${billId}/settling`, body);

  test('200: until when phones wait; again for longer, and ended', async () => {
    const billId = await opened(2_000);
    const first = expectSuccess(await settle(billId));
    expect(first).toMatchObject({ state: 'open', due: 2_000 });
    const longer = expectSuccess(await settle(billId, { minutes: 30 }));
    expect(Date.parse(longer.settlingUntil)).toBeGreaterThan(Date.parse(first.settlingUntil));
    expect(bodyOf(await get(billId)).settlingUntil).toBe(longer.settlingUntil);
    // The till itself works on.
    expect(bodyOf(await put(billId, plainBill(3_000, { revision: 2 }))).settlingUntil).toBe(longer.settlingUntil);
    expect(expectSuccess(await settle(billId, { minutes: 0 })).settlingUntil).toBeNull();
    bodyOf(await settle(billId));
    bodyOf(await close(billId));
    expect(bodyOf(await api.post(key, `/bills/${billId}/reopen`, {})).settlingUntil).toBeNull();
  });

  test('401, 402, 403 and 404', async () => {
    const billId = await opened(1_000);
    expectError(await settle(billId, {}, 'no key'), 401, 'invalid_api_key');
    expectError(await settle(billId, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await settle(billId, { storeCode: 'EAST' }, stage.merchant.key), 404, 'store_not_found');
    expectError(await settle(newBill()), 404, 'bill_not_found');
    expectError(await settle(billId, { minutes: 31 }), 400, 'invalid_request');
    bodyOf(await cancel(billId));
    expect(expectError(await settle(billId), 402, 'bill_closed').details).toEqual({ state: 'void' });
  });

  test('200: a closed bill stays as it is', async () => {
    const billId = await opened(1_000);
    const closed = bodyOf(await close(billId));
    expect(expectSuccess(await settle(billId))).toEqual(closed);
  });

  coversReference();
});

describe('reopenBill', () => {
  const { expectError, expectSuccess, coversReference } = operationSuite('reopenBill');
  const reopen = (billId: string, body: object = {}, by = key) => api.post(by, `/bills/${billId}/reopen`, body);

  test('200: with its redemptions, and it takes a higher revision; the same again changes nothing', async () => {
    const billId = await opened(2_000);
    await redeem(billId, 500);
    bodyOf(await close(billId));
    const answer = expectSuccess(await reopen(billId, { reason: 'Wrong table' }));
    expect(answer).toMatchObject({ state: 'open', redeemed: 500, due: 1_500, unsettled: 0, closedAt: null });
    expect(expectSuccess(await reopen(billId))).toEqual(answer);
    expect(bodyOf(await put(billId, plainBill(3_000, { revision: 2 }))).due).toBe(2_500);
    await redeem(billId, 2_500);
    const types = (await eventsOf(billId)).map(({ type, state }) => `${type} ${state}`);
    expect(types.slice(2, 4)).toEqual(['bill.closed closed', 'bill.updated open']);
    const audited =
      await api.owner`select 1 from audit_log where action = 'bill.reopen' and after like '%Wrong table%'`;
    expect(audited).toHaveLength(1);
  });

  test('200: the void of the sale that closed a bill opens it again', async () => {
    const billId = await opened(2_000);
    await redeem(billId, 500);
    const part = plainSale(500, { billId });
    const rest = plainSale(1_500, { billId });
    bodyOf(await api.post(key, '/sales', part));
    bodyOf(await api.post(key, '/sales', rest));
    expect(bodyOf(await get(billId)).state).toBe('closed');
    // The void of another part leaves it closed, and says what is missing.
    await voidAll(part.transactionId);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'closed', sold: 1_500 });
    await voidAll(rest.transactionId);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'open', redeemed: 500, sold: 0, due: 1_500, sales: [] });
    expect(bodyOf(await put(billId, plainBill(2_500, { revision: 2 }))).due).toBe(2_000);
    expect((await eventsOf(billId)).map(({ type }) => type).slice(-2)).toEqual(['bill.updated', 'bill.updated']);
  });

  test('200: a void after its number has begun another bill leaves both as they are', async () => {
    const billId = await opened(1_000);
    const sale = plainSale(1_000, { billId });
    bodyOf(await api.post(key, '/sales', sale));
    const dinner = { ...plainBill(3_000), openedAt: new Date().toISOString() };
    expect(bodyOf(await put(billId, dinner))).toMatchObject({ state: 'open', sold: 0, due: 3_000 });
    await voidAll(sale.transactionId);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'open', total: 3_000, due: 3_000 });
    const states = await api.owner`select state from bills where bill_id = ${billId} order by id`;
    expect(states.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  test('a request that arrives again after the bill was closed anew changes nothing', async () => {
    const billId = await opened(1_000);
    const { closedAt } = bodyOf(await close(billId));
    expect(expectSuccess(await reopen(billId, { closedAt })).state).toBe('open');
    const again = bodyOf(await close(billId));
    expect(expectSuccess(await reopen(billId, { closedAt }))).toEqual(again);
    expect(expectSuccess(await reopen(billId, { closedAt: again.closedAt })).state).toBe('open');
  });

  test('401, 402, 403 and 404', async () => {
    const billId = await opened(1_000);
    expectError(await reopen(billId, {}, 'no key'), 401, 'invalid_api_key');
    expectError(await reopen(billId, { storeCode: 'SOUTH' }), 403, 'store_forbidden');
    expectError(await reopen(billId, { storeCode: 'EAST' }, stage.merchant.key), 404, 'store_not_found');
    expectError(await reopen(newBill()), 404, 'bill_not_found');
    expectError(await reopen(billId, { billId }), 400, 'invalid_request');
    bodyOf(await cancel(billId));
    expect(expectError(await reopen(billId), 402, 'bill_closed').details).toEqual({ state: 'void' });
    const old = await opened(1_000);
    bodyOf(await close(old));
    await api.owner`update bills set closed_at = closed_at - interval '12 hours' where bill_id = ${old}`;
    expect(expectError(await reopen(old), 402, 'bill_closed').details).toEqual({ state: 'closed' });
  });

  coversReference();
});

describe('a bill that is reopened', () => {
  const reopen = (billId: string, body: object = {}) => api.post(key, `/bills/${billId}/reopen`, body);
  const sell = (billId: string, total: number, rest: object = {}) =>
    api.post(key, '/sales', plainSale(total, { billId, ...rest }));

  test('a late copy of the closing leaves it open; a new closing closes it', async () => {
    const billId = await opened(1_000);
    const occurredAt = new Date().toISOString();
    const closed = bodyOf(await close(billId, { occurredAt }));
    expect(closed).toMatchObject({ state: 'closed', reopenedAt: null });
    const open = bodyOf(await reopen(billId));
    expect(Date.parse(open.reopenedAt)).toBeGreaterThanOrEqual(Date.parse(closed.closedAt));
    expect(bodyOf(await close(billId, { occurredAt, expectedDue: 7 }))).toEqual(open);
    const later = new Date(Date.parse(open.reopenedAt) + 1).toISOString();
    expect(bodyOf(await close(billId, { occurredAt: later }))).toMatchObject({
      state: 'closed',
      reopenedAt: open.reopenedAt,
    });
  });

  test('a till whose clock is behind closes it, if it said when it was reopened', async () => {
    const billId = await opened(1_000);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const occurredAt = ago(200);
    await close(billId, { occurredAt });
    bodyOf(await reopen(billId, { occurredAt: ago(150) }));
    expect(bodyOf(await close(billId, { occurredAt }))).toMatchObject({ state: 'open' });
    expect(bodyOf(await close(billId, { occurredAt: ago(120) }))).toMatchObject({ state: 'closed' });
  });

  test.each([
    ['repeats it', [{ amount: 1_200 }], 2_000],
    ['leaves it out', [], 2_000],
    ['repeats it with another part', [{ amount: 1_200 }, { amount: 300 }], 1_700],
    ['sends another part alone', [{ amount: 300 }], 1_700],
    ['repeats it with another part of the same amount', [{ amount: 1_200 }, { amount: 1_200 }], 800],
  ])('what was paid at the till and listed by the sale counts once, if the till %s', async (_, paidAtTill, due) => {
    const billId = newBill();
    const first = plainBill(2_000, { paidAtTill: [{ amount: 1_200 }] });
    bodyOf(await put(billId, first));
    const sale = bodyOf(await sell(billId, 2_000));
    expect(bodyOf(await reopen(billId))).toMatchObject({ state: 'paid', due: 0, sold: 2_000 });
    const more = plainBill(4_000, { revision: 2, paidAtTill });
    expect(bodyOf(await put(billId, more))).toMatchObject({ due, overpaid: 0 });
    // The same again after another revision.
    expect(bodyOf(await put(billId, { ...more, revision: 3 }))).toMatchObject({ due, overpaid: 0 });
    // Without the sale, what the till says counts alone.
    await voidAll(sale.transactionId);
    const said = paidAtTill.reduce((sum, { amount }) => sum + amount, 0);
    expect(bodyOf(await get(billId)).due).toBe(4_000 - said);
  });
});

describe('sales of a bill that is settled', () => {
  const sell = (billId: string, total: number, rest: object = {}) =>
    api.post(key, '/sales', plainSale(total, { billId, ...rest }));

  test('the second sale of the same bill says that all was sold before', async () => {
    const billId = await opened(2_000);
    expect(bodyOf(await sell(billId, 1_000)).billWasSettled).toBeUndefined();
    expect(bodyOf(await sell(billId, 1_000)).billWasSettled).toBeUndefined();
    const again = plainSale(2_000, { billId });
    const answer = bodyOf(await api.post(key, '/sales', again));
    expect(answer).toMatchObject({ billWasSettled: true, overpaid: 2_000 });
    expect(bodyOf(await api.post(key, '/sales', again))).toEqual(answer);
    expect(bodyOf(await get(billId))).toMatchObject({ state: 'closed', sold: 4_000 });
    // A sale that arrives after the closing is the first one.
    const late = await opened(1_000);
    bodyOf(await close(late));
    expect(bodyOf(await sell(late, 1_000)).billWasSettled).toBeUndefined();
  });

  test('cash rounding of the parts is nothing that is missing', async () => {
    const half = { subtotal: 1_001, rounding: -1, lines: plainBill(1_001).lines };
    const [parts, rounded] = [await opened(2_002), newBill()];
    bodyOf(await sell(parts, 1_000, half));
    expect(bodyOf(await get(parts))).toMatchObject({ state: 'open', due: 1_001 });
    bodyOf(await sell(parts, 1_000, half));
    expect(bodyOf(await get(parts))).toMatchObject({ state: 'closed', unsettled: 0, overpaid: 0 });
    // Where the bill is rounded itself, its sale has the same rounding.
    bodyOf(await put(rounded, plainBill(2_002, { rounding: -2, total: 2_000 })));
    bodyOf(await sell(rounded, 2_000, { subtotal: 2_002, rounding: -2, lines: plainBill(2_002).lines }));
    expect(bodyOf(await get(rounded))).toMatchObject({ state: 'closed', unsettled: 0, overpaid: 0 });
  });
});

describe('a redemption that names a bill that has ended', () => {
  test('402 bill_closed, unless it happened before', async () => {
    const [closed, voided, sold] = [await opened(5_000), await opened(5_000), await opened(1_000)];
    const before = new Date().toISOString();
    bodyOf(await close(closed));
    bodyOf(await cancel(voided));
    bodyOf(await api.post(key, '/sales', plainSale(1_000, { billId: sold })));
    const at = (billId: string, rest: object = {}) =>
      api.post(key, '/transactions/stored-value/redeem', {
        transactionId: newTransactionId(),
        customer: { customerId: stage.customer.id },
        amount: 100,
        billId,
        ...rest,
      });
    for (const [billId, state] of [
      [closed, 'closed'],
      [voided, 'void'],
      [sold, 'closed'],
    ] as const) {
      const { status, body } = await at(billId);
      expect([status, body.error.code, body.error.details]).toEqual([402, 'bill_closed', { state }]);
      bodyOf(await at(billId, { occurredAt: before }));
    }
    // The next day, the number is another bill's.
    await api.owner`update bills set closed_at = closed_at - interval '12 hours' where bill_id = ${closed}`;
    bodyOf(await at(closed));
  });
});
