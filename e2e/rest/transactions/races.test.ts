/** Concurrent requests, over real connections: each ends as if they had come one after the other. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, createFixedPackage, createMerchant, type TestCustomer } from '@/server/testing/factory';
import { type Answer, createScene, ledgerViolations, newTransactionId, restApi, type Scene } from '../harness';

const topUpPath = '/transactions/stored-value/top-up';
const redeemPath = '/transactions/stored-value/redeem';
const voidPath = '/transactions/void';

const api = restApi();
let scene: Scene;
let packageId: string;

beforeAll(async () => {
  // A deadlock is resolved and retried behind the scenes: here it lasts until the statement's time-out, and shows as 503.
  await api.owner.unsafe(`do $$ begin execute format('alter database %I set deadlock_timeout = ''30s''',
    current_database()); end $$`);
  scene = await createScene(api);
  packageId = await createFixedPackage(api.owner, scene.merchant.id, { amount: 1_000, bonus: 200 });
});

afterEach(async () => {
  expect(await ledgerViolations(api)).toEqual([]);
});

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const statuses = (answers: Answer[]) => tally(answers.map(({ status }) => status));
const codes = (answers: Answer[]) => tally(answers.map(({ body }) => body.error?.code ?? body.status));

function tally(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** A customer with so many top-ups of 10.00 and 2.00 bonus. */
async function fundedCustomer(topUps = 1): Promise<TestCustomer & { topUps: string[] }> {
  const customer = await createCustomer(api.owner, scene.merchant.id);
  const ids = times(topUps, newTransactionId);
  for (const transactionId of ids) {
    const answer = await api.post(scene.key, topUpPath, {
      transactionId,
      customer: { phone: customer.phone },
      packageId,
    });
    expect(answer.status).toBe(200);
  }
  return { ...customer, topUps: ids };
}

async function balanceOf(customer: TestCustomer): Promise<number> {
  const { body } = await api.get(scene.key, `/customers/phone/${encodeURIComponent(customer.phone)}/balances`);
  return body.storedValue.balance;
}

const redeem = (customer: TestCustomer, amount: number, transactionId = newTransactionId()) =>
  api.post(scene.key, redeemPath, { transactionId, customer: { customerId: customer.id }, amount });
const voidIds = (transactionIds: string[]) => api.post(scene.key, voidPath, { transactionIds });

describe('redeems on one balance', () => {
  test('60 concurrent: exactly the funded ones succeed', async () => {
    const customer = await fundedCustomer(3);
    const answers = await Promise.all(times(60, () => redeem(customer, 100)));
    expect(statuses(answers)).toEqual({ 200: 36, 402: 24 });
    expect(codes(answers)).toEqual({ completed: 36, insufficient_balance: 24 });
    // Each saw the balance that the one before it left behind.
    const left = answers.filter(({ status }) => status === 200).map(({ body }) => body.storedValue.balance);
    expect(left.sort((a, b) => a - b)).toEqual(times(36, (i) => i * 100));
    expect(await balanceOf(customer)).toBe(0);
  });

  test('20 concurrent with allowPartial: together they take the whole balance, and no more', async () => {
    const customer = await fundedCustomer();
    const answers = await Promise.all(
      times(20, () =>
        api.post(scene.key, redeemPath, {
          transactionId: newTransactionId(),
          customer: { customerId: customer.id },
          amount: 500,
          allowPartial: true,
        }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 200).map(({ body }) => body.amountRedeemed);
    expect(taken.sort((a, b) => b - a)).toEqual([500, 500, 200]);
    expect(codes(answers)).toEqual({ completed: 3, insufficient_balance: 17 });
    expect(await balanceOf(customer)).toBe(0);
  });
});

describe('30 copies of one request', () => {
  const replays = (answers: Answer[]) => answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');

  test('a funded redeem is executed once, and all get the same response', async () => {
    const customer = await fundedCustomer();
    const transactionId = newTransactionId();
    const answers = await Promise.all(times(30, () => redeem(customer, 700, transactionId)));
    expect(statuses(answers)).toEqual({ 200: 30 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(replays(answers)).toHaveLength(29);
    expect(await balanceOf(customer)).toBe(500);
  });

  test('a top-up is executed once', async () => {
    const customer = await createCustomer(api.owner, scene.merchant.id);
    const body = { transactionId: newTransactionId(), customer: { email: customer.email }, packageId };
    const answers = await Promise.all(times(30, () => api.post(scene.key, topUpPath, body)));
    expect(statuses(answers)).toEqual({ 200: 30 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(replays(answers)).toHaveLength(29);
    expect(await balanceOf(customer)).toBe(1_200);
  });

  test('an underfunded redeem is refused once, and stays refused', async () => {
    const customer = await fundedCustomer();
    const transactionId = newTransactionId();
    const answers = await Promise.all(times(30, () => redeem(customer, 1_201, transactionId)));
    expect(codes(answers)).toEqual({ insufficient_balance: 30 });
    expect(replays(answers)).toHaveLength(29);
    const meanings = answers.map(({ body: { error } }) => JSON.stringify({ ...error, requestId: '' }));
    expect(new Set(meanings).size).toBe(1);
    const [{ count }] = await api.owner<[{ count: number }]>`
      select count(*)::int from transactions where transaction_id = ${transactionId}`;
    expect(count).toBe(1);
    expect(await balanceOf(customer)).toBe(1_200);
  });

  test('of two different requests with one id, one is executed and the other is a conflict', async () => {
    const customer = await fundedCustomer();
    const transactionId = newTransactionId();
    const answers = await Promise.all(times(30, (i) => redeem(customer, i % 2 === 0 ? 300 : 400, transactionId)));
    expect(codes(answers)).toEqual({ completed: 15, transaction_id_conflict: 15 });
    expect(replays(answers)).toHaveLength(14);
    const winner = answers.find(({ status }) => status === 200)?.body.amountRedeemed;
    expect(await balanceOf(customer)).toBe(1_200 - winner);
  });
});

describe('void against its original', () => {
  /** Either order is right, and nothing else: 200 and voided afterwards, or refused and never carried out. */
  function expectConsistent(original: Answer, voided: Answer): void {
    expect(voided.status).toBe(200);
    const [{ status }] = voided.body.results;
    if (original.status === 200) {
      expect(status).toBe('voided');
    } else {
      expect([original.status, original.body.error.code]).toEqual([402, 'transaction_voided']);
      expect(status).toBe('not_found');
    }
  }

  test('a redeem, 40 times: voided after completion or refused, with the full balance at the end', async () => {
    const customers = await Promise.all(times(40, () => fundedCustomer()));
    await Promise.all(
      customers.map(async (customer, i) => {
        const id = newTransactionId();
        const race = [() => redeem(customer, 900, id), () => voidIds([id])];
        const [first, second] = await Promise.all((i % 2 === 0 ? race : race.reverse()).map((send) => send()));
        const [original, voided] = (i % 2 === 0 ? [first, second] : [second, first]) as [Answer, Answer];
        expectConsistent(original, voided);
        expect(await balanceOf(customer)).toBe(1_200);
        const late = await redeem(customer, 900, id);
        expect(late.body.error.code).toBe('transaction_voided');
        const state = await api.get(scene.key, `/transactions/${id}`);
        expect(state.body.status).toBe('voided');
      }),
    );
  });

  test('a redeem in progress when its id is voided is refused, and takes nothing', async () => {
    const customer = await fundedCustomer();
    const id = newTransactionId();
    let underWay: Promise<Answer> | undefined;
    await api.owner.begin(async (tx) => {
      await tx`select from balances where customer_id = ${customer.id} for update`;
      underWay = redeem(customer, 900, id);
      await expect.poll(() => waitingForBalances(), { interval: 10 }).toBeGreaterThan(0);
      const { body } = await voidIds([id]);
      expect(body.results).toEqual([{ transactionId: id, status: 'not_found' }]);
    });
    const original = await underWay;
    expect([original?.status, original?.body.error.code]).toEqual([402, 'transaction_voided']);
    expect(await balanceOf(customer)).toBe(1_200);
  });

  async function waitingForBalances(): Promise<number> {
    const [{ count }] = await api.owner<[{ count: number }]>`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from "balances"%'`;
    return count;
  }

  test('a top-up against its void and a redeem of its value: nothing is spent twice', async () => {
    await Promise.all(
      times(20, async () => {
        const customer = await fundedCustomer();
        const [redeemed, voided] = await Promise.all([redeem(customer, 1_200), voidIds(customer.topUps)]);
        if (redeemed.status === 200) {
          expect(voided.status).toBe(402);
          expect(voided.body.error.details.blocking).toMatchObject([
            { transactionId: customer.topUps[0], code: 'top_up_spent', spentBy: [{ type: 'redeemStoredValue' }] },
          ]);
        } else {
          expect([redeemed.body.error.code, voided.status]).toEqual(['insufficient_balance', 200]);
        }
        expect(await balanceOf(customer)).toBe(0);
      }),
    );
  });
});

describe('batches of voids in opposite order', () => {
  test('of several customers, known and unknown ids: no deadlock, each voided once', async () => {
    for (let round = 0; round < 5; round++) {
      const customers = await Promise.all(times(8, () => fundedCustomer()));
      const redeems = await Promise.all(customers.map((customer) => redeem(customer, 500)));
      const known = [...redeems.map(({ body }) => body.transactionId), ...customers.flatMap(({ topUps }) => topUps)];
      const unknown = times(8, newTransactionId);
      const ids = times(8, (i) => [known[i], unknown[i], known[i + 8]] as string[]).flat();
      const batches = await Promise.all([ids, ids.toReversed(), ids, ids.toReversed()].map(voidIds));
      expect(statuses(batches)).toEqual({ 200: 4 });
      const results = batches.flatMap(({ body }) => body.results as { transactionId: string; status: string }[]);
      for (const id of ids) {
        const of = tally(results.filter(({ transactionId }) => transactionId === id).map(({ status }) => status));
        expect(of).toEqual({ [known.includes(id) ? 'voided' : 'not_found']: 1, already_voided: 3 });
      }
      expect(await Promise.all(customers.map(balanceOf))).toEqual(times(8, () => 0));
    }
  });
});

test('batches of unknown ids, in opposite order: no deadlock, each recorded once', async () => {
  for (let round = 0; round < 5; round++) {
    const ids = times(100, newTransactionId);
    const batches = await Promise.all([ids, ids.toReversed(), ids, ids.toReversed()].map(voidIds));
    expect(statuses(batches)).toEqual({ 200: 4 });
    const results = batches.flatMap(({ body }) => body.results as { status: string }[]);
    expect(tally(results.map(({ status }) => status))).toEqual({ not_found: 100, already_voided: 300 });
  }
});

test('concurrent top-ups never lift a balance over its limit', async () => {
  const merchant = await createMerchant(api.owner, { balance_limit: 5_000 });
  const limited = await createFixedPackage(api.owner, merchant.id, { amount: 1_000, bonus: 200 });
  const customer = await createCustomer(api.owner, merchant.id);
  const [{ key }] = merchant.stores;
  const answers = await Promise.all(
    times(20, () =>
      api.post(key, topUpPath, {
        transactionId: newTransactionId(),
        customer: { phone: customer.phone },
        packageId: limited,
      }),
    ),
  );
  expect(codes(answers)).toEqual({ completed: 4, balance_limit_exceeded: 16 });
  const { body } = await api.get(key, `/customers/phone/${encodeURIComponent(customer.phone)}/balances`);
  expect(body.storedValue).toMatchObject({ balance: 4_800, principal: 4_000, bonus: 800 });
});

test('20 concurrent enrolments of one phone number create one customer', async () => {
  const phone = '+6591000777';
  const answers = await Promise.all(
    times(20, (i) => api.post(scene.key, '/customers', { givenName: `Copy ${i}`, lastName: 'Tan', phone })),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 402: 19 });
  const enrolled = answers.find(({ status }) => status === 200)?.body.customerId;
  for (const { body } of answers.filter(({ status }) => status === 402)) {
    expect(body.error).toMatchObject({ code: 'customer_exists', details: { customerId: enrolled } });
  }
  const { body } = await api.get(scene.key, `/customers/phone/${encodeURIComponent(phone)}/balances`);
  expect(body).toMatchObject({ customer: { customerId: enrolled }, storedValue: { balance: 0 } });
});
