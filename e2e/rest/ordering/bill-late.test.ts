/** What arrives late, once its bill has ended and its number has begun another one. */
import { beforeAll, describe, expect, test } from 'vitest';
import { waitForEvents } from '@/server/testing/events';
import { type Answer, newTransactionId, restApi } from '../harness';
import { createFullStage, type FullStage, plainBill, plainSale } from '../ordering-operations';

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
const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();

function bodyOf({ status, text, body }: Answer) {
  expect(status, text).toBe(200);
  return body;
}

async function redeem(billId: string, amount: number, rest: object = {}): Promise<Answer> {
  const customer = { customerId: stage.customer.id };
  const topUp = { transactionId: newTransactionId(), customer, packageId: stage.packageId };
  bodyOf(await api.post(key, '/transactions/stored-value/top-up', topUp));
  const transactionId = newTransactionId();
  return api.post(key, '/transactions/stored-value/redeem', { transactionId, customer, billId, amount, ...rest });
}

describe('a number that has begun anew', () => {
  /** A bill of 1,000 of lunch, with 400 redeemed, that was closed; the number is dinner's now, with 700. */
  async function endedAndBegunAnew(): Promise<string> {
    const billId = `bill-${newTransactionId()}`;
    bodyOf(await put(billId, plainBill(1_000, { openedAt: at(6) })));
    bodyOf(await redeem(billId, 400, { occurredAt: at(5.5) }));
    bodyOf(await api.post(key, `/bills/${billId}/close`, {}));
    // As if that had been five hours ago.
    await api.owner`
      update bills set updated_at = ${at(5)}, closed_at = ${at(5)} where merchant_id = ${stage.merchant.id} and bill_id = ${billId}`;
    bodyOf(await put(billId, plainBill(700, { openedAt: at(1) })));
    return billId;
  }
  const noted = async (billId: string) => {
    const rows = await api.owner`
      select a.after from audit_log a join bills b on b.id::text = a.subject_id
      where a.action = 'bill.overpaid' and b.bill_id = ${billId} and b.state = 'closed' order by a.id`;
    return rows.map(({ after }) => JSON.parse(after));
  };
  /** Closed bills in events, in order. */
  async function eventsOf(billId: string) {
    await waitForEvents(api.owner);
    const rows = await api.owner`
      select type, data from events where merchant_id = ${stage.merchant.id} and data ->> 'billId' = ${billId}
        and type = 'bill.updated' and data ->> 'state' = 'closed' order by xid, seq`;
    return rows.map(({ data }) => data);
  }

  test('a late sale of the ended bill is compared with it: what was paid twice is said to the till, in an event, and to staff', async () => {
    const billId = await endedAndBegunAnew();
    const late = { billId, occurredAt: at(5.2) };
    const refused = await sell(1_000, { ...late, expectedDue: 1_000 });
    expect([refused.status, refused.body.error?.code, refused.body.error?.details.due]).toEqual([
      402,
      'bill_changed',
      600,
    ]);
    expect(bodyOf(await sell(1_000, { ...late, expectedDue: 600 }))).toMatchObject({ overpaid: 400 });
    expect(await noted(billId)).toEqual([{ amount: 400 }]);
    expect((await eventsOf(billId)).at(-1)).toMatchObject({ sold: 1_000, redeemed: 400, unsettled: 0, overpaid: 400 });
    expect(bodyOf(await sell(1_000, late))).toMatchObject({ billWasSettled: true });
    expect(await look(billId)).toMatchObject({ state: 'open', total: 700, sold: 0, due: 700 });
  });

  test('a late redemption is on the ended bill, and its void is, too', async () => {
    const billId = await endedAndBegunAnew();
    const { transactionId } = bodyOf(await redeem(billId, 5_000, { occurredAt: at(5.2) }));
    expect(await noted(billId)).toEqual([{ amount: 4_400 }]);
    expect((await eventsOf(billId)).at(-1)).toMatchObject({ redeemed: 5_400, overpaid: 4_400 });
    bodyOf(await api.post(key, '/transactions/void', { transactionIds: [transactionId] }));
    expect((await eventsOf(billId)).at(-1)).toMatchObject({ redeemed: 400, overpaid: 0 });
    expect(await look(billId)).toMatchObject({ state: 'open', total: 700, redeemed: 0, due: 700 });
  });

  test('a redemption between the two bills is on neither: 402 bill_closed, as before the number began anew', async () => {
    const billId = await endedAndBegunAnew();
    const refused = await redeem(billId, 100, { occurredAt: at(3) });
    expect([refused.status, refused.body.error?.code]).toEqual([402, 'bill_closed']);
  });
});

describe('a sale that happened in the minutes before the next bill was opened', () => {
  const now = Date.now();
  const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();

  /** A bill of 1,000 that was opened and closed some minutes ago. The next guests' with the number came two minutes ago. */
  async function twoInARow(): Promise<string> {
    const billId = `bill-${newTransactionId()}`;
    bodyOf(await put(billId, plainBill(1_000, { openedAt: ago(600) })));
    bodyOf(await api.post(key, `/bills/${billId}/close`, { expectedDue: 1_000 }));
    await api.owner`update bills set updated_at = ${ago(300)}, closed_at = ${ago(300)} where bill_id = ${billId}`;
    bodyOf(await put(billId, plainBill(700, { openedAt: ago(120) })));
    return billId;
  }
  test('settles the bill that had ended, and not the one of the next guests', async () => {
    const billId = await twoInARow();
    const late = { billId, occurredAt: ago(200) };
    expect(bodyOf(await sell(1_000, { ...late, expectedDue: 1_000 }))).toMatchObject({ overpaid: 0 });
    const refused = await sell(1_000, { ...late, expectedDue: 1_000 });
    expect([refused.body.error?.code, refused.body.error?.details.due]).toEqual(['bill_changed', 0]);
    expect(await look(billId)).toMatchObject({ state: 'open', sold: 0, due: 700 });
  });

  test('gives back to that bill when it is voided', async () => {
    const billId = await twoInARow();
    const { transactionId } = bodyOf(await sell(1_000, { billId, occurredAt: ago(200) }));
    bodyOf(await api.post(key, '/transactions/void', { transactionIds: [transactionId] }));
    await waitForEvents(api.owner);
    const rows = await api.owner`
      select data from events where data ->> 'billId' = ${billId} and type = 'bill.updated' order by xid, seq`;
    expect(rows.slice(-2).map(({ data }) => [data.openedAt, data.state, data.sold, data.unsettled])).toEqual([
      [ago(600), 'closed', 1_000, 0],
      [ago(600), 'closed', 0, 1_000],
    ]);
  });

  test('is on the new bill at the moment of its opening, and if the number is new', async () => {
    const billId = await twoInARow();
    bodyOf(await sell(300, { billId, occurredAt: ago(120), closesBill: false }));
    expect(await look(billId)).toMatchObject({ state: 'open', sold: 300, due: 400 });
    const fresh = `bill-${newTransactionId()}`;
    bodyOf(await put(fresh, plainBill(1_000, { openedAt: ago(60) })));
    bodyOf(await sell(300, { billId: fresh, occurredAt: ago(200) }));
    expect(await look(fresh)).toMatchObject({ state: 'open', sold: 300, due: 700 });
  });

  test('of redemptions, those after the end of the last bill stay on the new one', async () => {
    const billId = await twoInARow();
    bodyOf(await redeem(billId, 100, { occurredAt: ago(200) }));
    expect(await look(billId)).toMatchObject({ state: 'open', redeemed: 100, due: 600 });
  });

  test('is on the new bill if the clock of its till is ahead', async () => {
    const billId = await twoInARow();
    bodyOf(await api.post(key, `/bills/${billId}/close`, {}));
    const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    bodyOf(await put(billId, plainBill(1_200, { openedAt: ahead(240) })));
    expect(bodyOf(await sell(1_200, { billId, occurredAt: ahead(250), expectedDue: 1_200 }))).toMatchObject({
      overpaid: 0,
    });
    expect(await look(billId)).toMatchObject({ state: 'closed', total: 1_200, sold: 1_200, unsettled: 0 });
  });

  test('a reopening that arrives late opens neither', async () => {
    const billId = await twoInARow();
    bodyOf(await api.post(key, `/bills/${billId}/close`, {}));
    const late = await api.post(key, `/bills/${billId}/reopen`, { occurredAt: ago(290) });
    expect([late.status, late.body.error?.code]).toEqual([402, 'bill_closed']);
    expect(await look(billId)).toMatchObject({ openedAt: ago(120), state: 'closed' });
  });

  test.each(['close', 'void', 'settling'])(
    'so does a %s that the network delivers late: nothing happens to the new bill',
    async (action) => {
      const billId = await twoInARow();
      const late = await api.post(key, `/bills/${billId}/${action}`, { occurredAt: ago(310) });
      if (action === 'void') expect([late.status, late.body.error?.code]).toEqual([402, 'bill_closed']);
      else expect(bodyOf(late)).toMatchObject({ openedAt: ago(600), state: 'closed', total: 1_000 });
      expect(await look(billId)).toMatchObject({ openedAt: ago(120), state: 'open', due: 700, settlingUntil: null });
      expect(bodyOf(await api.post(key, `/bills/${billId}/close`, { occurredAt: ago(60) }))).toMatchObject({
        openedAt: ago(120),
        state: 'closed',
      });
    },
  );
});
