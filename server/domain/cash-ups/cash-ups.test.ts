import { beforeEach, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createMerchant,
  createOpenPackage,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { clockAhead } from '../kernel/clock';
import type { StaffContext, StaffRole } from '../kernel/context';
import { newId } from '../kernel/ids';
import type { PaymentMethod } from './schemas';

const database = sharedDatabase();
let merchant: TestMerchant;
let packageId: string;
let north: string;
let south: string;
let boss: StaffContext;
let manager: StaffContext;
let cashier: StaffContext;

const hire = (role: StaffRole, storeIds?: string[]) =>
  createStaff(database.owner, testServices(database.db), merchant.id, role, storeIds);

beforeEach(async () => {
  const { owner } = database;
  merchant = await createMerchant(owner);
  [north, south] = merchant.stores.map(({ id }) => id) as [string, string];
  packageId = await createOpenPackage(owner, merchant.id, { min: 100, max: 100_000, basisPoints: 1_000 });
  [boss, manager, cashier] = await Promise.all([hire('owner'), hire('manager'), hire('cashier')]);
});

const topUp = async (as: StaffContext, amount: number, paymentMethod: PaymentMethod = 'cash', storeId = north) => {
  const { id: customerId } = await createCustomer(database.owner, merchant.id);
  const input = { topUpId: newId(), customerId, storeId, packageId, amount, paymentMethod };
  return { customerId, uid: (await callAs(as).customers.topUp(input)).uid };
};
const voidOf = async (as: StaffContext, uid: string) => {
  const uids = [uid];
  const { effect } = await callAs(as).transactions.voidPreview({ uids });
  await callAs(as).transactions.void({ uids, effect, reason: 'Mistyped' });
};
const shiftOf = (as: StaffContext, storeId = north) => callAs(as).cashUps.openShift({ storeId });
const today = () => new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Singapore' });

interface Seen {
  since: Date;
  until: Date;
  expected: Record<PaymentMethod, number>;
}
const closing = ({ since, until, expected }: Seen, counted: Partial<Record<PaymentMethod, number>> = {}) => ({
  storeId: north,
  since: since.toISOString(),
  until: until.toISOString(),
  expected,
  counted: { ...expected, ...counted },
});
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ cause }) => cause.code,
  );

describe('the open shift', () => {
  test('adds up what each person took by payment method, without bonus, what was paid out, and what voids gave back', async () => {
    await topUp(cashier, 10_000);
    await topUp(cashier, 5_000);
    await topUp(manager, 7_000, 'card');
    const wrong = await topUp(cashier, 2_000, 'other');
    await voidOf(manager, wrong.uid);
    await topUp(cashier, 900, 'cash', south);
    const { customerId } = await topUp(manager, 3_000, 'card');
    const reason = 'Moves abroad';
    const paidOut = { cashOutId: newId(), customerId, storeId: north, amount: 3_000, paymentMethod: 'cash' } as const;
    await callAs(manager).customers.cashOut({ ...paidOut, reason });
    const { expected, lines } = await shiftOf(manager);
    expect(expected).toEqual({ cash: 12_000, card: 10_000, other: 0 });
    expect(lines.map(({ name, kind, method, count, amount }) => [name, kind, method, count, amount])).toEqual([
      ['Test cashier', 'topUp', 'cash', 2, 15_000],
      ['Test cashier', 'topUp', 'other', 1, 2_000],
      ['Test manager', 'cashOut', 'cash', 1, -3_000],
      ['Test manager', 'topUp', 'card', 2, 10_000],
      ['Test manager', 'void', 'other', 1, -2_000],
    ]);
  });

  test('a manager of another store does not see it', async () => {
    const stranger = await hire('manager', [south]);
    expect(await codeOf(shiftOf(stranger))).toBe('store_not_found');
    expect(await codeOf(callAs(stranger).cashUps.close(closing(await shiftOf(manager))))).toBe('store_not_found');
  });
});

describe('closing a shift', () => {
  test('records the difference; the next shift starts there, and a closed one stays as it is', async () => {
    const { uid } = await topUp(cashier, 10_000);
    await callAs(manager).cashUps.close(closing(await shiftOf(manager), { cash: 9_950 }));
    const next = await shiftOf(manager);
    expect(next).toMatchObject({ lines: [], expected: { cash: 0, card: 0, other: 0 } });
    // What is given back later is of the later shift.
    await voidOf(manager, uid);
    expect(await shiftOf(manager)).toMatchObject({ expected: { cash: -10_000 }, since: next.since });
    const { closed } = await callAs(manager).cashUps.day({ day: today(), storeId: north });
    expect(closed).toMatchObject([
      {
        storeId: north,
        closedBy: 'Test manager',
        counts: expect.arrayContaining([{ method: 'cash', expected: 10_000, counted: 9_950 }]),
      },
    ]);
  });

  test('pressed twice, it is closed once', async () => {
    await topUp(cashier, 10_000);
    const input = closing(await shiftOf(manager));
    const close = () => callAs(manager).cashUps.close(input);
    await Promise.all([close(), close(), close()]);
    await close();
    expect((await callAs(manager).cashUps.day({ day: today() })).closed).toHaveLength(1);
    const other = { ...input, counted: { ...input.counted, cash: 1 } };
    expect(await codeOf(callAs(manager).cashUps.close(other))).toBe('edited_meanwhile');
  });

  test('of two managers at once, one closes it and the other is told', async () => {
    await topUp(cashier, 10_000);
    const seen = await shiftOf(manager);
    const outcomes = await Promise.all(
      [manager, boss].map((one, n) => codeOf(callAs(one).cashUps.close(closing(seen, { cash: n })))),
    );
    expect(outcomes.sort()).toEqual(['done', 'edited_meanwhile']);
    expect((await callAs(boss).cashUps.day({ day: today() })).closed).toHaveLength(1);
  });

  test('what is recorded after the screen was opened counts in the next shift', async () => {
    await topUp(cashier, 10_000);
    const seen = await shiftOf(manager);
    await topUp(await ahead(cashier), 3_000);
    await callAs(await ahead(manager)).cashUps.close(closing(seen));
    expect((await shiftOf(await ahead(manager))).expected.cash).toBe(3_000);
  });

  test('what was recorded too late for its shift is a late line of the next one, and counts once', async () => {
    await topUp(cashier, 10_000);
    const seen = await shiftOf(await ahead(manager));
    const { uid } = await topUp(cashier, 2_500);
    // As if it had been committed after the shift was closed.
    const [entry] = await database.owner`delete from staff_top_ups where transaction_uid = ${uid} returning *`;
    await callAs(await ahead(manager)).cashUps.close(closing(seen));
    await database.owner`insert into staff_top_ups ${database.owner(entry as object)}`;
    const next = await shiftOf(await ahead(manager));
    expect(next.expected.cash).toBe(2_500);
    expect(next.lines).toMatchObject([{ amount: 2_500, isLate: true }]);
    await callAs(await ahead(manager)).cashUps.close(closing(next));
    expect((await shiftOf(await ahead(manager))).expected.cash).toBe(0);
  });

  test('while top-ups go on, each counts in the sum of the cash-up that has it', async () => {
    const taken = Promise.all(Array.from({ length: 8 }, () => topUp(cashier, 1_000)));
    // Each closing takes what it sees; what comes in between is told by `edited_meanwhile`.
    const codes = [];
    for (let attempt = 0; attempt < 8; attempt++)
      codes.push(await codeOf(callAs(manager).cashUps.close(closing(await shiftOf(manager)))));
    await taken;
    await callAs(manager).cashUps.close(closing(await shiftOf(manager)));
    expect(codes).toContain('done');
    const sums = await database.owner`
      select c.expected::int as expected, coalesce(sum(t.amount), 0)::int as entered
      from cash_up_counts c
      left join cash_up_entries e using (merchant_id, cash_up_id)
      left join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
      where c.merchant_id = ${merchant.id} and c.payment_method = 'cash' group by c.cash_up_id, c.expected`;
    expect(sums.filter(({ expected, entered }) => expected !== entered)).toEqual([]);
    expect(sums.reduce((sum, { entered }) => sum + entered, 0)).toBe(8_000);
  });

  test('a changed sum is not closed unseen, and the future is refused', async () => {
    const seen = await shiftOf(await ahead(manager));
    await topUp(cashier, 10_000);
    expect(await codeOf(callAs(await ahead(manager)).cashUps.close(closing(seen)))).toBe('edited_meanwhile');
    expect(await codeOf(callAs(manager).cashUps.close(closing(seen)))).toBe('invalid_request');
  });
});

/** The person, a minute later. */
const ahead = async (one: StaffContext): Promise<StaffContext> => ({ ...one, clock: clockAhead(one.clock, 60) });

describe('correcting a cash-up', () => {
  test('counts the shift again with a reason, once, and keeps the first', async () => {
    await topUp(cashier, 10_000);
    const { cashUpId } = await callAs(manager).cashUps.close(closing(await shiftOf(manager), { cash: 1_000 }));
    const correction = {
      replacesId: cashUpId,
      counted: { cash: 10_000, card: 0, other: 0 },
      reason: 'A zero was missing',
    };
    const correct = () => callAs(manager).cashUps.correct(correction);
    const answers = await Promise.all([correct(), correct()]);
    expect(answers[0]).toEqual(answers[1]);
    const other = { ...correction, reason: 'Found a note' };
    expect(await codeOf(callAs(boss).cashUps.correct(other))).toBe('edited_meanwhile');
    const { closed } = await callAs(boss).cashUps.day({ day: today() });
    expect(
      closed.map(({ replacesId, reason, counts }) => [replacesId, reason, counts.find((one) => one.method === 'cash')]),
    ).toEqual([
      [null, null, { method: 'cash', expected: 10_000, counted: 1_000 }],
      [cashUpId, 'A zero was missing', { method: 'cash', expected: 10_000, counted: 10_000 }],
    ]);
    expect((await shiftOf(manager)).expected.cash).toBe(0);
  });

  test('nothing can change or delete a cash-up', async () => {
    const [privileges] = await database.owner`
      select string_agg(distinct privilege_type, ',') as list from information_schema.role_table_grants
      where grantee = 'loyalty_app' and table_name in ('cash_ups', 'cash_up_counts', 'cash_up_entries')`;
    expect(privileges?.list).toBe('INSERT,SELECT');
  });
});

describe('the day', () => {
  test('shows money by store, person and method, and value given without money; a cashier sees what is theirs', async () => {
    const { customerId } = await topUp(cashier, 10_000);
    await topUp(manager, 4_000, 'card', south);
    await callAs(manager).customers.adjust({
      adjustmentId: newId(),
      customerId,
      part: 'principal',
      direction: 'add',
      amount: 700,
      expiresOn: null,
      reason: 'Goodwill',
    });
    const day = today();
    const rowsOf = async (as: StaffContext, storeId?: string) =>
      (await callAs(as).cashUps.day({ day, storeId })).lines.map(({ name, storeName, kind, method, amount }) =>
        [name, storeName, kind, method, amount].join(' '),
      );
    expect((await rowsOf(boss)).sort()).toEqual([
      'Test cashier Store NORTH topUp cash 10000',
      'Test manager  adjustment  700',
      'Test manager Store SOUTH topUp card 4000',
    ]);
    expect(await rowsOf(boss, south)).toEqual(['Test manager Store SOUTH topUp card 4000']);
    expect(await rowsOf(cashier)).toEqual(['Test cashier Store NORTH topUp cash 10000']);
    const ofSouth = await hire('manager', [south]);
    expect(await rowsOf(ofSouth)).toEqual(['Test manager Store SOUTH topUp card 4000']);
    expect(await codeOf(callAs(ofSouth).cashUps.day({ day, storeId: north }))).toBe('store_not_found');
  });

  test('a shift that ends after midnight belongs to the day before, where days start at 5', async () => {
    await database.owner`update merchants set day_starts_at = 5 where id = ${merchant.id}`;
    const late = new Date(`${today()}T01:00:00+08:00`);
    await database.owner`
      insert into cash_ups (merchant_id, id, store_id, user_id, since, until)
      values (${merchant.id}, ${newId()}, ${north}, ${manager.staff.userId}, ${new Date(late.getTime() - 1_000)}, ${late})`;
    const dayBefore = new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10);
    const again = { ...manager, merchant: { ...manager.merchant, dayStartsAt: 5 } };
    expect((await callAs(again).cashUps.day({ day: dayBefore })).closed).toHaveLength(1);
    expect((await callAs(again).cashUps.day({ day: today() })).closed).toHaveLength(0);
  });
});
