/**
 * A till with open bills: it sends each, lets value be redeemed on it, takes the rest in parts, voids a part and takes it
 * anew, and now and then opens the closed bill again. At its end, the bill must say what the till was told.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { noteOutcome, type Pos, redeemPath, type Shop, salePath, sendRequest, type Told } from './clients';

interface BillFigures {
  state: string;
  redeemed: number;
  sold: number;
  due: number;
  unsettled: number;
  redemptions: { transactionId: string; status: string }[];
  sales: { transactionId: string; taken: number }[];
}

/** Runs the till, until the shop is done and its last bill is closed. */
export async function startBillTill(shop: Shop, pos: Pos, name: string, random: () => number): Promise<void> {
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  let serial = 0;
  const newId = () => `${name}-${++serial}`;

  /** Repeats a request unchanged until it is answered; null: there was no time left. */
  async function ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) {
    while (performance.now() < shop.deadline) {
      const { status, text, retryAfter } = await sendRequest(pos, method, path, body);
      if (status === 200 || status === 402) return { status, text };
      await wait(1_000 * Number(retryAfter ?? 1));
    }
    shop.complaints.push({ rule: 'an outcome stayed unknown', found: `${method} ${path}` });
    return null;
  }

  async function transact(path: string, body: Told['body']): Promise<Told | null> {
    const answer = await ask('POST', path, body);
    if (!answer) return null;
    const outcome: Told = { path, body, status: answer.status === 200 ? 'completed' : 'refused', answer: answer.text };
    noteOutcome(shop, outcome);
    return outcome;
  }

  const redeem = (billId: string, amount: number) => {
    const customer = { customerId: shop.cold[Math.floor(random() * shop.cold.length)] as string };
    return transact(redeemPath, { transactionId: newId(), billId, customer, amount });
  };

  const sell = (billId: string, amount: number) =>
    transact(salePath, {
      transactionId: newId(),
      billId,
      ...sumsOf(amount),
      payments: [{ method: 'cash', amount }],
      closedAt: new Date().toISOString(),
    });

  async function takeBack(sale: Told): Promise<void> {
    const transactionIds = [sale.body.transactionId];
    if ((await ask('POST', '/transactions/void', { transactionIds }))?.status !== 200) return;
    sale.status = 'voided';
    shop.tally.voids += 1;
  }

  const read = async (billId: string): Promise<BillFigures | null> => {
    const answer = await ask('GET', `/bills/${billId}`);
    return answer && JSON.parse(answer.text);
  };

  /** Sells what is due, in two parts at most. Returns the sales that count. */
  async function sellAll(billId: string): Promise<Told[]> {
    const sales: Told[] = [];
    for (let due = (await read(billId))?.due ?? 0; due > 0; due = (await read(billId))?.due ?? 0) {
      const sale = await sell(billId, sales.length === 0 ? upTo(due) : due);
      if (!sale) return sales;
      sales.push(sale);
    }
    return sales;
  }

  async function playBill(): Promise<void> {
    const billId = newId();
    const total = 500 + upTo(2_000);
    const bill = { revision: 1, currency: 'SGD', ...sumsOf(total) };
    if (!(await ask('PUT', `/bills/${billId}`, bill))) return;
    const redemptions = [await redeem(billId, upTo(total)), await redeem(billId, upTo(total))];
    let sales = await sellAll(billId);
    const [first] = sales;
    if (first && random() < 0.5) {
      // If the last one closed the bill, this opens it again.
      const last = sales.at(-1) as Told;
      await takeBack(last);
      sales = [...sales.filter((one) => one !== last), ...(await sellAll(billId))];
    }
    const closing = await ask('POST', `/bills/${billId}/close`, {});
    if (!closing) return;
    if (random() < 0.3) {
      const { closedAt } = JSON.parse(closing.text);
      await ask('POST', `/bills/${billId}/reopen`, { closedAt });
      await ask('POST', `/bills/${billId}/close`, {});
    }
    const found = await read(billId);
    if (found) compare(billId, total, found, redemptions, sales);
  }

  function compare(billId: string, total: number, found: BillFigures, redemptions: (Told | null)[], sales: Told[]) {
    const amountOf = (one: Told | null) => {
      if (one?.status !== 'completed') return 0;
      const { principalUsed, bonusUsed } = JSON.parse(one.answer ?? '{}');
      return principalUsed + bonusUsed;
    };
    const redeemed = redemptions.reduce((sum, one) => sum + amountOf(one), 0);
    const expected = { state: 'closed', redeemed, sold: total - redeemed, unsettled: 0, sales: namesOf(sales) };
    const { state, sold, unsettled } = found;
    const told = {
      state,
      redeemed: found.redeemed,
      sold,
      unsettled,
      sales: found.sales.map((one) => one.transactionId),
    };
    shop.tally.bills += 1;
    if (JSON.stringify(told) === JSON.stringify(expected)) return;
    const line = `${billId} of ${total}: ${JSON.stringify(told)}, not ${JSON.stringify(expected)}`;
    shop.complaints.push({ rule: 'a bill is not what its till was told', found: line });
  }

  while (!shop.isDone()) await playBill();
}

const namesOf = (sales: Told[]) => sales.map(({ body }) => body.transactionId);

/** A bill of one dish. */
const sumsOf = (amount: number) => ({
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
  subtotal: amount,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: amount,
});
