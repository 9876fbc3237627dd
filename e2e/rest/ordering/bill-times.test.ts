/** Bills whose sales, redemptions and voids come late, early or while others wait. */
import type { ReservedSql } from 'postgres';
import { beforeAll, describe, expect, test } from 'vitest';
import { waitForLocks } from '@/db/testing/locks';
import { waitForEvents } from '@/server/testing/events';
import { createCustomer } from '@/server/testing/factory';
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

const put = (billId: string, body: object) => api.put(key, `/bills/${billId}`, body);
const look = async (billId: string) => bodyOf(await api.get(key, `/bills/${billId}`));
const close = async (billId: string) => bodyOf(await api.post(key, `/bills/${billId}/close`, {}));
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

/** Calls `during` while no other transaction can lock the rows that `lock` selects. */
async function whileLocked(lock: (held: ReservedSql) => PromiseLike<unknown>, during: () => Promise<void>) {
  const held = await api.owner.reserve();
  await held`begin`;
  await lock(held);
  await during();
  await held`commit`;
  held.release();
}

async function redeem(billId: string, amount: number, rest: object = {}): Promise<string> {
  const customer = { customerId: stage.customer.id };
  const topUp = { transactionId: newTransactionId(), customer, packageId: stage.packageId };
  bodyOf(await api.post(key, '/transactions/stored-value/top-up', topUp));
  const transactionId = newTransactionId();
  const body = { transactionId, customer, billId, amount, ...rest };
  bodyOf(await api.post(key, '/transactions/stored-value/redeem', body));
  return transactionId;
}

async function redeemVoucher(billId: string, occurredAt?: string): Promise<Answer> {
  const customer = { customerId: stage.customer.id };
  const voucherCode = await createVoucher(api.owner, stage.merchant.id, { campaignId: stage.campaignId, ...customer });
  const body = {
    transactionId: newTransactionId(),
    customer,
    billId,
    voucherCode,
    bill: { amount: 2_000 },
    occurredAt,
  };
  return api.post(key, '/transactions/voucher/redeem', body);
}

test('a sale that waited while a redemption was recorded closes the bill after it, and the bill keeps both', async () => {
  const billId = await opened(2_000);
  const { id } = await createCustomer(api.owner, stage.merchant.id);
  const held = await api.owner.reserve();
  await held`begin`;
  await held`select from balances where customer_id = ${id} for update`;
  const sale = sell(2_000, { billId, customer: { customerId: id } });
  await waitForLocks(api.owner, 1);
  await redeem(billId, 800);
  await held`commit`;
  held.release();
  expect(bodyOf(await sale)).toMatchObject({ overpaid: 800 });
  expect(await look(billId)).toMatchObject({ state: 'closed', redeemed: 800, sold: 2_000, overpaid: 800 });
});

test('402 bill_closed: a redemption that waited while its bill was closed, unless it says that it happened before', async () => {
  const customers = await Promise.all([0, 1].map(() => createCustomer(api.owner, stage.merchant.id)));
  for (const { id } of customers) {
    const topUp = { transactionId: newTransactionId(), customer: { customerId: id }, packageId: stage.packageId };
    bodyOf(await api.post(key, '/transactions/stored-value/top-up', topUp));
  }
  const billId = await opened(2_000);
  const occurredAt = new Date().toISOString();
  let answers: Promise<Answer>[] = [];
  await whileLocked(
    (held) => held`select from balances where customer_id in ${held(customers.map(({ id }) => id))} for update`,
    async () => {
      answers = customers.map(({ id }, n) => {
        const body = { transactionId: newTransactionId(), customer: { customerId: id }, billId, amount: 500 };
        return api.post(key, '/transactions/stored-value/redeem', n === 0 ? body : { ...body, occurredAt });
      });
      await waitForLocks(api.owner, 2);
      await close(billId);
    },
  );
  const [now, before] = (await Promise.all(answers)) as [Answer, Answer];
  expect([now.status, now.body.error?.code, now.body.error?.details]).toEqual([
    402,
    'bill_closed',
    { state: 'closed' },
  ]);
  bodyOf(before);
  expect(await look(billId)).toMatchObject({ state: 'closed', redeemed: 500, unsettled: 1_500 });
});

test('a redemption that waited while its number began another bill is on that one', async () => {
  const billId = await opened(2_000);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  await api.owner`
    update bills set updated_at = ${ago(60)}, created_at = ${ago(60)}, counts_from = ${ago(600)} where bill_id = ${billId}`;
  let redeemed = Promise.resolve('');
  let next = Promise.resolve({} as Answer);
  await whileLocked(
    (held) => held`select from bills where bill_id = ${billId} for update`,
    async () => {
      next = put(billId, plainBill(3_000, { openedAt: ago(1) }));
      await waitForLocks(api.owner, 1);
      redeemed = redeem(billId, 500);
      await waitForLocks(api.owner, 2);
    },
  );
  expect(bodyOf(await next)).toMatchObject({ state: 'open', total: 3_000 });
  await redeemed;
  expect(await look(billId)).toMatchObject({ state: 'open', total: 3_000, redeemed: 500, due: 2_500 });
});

describe('a sale with more on it than the till last sent', () => {
  test('is not paid twice, also after its bill was opened and closed again', async () => {
    const billId = await opened(2_000);
    expect(bodyOf(await sell(2_500, { billId })).overpaid).toBe(0);
    bodyOf(await api.post(key, `/bills/${billId}/reopen`, {}));
    expect(await close(billId)).toMatchObject({ state: 'closed', sold: 2_500, overpaid: 0 });
  });

  test('nor if it waited while its bill was closed', async () => {
    const billId = await opened(2_000);
    const { id } = await createCustomer(api.owner, stage.merchant.id);
    let sold = Promise.resolve({} as Answer);
    await whileLocked(
      (held) => held`select from balances where customer_id = ${id} for update`,
      async () => {
        sold = sell(2_500, { billId, customer: { customerId: id } });
        await waitForLocks(api.owner, 1);
        await close(billId);
      },
    );
    expect(bodyOf(await sold).overpaid).toBe(0);
    expect(await look(billId)).toMatchObject({ state: 'closed', sold: 2_500, overpaid: 0 });
  });

  test('nor if the till sends the same bill again after it', async () => {
    const billId = await opened(2_000);
    expect(bodyOf(await sell(2_500, { billId, closesBill: false })).overpaid).toBe(0);
    bodyOf(await put(billId, plainBill(2_000, { revision: 2 })));
    expect(await close(billId)).toMatchObject({ state: 'closed', sold: 2_500, overpaid: 0 });
  });

  test('was paid twice if the till sends afterwards that there is less', async () => {
    const billId = await opened(2_000);
    bodyOf(await sell(2_500, { billId }));
    bodyOf(await api.post(key, `/bills/${billId}/reopen`, {}));
    bodyOf(await put(billId, plainBill(1_500, { revision: 2 })));
    expect(await close(billId)).toMatchObject({ state: 'closed', sold: 2_500, overpaid: 1_000 });
  });
});

describe('a till whose clock is ahead', () => {
  const ahead = () => new Date(Date.now() + 4 * 60_000).toISOString();

  test('what it sold and redeemed stays on the bill that has ended, and is not on the next one with its number', async () => {
    const billId = await opened(2_000);
    await redeem(billId, 500, { occurredAt: ahead() });
    bodyOf(await sell(1_500, { billId, occurredAt: ahead() }));
    expect(await look(billId)).toMatchObject({ state: 'closed', sold: 1_500, redeemed: 500, unsettled: 0 });
    bodyOf(await put(billId, plainBill(3_000, { openedAt: ahead() })));
    expect(await look(billId)).toMatchObject({ state: 'open', sold: 0, redeemed: 0, due: 3_000 });
    expect(bodyOf(await sell(3_000, { billId, occurredAt: ahead(), expectedDue: 3_000 })).overpaid).toBe(0);
    expect(await look(billId)).toMatchObject({ state: 'closed', sold: 3_000, unsettled: 0 });
  });

  test('a request that arrives after its bill was closed opens no other one', async () => {
    const billId = `bill-${newTransactionId()}`;
    const bill = plainBill(2_000, { openedAt: ahead() });
    bodyOf(await put(billId, bill));
    await close(billId);
    const late = await put(billId, { ...bill, revision: 2 });
    expect([late.status, late.body.error?.code]).toEqual([402, 'bill_closed']);
    expect(bodyOf(await put(billId, bill))).toMatchObject({ state: 'closed', unsettled: 2_000 });
  });
});

describe('a number that comes again, as its till says', () => {
  const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();

  test('what was sold and redeemed at lunch is not on the bill of the evening, also if it arrives later', async () => {
    const billId = `bill-${newTransactionId()}`;
    await redeem(billId, 500, { occurredAt: at(6) });
    bodyOf(await sell(1_000, { billId, occurredAt: at(5) }));
    expect(bodyOf(await put(billId, plainBill(3_000, { openedAt: at(1) })))).toMatchObject({ redeemed: 0, due: 3_000 });
    bodyOf(await sell(2_000, { billId, occurredAt: at(4) }));
    await redeem(billId, 700, { occurredAt: at(4) });
    expect(await look(billId)).toMatchObject({ state: 'open', redeemed: 0, sold: 0, due: 3_000 });
  });

  test('the sale that follows a closing stays on the bill that was closed', async () => {
    const billId = await opened(1_000);
    await close(billId);
    const sale = await sell(1_000, { billId });
    const openedAt = new Date(Date.parse(bodyOf(sale).occurredAt) + 1).toISOString();
    expect(bodyOf(await put(billId, plainBill(3_000, { openedAt })))).toMatchObject({ state: 'open', due: 3_000 });
  });

  test('a bill of two days ago that arrives now does not replace the one of today', async () => {
    const billId = `bill-${newTransactionId()}`;
    const today = plainBill(3_000, { openedAt: at(1) });
    bodyOf(await put(billId, today));
    const late = await put(billId, plainBill(9_900, { openedAt: at(48), revision: 7 }));
    expect([late.status, late.body.error?.code]).toEqual([402, 'bill_closed']);
    expect(bodyOf(await put(billId, { ...today, revision: 2 }))).toMatchObject({ state: 'open', due: 3_000 });
  });

  test('without openedAt, a bill begins after the last sale with its number, for its vouchers, too', async () => {
    const billId = `bill-${newTransactionId()}`;
    const voucher = await redeemVoucher(billId, at(6));
    expect(voucher.status, voucher.text).toBe(200);
    bodyOf(await sell(2_000, { billId, occurredAt: at(5) }));
    await redeem(billId, 500, { occurredAt: at(4) });
    expect(bodyOf(await put(billId, plainBill(2_000)))).toMatchObject({ state: 'open', sold: 0, due: 1_500 });
    expect(bodyOf(await redeemVoucher(billId)).discount.amount).toBeGreaterThan(0);
  });

  test('a sale that follows a closing stays on its bill when the number comes again half a day later', async () => {
    const billId = await opened(1_000);
    const { closedAt } = await close(billId);
    await api.owner`
      update bills set closed_at = closed_at - interval '12 hours 30 minutes', updated_at = updated_at - interval '12 hours 30 minutes',
        counts_from = counts_from - interval '13 hours' where bill_id = ${billId}`;
    bodyOf(await sell(1_000, { billId, occurredAt: new Date(Date.parse(closedAt) - 10 * 3_600_000).toISOString() }));
    const before = await look(billId);
    expect(before).toMatchObject({ state: 'closed', sold: 1_000, unsettled: 0 });
    expect(bodyOf(await put(billId, plainBill(3_000)))).toMatchObject({ state: 'open', sold: 0, due: 3_000 });
  });

  test('parts that were sold offline before the bill was sent count, if the till says when it opened the bill', async () => {
    const [said, unsaid] = [`bill-${newTransactionId()}`, `bill-${newTransactionId()}`];
    for (const billId of [said, unsaid]) bodyOf(await sell(1_000, { billId, occurredAt: at(1) }));
    expect(bodyOf(await put(said, plainBill(3_000, { openedAt: at(2) })))).toMatchObject({ sold: 1_000, due: 2_000 });
    expect(bodyOf(await put(unsaid, plainBill(3_000)))).toMatchObject({ sold: 0, due: 3_000 });
  });

  test.each([
    ['with a higher revision', 1_800_000_000],
    ['with the first revision again', 1],
  ])('a bill that was never closed ends when the next one with its number was opened, %s', async (_, revision) => {
    const billId = `bill-${newTransactionId()}`;
    bodyOf(await put(billId, plainBill(2_500, { openedAt: at(6), revision: 1_000 })));
    await redeem(billId, 2_000, { occurredAt: at(5) });
    await api.owner`update bills set updated_at = ${at(6)} where bill_id = ${billId}`;
    await redeem(billId, 300, { occurredAt: at(0.5) });
    const openedAt = at(1);
    const dinner = plainBill(3_000, { openedAt, revision });
    const body = bodyOf(await put(billId, dinner));
    expect(body).toMatchObject({ revision, state: 'open', openedAt, redeemed: 300, due: 2_700 });
    expect(bodyOf(await put(billId, dinner))).toEqual(body);
    const rows = await api.owner`select state, closed_at from bills where bill_id = ${billId} order by id`;
    expect(rows).toEqual([
      { state: 'closed', closed_at: new Date(openedAt) },
      { state: 'open', closed_at: null },
    ]);
    const late = await put(billId, plainBill(9_900, { openedAt: at(6), revision: 2_000 }));
    expect([late.status, late.body.error?.code]).toEqual([402, 'bill_closed']);
  });

  test('another openedAt that is not later than the last change is of the same bill', async () => {
    const billId = await opened(2_000);
    expect(bodyOf(await put(billId, plainBill(3_000, { openedAt: at(1), revision: 2 })))).toMatchObject({ due: 3_000 });
    const rows = await api.owner`select state from bills where bill_id = ${billId}`;
    expect(rows).toEqual([{ state: 'open' }]);
  });

  test('a bill and its sale of two days ago belong together', async () => {
    const billId = `bill-${newTransactionId()}`;
    bodyOf(await put(billId, plainBill(3_000, { openedAt: at(48) })));
    bodyOf(await sell(3_000, { billId, occurredAt: at(47) }));
    expect(await look(billId)).toMatchObject({ state: 'closed', sold: 3_000, unsettled: 0 });
  });
});

const overpaidNoted = (billId: string) => api.owner`
  select after from audit_log a join bills b on b.id::text = a.subject_id
  where action = 'bill.overpaid' and b.bill_id = ${billId}`;

test('a redemption that arrives after its bill was closed is on it, and what is too much is said', async () => {
  const billId = await opened(1_000);
  const occurredAt = new Date().toISOString();
  const { closedAt } = await close(billId);
  const transactionId = await redeem(billId, 5_000, { occurredAt });
  const figures = { state: 'closed', closedAt, redeemed: 5_000, unsettled: 0, overpaid: 4_000 };
  expect(await look(billId)).toMatchObject({ ...figures, redemptions: [{ transactionId, amount: 5_000 }] });
  expect((await overpaidNoted(billId)).map(({ after }) => JSON.parse(after))).toEqual([{ amount: 4_000 }]);
});

test('a redemption that arrives after its bill was voided is on it, all of it too much, until it is voided', async () => {
  const billId = await opened(1_000);
  const occurredAt = new Date().toISOString();
  bodyOf(await api.post(key, `/bills/${billId}/void`, {}));
  const transactionId = await redeem(billId, 500, { occurredAt });
  expect(await look(billId)).toMatchObject({ state: 'void', redeemed: 500, overpaid: 500, due: 0, unsettled: 0 });
  expect((await overpaidNoted(billId)).map(({ after }) => JSON.parse(after))).toEqual([{ amount: 500 }]);
  bodyOf(await api.post(key, '/transactions/void', { transactionIds: [transactionId] }));
  expect(await look(billId)).toMatchObject({ state: 'void', redeemed: 0, overpaid: 0 });
  await waitForEvents(api.owner);
  const events = await api.owner`
    select type, data from events where type like 'bill.%' and data ->> 'billId' = ${billId} order by xid, seq`;
  expect(events.map(({ type, data }) => [type, data.overpaid])).toEqual([
    ['bill.updated', 0],
    ['bill.voided', 0],
    ['bill.updated', 500],
    ['bill.updated', 0],
  ]);
});

describe('money that was taken twice is said', () => {
  test('beside what was paid at the till: the phone gets its payment back', async () => {
    const billId = `bill-${newTransactionId()}`;
    bodyOf(await put(billId, plainBill(3_000, { paidAtTill: [{ amount: 1_000 }] })));
    await redeem(billId, 400);
    await payOnBill(api, stage, billId, 1_000);
    expect(await look(billId)).toMatchObject({ due: 600 });
    expect(bodyOf(await sell(2_000, { billId }))).toMatchObject({ overpaid: 400 });
    const payments = [{ amount: 1_000, returned: 1_000 }];
    expect(await look(billId)).toMatchObject({ state: 'closed', paid: 0, payments, overpaid: 400, unsettled: 0 });
  });

  test('by a sale of the whole bill after a sale of a part', async () => {
    const billId = await opened(2_000);
    expect(bodyOf(await sell(1_000, { billId })).billWasSettled).toBeUndefined();
    expect(bodyOf(await sell(2_000, { billId })).billWasSettled).toBe(true);
    const right = await opened(2_000);
    for (const total of [1_500, 500])
      expect(bodyOf(await sell(total, { billId: right })).billWasSettled).toBeUndefined();
  });
});

describe('a sale that arrives after its bill was closed', () => {
  test('says what was paid twice, to the till and to staff, and opens nothing', async () => {
    const billId = await opened(2_000);
    await redeem(billId, 800);
    expect(await close(billId)).toMatchObject({ unsettled: 1_200, overpaid: 0 });
    expect(bodyOf(await sell(2_000, { billId, expectedDue: 1_200 }))).toMatchObject({ overpaid: 800 });
    expect(await look(billId)).toMatchObject({ state: 'closed', unsettled: 0, overpaid: 800 });
    expect((await overpaidNoted(billId)).map(({ after }) => JSON.parse(after))).toEqual([{ amount: 800 }]);
  });

  test('says nothing where it settles what was missing, and leaves cards alone', async () => {
    const billId = await opened(2_000);
    await payOnBill(api, stage, billId, 800);
    const { closedAt } = await close(billId);
    const payments = [
      { method: 'phone', amount: 800 },
      { method: 'cash', amount: 1_200 },
    ];
    expect(bodyOf(await sell(2_000, { billId, payments }))).toMatchObject({ overpaid: 0 });
    expect(await look(billId)).toMatchObject({ state: 'closed', closedAt, unsettled: 0, overpaid: 0, paid: 800 });
    expect(await overpaidNoted(billId)).toEqual([]);
  });
});

test('the void of a sale opens its bill again for twelve hours only: after that, its number is another bill', async () => {
  const billId = await opened(2_000);
  const sale = plainSale(2_000, { billId });
  bodyOf(await api.post(key, '/sales', sale));
  await api.owner`update bills set closed_at = closed_at - interval '12 hours', updated_at = updated_at - interval '12 hours'
    where bill_id = ${billId}`;
  bodyOf(await api.post(key, '/transactions/void', { transactionIds: [sale.transactionId] }));
  expect(await look(billId)).toMatchObject({ state: 'closed' });
  expect(bodyOf(await put(billId, plainBill(3_000)))).toMatchObject({ state: 'open', due: 3_000 });
});

test('402 bill_paid: a bill on which the till has taken a part cannot be voided', async () => {
  const billId = await opened(2_000);
  bodyOf(await put(billId, plainBill(2_000, { revision: 2, paidAtTill: [{ amount: 500 }] })));
  const refused = await api.post(key, `/bills/${billId}/void`, {});
  expect([refused.status, refused.body.error?.code ?? refused.body.code]).toEqual([402, 'bill_paid']);
  expect(await look(billId)).toMatchObject({ state: 'open', due: 1_500 });
  bodyOf(await put(billId, plainBill(2_000, { revision: 3 })));
  expect(bodyOf(await api.post(key, `/bills/${billId}/void`, {}))).toMatchObject({ state: 'void' });
});
