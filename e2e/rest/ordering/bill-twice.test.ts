/** What a till takes twice for one bill, or though the bill has shrunk or was voided: it is said wherever somebody looks. */
import { beforeAll, describe, expect, test } from 'vitest';
import { waitForEvents } from '@/server/testing/events';
import { type Answer, newTransactionId, restApi } from '../harness';
import { createFullStage, type FullStage, payOnBill, plainBill, plainSale } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
let key: string;

beforeAll(async () => {
  stage = await createFullStage(api);
  ({ key } = stage);
});

const put = (billId: string, body: object) => api.put(key, `/bills/${billId}`, body);
const look = async (billId: string) => bodyOf(await api.get(key, `/bills/${billId}`));
const sell = (total: number, rest: object) => api.post(key, '/sales', plainSale(total, { ...rest }));

function bodyOf({ status, text, body }: Answer) {
  expect(status, text).toBe(200);
  return body;
}

async function opened(total: number): Promise<string> {
  const billId = `bill-${newTransactionId()}`;
  bodyOf(await put(billId, plainBill(total)));
  return billId;
}

async function redeem(billId: string, amount: number): Promise<string> {
  const customer = { customerId: stage.customer.id };
  const topUp = { transactionId: newTransactionId(), customer, packageId: stage.packageId };
  bodyOf(await api.post(key, '/transactions/stored-value/top-up', topUp));
  const transactionId = newTransactionId();
  bodyOf(await api.post(key, '/transactions/stored-value/redeem', { transactionId, customer, billId, amount }));
  return transactionId;
}

const voidSale = async (transactionId: string) =>
  bodyOf(await api.post(key, '/transactions/void', { transactionIds: [transactionId] }));

/** What staff find on Home about the bill, and what the last event about it says. */
async function toldOf(billId: string) {
  await waitForEvents(api.owner);
  const noted = await api.owner`
    select a.after from audit_log a join bills b on b.id::text = a.subject_id
    where a.action = 'bill.overpaid' and b.bill_id = ${billId} order by a.id`;
  const [event] = await api.owner`
    select data from events where type like 'bill.%' and data ->> 'billId' = ${billId} order by xid desc, seq desc limit 1`;
  return { home: noted.map(({ after }) => JSON.parse(after).amount), event: event?.data.overpaid };
}

describe('a bill that was sold twice', () => {
  test('in cash: the second sale is too much, until one of the two is voided', async () => {
    const billId = await opened(2_000);
    expect(bodyOf(await sell(2_000, { billId })).overpaid).toBe(0);
    const second = bodyOf(await sell(2_000, { billId }));
    expect(second).toMatchObject({ overpaid: 2_000, billWasSettled: true });
    expect(await look(billId)).toMatchObject({ state: 'closed', sold: 4_000, overpaid: 2_000, unsettled: 0 });
    expect(await toldOf(billId)).toEqual({ home: [2_000], event: 2_000 });
    await voidSale(second.transactionId);
    expect(await look(billId)).toMatchObject({ state: 'closed', sold: 2_000, overpaid: 0, unsettled: 0 });
    expect((await toldOf(billId)).event).toBe(0);
  });

  test('if the first of them is voided, the second is the one that closed the bill', async () => {
    const billId = await opened(2_000);
    const [first, second] = [bodyOf(await sell(2_000, { billId })), bodyOf(await sell(2_000, { billId }))];
    await voidSale(first.transactionId);
    expect(await look(billId)).toMatchObject({ state: 'closed', sold: 2_000, overpaid: 0, unsettled: 0 });
    await voidSale(second.transactionId);
    expect(await look(billId)).toMatchObject({ state: 'open', sold: 0, due: 2_000 });
  });

  test('once by value, and again in cash', async () => {
    const billId = await opened(2_000);
    await redeem(billId, 2_000);
    const payments = [{ method: 'stored-value', amount: 2_000 }];
    expect(bodyOf(await sell(2_000, { billId, payments })).overpaid).toBe(0);
    expect(bodyOf(await sell(2_000, { billId }))).toMatchObject({ overpaid: 2_000, billWasSettled: true });
    expect(await look(billId)).toMatchObject({ redeemed: 2_000, sold: 2_000, overpaid: 2_000 });
    expect(await toldOf(billId)).toEqual({ home: [2_000], event: 2_000 });
  });

  test('as a part and then as a whole: too much is said, and no card is paid back, since guests may have ordered more', async () => {
    const billId = await opened(2_000);
    await payOnBill(api, stage, billId, 1_000);
    bodyOf(await sell(1_000, { billId, closesBill: false, payments: [{ method: 'phone', amount: 1_000 }] }));
    expect(bodyOf(await sell(1_500, { billId }))).toMatchObject({ overpaid: 500, billWasSettled: true });
    expect(await look(billId)).toMatchObject({ state: 'closed', paid: 1_000, sold: 1_500, overpaid: 500 });
    expect(await toldOf(billId)).toEqual({ home: [500], event: 500 });
  });

  test('of which a card gets back what is too much once the bill is closed, so nobody is told to give it back', async () => {
    const billId = await opened(10_000);
    await payOnBill(api, stage, billId, 10_000);
    expect(bodyOf(await sell(3_000, { billId, closesBill: false })).overpaid).toBe(0);
    bodyOf(await api.post(key, `/bills/${billId}/close`, {}));
    expect(await look(billId)).toMatchObject({
      paid: 7_000,
      sold: 3_000,
      overpaid: 0,
      payments: [{ returned: 3_000 }],
    });
    expect((await toldOf(billId)).home).toEqual([]);
  });

  test('is none if one sale has more on it than the till last sent', async () => {
    const billId = await opened(2_000);
    const sale = bodyOf(await sell(2_300, { billId }));
    expect([sale.overpaid, sale.billWasSettled]).toEqual([0, undefined]);
    expect(await look(billId)).toMatchObject({ state: 'closed', overpaid: 0, unsettled: 0 });
    expect(await toldOf(billId)).toEqual({ home: [], event: 0 });
  });
});

test('a bill that shrinks under what was sold of it says how much is too much, open and closed', async () => {
  const billId = await opened(1_960);
  bodyOf(await sell(890, { billId }));
  expect(bodyOf(await put(billId, plainBill(180, { revision: 2 })))).toMatchObject({ state: 'paid', overpaid: 710 });
  bodyOf(await api.post(key, `/bills/${billId}/close`, {}));
  expect(await look(billId)).toMatchObject({ state: 'closed', sold: 890, overpaid: 710 });
  expect(await toldOf(billId)).toEqual({ home: [710], event: 710 });
});

test('so does one that shrinks by a discount, with the same goods', async () => {
  const billId = await opened(2_000);
  bodyOf(await sell(1_000, { billId }));
  const less = plainBill(2_000, { revision: 2, discount: 1_500, total: 500 });
  expect(bodyOf(await put(billId, less))).toMatchObject({ overpaid: 500 });
  bodyOf(await api.post(key, `/bills/${billId}/close`, {}));
  expect(await look(billId)).toMatchObject({ state: 'closed', sold: 1_000, overpaid: 500 });
});

test('of a voided bill nothing is due: a sale that expects more is refused, and a second one is said', async () => {
  const billId = await opened(1_000);
  bodyOf(await api.post(key, `/bills/${billId}/void`, {}));
  const refused = await sell(1_000, { billId, expectedDue: 1_000 });
  expect([refused.status, refused.body.error?.code, refused.body.error?.details.due]).toEqual([402, 'bill_changed', 0]);
  const first = bodyOf(await sell(1_000, { billId, expectedDue: 0 }));
  expect([first.overpaid, first.billWasSettled]).toEqual([0, undefined]);
  expect(bodyOf(await sell(1_000, { billId }))).toMatchObject({ overpaid: 1_000, billWasSettled: true });
  expect(await look(billId)).toMatchObject({ state: 'void', sold: 2_000, due: 0, unsettled: 0, overpaid: 1_000 });
  expect(await toldOf(billId)).toEqual({ home: [1_000], event: 1_000 });
});
