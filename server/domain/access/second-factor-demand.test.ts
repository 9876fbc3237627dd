/** A merchant demands a second factor, and an owner resets one. Tests move the clock. */
import { describe, expect, test } from 'vitest';
import { printLetter } from '@/server/gateways/letters';
import { createMerchant } from '@/server/testing/factory';
import {
  addApp,
  createPerson,
  lettersTo,
  newBrowser,
  openSession,
  password,
  personOf,
  refusalOf,
  sessionOf,
} from '@/server/testing/people';
import { secondFactorStage } from '@/server/testing/second-factors';
import { callAs, createStaff } from '@/server/testing/staff';
import type { SecondFactorDemand, StaffContext, StaffRole } from '../kernel/context';
import type { Letter } from '../mail';
import { memberContext, staffContext } from './context';
import { listStaff } from './memberships';
import { resetSecondFactor, resetSecondFactorByOperator } from './reset-second-factor';
import { setSecondFactorDemand } from './second-factor-demand';
import { listSecondFactors, removeAuthenticator } from './second-factors';
import { findWaitingSession } from './second-step';
import { findStaff } from './sessions';
import { signIn } from './sign-in';

const stage = secondFactorStage();
const { at, services } = stage;
const day = 86_400;

/** Creates a merchant whose owner has an app, and members with these roles who have only passwords. */
async function business(...roles: StaffRole[]) {
  const { id: merchantId } = await createMerchant(stage.owner);
  const owner = await createStaff(stage.owner, services(), merchantId, 'owner');
  await addApp(services(), await personOf(services(), owner.staff.userId));
  const people = await Promise.all(
    roles.map(async (role) => {
      const person = await createPerson(stage.owner);
      const row = { merchant_id: merchantId, user_id: person.userId, role };
      await stage.owner`insert into memberships ${stage.owner(row)}`;
      return { ...person, token: await sessionOf(services(), person.userId) };
    }),
  );
  const demand = (demandedOf: SecondFactorDemand, graceDays: number | null, seconds = 0) =>
    setSecondFactorDemand({ ...owner, ...at(seconds) }, { demandedOf, graceDays });
  return { merchantId, owner, people, demand };
}

/** The person's context at their merchant, in their session, some seconds later. */
async function workAt(token: string, merchantId: string, seconds = 0): Promise<StaffContext> {
  // Without use, a session ends after 12 hours.
  await stage.owner`update staff_sessions set last_seen_at = ${at(seconds).clock.now()}, expires_at = 'infinity'`;
  const person = await findStaff(at(seconds), token);
  const ctx = person && (await memberContext(at(seconds), person, merchantId));
  if (!ctx) throw new Error('they do not work there');
  return ctx;
}

/** The code with which a read by the person is refused, or null. */
const refusalTo = (ctx: StaffContext) =>
  callAs(ctx)
    .settings.get()
    .then(
      () => null,
      (error) => error.cause.code,
    );

describe('a demand', () => {
  test('is enforced below the screens once its time has come, and met by a second factor', async () => {
    const { merchantId, people, demand } = await business('cashier');
    const [{ token, userId } = { token: '', userId: '' }] = people;
    expect(await refusalTo(await workAt(token, merchantId))).toBeNull();
    await demand('everybody', 14);
    const soon = await workAt(token, merchantId, 14 * day - 1);
    expect(soon.staff.secondFactorFrom).toEqual(at(14 * day).clock.now());
    expect(await refusalTo(soon)).toBeNull();
    const late = await workAt(token, merchantId, 14 * day);
    expect(await refusalTo(late)).toBe('second_factor_required');
    const person = await findStaff(at(14 * day), token);
    if (!person) throw new Error('the session has ended');
    expect((await refusalOf(staffContext(at(14 * day), person, merchantId))).code).toBe('second_factor_required');

    await addApp(at(14 * day), person);
    const secured = await workAt(token, merchantId, 14 * day);
    expect(secured.staff.secondFactorFrom).toBeNull();
    expect(await refusalTo(secured)).toBeNull();
    await removeAuthenticator(services(), person);
    expect(await refusalTo(await workAt(token, merchantId, 14 * day))).toBe('second_factor_required');
    expect(userId).toBe(person.userId);
  });

  test.each([
    ['nobody', []],
    ['owners', ['owner']],
    ['managers', ['owner', 'manager']],
    ['everybody', ['owner', 'manager', 'cashier']],
  ] as const)('of %s is of %j', async (demandedOf, roles) => {
    const all = ['owner', 'manager', 'cashier'] as const;
    const { merchantId, people, demand } = await business(...all);
    await demand(demandedOf, 0);
    const refused = await Promise.all(people.map(async ({ token }) => refusalTo(await workAt(token, merchantId))));
    expect(all.filter((_, index) => refused[index] === 'second_factor_required')).toEqual(roles);
  });

  test('of one merchant is not of another where the person works', async () => {
    const here = await business('cashier');
    const there = await business();
    const [{ token, userId } = { token: '', userId: '' }] = here.people;
    const row = { merchant_id: there.merchantId, user_id: userId, role: 'cashier' };
    await stage.owner`insert into memberships ${stage.owner(row)}`;
    await here.demand('everybody', 0);
    expect(await refusalTo(await workAt(token, here.merchantId))).toBe('second_factor_required');
    expect(await refusalTo(await workAt(token, there.merchantId))).toBeNull();
  });

  test('is listed with who meets it, and audited', async () => {
    const { merchantId, owner, people, demand } = await business('manager', 'cashier');
    await addApp(services(), await personOf(services(), people[0]?.userId ?? ''));
    await demand('managers', 7);
    const { secondFactorOf, secondFactorFrom, members } = await listStaff(owner);
    expect({ secondFactorOf, secondFactorFrom }).toEqual({
      secondFactorOf: 'managers',
      secondFactorFrom: at(7 * day).clock.now(),
    });
    expect(members.map(({ role, hasSecondFactor }) => [role, hasSecondFactor])).toEqual([
      ['owner', true],
      ['manager', true],
      ['cashier', false],
    ]);
    const [entry] = await stage.owner`
      select before, after from audit_log where merchant_id = ${merchantId} and action = 'settings.secondFactor'`;
    expect(JSON.parse(entry?.before)).toEqual({ secondFactorOf: 'nobody', secondFactorFrom: null });
    expect(JSON.parse(entry?.after)).toMatchObject({ secondFactorOf: 'managers' });
  });

  test('needs an owner who has a second factor, and is ended without one', async () => {
    const { merchantId, owner, people, demand } = await business('owner');
    const without = await workAt(people[0]?.token ?? '', merchantId);
    const demanded = { demandedOf: 'everybody', graceDays: 0 } as const;
    expect((await refusalOf(setSecondFactorDemand(without, demanded))).code).toBe('second_factor_required');
    expect((await listStaff(owner)).secondFactorOf).toBe('nobody');
    await demand('everybody', 30);
    await setSecondFactorDemand(without, { demandedOf: 'nobody', graceDays: 0 });
    expect(await listStaff(owner)).toMatchObject({ secondFactorOf: 'nobody', secondFactorFrom: null });
  });

  test('saved again without a new time keeps its own, and leaves no entry', async () => {
    const { merchantId, owner, demand } = await business();
    const entries = () => stage.owner`
      select id from audit_log where merchant_id = ${merchantId} and action = 'settings.secondFactor'`;
    await demand('nobody', 14);
    expect(await entries()).toHaveLength(0);
    await demand('everybody', 0);
    await demand('everybody', null, day);
    expect(await listStaff(owner)).toMatchObject({ secondFactorOf: 'everybody', secondFactorFrom: at(0).clock.now() });
    expect(await entries()).toHaveLength(1);
    await demand('owners', null, day);
    expect(await listStaff(owner)).toMatchObject({ secondFactorOf: 'owners', secondFactorFrom: at(0).clock.now() });
    await demand('owners', 7, day);
    expect(await listStaff(owner)).toMatchObject({ secondFactorFrom: at(8 * day).clock.now() });
    expect(await entries()).toHaveLength(3);
    await demand('nobody', null);
    expect((await refusalOf(demand('everybody', null))).issues).toMatchObject([{ path: 'graceDays' }]);
    expect(await listStaff(owner)).toMatchObject({ secondFactorOf: 'nobody', secondFactorFrom: null });
  });

  test('is met by a passkey alone', async () => {
    const { merchantId, people, demand } = await business('cashier');
    const [{ token, userId } = { token: '', userId: '' }] = people;
    await demand('everybody', 0);
    expect(await refusalTo(await workAt(token, merchantId))).toBe('second_factor_required');
    await stage.owner`
      insert into passkeys (id, user_id, name, credential_id, public_key, counter, is_backed_up, created_at, last_used_at)
      values (gen_random_uuid(), ${userId}, 'Phone', sha256(${userId}::bytea), '\\x00', 0, true, now(), now())`;
    expect(await refusalTo(await workAt(token, merchantId))).toBeNull();
  });
});

test('whoever has a second factor is told which businesses demand it, and what ends with the last one', async () => {
  const [strict, lenient] = [await business('manager'), await business()];
  const [{ userId, email } = { userId: '', email: '' }] = strict.people;
  await stage.owner`update merchants set name = 'Strict Tea' where id = ${strict.merchantId}`;
  const row = { merchant_id: lenient.merchantId, user_id: userId, role: 'cashier' };
  await stage.owner`insert into memberships ${stage.owner(row)}`;
  await strict.demand('managers', 0);
  await lenient.demand('managers', 0);
  const person = await personOf(services(), userId);
  await addApp(services(), person);
  expect(await listSecondFactors(services(), person)).toMatchObject({ demandedBy: ['Strict Tea'] });
  await removeAuthenticator(services(), person);
  const [letter] = await lettersTo(services(), email);
  expect(letter).toMatchObject({ change: 'authenticatorRemoved', isLast: true, demandedBy: ['Strict Tea'] });
  const told = printLetter(letter as Letter);
  expect(told.subject).toBe('The authenticator app of your account was removed');
  expect(told.lines[1]).toMatch(/two-step verification is off, and your recovery codes no longer work/);
  expect(told.lines[1]).toContain('Strict Tea requires it, so you have no access there');
});

describe('a reset', () => {
  test('removes all factors, ends all sessions, is audited, and told to the person', async () => {
    const { merchantId, owner, people } = await business('cashier');
    const [{ userId, email } = { userId: '', email: '' }] = people;
    const person = await personOf(services(), userId);
    await addApp(services(), person);
    const token = await sessionOf(services(), userId);
    expect(await findWaitingSession(services(), { userId, token })).not.toBeNull();
    await resetSecondFactor(owner, { userId });
    expect(await stage.owner`select from staff_sessions where user_id = ${userId}`).toHaveLength(0);
    expect(await stage.owner`select from recovery_codes where user_id = ${userId}`).toHaveLength(0);
    const session = await signIn(services(), newBrowser(), { email, password });
    expect(await findStaff(services(), session?.token ?? '')).toMatchObject({ userId });
    const [entry] = await stage.owner`
      select actor_id, subject_id from audit_log where merchant_id = ${merchantId} and action = 'staff.resetSecondFactor'`;
    expect(entry).toEqual({ actor_id: owner.staff.userId, subject_id: userId });
    const letters = await lettersTo(services(), email);
    const resets = letters.filter((letter) => 'change' in letter && letter.change === 'reset');
    expect(resets).toMatchObject([{ by: expect.stringContaining(owner.staff.name) }]);
    expect(printLetter(resets[0] as Letter).lines[1]).toContain(`${owner.staff.name} (${owner.merchant.name}) reset`);
  });

  test('is refused for a person who works elsewhere, too: nobody weakens an account by inviting its person', async () => {
    const victim = await business('owner');
    const hostile = await business();
    const [{ userId, email } = { userId: '', email: '' }] = victim.people;
    await addApp(services(), await personOf(services(), userId));
    const row = { merchant_id: hostile.merchantId, user_id: userId, role: 'cashier' };
    await stage.owner`insert into memberships ${stage.owner(row)}`;
    for (const { owner } of [hostile, victim]) {
      expect((await refusalOf(resetSecondFactor(owner, { userId }))).code).toBe('works_elsewhere');
    }
    const { token } = await openSession(services(), email);
    expect(await findStaff(services(), token)).toBeNull();
  });

  test('waits for a person who is just joining elsewhere, and is then refused', async () => {
    const { owner, people } = await business('cashier');
    const there = await business();
    const [{ userId } = { userId: '' }] = people;
    await addApp(services(), await personOf(services(), userId));
    let reset: ReturnType<typeof refusalOf> | undefined;
    await stage.owner.begin(async (sql) => {
      const row = { merchant_id: there.merchantId, user_id: userId, role: 'cashier' };
      await sql`insert into memberships ${sql(row)}`;
      reset = refusalOf(resetSecondFactor(owner, { userId }));
      const isWaiting = async () => {
        const waiting = await stage.owner`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      };
      await expect.poll(isWaiting).toBe(true);
    });
    expect((await reset)?.code).toBe('works_elsewhere');
  });

  test('is refused for oneself, and for people who do not work here', async () => {
    const { owner } = await business();
    const other = await business('cashier');
    const stranger = other.people[0]?.userId ?? '';
    await addApp(services(), await personOf(services(), stranger));
    expect((await refusalOf(resetSecondFactor(owner, { userId: owner.staff.userId }))).code).toBe('invalid_request');
    expect((await refusalOf(resetSecondFactor(owner, { userId: stranger }))).code).toBe('staff_not_found');
    expect(await stage.owner`select from authenticators where user_id = ${stranger}`).toHaveLength(1);
  });

  test('is done by the operator for whoever works at several merchants, and told to each', async () => {
    const [here, there] = [await business('cashier'), await business()];
    const [{ userId, email } = { userId: '', email: '' }] = here.people;
    const row = { merchant_id: there.merchantId, user_id: userId, role: 'cashier' };
    await stage.owner`insert into memberships ${stage.owner(row)}`;
    await addApp(services(), await personOf(services(), userId));
    expect(await resetSecondFactorByOperator(services(), email.toUpperCase())).toBe(true);
    const session = await signIn(services(), newBrowser(), { email, password });
    expect(await findStaff(services(), session?.token ?? '')).toMatchObject({ userId });
    const entries = await stage.owner`
      select merchant_id, actor_kind from audit_log where action = 'staff.resetSecondFactor' and subject_id = ${userId}`;
    expect(entries).toHaveLength(2);
    expect(entries.every(({ actor_kind }) => actor_kind === 'service')).toBe(true);
    expect(await resetSecondFactorByOperator(services(), 'nobody@example.com')).toBe(false);
  });
});
