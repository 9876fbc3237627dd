import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import {
  createPerson,
  lettersTo,
  newBrowser,
  openSession,
  password,
  personOf,
  refusalOf,
  tokensFor,
} from '@/server/testing/people';
import { queuedJobs } from '@/server/testing/queue';
import { signOutEverywhere } from './account';
import type { Browser } from './browser';
import {
  findPasswordReset,
  openResetRequest,
  requestPasswordReset,
  resetPassword,
  sendPasswordReset,
} from './password-reset';
import { findStaff } from './sessions';
import { signIn } from './sign-in';

const database = sharedDatabase();
let now = new Date('2026-03-02T08:00:00Z');
const services = () => testServices(database.db, { now: () => now });
const minute = 60_000;
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const newPassword = 'a new and better one';

/** Creates a person who has received a reset link by mail. */
async function forgetful() {
  const person = await createPerson(database.owner);
  await sendPasswordReset(services(), { email: person.email, language: 'en' });
  const [token = ''] = await tokensFor(services(), person.email);
  return { ...person, token };
}

test('a link sets a new password once, ends all sessions, and lets the person in whom a network’s guesses kept out', async () => {
  const { email, userId } = await createPerson(database.owner);
  const { token: session } = await openSession(services(), email);
  for (let tries = 1; tries <= 10; tries++) {
    await signIn(services(), newBrowser({ client: '203.0.113.9' }), { email, password: 'a guess' });
  }
  const own = newBrowser({ client: '203.0.113.9' });
  expect((await refusalOf(signIn(services(), own, { email, password }))).code).toBe('too_many_attempts');

  await sendPasswordReset(services(), { email, language: 'en' });
  const [token = ''] = await tokensFor(services(), email);
  expect(await findPasswordReset(services(), token)).toMatchObject({ email });
  expect(await resetPassword(services(), own, { token, password: newPassword })).toEqual({ email });
  expect(await findStaff(services(), session)).toBeNull();
  expect((await lettersTo(services(), email))[0]).toMatchObject({ kind: 'passwordChanged', language: 'en' });
  expect(await signIn(services(), own, { email, password: newPassword })).toMatchObject({ userId });

  expect(await findPasswordReset(services(), token)).toBeNull();
  expect((await refusalOf(resetPassword(services(), newBrowser(), { token, password: 'yet another one' }))).code).toBe(
    'link_not_found',
  );
  expect(await openSession(services(), email, newPassword)).toBeTruthy();
});

test('of the same link used twice at once, exactly one wins', async () => {
  const { token, email } = await forgetful();
  const wanted = ['first new password', 'second new password'];
  const outcomes = await Promise.allSettled(
    wanted.map((one) => resetPassword(services(), newBrowser(), { token, password: one })),
  );
  const winners = wanted.filter((_, at) => outcomes[at]?.status === 'fulfilled');
  expect(winners).toHaveLength(1);
  expect(await openSession(services(), email, winners[0])).toBeTruthy();
});

test('of two links used at once, exactly one wins, and the other stops working', async () => {
  const { email, token } = await forgetful();
  await sendPasswordReset(services(), { email, language: 'en' });
  const tokens = await tokensFor(services(), email);
  expect(new Set([...tokens, token]).size).toBe(2);
  const outcomes = await Promise.allSettled(
    tokens.map((one) => resetPassword(services(), newBrowser(), { token: one, password: newPassword })),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const one of tokens) expect(await findPasswordReset(services(), one)).toBeNull();
});

test('a link works for an hour', async () => {
  const { token, email } = await forgetful();
  pass(60 * minute - 1);
  expect(await findPasswordReset(services(), token)).toMatchObject({ email });
  pass(1);
  expect(await findPasswordReset(services(), token)).toBeNull();
  expect((await refusalOf(resetPassword(services(), newBrowser(), { token, password: newPassword }))).code).toBe(
    'link_not_found',
  );
  expect(await openSession(services(), email)).toBeTruthy();
});

test('“sign out everywhere” ends links, too', async () => {
  const { token, userId } = await forgetful();
  await signOutEverywhere(services(), newBrowser(), await personOf(services(), userId));
  expect((await refusalOf(resetPassword(services(), newBrowser(), { token, password: newPassword }))).code).toBe(
    'link_not_found',
  );
});

test('the e-mail address is refused as a password, and the link still works', async () => {
  const { token, email } = await forgetful();
  const refusal = await refusalOf(resetPassword(services(), newBrowser(), { token, password: email.toUpperCase() }));
  expect(refusal.issues[0]?.path).toBe('password');
  expect(await resetPassword(services(), newBrowser(), { token, password: newPassword })).toEqual({ email });
});

test('neither the token nor the link is stored in plain text', async () => {
  const { token } = await forgetful();
  const rows = await database.owner`
    select (select string_agg(r::text, ' ') from password_resets r) || (select string_agg(m::text, ' ') from mails m) as text`;
  const text = String(rows[0]?.text);
  for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')]) {
    expect(text).not.toContain(form);
  }
});

test('a request for an unknown address gets the same response, and no mail', async () => {
  const { email } = await createPerson(database.owner);
  const ask = (address: string) => requestPasswordReset(services(), newBrowser(), { email: address, language: 'en' });
  expect(await ask('nobody@example.com')).toEqual(await ask(email));
  await sendPasswordReset(services(), { email: 'nobody@example.com', language: 'en' });
  expect(await tokensFor(services(), 'nobody@example.com')).toEqual([]);
  const jobs = (await queuedJobs(database.owner)).slice(-2);
  const asked = jobs.map(({ payload }) => openResetRequest(services(), payload.request ?? '').email);
  expect(asked.sort()).toEqual([email, 'nobody@example.com'].sort());
});

test('is limited to five requests an hour for an address from a network, known or not', async () => {
  const { email } = await createPerson(database.owner);
  for (const address of [email, `unknown-${email}`]) {
    const ask = () =>
      requestPasswordReset(services(), newBrowser({ client: '203.0.113.77' }), { email: address, language: 'en' });
    for (let times = 1; times <= 5; times++) await ask();
    expect(await refusalOf(ask())).toMatchObject({
      code: 'too_many_attempts',
      details: { retryAfterSeconds: 3600 },
    });
  }
});

test('others’ requests keep nobody from one: a mail goes out every ten minutes, and at once from a known browser', async () => {
  const { email } = await createPerson(database.owner);
  const own = newBrowser();
  await signIn(services(), own, { email, password });
  const before = (await queuedJobs(database.owner)).length;
  let networks = 0;
  const ask = async (times: number, browser?: Browser) => {
    for (let n = 0; n < times; n++) {
      const client = `198.51.7.${++networks}`;
      await requestPasswordReset(services(), browser ?? newBrowser({ client }), { email, language: 'en' });
    }
    return (await queuedJobs(database.owner)).length - before;
  };
  // Five at once, and one as the first of the delayed mails.
  expect(await ask(12)).toBe(6);
  expect(await ask(2, own)).toBe(8);
  pass(10 * minute);
  expect(await ask(3)).toBe(9);
});

test('is limited to 30 requests an hour per client', async () => {
  const ask = (at: number) =>
    requestPasswordReset(services(), newBrowser({ client: '192.0.2.55' }), {
      email: `many-${at}@example.com`,
      language: 'en',
    });
  for (let at = 1; at <= 30; at++) await ask(at);
  expect((await refusalOf(ask(31))).code).toBe('too_many_attempts');
  pass(60 * minute);
  await ask(31);
});

test('the password stays the same until the link is used', async () => {
  const { email } = await forgetful();
  expect(await openSession(services(), email, password)).toBeTruthy();
});
