/** What a stranger may ask, what a person, and that forms are told which field is wrong. */
import { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import { openResetRequest } from '@/server/domain/staff/password-reset';
import { testServices } from '@/server/testing/factory';
import { createPerson, password, personOf } from '@/server/testing/people';
import { createCallerFactory } from './init';
import { accountRouter } from './router';

let database: TestDatabase;
const services = () => testServices(database.db);
const callAs = (person: Awaited<ReturnType<typeof personOf>> | null) =>
  createCallerFactory(accountRouter)({ services: services(), client: '192.0.2.1', person });

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
});
afterAll(() => database.drop());

const forStrangers = ['requestPasswordReset', 'resetPassword', 'joinAsNewStaff'];
const forPeople = ['joinAsStaff', 'changeOwnName', 'changeOwnPassword', 'signOutEverywhere'];

test('the lists name every procedure', () => {
  expect(Object.keys(accountRouter._def.procedures).sort()).toEqual([...forStrangers, ...forPeople].sort());
});

test.each([...forStrangers.map((name) => [name, 'BAD_REQUEST']), ...forPeople.map((name) => [name, 'UNAUTHORIZED'])])(
  '%s of a stranger is %s',
  async (name, code) => {
    const procedures = callAs(null) as unknown as Record<string, (input: unknown) => Promise<unknown>>;
    const refusal = (await procedures[name as string]?.({ unknown: true }).catch((error) => error)) as TRPCError;
    expect(refusal).toBeInstanceOf(TRPCError);
    expect(refusal.code).toBe(code);
  },
);

test('a person changes the password, given the present one and a long enough new one', async () => {
  const { userId } = await createPerson(database.owner);
  const caller = callAs(await personOf(services(), userId));
  const change = (newPassword: string) => caller.changeOwnPassword({ presentPassword: password, newPassword });
  await expect(change('too short')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await change('long enough');
});

test('an address is taken however it is written, and refused when it is none', async () => {
  const { email } = await createPerson(database.owner);
  await callAs(null).requestPasswordReset({ email: ` ${email.toUpperCase()} `, language: 'en' });
  const [job] = await database.owner`select payload->>'request' as request from graphile_worker._private_jobs`;
  expect(openResetRequest(services(), job?.request)).toEqual({ email, language: 'en' });
  await expect(callAs(null).requestPasswordReset({ email: 'nobody', language: 'en' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});
