/** Vouchers on one bill: stackable ones go together, another one stands alone, in either order. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomer } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { expectError } from '../expectations';
import { type Answer, createScene, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
let scene: Scene;
let alone: string;
let stacking: string;

beforeAll(async () => {
  scene = await createScene(api);
  alone = await createCampaign(api.owner, scene.merchant.id);
  stacking = await createCampaign(api.owner, scene.merchant.id, { stackable: true });
});

const newBill = () => `bill-${newTransactionId()}`;

/** Redeems a new voucher of a campaign, of a new customer unless one is given. */
async function redeem(
  campaignId: string,
  body: Record<string, unknown> = {},
  { key = scene.key, customerId = '' } = {},
) {
  const id = customerId || (await createCustomer(api.owner, scene.merchant.id)).id;
  const voucherCode = await createVoucher(api.owner, scene.merchant.id, { campaignId, customerId: id });
  const customer = { customerId: id };
  const request = { transactionId: newTransactionId(), customer, voucherCode, bill: { amount: 5_000 }, ...body };
  return { request, answer: await api.post(key, '/transactions/voucher/redeem', request) };
}

const expectRedeemed = ({ answer }: { answer: Answer }) => expect(answer.status, answer.text).toBe(200);
const expectRefused = ({ answer }: { answer: Answer }) => expectError(answer, 402, 'voucher_not_stackable');

describe('on one bill', () => {
  test('those that stack go together', async () => {
    const billId = newBill();
    for (let i = 0; i < 3; i++) expectRedeemed(await redeem(stacking, { billId }));
  });

  test.each([
    ['after one that does not', () => [alone, stacking]],
    ['after one that does', () => [stacking, alone]],
    ['after its like', () => [alone, alone]],
  ])('one that does not stack, or meets one, is refused %s, also to the same customer', async (_, campaigns) => {
    const [first = '', second = ''] = campaigns();
    for (const customerId of [undefined, scene.customer.id]) {
      const billId = newBill();
      expectRedeemed(await redeem(first, { billId }, { customerId }));
      const { request, answer } = await redeem(second, { billId }, { customerId });
      expectRefused({ answer });
      // The voucher is as good as before, on another bill and under another id.
      const other = { ...request, transactionId: newTransactionId(), billId: newBill() };
      expectRedeemed({ answer: await api.post(scene.key, '/transactions/voucher/redeem', other) });
    }
  });

  test('the refusal is the outcome of its id', async () => {
    const billId = newBill();
    const first = await redeem(alone, { billId });
    const second = await redeem(stacking, { billId });
    expectRefused(second);
    const ids = { transactionIds: [first.request.transactionId] };
    expect((await api.post(scene.key, '/transactions/void', ids)).status).toBe(200);
    const again = await api.post(scene.key, '/transactions/voucher/redeem', second.request);
    expectError(again, 402, 'voucher_not_stackable');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('a void makes room', async () => {
    const billId = newBill();
    const { request } = await redeem(alone, { billId });
    expectRefused(await redeem(alone, { billId }));
    await api.post(scene.key, '/transactions/void', { transactionIds: [request.transactionId] });
    expectRedeemed(await redeem(alone, { billId }));
  });

  test('a dry run says so, and takes no room', async () => {
    const billId = newBill();
    expectRedeemed(await redeem(alone, { billId, dryRun: true }));
    expectRedeemed(await redeem(alone, { billId }));
    expectRefused(await redeem(stacking, { billId, dryRun: true }));
  });

  test('a refused redemption takes no room', async () => {
    const billId = newBill();
    const dear = await createCampaign(api.owner, scene.merchant.id, { min_spend: 5_001 });
    expectError((await redeem(dear, { billId })).answer, 402, 'minimum_spend_not_met');
    expectRedeemed(await redeem(alone, { billId }));
  });
});

test('another bill, another store or no bill at all is not the same bill', async () => {
  const billId = newBill();
  expectRedeemed(await redeem(alone, { billId }));
  expectRedeemed(await redeem(alone, { billId: newBill() }));
  expectRedeemed(await redeem(alone, { billId }, { key: scene.merchant.stores[1].key }));
  expectRedeemed(await redeem(alone));
  expectRedeemed(await redeem(alone));
});

test('a number that comes round again half a day later is another bill', async () => {
  const billId = newBill();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  expectRedeemed(await redeem(alone, { billId, occurredAt: hoursAgo(30) }));
  expectRefused(await redeem(alone, { billId, occurredAt: hoursAgo(19) }));
  expectRedeemed(await redeem(alone, { billId, occurredAt: hoursAgo(17) }));
  expectRefused(await redeem(alone, { billId, occurredAt: hoursAgo(6) }));
  expectRedeemed(await redeem(alone, { billId }));
});

test('two customers at the same moment, 15 times: one of them, whoever it is', async () => {
  for (let round = 0; round < 15; round++) {
    const billId = newBill();
    const answers = (await Promise.all([redeem(alone, { billId }), redeem(alone, { billId })])).map(
      (one) => one.answer,
    );
    const [good, bad] = answers[0]?.status === 200 ? answers : answers.toReversed();
    expectRedeemed({ answer: good as Answer });
    expectRefused({ answer: bad as Answer });
  }
});

test('twenty customers at the same moment with vouchers that stack: all of them', async () => {
  const billId = newBill();
  const all = await Promise.all(Array.from({ length: 20 }, () => redeem(stacking, { billId })));
  for (const one of all) expectRedeemed(one);
  expectRefused(await redeem(alone, { billId }));
});

describe('units of an item', () => {
  const laksa = { plu: 'N001', quantity: 1, unitPrice: 890 };
  const kopi = (quantity: number) => ({ plu: 'D001', quantity, unitPrice: 180 });
  const billOf = (quantity: number) => ({ bill: { amount: 890 + 180 * quantity, lines: [laksa, kopi(quantity)] } });
  let drinks: string;

  beforeAll(async () => {
    drinks = await createCampaign(api.owner, scene.merchant.id, {
      unit: 'ItemDollarValue',
      value: 100,
      plus: ['D001'],
      stackable: true,
    });
  });

  const discountOf = ({ answer }: { answer: Answer }) => {
    expect(answer.status, answer.text).toBe(200);
    return answer.body.discount;
  };

  test('are used once: the second voucher takes what is left of the kopi, and nothing of the laksa', async () => {
    const billId = newBill();
    expect(discountOf(await redeem(drinks, { billId, ...billOf(1) })).amount).toBe(100);
    expect(discountOf(await redeem(drinks, { billId, ...billOf(1), dryRun: true })).amount).toBe(80);
    expect(discountOf(await redeem(drinks, { billId, ...billOf(1) }))).toEqual({
      amount: 80,
      lines: [
        { index: 0, plu: 'N001', amount: 0 },
        { index: 1, plu: 'D001', amount: 80 },
      ],
    });
    const { answer } = await redeem(drinks, { billId, ...billOf(1) });
    expectError(answer, 402, 'voucher_not_applicable');
  });

  test('the second voucher takes the next kopi, if there is one, and a voided one gives its own back', async () => {
    const billId = newBill();
    const first = await redeem(drinks, { billId, ...billOf(2) });
    expect([discountOf(first).amount, discountOf(await redeem(drinks, { billId, ...billOf(2) })).amount]).toEqual([
      100, 100,
    ]);
    await api.post(scene.key, '/transactions/void', { transactionIds: [first.request.transactionId] });
    expect(discountOf(await redeem(drinks, { billId, ...billOf(2) })).amount).toBe(100);
  });

  test('twelve tills at once take each cent of the drinks once', async () => {
    const billId = newBill();
    const answers = await Promise.all(Array.from({ length: 12 }, () => redeem(drinks, { billId, ...billOf(3) })));
    const taken = answers.map(({ answer }) => (answer.status === 200 ? answer.body.discount.amount : 0));
    expect(taken.toSorted((a, b) => b - a)).toEqual([100, 100, 100, 80, 80, 80, 0, 0, 0, 0, 0, 0]);
    for (const { answer } of answers) if (answer.status !== 200) expectError(answer, 402, 'voucher_not_applicable');
  });
});

describe('what ended a bill ends it for vouchers, too', () => {
  const sale = (billId: string, body: object = {}) =>
    api.post(scene.key, '/sales', {
      transactionId: newTransactionId(),
      billId,
      lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: 890, amount: 890 }],
      subtotal: 890,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      total: 890,
      payments: [{ method: 'cash', amount: 890 }],
      closedAt: new Date().toISOString(),
      ...body,
    });

  test('its sale: the number’s next guests may redeem theirs', async () => {
    const billId = newBill();
    expectRedeemed(await redeem(alone, { billId }));
    expectRefused(await redeem(alone, { billId }));
    expect((await sale(billId)).status).toBe(200);
    expectRedeemed(await redeem(alone, { billId }));
    expectRefused(await redeem(alone, { billId }));
  });

  test('a voucher that an offline till sends late belongs to the bill of its time', async () => {
    const billId = newBill();
    const [at, soldAt, lateAt] = [-60, -30, -45].map((minutes) =>
      new Date(Date.now() + minutes * 60_000).toISOString(),
    );
    expectRedeemed(await redeem(alone, { billId, occurredAt: at }));
    expect((await sale(billId, { occurredAt: soldAt })).status).toBe(200);
    expectRedeemed(await redeem(alone, { billId }));
    expectRefused(await redeem(alone, { billId, occurredAt: lateAt }));
  });
});
