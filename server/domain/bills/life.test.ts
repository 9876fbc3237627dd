/** Random lives of bills against a plain model: parts, redemptions, sales, refunds, voids, take-backs, settling, closings, reopenings. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { codeOf } from '@/db/testing/error-code';
import { anyStep, BillModel, type SaleStep, type Step } from '@/server/testing/bill-life';
import { callAs } from '@/server/testing/staff';
import { createBillScene } from '@/server/testing/table-bill';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { takeBackRedemption } from '../transactions/take-back';
import { voidTransactions } from '../transactions/void';
import { closeBill } from './close';
import { getBill } from './get';
import { holdPayment, refundPayment, takePayment } from './payments';
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
  [
    { kind: 'redeem', amount: 500 },
    { kind: 'refundPart', nth: 0, amount: 200 },
    { kind: 'payByPhone', amount: 400 },
    { kind: 'sellAll' },
    { kind: 'sellAll' },
    { kind: 'refundCard', nth: 0, amount: 100 },
    { kind: 'reopen' },
    { kind: 'closeLate' },
    { kind: 'put', amount: 900 },
    { kind: 'closeWrongly' },
    { kind: 'close' },
  ],
  [
    { kind: 'paidAtTill', amount: 700 },
    { kind: 'redeemByPhone', amount: 300 },
    { kind: 'paidAtTill', amount: 200 },
    { kind: 'takeBack', nth: 0 },
    { kind: 'sellExpecting', amount: 800 },
    { kind: 'sellLast', amount: 1_000 },
    { kind: 'sellWrongly', amount: 300 },
  ],
  [
    { kind: 'sellOpen', amount: 900 },
    { kind: 'put', amount: 200 },
    { kind: 'sell', amount: 1_100 },
    { kind: 'reopen' },
    { kind: 'close' },
    { kind: 'sell', amount: 1_200 },
  ],
];

const sums = (amount: number) => ({
  lines: [{ plu: 'N001', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
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
  const put = (amount: number, parts: number[]) => {
    revision += 1;
    const paidAtTill = parts.map((part) => ({ amount: part }));
    return putBill(till, { billId, revision, currency: 'SGD', ...sums(amount), paidAtTill });
  };
  const openedAt = new Date().toISOString();
  await put(2_000, []);
  const phone = { ...services, merchant: till.merchant, apiKeyId: null, boundStore: till.boundStore };
  const request = (transactionId: string) => ({ transactionId, billId, customer: { customerId: customer.id } });
  return {
    customer,
    openedAt,
    put,
    look: () => getBill(till, { billId }),
    redeem: (transactionId: string, amount: number, isByPhone: boolean) =>
      redeemStoredValue(isByPhone ? phone : till, { ...request(transactionId), amount }),
    pay: (paymentId: string, amount: number) =>
      withMerchant(database.db, merchant.id, async (tx) => {
        const payment = { paymentId, amount, tip: 0, guestId: null, guestName: '' };
        await holdPayment(tx, till.merchant, { storeId, billId }, payment, new Date());
        await takePayment(tx, till.merchant, payment, new Date());
      }),
    refundCard: (paymentId: string, returned: number) =>
      withMerchant(database.db, merchant.id, (tx) =>
        refundPayment(tx, till.merchant, { paymentId, returned }, new Date()),
      ),
    refundPart: async (transactionId: string, amount: number) => {
      const [row] = await database.owner`select uid from transactions where transaction_id = ${transactionId}`;
      const refund = { refundId: newId(), uid: row?.uid, amount, reason: 'Cold' };
      await callAs(scene.manager).transactions.refundPart(refund);
    },
    sell: (transactionId: string, sale: Omit<Parameters<typeof submitSale>[1], 'transactionId' | 'closedAt'>) =>
      submitSale(till, { transactionId, billId, ...sale, closedAt: openedAt }),
    void: (transactionId: string) => voidTransactions(till, { transactionIds: [transactionId] }),
    takeBack: (transactionId: string) => {
      const own = { storeId, billId, customerId: customer.id, transactionId, takeBackMinutes: 2 };
      return takeBackRedemption({ ...services, merchant: till.merchant }, own);
    },
    close: (rest: { expectedDue?: number; occurredAt?: string }) => closeBill(till, { billId, ...rest }),
    reopen: () => reopenBill(till, { billId }),
    settle: (minutes: number) => beginSettling(till, { billId, minutes }),
  };
}
type Real = Awaited<ReturnType<typeof open>>;
type Work = (real: Real) => Promise<unknown>;
const nothing: [Work, null] = [async () => {}, null];
const pick = <T>(all: T[], nth: number): T | undefined => all[nth % Math.max(1, all.length)];

/** Takes a step in the model, and returns the step to take on the bill and the code of its refusal, if it is refused. */
function take(model: BillModel, step: Step): [Work, string | null] {
  model.now += 1;
  switch (step.kind) {
    case 'put':
    case 'paidAtTill':
      return takePut(model, step);
    case 'redeem':
    case 'redeemByPhone': {
      const isByPhone = step.kind === 'redeemByPhone';
      const refusal = model.refusal(step.amount, isByPhone);
      const id = refusal ? newId() : model.add(isByPhone ? 'phone' : 'till', step.amount).id;
      return [(real) => real.redeem(id, step.amount, isByPhone), refusal];
    }
    case 'payByPhone': {
      const refusal = model.refusal(step.amount, true);
      const id = newId();
      if (!refusal) model.payments.push({ id, amount: step.amount, kept: step.amount });
      return [(real) => real.pay(id, step.amount), refusal];
    }
    case 'void': {
      const entry = pick(model.entries, step.nth);
      if (!entry) return nothing;
      if (entry.id === model.closedBy) seen.add('opened by a void');
      model.remove(entry);
      return [(real) => real.void(entry.id), null];
    }
    case 'takeBack': {
      const entry = pick(redemptionsOf(model), step.nth);
      if (!entry) return nothing;
      const refusal = model.refusedTakeBack(entry);
      if (!refusal) model.remove(entry);
      return [(real) => real.takeBack(entry.id), refusal];
    }
    case 'refundPart': {
      const entry = pick(redemptionsOf(model), step.nth);
      if (!entry || entry.amount <= step.amount) return nothing;
      entry.amount -= step.amount;
      return [(real) => real.refundPart(entry.id, step.amount), null];
    }
    case 'refundCard': {
      const payment = pick(model.payments, step.nth);
      if (!payment) return nothing;
      payment.kept = Math.min(payment.kept, Math.max(0, payment.amount - step.amount));
      return [(real) => real.refundCard(payment.id, step.amount), null];
    }
    case 'close':
    case 'closeWrongly':
    case 'closeLate':
      return takeClose(model, step.kind);
    case 'reopen':
      model.reopen();
      return [(real) => real.reopen(), null];
    case 'settle':
    case 'settled':
      if (model.state === 'open') model.isSettling = step.kind === 'settle';
      return [(real) => real.settle(step.kind === 'settle' ? 5 : 0), null];
    case 'sell':
    case 'sellOpen':
    case 'sellLast':
    case 'sellExpecting':
    case 'sellWrongly':
    case 'sellAll':
      return takeSale(model, step);
  }
}

const redemptionsOf = ({ entries }: BillModel) => entries.filter(({ by }) => by !== 'sale');

function takePut(
  model: BillModel,
  { kind, amount }: { kind: 'put' | 'paidAtTill'; amount: number },
): [Work, string | null] {
  // A till names what it took before it sells anything.
  const isPart = kind === 'paidAtTill';
  if (isPart && model.hasSold) return nothing;
  const total = isPart ? model.total : amount;
  const parts = isPart ? [...model.parts, amount] : [];
  const refusal = model.state === 'closed' ? 'bill_closed' : null;
  if (!refusal) Object.assign(model, { total, parts, sentAt: model.now, changedAt: model.now });
  return [(real) => real.put(total, parts), refusal];
}

function takeClose(model: BillModel, kind: 'close' | 'closeWrongly' | 'closeLate'): [Work, string | null] {
  const { due, state } = model;
  if (kind === 'closeLate') {
    if (!model.wasReopened && state === 'open') model.end(null);
    return [(real) => real.close({ occurredAt: real.openedAt }), null];
  }
  const expectedDue = kind === 'close' ? due : due + 100;
  const refusal = state === 'open' && kind === 'closeWrongly' ? 'bill_changed' : null;
  if (!refusal && state === 'open') model.end(null);
  return [(real) => real.close({ expectedDue }), refusal];
}

const closing: Partial<Record<SaleStep['kind'], boolean>> = { sellOpen: false, sellLast: true };

function takeSale(model: BillModel, step: SaleStep): [Work, string | null] {
  const total = step.kind === 'sellAll' ? model.total : step.amount;
  // A sale of the whole bill lists what was redeemed and paid by phone.
  const value = step.kind === 'sellAll' ? Math.min(total, model.redeemed) : 0;
  const phone = step.kind === 'sellAll' ? Math.min(total - value, model.paid) : 0;
  const cash = total - value - phone;
  const closesBill = closing[step.kind];
  const wrong = step.kind === 'sellWrongly' ? 100 : 0;
  const expectedDue = wrong > 0 || step.kind === 'sellExpecting' ? model.due + wrong : undefined;
  const payments = [
    { method: 'stored-value', amount: value },
    { method: 'phone', amount: phone },
    { method: 'cash', amount: cash },
  ];
  const id = wrong > 0 ? newId() : model.sell(cash, total, closesBill).id;
  const sale = { ...sums(total), payments, closesBill, expectedDue };
  const work: Work = async (real) => {
    const { overpaid } = await real.sell(id, sale);
    expect(overpaid).toBe(model.staysOverpaid);
  };
  return [work, wrong > 0 ? 'bill_changed' : null];
}

test('any order of parts, redemptions, sales, refunds, voids, take-backs, closings and reopenings comes to what the model says', async () => {
  const lives = fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 20 }), async (steps) => {
    const [model, real] = [new BillModel(), await open()];
    for (const one of steps) {
      const [work, refusal] = take(model, one);
      const code = await codeOf(work(real));
      expect(code, JSON.stringify(one)).toBe(refusal ?? 'done');
      seen.add(refusal ?? one.kind);
      if (model.overpaid > 0) seen.add('overpaid');
      expect(await real.look(), JSON.stringify(one)).toMatchObject(model.shown());
    }
    expect((await scene.held(real.customer))?.value).toBe(5_000 - model.redeemed);
  });
  await fc.assert(lives, { numRuns: 40, examples: rareLives.map((steps) => [steps]) });
  const refusals = [
    'bill_closed',
    'bill_settling',
    'bill_due_exceeded',
    'bill_paid',
    'bill_changed',
    'transaction_not_found',
  ];
  for (const one of [...refusals, 'opened by a void', 'overpaid', 'takeBack', 'reopen', 'refundPart', 'refundCard'])
    expect([...seen]).toContain(one);
}, 120_000);
