/** What strangers and signed-in people may call, and that forms get their invalid fields. */
import { TRPCError } from '@trpc/server';
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { staffContext } from '@/server/domain/access/context';
import { openResetRequest, sendPasswordReset } from '@/server/domain/access/password-reset';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createPerson, newBrowser, password, personOf, tokensFor } from '@/server/testing/people';
import { queuedJobs } from '@/server/testing/queue';
import { callAs as callAsStaff, createStaff } from '@/server/testing/staff';
import { listProcedures } from '../procedures';
import { createCallerFactory } from './init';
import { accountRouter } from './router';

const database = ownDatabase();
const services = () => testServices(database.db);
const callAs = (person: Awaited<ReturnType<typeof personOf>> | null) =>
  createCallerFactory(accountRouter)({ services: services(), browser: newBrowser(), person, cookie: null });

const forStrangers = ['requestPasswordReset', 'resetPassword', 'joinAsNewStaff'];
/** These have no input and give everyone the same answer. */
const open = ['requestPasskey'];
const forPeople = [
  ...['joinAsStaff', 'changeOwnName', 'changeOwnPassword'],
  ...['sessions', 'endSession', 'endOtherSessions', 'signOutEverywhere'],
  ...['finishSignIn', 'confirmWithCode', 'confirmWithPassword', 'secondFactors', 'checkConfirmed'],
  ...['newAuthenticator', 'addAuthenticator', 'removeAuthenticator', 'renewRecoveryCodes'],
  ...['finishSignInWithPasskey', 'confirmWithPasskey', 'newPasskey', 'addPasskey', 'renamePasskey', 'removePasskey'],
];
/** These require a recent proof of who is there. */
const sensitive = [
  ...['newAuthenticator', 'addAuthenticator', 'removeAuthenticator', 'renewRecoveryCodes'],
  ...['newPasskey', 'addPasskey', 'removePasskey', 'checkConfirmed'],
];

test('the lists name every procedure', () => {
  expect(
    listProcedures(accountRouter)
      .map(({ path }) => path)
      .sort(),
  ).toEqual([...forStrangers, ...open, ...forPeople].sort());
});

test.each([...forStrangers.map((name) => [name, 'BAD_REQUEST']), ...forPeople.map((name) => [name, 'UNAUTHORIZED'])])(
  '%s by a stranger returns %s',
  async (name, code) => {
    const procedures = callAs(null) as unknown as Record<string, (input: unknown) => Promise<unknown>>;
    const refusal = (await procedures[name as string]?.({ unknown: true }).catch((error) => error)) as TRPCError;
    expect(refusal).toBeInstanceOf(TRPCError);
    expect(refusal.code).toBe(code);
  },
);

test.each(forPeople)('%s of a person who signed in more than 15 minutes ago', async (name) => {
  const { userId } = await createPerson(database.owner);
  const person = { ...(await personOf(services(), userId)), confirmedAt: new Date(Date.now() - 16 * 60_000) };
  const procedures = callAs(person) as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  const outcome: { cause?: { code?: string } } = (await procedures[name]?.({ unknown: true }).catch(
    (error) => error,
  )) as object;
  expect(outcome?.cause?.code === 'confirmation_required').toBe(sensitive.includes(name));
});

test('a person changes the password, with the current one and a long enough new one', async () => {
  const { userId } = await createPerson(database.owner);
  const caller = callAs(await personOf(services(), userId));
  const change = (newPassword: string) => caller.changeOwnPassword({ presentPassword: password, newPassword });
  await expect(change('too short')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await change('long enough');
});

test('wherever a password is set, one that is common, or the name of the business, is refused', async () => {
  const { id } = await createMerchant(database.owner, { name: 'Kopi & Kaya' });
  const inviter = await createStaff(database.owner, services(), id);
  await callAsStaff(inviter).staff.invite({ email: 'new@example.com', role: 'manager', language: 'en' });
  const [invitation = ''] = await tokensFor(services(), 'new@example.com');
  const { userId, email } = await createPerson(database.owner);
  await database.owner`insert into memberships (merchant_id, user_id, role) values (${id}, ${userId}, 'manager')`;
  await sendPasswordReset(services(), { email, language: 'en' });
  const [reset = ''] = await tokensFor(services(), email);
  const person = { ...(await personOf(services(), userId)), memberships: [] };
  const owner = callAs({
    ...person,
    memberships: [
      { merchantId: id, merchantName: 'Kopi & Kaya', role: 'owner', storeIds: null, secondFactorFrom: null },
    ],
  });
  for (const [field, set, guesses] of [
    [
      'password',
      (password: string) => callAs(null).resetPassword({ token: reset, password }),
      ['Password123', 'kopikaya2026'],
    ],
    [
      'password',
      (password: string) => callAs(null).joinAsNewStaff({ token: invitation, name: 'Ann', password }),
      ['Password123', 'kopikaya2026'],
    ],
    [
      'newPassword',
      (newPassword: string) => owner.changeOwnPassword({ presentPassword: 'a better one of mine', newPassword }),
      ['Password123', 'kopikaya2026'],
    ],
  ] as const) {
    for (const guess of guesses) {
      const { code, cause } = await set(guess).catch((error) => error);
      expect(code).toBe('BAD_REQUEST');
      expect(cause.issues).toMatchObject([{ path: field, sentence: { key: expect.stringMatching(/^passwordIs/) } }]);
    }
    await set('a better one of mine');
  }
});

test('an address is accepted in any notation, and refused if it is invalid', async () => {
  const { email } = await createPerson(database.owner);
  await callAs(null).requestPasswordReset({ email: ` ${email.toUpperCase()} `, language: 'en' });
  const [job] = await queuedJobs(database.owner);
  expect(openResetRequest(services(), job?.payload.request ?? '')).toEqual({ email, language: 'en' });
  await expect(callAs(null).requestPasswordReset({ email: 'nobody', language: 'en' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('another merchant’s invitation opens that merchant, and no other', async () => {
  const [first, second] = [await createMerchant(database.owner), await createMerchant(database.owner)];
  const inviter = await createStaff(database.owner, services(), second.id);
  await createStaff(database.owner, services(), first.id);
  const { userId, email } = await createPerson(database.owner);
  await callAsStaff(inviter).staff.invite({ email, role: 'manager', language: 'en' });
  const [token = ''] = await tokensFor(services(), email);
  const stranger = await createPerson(database.owner);
  const refused = callAs(await personOf(services(), stranger.userId)).joinAsStaff({ token });
  await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });

  const joined = await callAs(await personOf(services(), userId)).joinAsStaff({ token });
  expect(joined).toEqual({ merchantId: second.id });
  const person = await personOf(services(), userId);
  expect(person.memberships).toMatchObject([{ merchantId: second.id, role: 'manager' }]);
  expect(await staffContext(services(), person, first.id)).toBeNull();
  expect(await staffContext(services(), person, second.id)).not.toBeNull();
});
