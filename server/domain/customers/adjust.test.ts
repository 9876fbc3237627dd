import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import type { PosContext, StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { redeemPoints } from '../points/redeem';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import type { AdjustInput } from './schemas';

const balanceLimit = 100_000;
const start = new Date('2026-03-10T02:00:00Z');
let now = start;
const database = ownDatabase();
let merchant: TestMerchant;
let manager: StaffContext;
let pos: PosContext;
let packageId: string;

beforeAll(async () => {
  const { owner, db } = database;
  merchant = await createMerchant(owner, { balance_limit: balanceLimit });
  const services = testServices(db, { now: () => now });
  manager = await createStaff(owner, services, merchant.id, 'manager');
  pos = await authenticateKey(services, merchant.stores[0].key);
  packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200, bonus_expires_in_days: 3 });
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const newCustomer = async () => (await createCustomer(database.owner, merchant.id)).id;
/** Deductions have a negative amount. */
const adjustment = (customerId: string, { amount = 500, ...given }: Partial<AdjustInput> = {}): AdjustInput => ({
  customerId,
  adjustmentId: newId(),
  part: 'principal',
  direction: amount < 0 ? 'take' : 'add',
  amount: Math.abs(amount),
  expiresOn: null,
  reason: 'A complaint',
  ...given,
});
const adjust = (customerId: string, given: Partial<AdjustInput> = {}) => {
  now = new Date(now.getTime() + 1_000);
  return callAs(manager).customers.adjust(adjustment(customerId, given));
};
const held = async (customerId: string) => {
  const { storedValue, points } = await callAs(manager).customers.get({ customerId });
  return { principal: storedValue.principal, bonus: storedValue.bonus, points: points.balance };
};
const adjustmentsOf = async (customerId: string): Promise<string[]> => {
  const rows = await database.owner`
    select uid from transactions where customer_id = ${customerId} and type = 'adjustment' and status = 'completed' order by uid`;
  return rows.map(({ uid }) => uid);
};
const voidByStaff = async (uid: string) => {
  const { effect } = await callAs(manager).transactions.voidPreview({ uids: [uid] });
  return callAs(manager).transactions.void({ uids: [uid], reason: 'Not meant', effect });
};
const entriesOf = (customerId: string) => database.owner`
  select part, kind, amount::int from ledger_entries where customer_id = ${customerId} order by id`;

describe('adjusting', () => {
  test('adds to each part, with an expiry if there is one, and records reason and author', async () => {
    const customerId = await newCustomer();
    await adjust(customerId, { part: 'bonus', amount: 300, expiresOn: '2026-03-12' });
    await adjust(customerId, { part: 'points', amount: 20 });
    await adjust(customerId);
    expect(await held(customerId)).toEqual({ principal: 500, bonus: 300, points: 20 });
    const { items } = await callAs(manager).customers.ledger({ customerId });
    expect(items).toMatchObject([
      { type: 'adjustment', moved: { principal: 500, bonus: 0, points: 0 } },
      { moved: { points: 20 } },
      { moved: { bonus: 300 }, adjustment: { reason: 'A complaint', by: 'Test manager' } },
    ]);
    const { items: lots } = await callAs(manager).customers.lots({ customerId });
    expect(lots.find(({ part }) => part === 'bonus')?.expiresAt).toEqual(new Date('2026-03-12T15:59:59.999Z'));
    const [audited] = await database.owner`
      select actor_id, after from audit_log where subject_id = ${customerId} order by id desc limit 1`;
    expect(audited?.actor_id).toBe(manager.staff.userId);
    expect(JSON.parse(audited?.after)).toEqual({ part: 'principal', amount: 500, reason: 'A complaint' });
  });

  test('deducts from what expires first, and from that part alone', async () => {
    const customerId = await newCustomer();
    await adjust(customerId, { part: 'bonus', amount: 300, expiresOn: '2026-03-20' });
    await adjust(customerId, { part: 'bonus', amount: 300, expiresOn: '2026-03-12' });
    await adjust(customerId);
    await adjust(customerId, { part: 'bonus', amount: -400 });
    expect(await held(customerId)).toEqual({ principal: 500, bonus: 200, points: 0 });
    expect((await entriesOf(customerId)).slice(-2)).toEqual([
      { part: 'bonus', kind: 'adjustment', amount: -300 },
      { part: 'bonus', kind: 'adjustment', amount: -100 },
    ]);
  });

  test('never deducts more than is available', async () => {
    const customerId = await newCustomer();
    await adjust(customerId, { amount: 300 });
    await adjust(customerId, { part: 'bonus', amount: 300 });
    const reason = async (given: Partial<AdjustInput>) => {
      const { cause } = (await adjust(customerId, given).catch((error) => error)) as { cause: { code: string } };
      return cause.code;
    };
    expect(await reason({ amount: -301 })).toBe('insufficient_balance');
    expect(await reason({ part: 'points', amount: -1 })).toBe('insufficient_points');
    expect(await held(customerId)).toEqual({ principal: 300, bonus: 300, points: 0 });
  });

  test('respects the balance limit', async () => {
    const customerId = await newCustomer();
    await adjust(customerId, { amount: balanceLimit });
    await expect(adjust(customerId, { part: 'bonus', amount: 1 })).rejects.toThrow('may be 1000.00 SGD at most');
    await adjust(customerId, { part: 'points', amount: 1 });
  });

  test.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.5 }, 'amount'],
    [{ reason: '  ' }, 'reason'],
    [{ expiresOn: '2026-12-31' }, 'expiresOn'],
    [{ part: 'bonus' as const, amount: -1, expiresOn: '2026-12-31' }, 'expiresOn'],
    [{ part: 'bonus' as const, expiresOn: '2026-03-09' }, 'expiresOn'],
  ])('refuses %j at its field', async (given, field) => {
    const { cause } = await adjust(await newCustomer(), given).catch((error) => error);
    expect(cause.issues.map(({ path }: { path: string | string[] }) => String(path))).toEqual([field]);
  });

  test('is done once per id, however often and concurrently it is sent', async () => {
    const customerId = await newCustomer();
    const input = adjustment(customerId);
    const { adjust: send } = callAs(manager).customers;
    await Promise.all(Array.from({ length: 6 }, () => send(input)));
    await send(input);
    expect(await held(customerId)).toEqual({ principal: 500, bonus: 0, points: 0 });
    await expect(send({ ...input, amount: 501 })).rejects.toThrow('Another adjustment was made in the meantime');
  });

  test('is refused for an id used for another customer, also at the same moment', async () => {
    const [one, other] = [await newCustomer(), await newCustomer()];
    const adjustmentId = newId();
    const outcomes = await Promise.allSettled([adjust(one, { adjustmentId }), adjust(other, { adjustmentId })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('of another merchant’s customer is 404', async () => {
    const { id } = await createMerchant(database.owner);
    const customer = await createCustomer(database.owner, id);
    await expect(adjust(customer.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('never spends the same value as a till at the same moment', async () => {
    const customerId = await newCustomer();
    await adjust(customerId, { amount: 100 });
    const redeem = () =>
      redeemStoredValue({ ...pos }, { transactionId: newId(), customer: { customerId }, amount: 100 });
    const outcomes = await Promise.allSettled([redeem(), adjust(customerId, { amount: -100 }), redeem()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await held(customerId)).toEqual({ principal: 0, bonus: 0, points: 0 });
  });
});

type Step =
  | { kind: 'adjust'; part: AdjustInput['part']; amount: number; days: number | null }
  | { kind: 'topUp' }
  | { kind: 'redeem'; amount: number }
  | { kind: 'redeemPoints'; points: number }
  | { kind: 'void'; index: number }
  | { kind: 'voidAdjustment'; index: number }
  | { kind: 'wait'; days: number };

const amounts = fc.integer({ min: -900, max: 900 }).filter((amount) => amount !== 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      part: fc.constantFrom('principal', 'bonus', 'points'),
      amount: amounts,
      days: fc.option(fc.integer({ min: 0, max: 4 })),
    }),
  },
  fc.record({ kind: fc.constant('topUp' as const) }),
  fc.record({ kind: fc.constant('redeem' as const), amount: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ kind: fc.constant('redeemPoints' as const), points: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ kind: fc.constant('void' as const), index: fc.nat(10) }),
  fc.record({ kind: fc.constant('voidAdjustment' as const), index: fc.nat(10) }),
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 3 }) }),
);

test('the ledger adds up and each part is what was moved, with top-ups, redemptions, voids and expiry in any order', async () => {
  let adjusted = 0;
  let voided = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      now = start;
      const customerId = await newCustomer();
      const sent: string[] = [];
      const attempt = (work: Promise<unknown>) =>
        work.then(
          () => true,
          (error) => {
            if ((error.cause ?? error).code === undefined) throw error;
            return false;
          },
        );
      for (const one of steps) {
        now = new Date(now.getTime() + 1_000);
        const before = await held(customerId);
        if (one.kind === 'wait') now = new Date(now.getTime() + one.days * 24 * 60 * 60_000);
        else if (one.kind === 'adjust') {
          const { part, amount, days } = one;
          const ends = part !== 'principal' && amount > 0 && days !== null;
          const day = new Date(now.getTime() + (days ?? 0) * 24 * 60 * 60_000).toISOString().slice(0, 10);
          const isDone = await attempt(adjust(customerId, { part, amount, expiresOn: ends ? day : null }));
          expect(isDone).toBe(before[part] + amount >= 0);
          if (isDone) adjusted += 1;
          const expected = isDone ? before[part] + amount : before[part];
          expect(await held(customerId)).toEqual({ ...before, [part]: expected });
        } else if (one.kind === 'void') {
          const transactionId = sent[one.index % Math.max(1, sent.length)];
          if (transactionId) await attempt(voidTransactions({ ...pos }, { transactionIds: [transactionId] }));
        } else if (one.kind === 'voidAdjustment') {
          const uids = await adjustmentsOf(customerId);
          const uid = uids[one.index % Math.max(1, uids.length)];
          if (uid && (await attempt(voidByStaff(uid)))) voided += 1;
        } else {
          const transactionId = newId();
          sent.push(transactionId);
          const common = { transactionId, customer: { customerId } };
          if (one.kind === 'topUp') await attempt(topUp({ ...pos }, { ...common, packageId }));
          else if (one.kind === 'redeemPoints')
            await attempt(redeemPoints({ ...pos }, { ...common, points: one.points }));
          else await attempt(redeemStoredValue({ ...pos }, { ...common, amount: one.amount }));
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(adjusted).toBeGreaterThan(60);
  expect(voided).toBeGreaterThan(5);
  expect(await verifyLedger(database.owner)).toEqual([]);
});
