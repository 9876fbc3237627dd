/** A bill that its till has not sent for twelve hours is closed as of then: for look-ups, redemptions, sales and later requests. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createVoucher } from '@/server/testing/factory-ordering';
import { type Answer, newTransactionId, restApi } from '../harness';
import { createFullStage, type FullStage, payOnBill, plainBill, plainSale } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
let key: string;

beforeAll(async () => {
  stage = await createFullStage(api);
  ({ key } = stage);
});

const hourMs = 3_600_000;
const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * hourMs).toISOString();
const look = async (billId: string) => bodyOf(await api.get(key, `/bills/${billId}`));
const send = (billId: string, total: number, rest: object = {}) =>
  api.put(key, `/bills/${billId}`, plainBill(total, { revision: 2, ...rest }));
const post = (billId: string, action: string, body: object = {}) => api.post(key, `/bills/${billId}/${action}`, body);
const sell = (billId: string, total: number, rest: object = {}) =>
  api.post(key, '/sales', plainSale(total, { billId, ...rest }));
const refusalOf = ({ status, body }: Answer) => [status, body.error?.code];

function bodyOf({ status, text, body }: Answer) {
  expect(status, text).toBe(200);
  return body;
}

async function redeem(billId: string, amount: number, rest: object = {}): Promise<Answer> {
  const customer = { customerId: stage.customer.id };
  const topUp = { transactionId: newTransactionId(), customer, packageId: stage.packageId };
  bodyOf(await api.post(key, '/transactions/stored-value/top-up', topUp));
  const body = { transactionId: newTransactionId(), customer, billId, amount, ...rest };
  return api.post(key, '/transactions/stored-value/redeem', body);
}

const openedAt = at(14);
/** A tab of 1,100 with 300 redeemed, that was last sent twelve and a half hours ago. */
async function forgotten(pay = 0): Promise<string> {
  const billId = `bill-${newTransactionId()}`;
  bodyOf(await send(billId, 1_100, { revision: 1, openedAt }));
  bodyOf(await redeem(billId, 300, { occurredAt: at(13) }));
  if (pay > 0) await payOnBill(api, stage, billId, pay);
  await api.owner`update bills set updated_at = ${at(12.5)} where bill_id = ${billId}`;
  return billId;
}
const closed = { state: 'closed', redeemed: 300, due: 0, unsettled: 800, overpaid: 0 };

describe('a bill that was not sent for twelve hours', () => {
  test('is closed as of then, and nothing more is redeemed on it', async () => {
    const billId = await forgotten();
    const before = await look(billId);
    expect(before).toMatchObject(closed);
    const [sent] = await api.owner`select updated_at from bills where bill_id = ${billId}`;
    expect(Date.parse(before.closedAt)).toBe(sent?.updated_at.getTime() + 12 * hourMs);
    expect(refusalOf(await redeem(billId, 100))).toEqual([402, 'bill_closed']);
    expect(refusalOf(await post(billId, 'void'))).toEqual([402, 'bill_closed']);
    expect(refusalOf(await send(billId, 2_000, { openedAt }))).toEqual([402, 'bill_closed']);
    expect(await look(billId)).toEqual(before);
    expect(bodyOf(await post(billId, 'close', { expectedDue: 800 }))).toEqual(before);
    expect(await look(billId)).toEqual(before);
  });

  test('is not closed by a dry run, which writes nothing', async () => {
    const billId = await forgotten();
    const customer = { customerId: stage.customer.id };
    const voucherCode = await createVoucher(api.owner, stage.merchant.id, {
      campaignId: stage.campaignId,
      ...customer,
    });
    const transactionId = newTransactionId();
    const dryRun = { transactionId, customer, billId, voucherCode, bill: { amount: 2_000 }, dryRun: true };
    const answer = await api.post(key, '/transactions/voucher/redeem', dryRun);
    expect(refusalOf(answer)).toEqual([402, 'bill_closed']);
    expect(bodyOf(await api.post(key, '/transactions/voucher/redeem', { ...dryRun, billId: undefined }))).toBeTruthy();
    expect([...(await api.owner`select state from bills where bill_id = ${billId}`)]).toEqual([{ state: 'open' }]);
  });

  test('is settled by its sale, which is compared with what was missing', async () => {
    const billId = await forgotten();
    const refused = await sell(billId, 800, { expectedDue: 5 });
    expect([refused.body.error?.code, refused.body.error?.details.due]).toEqual(['bill_changed', 800]);
    expect(bodyOf(await sell(billId, 1_100))).toMatchObject({ overpaid: 300 });
    expect(await look(billId)).toMatchObject({ ...closed, sold: 1_100, unsettled: 0, overpaid: 300 });
  });

  test('gives a card back what was too much when it was closed, and not what its late sale takes', async () => {
    const billId = await forgotten(500);
    await api.owner`update bills set total = 600, subtotal = 600 where bill_id = ${billId}`;
    expect(bodyOf(await sell(billId, 600, { payments: [{ method: 'phone', amount: 600 }] }))).toMatchObject({
      overpaid: 0,
    });
    expect(await look(billId)).toMatchObject({ state: 'closed', redeemed: 300, paid: 300, overpaid: 0, unsettled: 0 });
  });

  test('can be reopened, and is the same bill again', async () => {
    const billId = await forgotten();
    const { closedAt } = await look(billId);
    expect(bodyOf(await post(billId, 'reopen', { closedAt }))).toMatchObject({
      state: 'open',
      redeemed: 300,
      due: 800,
    });
    expect(bodyOf(await send(billId, 2_000, { openedAt }))).toMatchObject({ state: 'open', redeemed: 300, due: 1_700 });
    expect(refusalOf(await redeem(billId, 5_000))).toEqual([402, 'bill_due_exceeded']);
    bodyOf(await redeem(billId, 1_700));
    expect(await look(billId)).toMatchObject({ state: 'paid', redeemed: 2_000, due: 0 });
  });

  test('takes what was redeemed before and arrives late', async () => {
    const billId = await forgotten();
    bodyOf(await redeem(billId, 1_000, { occurredAt: at(1) }));
    expect(await look(billId)).toMatchObject({ state: 'closed', redeemed: 1_300, unsettled: 0, overpaid: 200 });
  });

  test('gives its number to the next bill that is sent without its openedAt, however it was closed', async () => {
    for (const how of ['untouched', 'settled']) {
      const billId = await forgotten();
      if (how === 'settled') bodyOf(await sell(billId, 800));
      expect(bodyOf(await send(billId, 4_000, { revision: 1 }))).toMatchObject({
        state: 'open',
        redeemed: 0,
        due: 4_000,
      });
    }
  });
});

test('402 bill_closed: a bill that is sent again with its openedAt, long after its end, begins no other one', async () => {
  const billId = `bill-${newTransactionId()}`;
  const bill = plainBill(1_000, { openedAt });
  bodyOf(await api.put(key, `/bills/${billId}`, bill));
  bodyOf(await post(billId, 'close'));
  await api.owner`
    update bills set closed_at = ${at(12.5)}, updated_at = ${at(12.5)} where bill_id = ${billId}`;
  expect(bodyOf(await api.put(key, `/bills/${billId}`, bill))).toMatchObject({ state: 'closed' });
  expect(refusalOf(await send(billId, 1_200, { openedAt }))).toEqual([402, 'bill_closed']);
});
