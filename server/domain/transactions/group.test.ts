/** Transactions at the same moment: the outcome of each does not depend on its group. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { blockCustomer } from '@/server/testing/factory';
import { holdBalances, losingAnswers } from '@/server/testing/faults';
import { type Customer, codeOf, groupStage, openingValue, outcomeOf } from '@/server/testing/group-stage';
import { redeemStoredValue } from '../stored-value/redeem';

const stage = groupStage();
const { next, customerWithValue, redeem, principalOf } = stage;

/** Counts the database transactions that wrote these customers' transactions. */
async function written(...customers: Customer[]): Promise<number> {
  const [row] = await stage.owner`
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
    // Each started from what another left.
    expect(balances.sort((a, b) => b - a)).toEqual(Array.from({ length: 14 }, (_, n) => 930 - 70 * n));
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
    expect(new Set(refusals)).toEqual(new Set(['insufficient_balance']));
    expect(await principalOf(customer)).toBe(20);
    const [completed] = await stage.owner`
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
        const left = customers.map(() => openingValue);
        const answers = await Promise.all(
          requests.map(([who, amount]) => outcomeOf(redeem(customers[who] as Customer, amount))),
        );
        const wanted = customers.map(() => 0);
        for (const [n, [who, amount]] of requests.entries()) {
          wanted[who] = (wanted[who] as number) + amount;
          if (answers[n] === 'completed') left[who] = (left[who] as number) - amount;
          else expect(answers[n]).toBe('insufficient_balance');
        }
        expect(await Promise.all(customers.map(principalOf))).toEqual(left);
        expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
        // No one is refused who could have the full amount.
        for (const [n, [who]] of requests.entries()) {
          if ((wanted[who] as number) <= openingValue) expect(answers[n]).toBe('completed');
        }
      }),
      { numRuns: 25 },
    );
  });

  test('redemptions of many customers go together, and a blocked one is refused alone', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, customerWithValue));
    const [blocked, ...others] = customers as [Customer, ...Customer[]];
    await blockCustomer(stage.owner, blocked.id);
    const answers = await Promise.all(customers.map((customer) => outcomeOf(redeem(customer, 400))));
    expect(answers).toEqual(['customer_blocked', ...others.map(() => 'completed')]);
    expect(await Promise.all(customers.map(principalOf))).toEqual([openingValue, ...others.map(() => 600)]);
    expect(await written(...others)).toBeLessThan(others.length);
  });

  test('a transactionId that is used twice happens once, and the others happen', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, customerWithValue));
    const [first, second] = customers as [Customer, Customer];
    const twice = next();
    const copies = Promise.all([outcomeOf(redeem(first, 100, twice)), outcomeOf(redeem(first, 100, twice))]);
    const other = outcomeOf(redeem(second, 100, twice));
    const answers = await Promise.all(customers.slice(2).map((customer) => outcomeOf(redeem(customer, 100))));
    expect(answers).toEqual(answers.map(() => 'completed'));
    // The first of the two takes the id. Its copies all get the same response, and the other is refused as too late.
    const [copy, again] = await copies;
    expect(copy).toEqual(again);
    const tooLate = [copy, await other].filter((one) => one === 'transaction_id_conflict');
    expect(tooLate).toHaveLength(1);
    const [row] = await stage.owner`
      select count(*)::int as count from transactions where transaction_id = ${twice} and status = 'completed'`;
    expect(row?.count).toBe(1);
  });

  test('one whose balance is locked keeps nobody else waiting', async () => {
    const [locked, also, more] = [await customerWithValue(), await customerWithValue(), await customerWithValue()];
    const free = await Promise.all(Array.from({ length: 10 }, customerWithValue));
    const release = await holdBalances(stage.owner, [locked.id, also.id, more.id]);
    let isDone = false;
    const waiting = redeem(locked, 100).finally(() => {
      isDone = true;
    });
    const others = Promise.all([redeem(also, 100), redeem(more, 100), redeem(more, 100)]);
    // Less than a statement's wait for a lock.
    const soon = { ...stage.till, db: { ...stage.till.db, deadline: performance.now() + 3_000 } };
    const redeemSoon = ({ id: customerId }: Customer) =>
      redeemStoredValue(soon, { transactionId: next(), customer: { customerId }, amount: 100 });
    await Promise.all(free.map(redeemSoon));
    // Later ones, too.
    await Promise.all(free.map(redeemSoon));
    expect(isDone).toBe(false);
    await release();
    expect((await waiting).storedValue.balance).toBe(900);
    expect((await others).map(({ storedValue }) => storedValue.balance).sort()).toEqual([800, 900, 900]);
  });

  test('a group whose commit is carried out and not told of answers what it did, once', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, customerWithValue));
    const { db, lost } = losingAnswers(stage.till.db, 'insert into "transactions"');
    const losing = { ...stage.till, db };
    const answers = await Promise.all(
      customers.map(({ id: customerId }) =>
        redeemStoredValue(losing, { transactionId: next(), customer: { customerId }, amount: openingValue }),
      ),
    );
    expect(lost.groups).toBeGreaterThan(0);
    expect(answers.map(({ storedValue }) => storedValue.balance)).toEqual(customers.map(() => 0));
    expect(await Promise.all(customers.map(principalOf))).toEqual(customers.map(() => 0));
  });

  test('one that has waited long is refused while there is time to say so', async () => {
    const locked = await customerWithValue();
    const release = await holdBalances(stage.owner, [locked.id]);
    const first = redeem(locked, 100);
    // The customer's next requests wait for it.
    await redeem(await customerWithValue(), 1);
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const soon = { ...stage.till, db: { ...stage.till.db, deadline: performance.now() + 3_000 } };
      let isRefused = false;
      const second = redeemStoredValue(soon, {
        transactionId: next(),
        customer: { customerId: locked.id },
        amount: 100,
      }).catch(() => {
        isRefused = true;
      });
      // By now it waits.
      await redeem(await customerWithValue(), 1);
      vi.advanceTimersByTime(1_900);
      await redeem(await customerWithValue(), 1);
      expect(isRefused).toBe(false);
      vi.advanceTimersByTime(101);
      await redeem(await customerWithValue(), 1);
      await second;
      expect(isRefused).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    await release();
    await first;
    expect(await principalOf(locked)).toBe(900);
  });

  test('one that is too late is not carried out, and those that are in time are', async () => {
    const [late, inTime] = [await customerWithValue(), await customerWithValue()];
    const passed = { ...stage.till, db: { ...stage.till.db, deadline: performance.now() } };
    const tooLate = redeemStoredValue(passed, {
      transactionId: next(),
      customer: { customerId: late.id },
      amount: 100,
    });
    const answers = await Promise.allSettled([tooLate, redeem(inTime, 100)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect([await principalOf(late), await principalOf(inTime)]).toEqual([openingValue, 900]);
  });
});
