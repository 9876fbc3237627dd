/** Random lives of bills against a plain model: parts, redemptions, voids, take-backs, settling, closings, reopenings. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { codeOf } from '@/db/testing/error-code';
import { createBillScene } from '@/server/testing/table-bill';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { takeBackRedemption } from '../transactions/take-back';
import { voidTransactions } from '../transactions/void';
import { closeBill } from './close';
import { getBill } from './get';
import { holdPayment, takePayment } from './payments';
import { putBill } from './put';
import { reopenBill } from './reopen';
import { beginSettling } from './settling';

const database = ownDatabase();
let scene: Awaited<ReturnType<typeof createBillScene>>;
const seen = new Set<string>();

beforeAll(async () => {
  scene = await createBillScene(database);
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

type Step =
  | { kind: 'put' | 'redeem' | 'redeemByPhone' | 'payByPhone' | 'sell' | 'sellOpen'; amount: number }
  | { kind: 'void' | 'takeBack'; nth: number }
  | { kind: 'close' | 'reopen' | 'settle' | 'settled' };

const amounts = fc.integer({ min: 1, max: 12 }).map((hundreds) => hundreds * 100);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('put', 'redeem', 'redeemByPhone', 'payByPhone', 'sell', 'sell', 'sellOpen'),
    amount: amounts,
  }),
  fc.record({ kind: fc.constantFrom('void', 'takeBack'), nth: fc.nat(6) }),
  fc.record({ kind: fc.constantFrom('close', 'reopen', 'reopen', 'settle', 'settled') }),
);

interface Entry {
  id: string;
  amount: number;
  by: 'till' | 'phone' | 'sale';
}

/** What random lives seldom reach. */
const rareLives: Step[][] = [
  [
    { kind: 'redeem', amount: 100 },
    { kind: 'takeBack', nth: 0 },
    { kind: 'redeemByPhone', amount: 1_900 },
    { kind: 'takeBack', nth: 1 },
  ],
  [
    { kind: 'redeemByPhone', amount: 500 },
    { kind: 'settle' },
    { kind: 'takeBack', nth: 0 },
    { kind: 'settled' },
    { kind: 'takeBack', nth: 0 },
  ],
  [
    { kind: 'sell', amount: 1_200 },
    { kind: 'redeem', amount: 300 },
    { kind: 'sell', amount: 500 },
    { kind: 'redeem', amount: 100 },
    { kind: 'void', nth: 2 },
    { kind: 'redeem', amount: 500 },
  ],
  [
    { kind: 'redeemByPhone', amount: 900 },
    { kind: 'sellOpen', amount: 100 },
    { kind: 'takeBack', nth: 0 },
    { kind: 'void', nth: 1 },
    { kind: 'takeBack', nth: 0 },
  ],
];

/** What a bill should be, by the guide's rules. */
class Model {
  total = 2_000;
  state: 'open' | 'closed' = 'open';
  closedBy: string | null = null;
  isSettling = false;
  /** Redemptions and sales, oldest first. */
  entries: Entry[] = [];
  paid = 0;

  sum = (isOf: (by: Entry['by']) => boolean) =>
    this.entries.reduce((sum, { amount, by }) => (isOf(by) ? sum + amount : sum), 0);
  get redeemed() {
    return this.sum((by) => by !== 'sale');
  }
  get sold() {
    return this.sum((by) => by === 'sale');
  }
  get balance() {
    return this.total - this.redeemed - this.paid - this.sold;
  }
  get due() {
    return Math.max(0, this.balance);
  }
  get isPaid() {
    return this.balance <= 0 && this.paid + this.entries.length > 0;
  }

  /** Ends the bill. Phones get back what they paid too much. */
  end(by: string | null) {
    const covered = this.redeemed + this.paid + this.sold;
    const excess = covered - Math.max(this.total, this.sold);
    this.paid -= Math.min(this.paid, Math.max(0, excess));
    this.state = 'closed';
    this.closedBy = by;
    this.isSettling = false;
  }

  /** Why a redemption or payment is refused; null if it is not. */
  refusal(amount: number, isByPhone: boolean): string | null {
    if (this.state === 'closed') return 'bill_closed';
    if (isByPhone && this.isSettling) return 'bill_settling';
    return amount > this.due ? 'bill_due_exceeded' : null;
  }

  remove(entry: Entry) {
    this.entries = this.entries.filter(({ id }) => id !== entry.id);
    if (this.closedBy !== entry.id) return;
    this.state = 'open';
    this.closedBy = null;
  }

  shown() {
    const isOpen = this.state === 'open';
    return {
      state: isOpen && this.isPaid ? 'paid' : this.state,
      total: this.total,
      redeemed: this.redeemed,
      paid: this.paid,
      sold: this.sold,
      due: isOpen ? this.due : 0,
      unsettled: isOpen ? 0 : this.due,
    };
  }
}

const lines = (amount: number) => [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: amount, amount }];
const sums = (amount: number) => ({
  lines: lines(amount),
  subtotal: amount,
  discount: 0,
  serviceCharge: 0,
  tax: 0,
  total: amount,
});

/** The bill at a table, with a customer who redeems by phone and at the till. */
async function open() {
  const { till, merchant, services } = scene;
  const customer = await scene.addCustomer();
  const billId = newId();
  const storeId = merchant.stores[0].id;
  let revision = 0;
  const put = (amount: number) => {
    revision += 1;
    return putBill(till, { billId, revision, currency: 'SGD', ...sums(amount) });
  };
  await put(2_000);
  const phone = { ...services, merchant: till.merchant, apiKeyId: null, boundStore: till.boundStore };
  const request = (transactionId: string) => ({ transactionId, billId, customer: { customerId: customer.id } });
  return {
    customer,
    billId,
    put,
    look: () => getBill(till, { billId }),
    redeem: (transactionId: string, amount: number, isByPhone: boolean) =>
      redeemStoredValue(isByPhone ? phone : till, { ...request(transactionId), amount }),
    pay: (amount: number) =>
      withMerchant(database.db, merchant.id, async (tx) => {
        const payment = { paymentId: newId(), amount, tip: 0, guestId: null, guestName: '' };
        await holdPayment(tx, till.merchant, { storeId, billId }, payment, new Date());
        await takePayment(tx, till.merchant, payment, new Date());
      }),
    sell: (transactionId: string, amount: number, closesBill: boolean | undefined) =>
      submitSale(till, {
        transactionId,
        billId,
        ...sums(amount),
        payments: [{ method: 'cash', amount }],
        closedAt: new Date().toISOString(),
        closesBill,
      }),
    void: (transactionId: string) => voidTransactions(till, { transactionIds: [transactionId] }),
    takeBack: (transactionId: string) => {
      const own = { storeId, billId, customerId: customer.id, transactionId, takeBackMinutes: 2 };
      return takeBackRedemption({ ...services, merchant: till.merchant }, own);
    },
    close: () => closeBill(till, { billId }),
    reopen: () => reopenBill(till, { billId }),
    settle: (minutes: number) => beginSettling(till, { billId, minutes }),
  };
}
type Real = Awaited<ReturnType<typeof open>>;

/** Takes a step in the model, and returns the step to take on the bill and the code of its refusal, if it is refused. */
function take(model: Model, step: Step): [(real: Real) => Promise<unknown>, string | null] {
  switch (step.kind) {
    case 'put': {
      const refusal = model.state === 'closed' ? 'bill_closed' : null;
      if (!refusal) model.total = step.amount;
      return [(real) => real.put(step.amount), refusal];
    }
    case 'redeem':
    case 'redeemByPhone': {
      const isByPhone = step.kind === 'redeemByPhone';
      const refusal = model.refusal(step.amount, isByPhone);
      const id = newId();
      if (!refusal) model.entries.push({ id, amount: step.amount, by: isByPhone ? 'phone' : 'till' });
      return [(real) => real.redeem(id, step.amount, isByPhone), refusal];
    }
    case 'payByPhone': {
      const refusal = model.refusal(step.amount, true);
      if (!refusal) model.paid += step.amount;
      return [(real) => real.pay(step.amount), refusal];
    }
    case 'sell':
    case 'sellOpen': {
      const id = newId();
      model.entries.push({ id, amount: step.amount, by: 'sale' });
      const isSettled = model.due === 0 || model.sold >= model.total;
      if (model.state === 'open' && step.kind === 'sell' && isSettled) model.end(id);
      return [(real) => real.sell(id, step.amount, step.kind === 'sell' ? undefined : false), null];
    }
    case 'void': {
      const entry = model.entries[step.nth % Math.max(1, model.entries.length)];
      if (!entry) return [async () => {}, null];
      if (entry.id === model.closedBy) seen.add('opened by a void');
      model.remove(entry);
      return [(real) => real.void(entry.id), null];
    }
    case 'takeBack': {
      const entries = model.entries.filter(({ by }) => by !== 'sale');
      const entry = entries[step.nth % Math.max(1, entries.length)];
      if (!entry) return [async () => {}, null];
      const refusal = refusedTakeBack(model, entry);
      if (!refusal) model.remove(entry);
      return [(real) => real.takeBack(entry.id), refusal];
    }
    case 'close':
      if (model.state === 'open') model.end(null);
      return [(real) => real.close(), null];
    case 'reopen':
      model.state = 'open';
      model.closedBy = null;
      return [(real) => real.reopen(), null];
    default:
      if (model.state === 'open') model.isSettling = step.kind === 'settle';
      return [(real) => real.settle(step.kind === 'settle' ? 5 : 0), null];
  }
}

function refusedTakeBack(model: Model, entry: Entry): string | null {
  const later = model.entries.slice(model.entries.indexOf(entry));
  if (entry.by === 'till') return 'transaction_not_found';
  if (model.state === 'closed') return 'bill_closed';
  if (model.isSettling) return 'bill_settling';
  // The till took money for a part since.
  return model.isPaid || later.some(({ by }) => by === 'sale') ? 'bill_paid' : null;
}

test('any order of parts, redemptions, voids, take-backs, settling, closings and reopenings comes to what the model says', async () => {
  const lives = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
    const [model, real] = [new Model(), await open()];
    for (const one of steps) {
      const [work, refusal] = take(model, one);
      const code = await codeOf(work(real));
      expect(code, JSON.stringify(one)).toBe(refusal ?? 'done');
      seen.add(refusal ?? one.kind);
      expect(await real.look(), JSON.stringify(one)).toMatchObject(model.shown());
    }
    expect((await scene.held(real.customer))?.value).toBe(5_000 - model.redeemed);
  });
  await fc.assert(lives, { numRuns: 40, examples: rareLives.map((steps) => [steps]) });
  const refusals = ['bill_closed', 'bill_settling', 'bill_due_exceeded', 'bill_paid', 'transaction_not_found'];
  for (const one of [...refusals, 'opened by a void', 'takeBack', 'reopen']) expect([...seen]).toContain(one);
}, 120_000);
