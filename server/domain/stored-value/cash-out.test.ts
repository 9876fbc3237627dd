import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { openStage } from '@/server/testing/transaction-stage';
import { newId } from '../kernel/ids';
import { maxMoney } from '../kernel/schemas';
import { verifyLedger } from '../ledger/verify';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { cashOut } from './cash-out';
import { redeemStoredValue } from './redeem';
import { type CashableLot, cashOutOf, payableOf } from './rules';

const database = sharedDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database);
});
beforeEach(() => stage.newCustomer());
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'completed',
    ({ code }) => code as string,
  );
const paid = async () => {
  const input = stage.next();
  await topUp(stage.north, { ...input, packageId: stage.packageId });
  return input.transactionId;
};
const input = (amount?: number) => ({
  cashOutId: newId(),
  customerId: stage.customer().id,
  storeId: stage.merchant.stores[0].id,
  amount: amount ?? 10_000,
  paymentMethod: 'cash' as const,
  reason: 'Moves abroad',
});

describe('what a cash-out takes', () => {
  const amounts = fc.integer({ min: 1, max: maxMoney });
  const lot = fc.record({
    lotId: fc.uuid(),
    remaining: amounts,
    bonusLotId: fc.option(fc.uuid()),
    bonusRemaining: amounts,
  });

  test('is exactly the amount, and never more bonus than its share', () => {
    fc.assert(
      fc.property(fc.array(lot, { minLength: 1, maxLength: 5 }), fc.nat(), (lots: CashableLot[], at) => {
        const amount = 1 + (at % payableOf(lots));
        const taken = cashOutOf(lots, amount, false);
        const of = (id: string | null) =>
          taken.filter(({ lotId }) => lotId === id).reduce((sum, { amount: one }) => sum + BigInt(one), 0n);
        expect(lots.reduce((sum, { lotId }) => sum + of(lotId), 0n)).toBe(BigInt(amount));
        for (const { lotId, remaining, bonusLotId, bonusRemaining } of lots.filter(({ bonusLotId: id }) => id)) {
          const exact = of(lotId) * BigInt(bonusRemaining);
          const lapsed = of(bonusLotId) * BigInt(remaining);
          expect(lapsed <= exact && exact - lapsed < BigInt(remaining)).toBe(true);
        }
        expect(cashOutOf(lots, amount, true).every(({ part }) => part === 'principal')).toBe(true);
      }),
    );
  });
});

describe('at the same moment', () => {
  test('cash-outs and redemptions at two tills never take more than there is', async () => {
    for (let round = 0; round < 10; round++) {
      await stage.newCustomer();
      await paid();
      const outcomes = await Promise.all([
        outcomeOf(cashOut(stage.north, { ...stage.next() })),
        outcomeOf(redeemStoredValue(stage.south, { ...stage.next(), amount: 7_000 })),
        outcomeOf(cashOut(stage.south, { ...stage.next(), amount: 6_000 })),
        outcomeOf(redeemStoredValue(stage.north, { ...stage.next(), amount: 6_000 })),
      ]);
      expect(outcomes).toContain('completed');
      expect(outcomes.every((one) => ['completed', 'insufficient_balance'].includes(one))).toBe(true);
      const { principal, bonus } = await stage.held();
      expect(Math.min(principal, bonus)).toBeGreaterThanOrEqual(0);
    }
  });

  test('a cash-out and the void of its top-up: the money leaves once', async () => {
    for (let round = 0; round < 10; round++) {
      await stage.newCustomer();
      const transactionId = await paid();
      const outcomes = await Promise.all([
        outcomeOf(cashOut(stage.south, { ...stage.next() })),
        outcomeOf(voidTransactions(stage.north, { transactionIds: [transactionId] })),
      ]);
      expect([
        ['completed', 'void_refused'],
        ['insufficient_balance', 'completed'],
      ]).toContainEqual(outcomes);
      expect(await stage.held()).toEqual({ principal: 0, bonus: 0, points: 0 });
    }
  });

  test('copies of one cash-out pay once', async () => {
    await paid();
    const one = { ...stage.next(), amount: 4_000 };
    const answers = await Promise.all(Array.from({ length: 6 }, () => cashOut(stage.north, one)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await stage.held()).toMatchObject({ principal: 6_000, bonus: 1_200 });
  });

  test('copies of a manager’s cash-out pay once', async () => {
    await paid();
    const one = input(4_000);
    const all = await Promise.all(Array.from({ length: 6 }, () => callAs(stage.manager).customers.cashOut(one)));
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(1);
    expect(await stage.held()).toMatchObject({ principal: 6_000 });
  });
});

describe('a void', () => {
  test('of a cash-out gives the value back, with its bonus', async () => {
    await paid();
    const one = stage.next();
    await cashOut(stage.north, { ...one, amount: 2_500 });
    expect(await stage.held()).toMatchObject({ principal: 7_500, bonus: 1_500 });
    const { results } = await voidTransactions(stage.north, { transactionIds: [one.transactionId] });
    expect(results[0]).toMatchObject({
      status: 'voided',
      type: 'cashOut',
      effect: { returned: { principal: 2_500, bonus: 500 } },
    });
    expect(await stage.held()).toMatchObject({ principal: 10_000, bonus: 2_000 });
  });

  test('of the top-up is refused while a cash-out stands, and both are voided together', async () => {
    const topUpId = await paid();
    const one = stage.next();
    await cashOut(stage.north, { ...one, amount: 2_500 });
    expect(await outcomeOf(voidTransactions(stage.north, { transactionIds: [topUpId] }))).toBe('void_refused');
    await voidTransactions(stage.north, { transactionIds: [topUpId, one.transactionId] });
    expect(await stage.held()).toEqual({ principal: 0, bonus: 0, points: 0 });
    expect(await outcomeOf(cashOut(stage.north, { ...stage.next() }))).toBe('insufficient_balance');
    expect(await outcomeOf(cashOut(stage.north, { ...stage.next(), topUpTransactionId: topUpId }))).toBe(
      'insufficient_balance',
    );
  });
});

describe('after a merge', () => {
  const topUpTwice = async () => {
    await paid();
    await paid();
    await redeemStoredValue(stage.north, { ...stage.next(), amount: 6_000 });
    return stage.customer();
  };
  const boss = async () => callAs(await createStaff(database.owner, stage.manager, stage.merchant.id, 'owner'));
  const cashOutOf = async ({ id }: { id: string }, amount?: number) => {
    const request = { ...stage.next(), customer: { customerId: id }, ...(amount === undefined ? {} : { amount }) };
    const { amountPaidOut, bonusLapsed } = await cashOut(stage.north, request);
    return { amountPaidOut, bonusLapsed };
  };

  test.each(['a merge', 'two merges', 'an undone merge'])('%s changes nothing of what lapses', async (kind) => {
    const parts = [3_000, 4_321, undefined];
    const plain = await topUpTwice();
    const expected = [];
    for (const part of parts) expected.push(await cashOutOf(plain, part));
    await stage.newCustomer();
    const merged = await topUpTwice();
    const owner = await boss();
    const [other, third] = [
      await createCustomer(database.owner, stage.merchant.id),
      await createCustomer(database.owner, stage.merchant.id),
    ];
    await owner.customers.merge({ keptId: other.id, mergedId: merged.id });
    if (kind === 'two merges') await owner.customers.merge({ keptId: third.id, mergedId: other.id });
    if (kind === 'an undone merge') await owner.customers.undoMerge({ mergedId: merged.id });
    const found = [];
    for (const part of parts) found.push(await cashOutOf(merged, part));
    expect(found).toEqual(expected);
    expect(found.reduce((sum, { bonusLapsed }) => sum + bonusLapsed, 0)).toBeGreaterThan(0);
  });
});

describe('the list', () => {
  test('finds cash-outs by type and status, without ids that were voided unseen', async () => {
    await paid();
    const [kept, voided] = [stage.next(), stage.next()];
    await cashOut(stage.north, { ...kept, amount: 100 });
    await cashOut(stage.north, { ...voided, amount: 100 });
    await voidTransactions(stage.north, { transactionIds: [voided.transactionId, `unseen-${newId()}`] });
    const uids = [await stage.uidOf(kept.transactionId), await stage.uidOf(voided.transactionId)];
    const list = async (filter: object) =>
      (await callAs(stage.manager).transactions.list({ ...filter, limit: 50 })).items.filter(({ uid }) =>
        uids.includes(uid),
      );
    const all = (await callAs(stage.manager).transactions.list({ type: 'cashOut', limit: 50 })).items;
    expect(all.every(({ type }) => type === 'cashOut')).toBe(true);
    expect((await list({ type: 'cashOut' })).map(({ status }) => status)).toEqual(['voided', 'completed']);
    expect((await list({ type: 'cashOut', status: 'voided' })).map(({ uid }) => uid)).toEqual([uids[1]]);
    expect((await list({ status: 'voided' })).map(({ uid }) => uid)).toEqual([uids[1]]);
    expect((await list({ storeId: stage.merchant.stores[0].id })).length).toBe(2);
    expect(await list({ type: 'topUp' })).toEqual([]);
  });
});

describe('in the back office', () => {
  test('a manager pays out, with receipt, author and audit entry', async () => {
    await paid();
    const { customerId } = input();
    expect(await callAs(stage.manager).customers.cashOutPreview({ customerId })).toMatchObject({
      lots: [{ remaining: 10_000, bonusRemaining: 2_000 }],
      keepsBonus: false,
    });
    const { uid, answer } = await callAs(stage.manager).customers.cashOut(input());
    expect(answer).toMatchObject({ amountPaidOut: 10_000, bonusLapsed: 2_000, storedValue: { balance: 0 } });
    expect(await callAs(stage.manager).transactions.get({ uid })).toMatchObject({
      type: 'cashOut',
      store: { name: 'Store NORTH' },
      storedValue: -12_000,
      billAmount: 10_000,
      taken: { by: 'Test manager', paymentMethod: 'cash' },
    });
    const [audited] = await database.owner`
      select action, after from audit_log where subject_id = ${customerId} order by id desc limit 1`;
    expect({ ...audited, after: JSON.parse(audited?.after) }).toMatchObject({
      action: 'customer.cashOut',
      after: { amount: 10_000, bonusLapsed: 2_000, paymentMethod: 'cash', reason: 'Moves abroad' },
    });
  });

  test('the same id for another amount is a conflict, and a cashier may not', async () => {
    await paid();
    const one = input(1_000);
    await callAs(stage.manager).customers.cashOut(one);
    await expect(callAs(stage.manager).customers.cashOut({ ...one, amount: 2_000 })).rejects.toMatchObject({
      cause: { code: 'transaction_id_conflict' },
    });
    const cashier = await createStaff(database.owner, stage.manager, stage.merchant.id, 'cashier');
    await expect(callAs(cashier).customers.cashOut(input(1_000))).rejects.toThrow();
  });
});

test('the bonus stays where the merchant says so', async () => {
  const generous = await openStage(database, { cash_out_keeps_bonus: true });
  await generous.paid(generous.north);
  await cashOut(generous.north, { ...generous.next() });
  expect(await generous.held()).toEqual({ principal: 0, bonus: 2_000, points: 0 });
});

test('value of an adjustment is paid out, too', async () => {
  await stage.adjusted(500);
  expect(await cashOut(stage.north, { ...stage.next() })).toMatchObject({ amountPaidOut: 500, bonusLapsed: 0 });
});

test('a cash-out is less of the top-ups on Home and in reports', async () => {
  const own = await openStage(database);
  await own.paid(own.north);
  await own.run((one) => cashOut(own.north, { ...one, amount: 4_000 }));
  const voided = await own.run((one) => cashOut(own.south, { ...one, amount: 1_000 }));
  await own.voidAll(voided);
  const { today } = await callAs(own.manager).home.figures();
  expect(today).toMatchObject({ topUpCount: 1, topUps: 6_000, redemptions: 0 });
});
