/** Transactions that come at the same moment: what each of them means does not depend on the others that it went with. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import {
  blockCustomer,
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestCustomer,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { holdBalances, losingAnswers } from '@/server/testing/faults';
import type { PosContext } from '../core/context';
import { verifyLedger } from '../ledger/verify';
import { authenticate } from '../merchants/authenticate';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../stored-value/top-up';
import { redeemVoucher } from '../vouchers/redeem';
import { voidTransactions } from './void';

const value = 1_000;
let database: TestDatabase;
let merchant: TestMerchant;
let till: PosContext;
let packageId: string;
let serial = 0;

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
  const { owner, db } = database;
  merchant = await createMerchant(owner);
  till = await authenticate(testServices(db), merchant.stores[0].key);
  packageId = await createFixedPackage(owner, merchant.id, { amount: value, bonus: 0 });
});
afterAll(async () => {
  try {
    expect(await verifyLedger(database.owner)).toEqual([]);
  } finally {
    await database.drop();
  }
});

const next = () => `group-${++serial}`;
const told = (result: Promise<{ status: string }>) => result.then(({ status }) => status, codeOf);
const codeOf = (error: { code?: string }) => error.code ?? String(error);

/** With 1,000 minor units. */
async function customerWithValue(): Promise<TestCustomer> {
  const customer = await createCustomer(database.owner, merchant.id);
  await topUp(till, { transactionId: next(), customer: { customerId: customer.id }, packageId });
  return customer;
}

const redeem = ({ id: customerId }: TestCustomer, amount: number, transactionId = next()) =>
  redeemStoredValue(till, { transactionId, customer: { customerId }, amount });

const buy = ({ id: customerId }: TestCustomer) =>
  topUp(till, { transactionId: next(), customer: { customerId }, packageId });

const sell = (header: { transactionId: string; customer: { customerId: string } }) =>
  submitSale(till, {
    ...header,
    lines: [{ plu: 'P', name: 'P', quantity: 1, unitPrice: 1_000, amount: 1_000 }],
    ...{ subtotal: 1_000, discount: 0, serviceCharge: 0, tax: 0, total: 1_000 },
    payments: [{ method: 'cash', amount: 1_000 }],
    closedAt: new Date().toISOString(),
  });

async function principalOf({ id }: TestCustomer): Promise<number> {
  const [row] = await database.owner`select principal::int as principal from balances where customer_id = ${id}`;
  return row?.principal;
}

/** Database transactions that wrote those of the customers. */
async function written(...customers: TestCustomer[]): Promise<number> {
  const [row] = await database.owner`
    select count(distinct xmin::text)::int as count from transactions
    where customer_id = any(${customers.map(({ id }) => id)}) and type = 'redeemStoredValue'`;
  return row?.count;
}

describe('at the same moment', () => {
  test('redemptions from one balance share a database transaction, and take what there is and no more', async () => {
    const customer = await customerWithValue();
    const answers = await Promise.allSettled(Array.from({ length: 30 }, () => redeem(customer, 70)));
    const balances = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? [answer.value.storedValue.balance] : [],
    );
    // Each from what another one left.
    expect(balances.sort((a, b) => b - a)).toEqual(Array.from({ length: 14 }, (_, n) => 930 - 70 * n));
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
    expect(new Set(refusals)).toEqual(new Set(['insufficient_balance']));
    expect(await principalOf(customer)).toBe(20);
    const [completed] = await database.owner`
      select count(distinct xmin::text)::int as groups, count(*)::int as transactions from transactions
      where customer_id = ${customer.id} and type = 'redeemStoredValue' and status = 'completed'`;
    expect(completed?.transactions).toBe(14);
    expect(completed?.groups).toBeLessThan(14);
  });

  test('whatever comes together: each balance is what the answers say, and nothing is spent that is not there', async () => {
    const amounts = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 600 })), { minLength: 2, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(amounts, async (requests) => {
        const customers = await Promise.all([0, 1, 2].map(customerWithValue));
        const left = customers.map(() => value);
        const answers = await Promise.all(
          requests.map(([who, amount]) => told(redeem(customers[who] as TestCustomer, amount))),
        );
        const wanted = customers.map(() => 0);
        for (const [n, [who, amount]] of requests.entries()) {
          wanted[who] = (wanted[who] as number) + amount;
          if (answers[n] === 'completed') left[who] = (left[who] as number) - amount;
          else expect(answers[n]).toBe('insufficient_balance');
        }
        expect(await Promise.all(customers.map(principalOf))).toEqual(left);
        expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
        // Nobody is refused who could have all that they asked for.
        for (const [n, [who]] of requests.entries()) {
          if ((wanted[who] as number) <= value) expect(answers[n]).toBe('completed');
        }
      }),
      { numRuns: 25 },
    );
  });

  test('redemptions of many customers go together, and a blocked one is refused alone', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, customerWithValue));
    const [blocked, ...others] = customers as [TestCustomer, ...TestCustomer[]];
    await blockCustomer(database.owner, blocked.id);
    const answers = await Promise.all(customers.map((customer) => told(redeem(customer, 400))));
    expect(answers).toEqual(['customer_blocked', ...others.map(() => 'completed')]);
    expect(await Promise.all(customers.map(principalOf))).toEqual([value, ...others.map(() => 600)]);
    expect(await written(...others)).toBeLessThan(others.length);
  });

  test('of all kinds go together, and what one of them refuses is refused alone', async () => {
    const { owner } = database;
    const campaignId = await createCampaign(owner, merchant.id, { unit: 'BillDollarValue', value: 300 });
    const customers = await Promise.all(Array.from({ length: 14 }, customerWithValue));
    const ids = customers.map(next);
    const [voidedId, unknownId] = [next(), next()];
    await redeem(customers[12] as TestCustomer, 400, voidedId);
    const codes = await Promise.all(
      customers.map(({ id }) => createVoucher(owner, merchant.id, { campaignId, customerId: id })),
    );
    const answers = await Promise.all([
      ...customers.slice(0, 12).map(async ({ id: customerId }, n) => {
        const header = { transactionId: ids[n] as string, customer: { customerId } };
        if (n % 4 === 0) return told(redeemStoredValue(till, { ...header, amount: n === 4 ? 5_000 : 400 }));
        if (n % 4 === 1) return told(topUp(till, { ...header, packageId }));
        if (n % 4 === 2) return told(sell(header));
        const bill = { amount: n === 7 ? 0 : 1_000 };
        return told(redeemVoucher(till, { ...header, voucherCode: codes[n === 11 ? 0 : n] as string, bill }));
      }),
      told(
        voidTransactions(till, { transactionIds: [voidedId] }).then(({ results: [one] }) => one as { status: string }),
      ),
      told(
        voidTransactions(till, { transactionIds: [unknownId] }).then(({ results: [one] }) => one as { status: string }),
      ),
    ]);
    const refused = { 4: 'insufficient_balance', 7: 'voucher_not_applicable', 11: 'voucher_not_found' };
    expect(answers).toEqual([
      ...ids.slice(0, 12).map((_, n) => (refused as Record<number, string>)[n] ?? 'completed'),
      ...['voided', 'not_found'],
    ]);
    const left = [0, 1, 2, 3].flatMap((kind) => [0, 4, 8].map((n) => ({ n: n + kind, kind })));
    for (const { n, kind } of left) {
      const change = answers[n] === 'completed' ? ([-400, value, 0, 0][kind] as number) : 0;
      expect(await principalOf(customers[n] as TestCustomer), `of ${n}`).toBe(value + change);
    }
    expect(await principalOf(customers[12] as TestCustomer)).toBe(value);
    const groups = await owner`
      select xmin::text as written, array_agg(distinct type::text) as kinds from transactions
      where transaction_id = any(${[...ids, unknownId]}) and status <> 'refused' group by 1`;
    expect(groups.some(({ kinds }) => kinds.length > 2)).toBe(true);
  });

  test('one whose id is taken elsewhere at the very moment is told what became of it; the others are carried out', async () => {
    const { owner } = database;
    const customers = await Promise.all(Array.from({ length: 8 }, customerWithValue));
    const [first, ...others] = customers as [TestCustomer, ...TestCustomer[]];
    const transactionId = next();
    let take = () => {};
    const isTime = new Promise<void>((resolve) => {
      take = resolve;
    });
    let isTaken = () => {};
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve;
    });
    // As a void in another process takes it.
    const elsewhere = owner.begin(async (sql) => {
      await sql`
        insert into transactions (merchant_id, uid, store_id, transaction_id, status, occurred_at, created_at, voided_at)
        values (${merchant.id}, gen_random_uuid(), ${merchant.stores[0].id}, ${transactionId}, 'voided', now(), now(), now())`;
      isTaken();
      await isTime;
    });
    await taken;
    const late = told(redeem(first, 100, transactionId));
    const answers = Promise.all(others.map((customer, n) => told(n % 2 ? redeem(customer, 100) : buy(customer))));
    await vi.waitFor(async () => {
      const [row] = await owner`select count(*)::int as waiting from pg_locks where not granted`;
      expect(row?.waiting).toBeGreaterThan(0);
    });
    take();
    await elsewhere;
    expect(await late).toBe('transaction_voided');
    expect(await answers).toEqual(others.map(() => 'completed'));
    expect(await principalOf(first)).toBe(value);
  });

  test('a transactionId that is used twice happens once, and the others happen', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, customerWithValue));
    const [first, second] = customers as [TestCustomer, TestCustomer];
    const twice = next();
    const copies = Promise.all([told(redeem(first, 100, twice)), told(redeem(first, 100, twice))]);
    const other = told(redeem(second, 100, twice));
    const answers = await Promise.all(customers.slice(2).map((customer) => told(redeem(customer, 100))));
    expect(answers).toEqual(answers.map(() => 'completed'));
    // The id is for whichever of both came first: all of one are told the same, the other that it came too late.
    const [copy, again] = await copies;
    expect(copy).toEqual(again);
    const tooLate = [copy, await other].filter((one) => one === 'transaction_id_conflict');
    expect(tooLate).toHaveLength(1);
    const [row] = await database.owner`
      select count(*)::int as count from transactions where transaction_id = ${twice} and status = 'completed'`;
    expect(row?.count).toBe(1);
  });

  test('one whose balance is locked keeps nobody else waiting', async () => {
    const [locked, also, more] = [await customerWithValue(), await customerWithValue(), await customerWithValue()];
    const free = await Promise.all(Array.from({ length: 10 }, customerWithValue));
    const release = await holdBalances(database.owner, [locked.id, also.id, more.id]);
    let isDone = false;
    const waiting = redeem(locked, 100).finally(() => {
      isDone = true;
    });
    const others = Promise.all([redeem(also, 100), redeem(more, 100), redeem(more, 100)]);
    // Less than a statement waits for a lock.
    const soon = { ...till, db: { ...till.db, deadline: performance.now() + 3_000 } };
    const redeemSoon = ({ id: customerId }: TestCustomer) =>
      redeemStoredValue(soon, { transactionId: next(), customer: { customerId }, amount: 100 });
    await Promise.all(free.map(redeemSoon));
    // And those that come later.
    await Promise.all(free.map(redeemSoon));
    expect(isDone).toBe(false);
    await release();
    expect((await waiting).storedValue.balance).toBe(900);
    expect((await others).map(({ storedValue }) => storedValue.balance).sort()).toEqual([800, 900, 900]);
  });

  test('a group whose commit is carried out and not told of answers what it did, once', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, customerWithValue));
    const { db, lost } = losingAnswers(till.db, 'insert into transactions');
    const losing = { ...till, db };
    const answers = await Promise.all(
      customers.map(({ id: customerId }) =>
        redeemStoredValue(losing, { transactionId: next(), customer: { customerId }, amount: value }),
      ),
    );
    expect(lost.groups).toBeGreaterThan(0);
    expect(answers.map(({ storedValue }) => storedValue.balance)).toEqual(customers.map(() => 0));
    expect(await Promise.all(customers.map(principalOf))).toEqual(customers.map(() => 0));
  });

  test('one that is too late is not carried out, and those that are in time are', async () => {
    const [late, inTime] = [await customerWithValue(), await customerWithValue()];
    const passed = { ...till, db: { ...till.db, deadline: performance.now() } };
    const tooLate = redeemStoredValue(passed, {
      transactionId: next(),
      customer: { customerId: late.id },
      amount: 100,
    });
    const answers = await Promise.allSettled([tooLate, redeem(inTime, 100)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect([await principalOf(late), await principalOf(inTime)]).toEqual([value, 900]);
  });

  test('top-ups of one customer respect the limit of the balance together', async () => {
    const limited = await createMerchant(database.owner, { balance_limit: 2_500 });
    const own = await authenticate(testServices(database.db), limited.stores[0].key);
    const offer = await createFixedPackage(database.owner, limited.id, { amount: value, bonus: 0 });
    const { id: customerId } = await createCustomer(database.owner, limited.id);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        told(topUp(own, { transactionId: next(), customer: { customerId }, packageId: offer })),
      ),
    );
    expect(answers.sort()).toEqual(['balance_limit_exceeded', 'balance_limit_exceeded', 'completed', 'completed']);
  });

  test('sales keep their own lines and payments, with a customer and without', async () => {
    const { id: customerId } = await createCustomer(database.owner, merchant.id);
    const sale = (total: number, plu: string, isKnown: boolean) =>
      submitSale(till, {
        ...{ transactionId: next(), ...(isKnown ? { customer: { customerId } } : {}) },
        lines: [{ plu, name: plu, quantity: 1, unitPrice: total, amount: total }],
        ...{ subtotal: total, discount: 0, serviceCharge: 0, tax: 0, total },
        payments: [{ method: 'cash', amount: total }],
        closedAt: new Date().toISOString(),
      });
    const sold = await Promise.all([sale(1_000, 'P1', true), sale(2_000, 'P2', false), sale(3_000, 'P3', true)]);
    const [first, nobodys, last] = sold;
    expect(nobodys?.points).toBeNull();
    const earned = (first?.pointsEarned ?? 0) + (last?.pointsEarned ?? 0);
    expect(earned).toBeGreaterThan(0);
    expect(Math.max(first?.points?.balance ?? 0, last?.points?.balance ?? 0)).toBe(earned);
    const rows = await database.owner`
      select t.transaction_id, s.total::int as total, l.plu, l.amount::int as amount, p.amount::int as paid
      from transactions t join sales s on s.transaction_uid = t.uid join sale_lines l on l.transaction_uid = t.uid
      join sale_payments p on p.transaction_uid = t.uid
      where t.transaction_id = any(${sold.map(({ transactionId }) => transactionId)}) order by s.total`;
    expect(
      rows.map(({ transaction_id, total, plu, amount, paid }) => [transaction_id, total, plu, amount, paid]),
    ).toEqual(
      sold.map(({ transactionId }, n) => [
        transactionId,
        ...[1_000, 2_000, 3_000].slice(n, n + 1),
        `P${n + 1}`,
        1_000 * (n + 1),
        1_000 * (n + 1),
      ]),
    );
  });

  test('a voucher is used once, and one that does not stack stays alone on its bill', async () => {
    const { owner } = database;
    const campaignId = await createCampaign(owner, merchant.id, { unit: 'BillDollarValue', value: 300 });
    const customers = await Promise.all([1, 2, 3].map(() => createCustomer(owner, merchant.id)));
    const codes = await Promise.all(
      customers.map(({ id }) => createVoucher(owner, merchant.id, { campaignId, customerId: id })),
    );
    const use = (n: number, billId?: string) =>
      told(
        redeemVoucher(till, {
          ...{ transactionId: next(), customer: { customerId: customers[n]?.id as string }, billId },
          ...{ voucherCode: codes[n] as string, bill: { amount: 1_000 } },
        }),
      );
    const sameVoucher = await Promise.all([use(0), use(0), use(0)]);
    expect(sameVoucher.sort()).toEqual(['completed', 'voucher_redeemed', 'voucher_redeemed']);
    const sameBill = await Promise.all([use(1, 'B-7'), use(2, 'B-7')]);
    expect(sameBill.sort()).toEqual(['completed', 'voucher_not_stackable']);
  });
});
