import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { countAttempt } from '@/server/testing/attempts';
import {
  createCustomer,
  createMerchant,
  createOpenPackage,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { clockAhead } from '../kernel/clock';
import type { StaffContext, StaffRole } from '../kernel/context';
import { newId } from '../kernel/ids';
import { allCustomers } from '../vouchers/campaign-schemas';

const database = sharedDatabase();
let owner: typeof database.owner;
let services: ReturnType<typeof testServices>;
let merchant: TestMerchant;
let packageId: string;

beforeAll(async () => {
  ({ owner } = database);
  services = testServices(database.db);
  merchant = await createMerchant(owner, {
    day_starts_at: 5,
    cashier_daily_value: 100_000,
    cashier_daily_enrolments: 3,
    manager_daily_value: 1_000,
    manager_daily_points: 50,
    manager_daily_vouchers: 4,
    manager_daily_enrolments: 1,
  });
  packageId = await createOpenPackage(owner, merchant.id, { min: 100, max: 100_000, basisPoints: 0 });
});

const hire = (role: StaffRole) => createStaff(owner, services, merchant.id, role);
const newCustomer = async () => (await createCustomer(owner, merchant.id)).id;
const topUp = async (as: StaffContext, amount: number, topUpId = newId()) =>
  callAs(as).customers.topUp({
    topUpId,
    customerId: await newCustomer(),
    storeId: merchant.stores[0].id,
    packageId,
    amount,
    paymentMethod: 'cash',
  });
const adjust = async (
  as: StaffContext,
  part: 'points' | 'principal',
  amount: number,
  direction: 'add' | 'take' = 'add',
) =>
  callAs(as).customers.adjust({
    adjustmentId: newId(),
    customerId: await newCustomer(),
    part,
    direction,
    amount,
    expiresOn: null,
    reason: 'Goodwill',
  });
const enrol = (as: StaffContext) =>
  callAs(as).customers.enrol({
    givenName: 'New',
    lastName: '',
    phone: null,
    email: `${newId()}@example.com`,
    birthday: null,
    tags: [],
  });
async function outcomeOf(work: Promise<unknown>): Promise<'done' | { code: string; details: object; message: string }> {
  const outcome = await work.then(
    () => 'done' as const,
    ({ cause: { code, details, message } }) => ({ code, details, message }),
  );
  countAttempt(outcome !== 'done');
  return outcome;
}

describe('what one member of staff gives in a day', () => {
  test('a cashier credits no more than the limit in sixteen top-ups at once, for sixteen customers', async () => {
    const cashier = await hire('cashier');
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => outcomeOf(topUp(cashier, 30_000))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3);
    const [refused] = outcomes.filter((outcome) => outcome !== 'done');
    expect(refused).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'cashierDailyValue', maximum: 100_000, used: 90_000 },
    });
    const [given] = await owner`
      select sum(t.amount)::int as value from staff_top_ups s
      join transactions t on t.merchant_id = s.merchant_id and t.uid = s.transaction_uid
      where s.user_id = ${cashier.staff.userId}`;
    expect(given?.value).toBe(90_000);
    // What is left can still be given, and another person has a limit of their own.
    expect(await outcomeOf(topUp(cashier, 10_000))).toBe('done');
    expect(await outcomeOf(topUp(await hire('cashier'), 30_000))).toBe('done');
  });

  test('a repeated top-up counts once, and a refused one leaves its id free', async () => {
    const cashier = await hire('cashier');
    const id = newId();
    const customerId = await newCustomer();
    const input = {
      topUpId: id,
      customerId,
      storeId: merchant.stores[0].id,
      packageId,
      amount: 60_000,
      paymentMethod: 'cash',
    } as const;
    await Promise.all([callAs(cashier).customers.topUp(input), callAs(cashier).customers.topUp(input)]);
    expect(await outcomeOf(topUp(cashier, 40_001))).toMatchObject({ details: { used: 60_000 } });
    expect(await outcomeOf(topUp(cashier, 40_000))).toBe('done');
    expect(await callAs(cashier).customers.topUp(input)).toMatchObject({ answer: { principal: 60_000 } });
  });

  test('the refusal says when the next day starts, and the next day starts anew', async () => {
    const cashier = await hire('cashier');
    await topUp(cashier, 100_000);
    const refused = await outcomeOf(topUp(cashier, 100));
    expect(refused).toMatchObject({ message: expect.stringContaining('The next day starts at 05:00.') });
    expect(refused).toMatchObject({ message: expect.stringContaining('give the payment back') });
    const { resetsAt } = (refused as { details: { resetsAt: string } }).details;
    const seconds = (new Date(resetsAt).getTime() - cashier.clock.now().getTime()) / 1000;
    const tomorrow = { ...cashier, clock: clockAhead(cashier.clock, Math.ceil(seconds)) };
    expect(await outcomeOf(topUp(tomorrow, 100_000))).toBe('done');
  });

  test('the counter shows what is left before the payment is taken', async () => {
    const cashier = await hire('cashier');
    await topUp(cashier, 70_000);
    const offersTo = async (as: StaffContext) =>
      callAs(as).customers.topUpOffers({ storeId: merchant.stores[0].id, customerId: await newCustomer() });
    expect(await offersTo(cashier)).toMatchObject({ leftForStaff: 30_000 });
    expect(await offersTo(await hire('owner'))).toMatchObject({ leftForStaff: null });
  });

  test('enrolments: no more than the limit at once', async () => {
    const cashier = await hire('cashier');
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => outcomeOf(enrol(cashier))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3);
    expect(await outcomeOf(enrol(cashier))).toMatchObject({ details: { limit: 'cashierDailyEnrolments', used: 3 } });
  });

  test("a manager's adjustments: what is added counts, value and points apart", async () => {
    const manager = await hire('manager');
    expect(await outcomeOf(adjust(manager, 'principal', 1_000))).toBe('done');
    expect(await outcomeOf(adjust(manager, 'principal', 1))).toMatchObject({ details: { limit: 'managerDailyValue' } });
    expect(await outcomeOf(adjust(manager, 'points', 50))).toBe('done');
    expect(await outcomeOf(adjust(manager, 'points', 1))).toMatchObject({ details: { limit: 'managerDailyPoints' } });
  });

  test('goodwill: a cashier gives manual vouchers, one customer at a time, as many as the owner allows', async () => {
    const call = callAs(await hire('cashier'));
    const campaignId = await createCampaign(owner, merchant.id);
    const birthday = await createCampaign(owner, merchant.id, { trigger: 'birthday' });
    expect((await call.vouchers.givable()).map((campaign) => campaign.campaignId)).toEqual([campaignId]);
    const give = async (id = campaignId) =>
      outcomeOf(call.vouchers.give({ issueId: newId(), campaignId: id, customerId: await newCustomer() }));
    expect(await give()).toMatchObject({ details: { limit: 'cashierDailyVouchers', maximum: 0, used: 0 } });
    await owner`update merchants set cashier_daily_vouchers = 2 where id = ${merchant.id}`;
    expect(await give(birthday)).toMatchObject({ code: 'campaign_not_found' });
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => give()));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(2);
  });

  test('vouchers: a batch, and a segment by its real size', async () => {
    const manager = await hire('manager');
    const campaignId = await createCampaign(owner, merchant.id);
    const customerIds = await Promise.all(Array.from({ length: 5 }, newCustomer));
    const issue = (audience: object) =>
      outcomeOf(callAs(manager).vouchers.issue({ issueId: newId(), campaignId, audience } as never));
    expect(await issue({ kind: 'customers', customerIds })).toMatchObject({
      details: { limit: 'managerDailyVouchers', maximum: 4, used: 0 },
    });
    expect(await issue({ kind: 'customers', customerIds: customerIds.slice(1) })).toBe('done');
    expect(await issue({ kind: 'customers', customerIds: customerIds.slice(0, 1) })).toMatchObject({
      details: { used: 4 },
    });
    // What the screen counted is no evidence.
    const everyone = { kind: 'segment', segment: allCustomers, expected: 0 };
    expect(await issue(everyone)).toMatchObject({ code: 'limit_exceeded' });
  });

  test('owners have no limit; they hear of a limit once a day', async () => {
    const boss = await hire('owner');
    expect(await outcomeOf(adjust(boss, 'points', 5_000))).toBe('done');
    const manager = await hire('manager');
    await enrol(manager);
    await Promise.all([outcomeOf(enrol(manager)), outcomeOf(enrol(manager))]);
    await outcomeOf(enrol(manager));
    const { items } = await callAs(boss).auditLog.list({
      action: 'limit.exceeded',
      actor: manager.staff.userId,
    } as never);
    expect(items[0]).toMatchObject({
      subject: { kind: 'user', id: manager.staff.userId, name: 'Test manager' },
      after: { managerDailyEnrolments: 1, attemptedEnrolments: 1 },
    });
  });
});
