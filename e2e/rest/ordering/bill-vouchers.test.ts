/** A bill that changes after vouchers were redeemed on it says what each would take now. */
import { beforeAll, describe, expect, test } from 'vitest';
import { waitForEvents } from '@/server/testing/events';
import { type CampaignSettings, createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { type Answer, ledgerViolations, newTransactionId, restApi } from '../harness';
import { billBody, createFullStage, type FullStage, plainSale } from '../ordering-operations';

const api = restApi();
let stage: FullStage;
let key: string;

beforeAll(async () => {
  stage = await createFullStage(api);
  ({ key } = stage);
});

function bodyOf({ status, text, body }: Answer) {
  expect(status, text).toBe(200);
  return body;
}

interface Item {
  plu: string;
  quantity: number;
  unitPrice: number;
  amount?: number;
}
const laksa: Item = { plu: 'N001', quantity: 1, unitPrice: 890 };
const kopi: Item = { plu: 'D001', quantity: 1, unitPrice: 180 };

const linesOf = (items: Item[]) =>
  items.map((item) => ({ name: item.plu, amount: item.quantity * item.unitPrice, ...item }));

/** Sends the next revision of a bill. */
function sender() {
  const billId = `bill-${newTransactionId()}`;
  let revision = 0;
  const send = async (
    items: Item[],
    { discount = 0, ...rest }: Record<string, unknown> & { discount?: number } = {},
  ) => {
    revision += 1;
    const lines = linesOf(items);
    const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
    const sums = { subtotal, discount, serviceCharge: 0, tax: 0, rounding: 0, total: subtotal - discount };
    return bodyOf(await api.put(key, `/bills/${billId}`, billBody({ revision, lines, ...sums, ...rest })));
  };
  return { billId, send, get: async () => bodyOf(await api.get(key, `/bills/${billId}`)) };
}

const newCampaign = (settings: CampaignSettings) =>
  createCampaign(api.owner, stage.merchant.id, { stackable: true, ...settings });
const offDrink = (value: number) => newCampaign({ unit: 'ItemDollarValue', value, plus: ['D001'] });
const percentOff = (percent: number, settings: CampaignSettings = {}) =>
  newCampaign({ unit: 'BillDollarPercentage', value: percent * 100, ...settings });

/** Issues a voucher and redeems it; returns what it took. */
async function redeem(campaignId: string, billId: string, items: Item[], amount?: number) {
  const customer = { customerId: stage.customer.id };
  const voucherCode = await createVoucher(api.owner, stage.merchant.id, { campaignId, ...customer });
  const sent = linesOf(items).map(({ name: _, ...line }) => line);
  const sum = sent.reduce((all, line) => all + line.amount, 0);
  const request = {
    transactionId: newTransactionId(),
    customer,
    voucherCode,
    billId,
    bill: { amount: amount ?? sum, lines: sent },
  };
  const { discount } = bodyOf(await api.post(key, '/transactions/voucher/redeem', request));
  const lines: { amount: number }[] = discount.lines;
  return { request, transactionId: request.transactionId, took: discount.amount as number, lines };
}

const voidOf = async (...transactionIds: string[]) =>
  bodyOf(await api.post(key, '/transactions/void', { transactionIds }));

type Redemption = { amount: number; amountNow: number | null };
const worths = ({ redemptions }: { redemptions: Redemption[] }) =>
  redemptions.map(({ amount, amountNow }) => [amount, amountNow]);

describe('a bill that changes after a voucher', () => {
  test('the drink is taken off: the voucher would take nothing, and keeps what it took until the till voids it', async () => {
    const bill = sender();
    await bill.send([laksa, kopi]);
    const { transactionId } = await redeem(await offDrink(100), bill.billId, [laksa, kopi]);
    expect(worths(await bill.get())).toEqual([[100, 100]]);
    const sent = await bill.send([laksa]);
    expect(worths(sent)).toEqual([[100, 0]]);
    expect(sent).toMatchObject({ redeemed: 100, due: 790 });
    expect(await bill.get()).toEqual(sent);
    await voidOf(transactionId);
    expect(await bill.get()).toMatchObject({ redemptions: [], redeemed: 0, due: 890 });
  });

  test('a line below zero that strikes the drink out does the same', async () => {
    const bill = sender();
    await bill.send([laksa, kopi]);
    await redeem(await offDrink(100), bill.billId, [laksa, kopi]);
    expect(worths(await bill.send([laksa, kopi, { ...kopi, quantity: -1 }]))).toEqual([[100, 0]]);
  });

  test('two vouchers on a bill with a dish struck out have a part of each line', async () => {
    const bill = sender();
    const items = [laksa, kopi, { ...laksa, quantity: -1 }];
    await bill.send(items);
    const campaignId = await offDrink(100);
    const parts = async () => (await redeem(campaignId, bill.billId, items)).lines.map(({ amount }) => amount);
    expect(await parts()).toEqual([0, 100, 0]);
    expect(await parts()).toEqual([0, 80, 0]);
  });

  test('the drink at its happy-hour price is worth its price', async () => {
    const bill = sender();
    await bill.send([laksa, kopi]);
    await redeem(await offDrink(100), bill.billId, [laksa, kopi]);
    expect(worths(await bill.send([laksa, { ...kopi, amount: 80 }]))).toEqual([[100, 80]]);
  });

  test('under the minimum spend it would take nothing, and its worth again once the bill has grown', async () => {
    const bill = sender();
    await bill.send([laksa, kopi]);
    const campaignId = await newCampaign({ unit: 'BillDollarValue', value: 200, min_spend: 1_000 });
    await redeem(campaignId, bill.billId, [laksa, kopi]);
    expect(worths(await bill.get())).toEqual([[200, 200]]);
    expect(worths(await bill.send([laksa]))).toEqual([[200, 0]]);
    expect(worths(await bill.send([laksa, { ...kopi, quantity: 2 }]))).toEqual([[200, 200]]);
  });

  test('ten percent of a larger bill: voided and redeemed again, it takes what was said', async () => {
    const bill = sender();
    await bill.send([laksa]);
    const campaignId = await percentOff(10);
    const { request, transactionId } = await redeem(campaignId, bill.billId, [laksa]);
    const sent = await bill.send([laksa, kopi]);
    expect(worths(sent)).toEqual([[89, 107]]);
    expect(sent).toMatchObject({ redeemed: 89, due: 981 });
    await voidOf(transactionId);
    const again = { ...request, transactionId: newTransactionId(), bill: { amount: 1_070 } };
    expect(bodyOf(await api.post(key, '/transactions/voucher/redeem', again)).discount.amount).toBe(107);
    expect(worths(await bill.get())).toEqual([[107, 107]]);
  });

  test('two vouchers on one line: the second has what the first leaves', async () => {
    const bill = sender();
    const drinks = { ...kopi, quantity: 2 };
    await bill.send([drinks]);
    const campaignId = await offDrink(100);
    await redeem(campaignId, bill.billId, [drinks]);
    const second = await redeem(campaignId, bill.billId, [drinks]);
    expect(worths(await bill.get())).toEqual([
      [100, 100],
      [100, 100],
    ]);
    expect(worths(await bill.send([laksa, kopi]))).toEqual([
      [100, 100],
      [100, 80],
    ]);
    await voidOf(second.transactionId);
    const { took } = await redeem(campaignId, bill.billId, [laksa, kopi]);
    expect(took).toBe(80);
    expect(worths(await bill.get())).toEqual([
      [100, 100],
      [80, 80],
    ]);
  });

  test('a percentage is of what an earlier voucher and points leave, as when it was redeemed', async () => {
    const bill = sender();
    await bill.send([laksa, kopi]);
    await redeem(await offDrink(70), bill.billId, [laksa, kopi]);
    const customer = { customerId: stage.customer.id };
    const points = { transactionId: newTransactionId(), customer, billId: bill.billId, points: 100 };
    const { amount } = bodyOf(await api.post(key, '/transactions/points/redeem', points));
    const rest = 1_000 - amount;
    const { took } = await redeem(await percentOff(50), bill.billId, [laksa, kopi], rest);
    expect(worths(await bill.get())).toEqual([
      [70, 70],
      [amount, null],
      [took, took],
    ]);
    expect(worths(await bill.send([laksa]))).toEqual([
      [70, 0],
      [amount, null],
      [took, (890 - amount) / 2],
    ]);
  });

  test('in the discount of the till or not, it is worth the same, beside what the till took off', async () => {
    const bill = sender();
    await bill.send([laksa, kopi]);
    const { transactionId, took } = await redeem(await percentOff(10), bill.billId, [laksa, kopi]);
    expect(took).toBe(107);
    const included = { discountTransactionIds: [transactionId] };
    expect(worths(await bill.send([laksa, kopi], { discount: 107, ...included }))).toEqual([[107, 107]]);
    expect(worths(await bill.send([laksa, kopi], { discount: 107 + 270, ...included }))).toEqual([[107, 80]]);
    expect(worths(await bill.send([laksa, kopi], { discount: 270 }))).toEqual([[107, 80]]);
    await voidOf(transactionId);
  });

  test('a voucher that takes all that is due takes no more, and what is due once the bill grows', async () => {
    const bill = sender();
    await bill.send([laksa]);
    const customer = { customerId: stage.customer.id };
    const value = { transactionId: newTransactionId(), customer, billId: bill.billId, amount: 600 };
    bodyOf(await api.post(key, '/transactions/stored-value/redeem', value));
    await redeem(await newCampaign({ unit: 'BillDollarValue', value: 500 }), bill.billId, [], 290);
    expect(worths(await bill.get())).toEqual([
      [600, null],
      [290, 290],
    ]);
    expect(worths(await bill.send([laksa, kopi]))).toEqual([
      [600, null],
      [290, 470],
    ]);
  });

  test('events have it: of the redemption, and of the change', async () => {
    const bill = sender();
    await bill.send([laksa, kopi]);
    await redeem(await offDrink(100), bill.billId, [laksa, kopi]);
    await bill.send([laksa]);
    await waitForEvents(api.owner);
    const events = await api.owner`
      select type, data from events where merchant_id = ${stage.merchant.id} and type = 'bill.updated'
      and data ->> 'billId' = ${bill.billId} order by xid, seq`;
    expect(events.map(({ data }) => worths(data))).toEqual([[], [[100, 100]], [[100, 0]]]);
  });

  test('the ledger is in order', async () => {
    expect(await ledgerViolations(api)).toEqual([]);
  });
});

describe('vouchers that are redeemed one after the other', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  async function tryVoucher(campaignId: string, billId: string, rest: object = {}): Promise<Answer> {
    const customer = { customerId: stage.customer.id };
    const voucherCode = await createVoucher(api.owner, stage.merchant.id, { campaignId, ...customer });
    const bill = { amount: 180, lines: linesOf([kopi]).map(({ name: _, ...line }) => line) };
    const request = { transactionId: newTransactionId(), customer, voucherCode, billId, bill, ...rest };
    return api.post(key, '/transactions/voucher/redeem', request);
  }
  const refusalOf = ({ status, body }: Answer) => [status, body.error?.code];
  const notStackable = [402, 'voucher_not_stackable'];

  test('on a bill that is open for longer than half a day: units are used once, and what is not stackable is alone', async () => {
    const [only, off] = await Promise.all([
      newCampaign({ unit: 'ItemDollarValue', value: 100, plus: ['D001'], stackable: false }),
      offDrink(100),
    ]);
    const long = { openedAt: hoursAgo(14) };
    const [alone, together] = [sender(), sender()];
    for (const bill of [alone, together]) await bill.send([laksa, kopi], long);
    bodyOf(await tryVoucher(only, alone.billId, { occurredAt: hoursAgo(13.5) }));
    bodyOf(await tryVoucher(off, together.billId, { occurredAt: hoursAgo(13.5) }));
    expect(refusalOf(await tryVoucher(off, alone.billId))).toEqual(notStackable);
    expect(bodyOf(await tryVoucher(off, together.billId)).discount.amount).toBe(80);
  });

  test('without an open bill: a part that is sold does not end the number, if its till says that more is to come', async () => {
    const [only, billId] = [
      await newCampaign({ unit: 'ItemDollarValue', value: 100, plus: ['D001'], stackable: false }),
      `bill-${newTransactionId()}`,
    ];
    bodyOf(await tryVoucher(only, billId));
    bodyOf(await api.post(key, '/sales', plainSale(890, { billId, closesBill: false })));
    expect(refusalOf(await tryVoucher(only, billId))).toEqual(notStackable);
    bodyOf(await api.post(key, '/sales', plainSale(180, { billId })));
    expect(bodyOf(await tryVoucher(only, billId)).discount.amount).toBe(100);
  });

  test('and that part is on the bill that its till sends later', async () => {
    const billId = `bill-${newTransactionId()}`;
    bodyOf(await api.post(key, '/sales', plainSale(890, { billId, closesBill: false, occurredAt: hoursAgo(1) })));
    const sums = { subtotal: 1_070, discount: 0, serviceCharge: 0, tax: 0, rounding: 0, total: 1_070 };
    const bill = billBody({ revision: 1, lines: linesOf([laksa, kopi]), ...sums });
    expect(bodyOf(await api.put(key, `/bills/${billId}`, bill))).toMatchObject({ state: 'open', sold: 890, due: 180 });
  });
});
