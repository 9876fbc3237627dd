/** Transactions of several merchants at the same moment share a commit, and nothing else. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { appRole, connectDatabase } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { holdBalances, losingAnswers } from '@/server/testing/faults';
import { openingValue, outcomeOf } from '@/server/testing/group-stage';
import { authenticateKey } from '../access/authenticate';
import { balancesByPhone } from '../customers/balances';
import type { PosContext } from '../kernel/context';
import { verifyLedger } from '../ledger/verify';
import { redeemPoints } from '../points/redeem';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from './void';

/** A merchant, one of its customers with a top-up, and its till. */
interface Shop {
  merchantId: string;
  till: PosContext;
  packageId: string;
  customerId: string;
}

const phone = '+6591234567';
const database = ownDatabase();
let serial = 0;
const next = () => `several-${++serial}`;

afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const buy = ({ till, packageId, customerId }: Shop, transactionId = next()) =>
  topUp(till, { transactionId, customer: { customerId }, packageId });
const redeem = ({ till, customerId }: Shop, amount: number, transactionId = next()) =>
  redeemStoredValue(till, { transactionId, customer: { customerId }, amount });
const sell = ({ till, customerId }: Shop) =>
  submitSale(till, {
    transactionId: next(),
    closedAt: new Date().toISOString(),
    customer: { customerId },
    lines: [{ plu: 'P', name: 'P', quantity: 1, unitPrice: 100, amount: 100 }],
    subtotal: 100,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: 100,
    payments: [{ method: 'cash', amount: 100 }],
  });

const spendPoint = (till: PosContext, customerId: string) =>
  redeemPoints(till, { transactionId: next(), customer: { customerId }, points: 1 });

/** All of them have a customer with the same phone number. */
async function shops(count: number, db = database.db): Promise<Shop[]> {
  const { owner } = database;
  const services = testServices(db);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { id: merchantId, stores } = await createMerchant(owner);
      const { id: customerId } = await createCustomer(owner, merchantId);
      await owner`update customers set phone = ${phone} where id = ${customerId}`;
      const packageId = await createFixedPackage(owner, merchantId, { amount: openingValue, bonus: 0 });
      const shop = { merchantId, customerId, packageId, till: await authenticateKey(services, stores[0].key) };
      await buy(shop);
      return shop;
    }),
  );
}

const balanceOf = async ({ till }: Shop) => (await balancesByPhone(till, { phone })).storedValue.balance;
const balances = (all: Shop[]) => Promise.all(all.map(balanceOf));
/** Counts the database transactions that wrote these merchants' redemptions. */
const written = async (all: Shop[]) =>
  (
    await database.owner`
      select distinct xmin::text from transactions
      where merchant_id = any(${all.map(({ merchantId }) => merchantId)}) and type = 'redeemStoredValue'`
  ).length;

test('they share database transactions; each has its own customer, ids, store and outcome', async () => {
  const all = await shops(12);
  // All use the same id, and find their customer by the same number.
  const transactionId = next();
  const redeemByPhone = ({ till }: Shop, amount: number) =>
    redeemStoredValue(till, { transactionId, customer: { phone }, amount });
  const answers = await Promise.all(all.map((shop, n) => outcomeOf(redeemByPhone(shop, n === 3 ? 5_000 : 100 + n))));
  expect(answers).toEqual(all.map((_, n) => (n === 3 ? 'insufficient_balance' : 'completed')));
  expect(await balances(all)).toEqual(all.map((_, n) => (n === 3 ? openingValue : openingValue - 100 - n)));
  expect(await written(all)).toBeLessThan(6);
  // Repeated, each gets its own outcome again.
  const again = await Promise.all(all.map((shop, n) => outcomeOf(redeemByPhone(shop, n === 3 ? 5_000 : 100 + n))));
  expect(again).toEqual(answers);
  expect(await balances(all)).toEqual(all.map((_, n) => (n === 3 ? openingValue : openingValue - 100 - n)));
});

const kinds: Record<string, (shop: Shop) => Promise<{ transactionId: string }>> = {
  topUp: (shop) => buy(shop),
  redeemStoredValue: (shop) => redeem(shop, 100),
  redeemPoints: ({ till, customerId }) => spendPoint(till, customerId),
  sale: sell,
};

test.each(Object.entries(kinds))('each kind shares database transactions: %s, and its void', async (type, record) => {
  const all = await shops(12);
  await Promise.all(all.map(sell));
  const answers = await Promise.all(all.map(record));
  const ids = answers.map(({ transactionId }) => transactionId);
  const shared = async () =>
    (
      await database.owner`select distinct xmin::text from transactions where type = ${type} and transaction_id = any(${ids})`
    ).length;
  expect(await shared()).toBeLessThan(6);
  await Promise.all(all.map(({ till }, n) => voidTransactions(till, { transactionIds: [ids[n] as string] })));
  expect(await shared()).toBeLessThan(6);
});

test('whatever comes together: each balance is what the answers say', async () => {
  const all = await shops(4);
  const request = fc.tuple(fc.nat(3), fc.constantFrom('buy', 'redeem', 'sell'), fc.integer({ min: 1, max: 900 }));
  const left = all.map(() => openingValue);
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 24 }), async (requests) => {
      const answers = await Promise.all(
        requests.map(([who, what, amount]) => {
          const shop = all[who] as Shop;
          return outcomeOf(what === 'buy' ? buy(shop) : what === 'sell' ? sell(shop) : redeem(shop, amount));
        }),
      );
      for (const [n, [who, what, amount]] of requests.entries()) {
        if (answers[n] !== 'completed') expect([what, answers[n]]).toEqual(['redeem', 'insufficient_balance']);
        else if (what !== 'sell') left[who] = (left[who] as number) + (what === 'buy' ? openingValue : -amount);
      }
      expect(await balances(all)).toEqual(left);
    }),
    { numRuns: 25 },
  );
});

test('one merchant whose transactions fail takes nobody with it, and then fails alone', async () => {
  const all = await shops(10);
  const [broken, ...others] = all as [Shop, ...Shop[]];
  const { owner } = database;
  await owner.unsafe(`
    create sequence tries; grant usage on sequence tries to loyalty_app;
    create function break_one() returns trigger language plpgsql as $$ begin
      perform nextval('tries');
      if new.merchant_id = '${broken.merchantId}' then raise exception 'broken'; end if;
      return new;
    end $$;
    create trigger break_one before insert on transactions for each row execute function break_one()`);
  const triesSince = async () => {
    const [row] = await owner`select last_value::int as tries from tries`;
    return row?.tries as number;
  };
  try {
    const round = () => Promise.all(all.map((shop) => outcomeOf(redeem(shop, 10))));
    const expected = ['P0001', ...others.map(() => 'completed')];
    expect(await round()).toEqual(expected);
    const before = await triesSince();
    for (let n = 0; n < 3; n++) {
      expect(await round()).toEqual(expected);
    }
    // No transaction was written a second time because of it.
    expect((await triesSince()) - before).toBe(3 * all.length);
  } finally {
    await owner.unsafe('drop trigger break_one on transactions; drop function break_one; drop sequence tries');
  }
  expect(await balances(all)).toEqual([openingValue, ...others.map(() => openingValue - 40)]);
});

test('one whose writes are stopped takes nobody with it', async () => {
  const all = await shops(8);
  const [leaving, ...others] = all as [Shop, ...Shop[]];
  const { owner } = database;
  await owner`
    insert into merchant_moves (merchant_id, state, cell, stopped_at)
    values (${leaving.merchantId}, 'leaving', 'elsewhere', now())`;
  const answers = await Promise.all([...all, leaving].map((shop) => outcomeOf(redeem(shop, 100))));
  expect(answers).toEqual(['LM001', ...others.map(() => 'completed'), 'LM001']);
  await owner`delete from merchant_moves where merchant_id = ${leaving.merchantId}`;
  expect(await outcomeOf(redeem(leaving, 100))).toBe('completed');
  expect(await balances(all)).toEqual(all.map(() => 900));
});

test('one whose balance is locked, and one that is too late, keep no other merchant waiting', async () => {
  const all = await shops(10);
  const [locked, late, ...others] = all as [Shop, Shop, ...Shop[]];
  const release = await holdBalances(database.owner, [locked.customerId]);
  let isDone = false;
  const waiting = redeem(locked, 100).finally(() => {
    isDone = true;
  });
  const until = (deadline: number) => (shop: Shop) => ({
    ...shop,
    till: { ...shop.till, db: { ...shop.till.db, deadline } },
  });
  const tooLate = outcomeOf(redeem(until(performance.now())(late), 100));
  // Less than a statement's wait for a lock.
  const soon = others.map(until(performance.now() + 3_000));
  const answers = await Promise.all(soon.map((shop) => outcomeOf(redeem(shop, 100))));
  expect(answers).toEqual(others.map(() => 'completed'));
  expect(await tooLate).toContain('DeadlinePassed');
  expect(isDone).toBe(false);
  await release();
  await waiting;
  expect(await balances(all)).toEqual([900, openingValue, ...others.map(() => 900)]);
});

/** Locks rows until the returned function is called. */
async function holdRows(table: string, { merchantId }: Shop): Promise<() => Promise<void>> {
  const holder = await database.owner.reserve();
  await holder`begin`;
  await holder`select from ${holder(table)} where ${holder(table === 'merchants' ? 'id' : 'merchant_id')} = ${merchantId} for update`;
  return async () => {
    await holder`rollback`;
    holder.release();
  };
}

/** Connections whose statements wait for a lock until it is free: who waits for the wrong one waits longer than the test. */
const openPatient = () => connectDatabase(database.url, { role: appRole, statementTimeoutMs: 600_000 });

test.each(['merchants', 'stores', 'customers'])(
  'locked rows of one merchant in %s keep no other waiting',
  async (table) => {
    const db = openPatient();
    const all = await shops(10, db);
    const [locked, ...others] = all as [Shop, ...Shop[]];
    const release = await holdRows(table, locked);
    const waiting: Promise<string>[] = [];
    try {
      for (let round = 0; round < 3; round++) {
        waiting.push(outcomeOf(redeem(locked, 100)));
        const answers = await Promise.all(others.map((shop) => outcomeOf(redeem(shop, 100))));
        expect(answers).toEqual(others.map(() => 'completed'));
      }
    } finally {
      await release();
    }
    expect(await Promise.all(waiting)).toEqual(['completed', 'completed', 'completed']);
    expect(await balances(all)).toEqual(all.map(() => openingValue - 300));
    await db.close();
  },
);

test('a merchant of whom all customers are locked leaves connections to the others', async () => {
  const db = openPatient();
  const [locked, ...others] = (await shops(6, db)) as [Shop, ...Shop[]];
  const { owner } = database;
  const several = await Promise.all(
    Array.from({ length: db.size + 2 }, async () => {
      const { id: customerId } = await createCustomer(owner, locked.merchantId);
      const shop = { ...locked, customerId };
      await buy(shop);
      return shop;
    }),
  );
  const release = await holdBalances(
    owner,
    several.map(({ customerId }) => customerId),
  );
  const waiting = several.map((shop) => outcomeOf(redeem(shop, 100)));
  try {
    for (let round = 0; round < 3; round++) {
      expect(await Promise.all(others.map((shop) => outcomeOf(redeem(shop, 100))))).toEqual(
        others.map(() => 'completed'),
      );
    }
  } finally {
    await release();
  }
  expect(await Promise.all(waiting)).toEqual(several.map(() => 'completed'));
  await db.close();
});

test('one with many requests at once lets the others in between', async () => {
  const [busy, ...others] = (await shops(6)) as [Shop, ...Shop[]];
  const several = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const { id: customerId } = await createCustomer(database.owner, busy.merchantId);
      return { ...busy, customerId };
    }),
  );
  let left = 0;
  const flood = Array.from({ length: 20 }, () => several)
    .flat()
    .map(async (shop) => {
      left += 1;
      const answer = await outcomeOf(buy(shop));
      left -= 1;
      return answer;
    });
  const leftThen = await Promise.all(
    others.map(async (shop) => {
      expect(await outcomeOf(redeem(shop, 100))).toBe('completed');
      return left;
    }),
  );
  // Of 1,200, most are still to come.
  for (const then of leftThen) expect(then).toBeGreaterThan(600);
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['completed']));
});

test('a commit that is carried out and not told of, and a connection that dies: each happens once', async () => {
  const all = await shops(8);
  const { db, lost } = losingAnswers(database.db, 'insert into "transactions"');
  const losing = all.map((shop) => ({ ...shop, till: { ...shop.till, db } }));
  expect(await Promise.all(losing.map((shop) => outcomeOf(redeem(shop, openingValue))))).toEqual(
    all.map(() => 'completed'),
  );
  expect(lost.groups).toBeGreaterThan(0);
  expect(await balances(all)).toEqual(all.map(() => 0));

  await Promise.all(all.map((shop) => buy(shop)));
  const ids = all.map(next);
  const release = await holdBalances(database.owner, [(all[0] as Shop).customerId]);
  const running = all.map((shop, n) => outcomeOf(redeem(shop, 400, ids[n])));
  await database.owner`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = 'loyalty_app' and state <> 'idle'`;
  await release();
  await Promise.all(running);
  // Each till repeats its request, whatever response it got.
  const repeated = await Promise.all(all.map((shop, n) => outcomeOf(redeem(shop, 400, ids[n]))));
  expect(repeated).toEqual(all.map(() => 'completed'));
  expect(await balances(all)).toEqual(all.map(() => openingValue - 400));
});
