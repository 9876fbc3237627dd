import { afterEach, expect, test } from 'vitest';
import { clockAhead } from '@/server/domain/kernel/clock';
import { createCustomer, createFixedPackage } from '@/server/testing/factory';
import { codeOf, groupStage, openingValue, outcomeOf } from '@/server/testing/group-stage';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { topUp } from '../top-ups/top-up';
import { topUpByStaff } from '../top-ups/top-up-by-staff';

const stage = groupStage();

const limitTo = (limits: Record<string, number | null>) =>
  stage.owner`update merchants set ${stage.owner(limits)} where id = ${stage.merchant.id}`;
const none = {
  earning_sale_limit: null,
  customer_daily_points: null,
  customer_daily_value: null,
  key_daily_points: null,
  key_daily_value: null,
};
afterEach(async () => {
  await limitTo(none);
});

const newCustomer = () => createCustomer(stage.owner, stage.merchant.id);
/** Limits apply from the next request on: each request reads them with its key. */
const till = (key = stage.merchant.stores[0].key) => authenticateKey(stage.till, key);
const sell = async (total: number, customerId?: string, ctx = till()) =>
  submitSale(await ctx, {
    transactionId: stage.next(),
    closedAt: new Date().toISOString(),
    ...(customerId ? { customer: { customerId } } : {}),
    lines: [{ plu: 'P', name: 'P', quantity: 1, unitPrice: total, amount: total }],
    subtotal: total,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total,
    payments: [{ method: 'cash', amount: total }],
  });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'completed',
    ({ code, details }) => ({ code, details }),
  );
const pointsOf = async (customerId: string): Promise<number> => {
  const [row] = await stage.owner`select points::int from balances where customer_id = ${customerId}`;
  return row?.points;
};

test('a sale above the limit earns nothing and is refused for good; without a customer it is kept', async () => {
  await limitTo({ earning_sale_limit: 1_000_000 });
  const { id } = await newCustomer();
  const ctx = await till();
  const transactionId = stage.next();
  const sale = {
    transactionId,
    closedAt: new Date().toISOString(),
    customer: { customerId: id },
    lines: [{ plu: 'P', name: 'P', quantity: 1, unitPrice: 99_999_999_999, amount: 99_999_999_999 }],
    subtotal: 99_999_999_999,
    discount: 0,
    serviceCharge: 0,
    tax: 0,
    total: 99_999_999_999,
    payments: [{ method: 'cash', amount: 99_999_999_999 }],
  };
  const refused = {
    code: 'limit_exceeded',
    details: { limit: 'earningSaleLimit', maximum: 1_000_000, requested: 99_999_999_999 },
  };
  expect(await refusalOf(submitSale(ctx, sale))).toEqual(refused);
  expect(await refusalOf(submitSale(ctx, sale))).toEqual(refused);
  expect(await pointsOf(id)).toBe(0);
  expect(await outcomeOf(sell(99_999_999_999))).toBe('completed');
  expect(await outcomeOf(sell(1_000_000, id))).toBe('completed');
});

test('a customer gets no more points in a day than the limit, from tills that send at once; the next day counts anew', async () => {
  await limitTo({ customer_daily_points: 100 });
  const { id } = await newCustomer();
  const sales = Array.from({ length: 12 }, (_, n) =>
    outcomeOf(sell(2_000, id, till(stage.merchant.stores[n % 2 ? 0 : 1].key))),
  );
  const answers = await Promise.all(sales);
  expect(answers.filter((answer) => answer === 'completed')).toHaveLength(5);
  expect(answers.filter((answer) => answer === 'limit_exceeded')).toHaveLength(7);
  expect(await pointsOf(id)).toBe(100);
  expect(await refusalOf(sell(100, id))).toEqual({
    code: 'limit_exceeded',
    details: { limit: 'customerDailyPoints', maximum: 100, used: 100 },
  });
  const tomorrow = clockAhead(stage.till.clock, 24 * 60 * 60);
  const ctx = till().then((now) => ({ ...now, clock: tomorrow }));
  expect(await outcomeOf(sell(10_000, id, ctx))).toBe('completed');
  expect(await codeOfRefusal(sell(100, id, ctx))).toBe('limit_exceeded');
});

const codeOfRefusal = (work: Promise<{ status: string }>) => work.then(({ status }) => status, codeOf);

test('a customer gets no more stored value in a day than the limit', async () => {
  await limitTo({ customer_daily_value: 2 * openingValue });
  const customer = await newCustomer();
  const packageId = await createFixedPackage(stage.owner, stage.merchant.id, { amount: openingValue, bonus: 0 });
  const buy = async () =>
    topUp(await till(), { transactionId: stage.next(), customer: { customerId: customer.id }, packageId });
  expect(await Promise.all([buy(), buy(), buy()].map(outcomeOf)).then((answers) => answers.sort())).toEqual([
    'completed',
    'completed',
    'limit_exceeded',
  ]);
  expect(await stage.principalOf(customer)).toBe(2 * openingValue);
});

test('a key gives no more points in a day than the limit, whoever gets them and however many requests it sends at once', async () => {
  const { key } = stage.merchant.stores[0];
  const [given] = await stage.owner`
    select coalesce(sum(points), 0)::int as points from api_key_days where merchant_id = ${stage.merchant.id}`;
  await limitTo({ key_daily_points: given?.points + 100 });
  const customers = await Promise.all(Array.from({ length: 12 }, newCustomer));
  const answers = await Promise.all(customers.map(({ id }) => outcomeOf(sell(2_000, id, till(key)))));
  expect(answers.filter((answer) => answer === 'completed')).toHaveLength(5);
  expect(answers.filter((answer) => answer === 'limit_exceeded')).toHaveLength(7);
  const held = await Promise.all(customers.map(({ id }) => pointsOf(id)));
  expect(held.reduce((sum, points) => sum + points, 0)).toBe(100);
  // A limit that is known to be used up refuses without a try. A raised limit applies at once.
  const [{ id } = { id: '' }] = customers;
  expect(await refusalOf(sell(2_000, id, till(key)))).toMatchObject({ code: 'limit_exceeded' });
  await limitTo({ key_daily_points: given?.points + 120 });
  expect(await outcomeOf(sell(2_000, id, till(key)))).toBe('completed');
  // Another key has its own daily limit.
  expect(await outcomeOf(sell(2_000, id, till(stage.merchant.stores[1].key)))).toBe('completed');
});

test('staff learn of a limit that was met once a day, not once a request', async () => {
  await limitTo({ customer_daily_points: 1 });
  const { id } = await newCustomer();
  for (let n = 0; n < 3; n++) expect(await outcomeOf(sell(2_000, id))).toBe('limit_exceeded');
  const rows = await stage.owner`
    select actor_kind, after from audit_log where subject_id = ${id} and action = 'limit.exceeded'`;
  expect(rows).toHaveLength(1);
  expect(JSON.parse(rows[0]?.after)).toEqual({ customerDailyPoints: 1, attemptedPoints: 20 });
  const [{ reported } = { reported: 0 }] = await stage.owner`
    select count(*)::int as reported from audit_log
    where merchant_id = ${stage.merchant.id} and action = 'limit.exceeded'`;
  const owner = await createStaff(stage.owner, stage.till, stage.merchant.id, 'owner');
  expect((await callAs(owner).home.attention()).limitsReached).toBe(reported);
});

test('what staff take at the counter counts for the customer’s day, too', async () => {
  await limitTo({ customer_daily_value: openingValue });
  const { id: customerId } = await newCustomer();
  const packageId = await createFixedPackage(stage.owner, stage.merchant.id, { amount: openingValue, bonus: 0 });
  const cashier = await createStaff(stage.owner, stage.till, stage.merchant.id, 'cashier');
  const ctx = { ...cashier, merchant: (await till()).merchant };
  const storeId = stage.merchant.stores[0].id;
  const input = { customerId, storeId, packageId, amount: null, paymentMethod: 'cash' } as const;
  await topUpByStaff(ctx, { ...input, topUpId: newId() });
  for (let n = 0; n < 2; n++) {
    expect(await refusalOf(topUpByStaff(ctx, { ...input, topUpId: newId() }))).toEqual({
      code: 'limit_exceeded',
      details: { limit: 'customerDailyValue', maximum: openingValue, used: openingValue },
    });
  }
  const { message } = await topUpByStaff(ctx, { ...input, topUpId: newId() }).catch((error) => error);
  expect(message).toMatch(/give the payment back.* and this one 0\.00 SGD more today/);
  // Recorded like a till's refusals, and counted on Home.
  const rows = await stage.owner`
    select actor_kind, actor_id, after from audit_log where subject_id = ${customerId} and action = 'limit.exceeded'`;
  expect(rows).toMatchObject([{ actor_kind: 'staff', actor_id: cashier.staff.userId }]);
  expect(JSON.parse(rows[0]?.after)).toEqual({ customerDailyValue: openingValue, attemptedValue: openingValue });
});
