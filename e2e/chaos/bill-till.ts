/**
 * A till with open bills: it sends each, lets value be redeemed on it and a part refunded, takes the rest in parts, before the
 * end and after it, voids a part and takes it anew, closes, and opens the closed bill again. After each step, the bill must say
 * what the till works out by itself.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type BillFigures, BillOfTill } from './bill-of-till';
import { noteOutcome, type Pos, redeemPath, type Shop, salePath, sendRequest, type Told, topUpPath } from './clients';

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

  /** As `ask`, of a request that must not be refused. */
  async function mustAsk(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<BillFigures | null> {
    const answer = await ask(method, path, body);
    if (answer?.status === 200) return JSON.parse(answer.text);
    if (answer) complain(`${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
    return null;
  }

  const complain = (found: string) => shop.complaints.push({ rule: 'a bill is not what its till was told', found });

  async function transact(path: string, body: Told['body']): Promise<Told | null> {
    const answer = await ask('POST', path, body);
    if (!answer) return null;
    const outcome: Told = { path, body, status: answer.status === 200 ? 'completed' : 'refused', answer: answer.text };
    noteOutcome(shop, outcome);
    return outcome;
  }

  async function check(bill: BillOfTill, step: string): Promise<void> {
    const found = await mustAsk('GET', `/bills/${bill.billId}`);
    const problem = found && bill.compare(found);
    if (problem) complain(`${bill.billId} after ${step}: ${problem}`);
  }

  async function redeem(bill: BillOfTill, topsUp: boolean): Promise<void> {
    const { billId } = bill;
    const { cold, packageId } = shop;
    const customer = { customerId: cold[Math.floor(random() * cold.length)] as string };
    if (topsUp) await transact(topUpPath, { transactionId: newId(), customer, packageId });
    const amount = upTo(bill.total);
    const told = await transact(redeemPath, { transactionId: newId(), billId, customer, amount });
    if (told?.status === 'completed') bill.redemptions.push(told);
  }

  /** Staff give back a part of what was redeemed. */
  async function refund(bill: BillOfTill): Promise<void> {
    const told = bill.redemptions.at(-1);
    const redeemed = told ? bill.amountOf(told) : 0;
    if (!told || redeemed < 2) return;
    const amount = upTo(redeemed - 1);
    if (!(await shop.refundPart(told.body.transactionId, amount))) return;
    told.refunded = amount;
    shop.tally.partsRefunded += 1;
  }

  const put = (bill: BillOfTill) => mustAsk('PUT', `/bills/${bill.billId}`, bill.nextRevision());

  /** A guest pays a part and leaves. */
  async function payAtTill(bill: BillOfTill): Promise<void> {
    const due = bill.due();
    if (due < 2) return;
    bill.paidAtTill.push(upTo(due - 1));
    await put(bill);
    shop.tally.partsPaidAtTill += 1;
  }

  async function sell(bill: BillOfTill, amount: number, closesBill?: boolean): Promise<boolean> {
    const due = bill.due();
    const isOfAll = bill.paidAtTill.length > 0 && bill.sold() === 0 && random() < 0.5;
    const sale = isOfAll ? bill.saleOfAll() : bill.saleOf(amount);
    const told = await transact(salePath, {
      transactionId: newId(),
      ...sale,
      closesBill,
      expectedDue: random() < 0.5 ? due : undefined,
      closedAt: new Date().toISOString(),
    });
    if (told?.status !== 'completed') {
      complain(`${bill.billId}: ${told?.answer}`);
      return false;
    }
    bill.sales.push(told);
    if (closesBill || (bill.due() === 0 && closesBill !== false)) bill.closedBy ??= told;
    await check(bill, 'a sale');
    return true;
  }

  /** Sells what is due, in two parts at most. The first may close the bill, and the last leave it open. */
  async function sellAll(bill: BillOfTill): Promise<void> {
    for (let n = 0; bill.due() > 0 && performance.now() < shop.deadline; n++) {
      const due = bill.due();
      const amount = n === 0 ? upTo(due) : due;
      if (!(await sell(bill, amount, random() < 0.2 ? amount < due : undefined))) return;
    }
  }

  /** If it had closed the bill, this opens it again. */
  async function takeBack(bill: BillOfTill, sale: Told): Promise<void> {
    const transactionIds = [sale.body.transactionId];
    if ((await ask('POST', '/transactions/void', { transactionIds }))?.status !== 200) return;
    sale.status = 'voided';
    shop.tally.voids += 1;
    if (bill.closedBy === sale) bill.closedBy = null;
    await check(bill, 'a void');
  }

  /** Closes the bill. Returns when, by the till's clock. */
  async function close(bill: BillOfTill): Promise<string> {
    const occurredAt = new Date().toISOString();
    await mustAsk('POST', `/bills/${bill.billId}/close`, { occurredAt });
    bill.closedBy ??= 'closing';
    await check(bill, 'its closing');
    return occurredAt;
  }

  /** Opens a closed bill again. The closing that the network still has comes late, and changes nothing. */
  async function reopen(bill: BillOfTill, occurredBefore: string): Promise<void> {
    const { billId } = bill;
    const closed = await mustAsk('GET', `/bills/${billId}`);
    await wait(2);
    const occurredAt = new Date().toISOString();
    await mustAsk('POST', `/bills/${billId}/reopen`, { closedAt: closed?.closedAt, occurredAt });
    bill.closedBy = null;
    await check(bill, 'its reopening');
    await mustAsk('POST', `/bills/${billId}/close`, { occurredAt: occurredBefore });
    await check(bill, 'a late closing');
    shop.tally.billsReopened += 1;
  }

  async function playBill(): Promise<void> {
    const bill = new BillOfTill(newId(), 500 + upTo(2_000));
    if (!(await put(bill))) return;
    await redeem(bill, true);
    await redeem(bill, false);
    if (random() < 0.4) await refund(bill);
    if (random() < 0.4) await payAtTill(bill);
    await check(bill, 'what came before its sales');
    await sellAll(bill);
    const last = bill.sales.at(-1);
    if (last && random() < 0.5) {
      await takeBack(bill, last);
      // Now and then, the rest is missing at the closing, and is sold after it.
      if (random() < 0.7) await sellAll(bill);
    }
    const closedAt = await close(bill);
    if (random() < 0.4) {
      await reopen(bill, closedAt);
      if (random() < 0.5) await payAtTill(bill);
      await close(bill);
    }
    if (random() < 0.7) await sellAll(bill);
    await check(bill, 'all');
    shop.tally.bills += 1;
  }

  while (!shop.isDone()) await playBill();
}
