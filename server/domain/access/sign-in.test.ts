import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { testServices } from '@/server/testing/factory';
import { createPerson, newBrowser, openSession, password, personOf, refusalOf } from '@/server/testing/people';
import { networkOf } from '../kernel/networks';
import { changeOwnName, changeOwnPassword } from './account';
import { forgetExpired } from './forget-expired';
import { hashPassword, verifyPassword } from './password';
import { findStaff } from './sessions';
import { decoyHash, signIn } from './sign-in';

const database = ownDatabase();
let now = new Date('2026-03-02T08:00:00Z');
const services = () => testServices(database.db, { now: () => now });
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

/** Counts further wrong attempts from a network, like that many guesses for different addresses. */
async function addGuesses(network: string, guesses: number): Promise<void> {
  const key = createHash('sha256').update(`sign-in from ${network}`).digest('base64url');
  const counted = await database.owner`
    update throttles set attempts = attempts + ${guesses} where key = ${key} returning key`;
  expect(counted).toHaveLength(1);
}

let clients = 0;
/** A network that no other test uses. */
const newClient = () => `198.51.${++clients}.7`;

describe('signing in', () => {
  test('accepts only the right password, however the address is written', async () => {
    const { userId, email } = await createPerson(database.owner);
    const browser = newBrowser({ client: newClient() });
    const session = await signIn(services(), browser, { email: ` ${email.toUpperCase()} `, password });
    expect(session).toMatchObject({ userId });
    expect(await signIn(services(), browser, { email, password: `${password} ` })).toBeNull();
    expect(await signIn(services(), browser, { email: 'nobody@example.com', password })).toBeNull();
  });

  test('is refused after ten tries for an address from a network, known or not, for a quarter of an hour', async () => {
    const { email } = await createPerson(database.owner);
    for (const address of [email, `unknown-${email}`]) {
      const client = newClient();
      const attempt = (given: string) =>
        signIn(services(), newBrowser({ client }), { email: address, password: given });
      for (let tries = 1; tries <= 10; tries++) expect(await attempt('a guess')).toBeNull();
      pass(60);
      expect(await refusalOf(attempt(password))).toMatchObject({
        code: 'too_many_attempts',
        details: { retryAfterSeconds: 14 * 60 },
      });
      pass(14 * 60);
    }
    expect(await openSession(services(), email)).toBeTruthy();
  });

  test('can’t be stopped by others’ guesses: elsewhere it only takes longer, for an address known or not', async () => {
    const { email } = await createPerson(database.owner);
    const attempt = (address: string, given: string) =>
      signIn(services(), newBrowser({ client: newClient() }), { email: address, password: given });
    for (const address of [email, `unknown-${email}`]) {
      for (let tries = 1; tries <= 10; tries++) expect(await attempt(address, 'a guess')).toBeNull();
    }
    for (const [address, isPerson] of [
      [email, true],
      [`unknown-${email}`, false],
    ] as const) {
      const began = performance.now();
      expect((await attempt(address, password)) !== null).toBe(isPerson);
      expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    }
  });

  test('passes at once in a browser where the person signed in before, whatever others on its network guess', async () => {
    const { email } = await createPerson(database.owner);
    const client = newClient();
    const [own, other] = [newBrowser({ client }), newBrowser({ client })];
    await signIn(services(), own, { email, password });
    for (let tries = 1; tries <= 10; tries++) await signIn(services(), other, { email, password: 'a guess' });
    await addGuesses(networkOf(client), 90);
    expect((await refusalOf(signIn(services(), other, { email, password }))).code).toBe('too_many_attempts');
    expect(await signIn(services(), own, { email, password })).not.toBeNull();
    // A stolen browser has ten tries of its own, and leaves the person's tries elsewhere.
    for (let tries = 1; tries <= 10; tries++) await signIn(services(), own, { email, password: 'a guess' });
    expect((await refusalOf(signIn(services(), own, { email, password }))).code).toBe('too_many_attempts');
    expect(await openSession(services(), email)).toBeTruthy();
  });

  test('counts concurrent tries one by one', async () => {
    const { email } = await createPerson(database.owner);
    const browser = newBrowser({ client: newClient() });
    const attempts = Array.from({ length: 14 }, () => signIn(services(), browser, { email, password: 'a guess' }));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  });

  test('is refused to a client after 100 wrong tries over many addresses; right ones do not count', async () => {
    const { email } = await createPerson(database.owner);
    const network = '2001:db8:77:1';
    const attempt = (at: number, address: string, given: string) =>
      signIn(services(), newBrowser({ client: `${network}::${at.toString(16)}` }), { email: address, password: given });
    for (let at = 0; at < 5; at++) expect(await attempt(at, email, password)).not.toBeNull();
    const guess = async (at: number) => expect(await attempt(at, `guess-${at}@example.com`, 'a guess')).toBeNull();
    for (let at = 0; at < 5; at++) await guess(at);
    await addGuesses(network, 90);
    // A sign-in does not reset others' wrong guesses from its network.
    expect(await attempt(300, email, password)).not.toBeNull();
    for (let at = 95; at < 100; at++) await guess(at);
    expect((await refusalOf(attempt(200, email, password))).code).toBe('too_many_attempts');
    const elsewhere = newBrowser({ client: '2001:db8:77:2::1' });
    expect(await signIn(services(), elsewhere, { email, password })).not.toBeNull();
  });

  test('is refused to an IPv6 client after 500 wrong tries from the networks of its /48', async () => {
    const { email } = await createPerson(database.owner);
    const attempt = (client: string) => signIn(services(), newBrowser({ client }), { email, password });
    expect(await attempt('2001:db8:78:1::1')).not.toBeNull();
    await addGuesses('2001:db8:78::/48', 500);
    expect((await refusalOf(attempt('2001:db8:78:2::1'))).code).toBe('too_many_attempts');
    expect(await attempt('2001:db8:79:1::1')).not.toBeNull();
  });

  test('takes as long for an unknown address: the decoy hash costs as much as a real one', async () => {
    const costOf = (hash: string) => hash.split('$').slice(0, 4).join('$');
    expect(costOf(decoyHash)).toBe(costOf(await hashPassword(password)));
    expect(await verifyPassword(password, decoyHash)).toBe(false);
  });

  test('queues rather than take all threads, and refuses when too many are queued', async () => {
    const hash = await hashPassword(password);
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword(password, hash)));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array(8).fill('service_unavailable'));
    expect(await verifyPassword(password, hash)).toBe(true);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:42:1:2:3:4', '2001:db8:0:42'],
  ['2001:0DB8::1', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('one’s own account', () => {
  test('a name is changed', async () => {
    const { userId } = await createPerson(database.owner);
    await changeOwnName(services(), await personOf(services(), userId), { name: 'Wei Jie' });
    expect((await personOf(services(), userId)).name).toBe('Wei Jie');
  });

  test('a new password requires the current one, and signs out everywhere', async () => {
    const { userId, email } = await createPerson(database.owner);
    const person = await personOf(services(), userId);
    const { token: session } = await openSession(services(), email);
    const change = (presentPassword: string, newPassword: string) =>
      changeOwnPassword(services(), newBrowser(), person, { presentPassword, newPassword });
    expect((await refusalOf(change('not the password', 'another good one'))).issues[0]?.path).toBe('presentPassword');
    expect((await refusalOf(change(password, email.toUpperCase()))).issues[0]?.path).toBe('newPassword');
    expect(await findStaff(services(), session)).not.toBeNull();
    await change(password, 'another good one');
    expect(await findStaff(services(), session)).toBeNull();
    expect(await signIn(services(), newBrowser({ client: newClient() }), { email, password })).toBeNull();
    expect(await openSession(services(), email, 'another good one')).toBeTruthy();
  });

  test('of two new passwords at once, one is set', async () => {
    const { userId, email } = await createPerson(database.owner);
    const person = await personOf(services(), userId);
    const wanted = ['the first choice', 'the second choice'];
    const outcomes = await Promise.allSettled(
      wanted.map((newPassword) =>
        changeOwnPassword(services(), newBrowser(), person, { presentPassword: password, newPassword }),
      ),
    );
    const winner = wanted.filter((_, at) => outcomes[at]?.status === 'fulfilled');
    expect(winner).toHaveLength(1);
    expect(await openSession(services(), email, winner[0])).toBeTruthy();
  });

  test('the current password can’t be guessed there either', async () => {
    const { userId } = await createPerson(database.owner);
    const person = await personOf(services(), userId);
    const guess = () =>
      changeOwnPassword(services(), newBrowser(), person, {
        presentPassword: 'a guess',
        newPassword: 'another good one',
      });
    for (let tries = 1; tries <= 10; tries++) expect((await refusalOf(guess())).code).toBe('invalid_request');
    expect((await refusalOf(guess())).code).toBe('too_many_attempts');
  });
});

test('only what has expired is deleted', async () => {
  const { userId } = await createPerson(database.owner);
  const { owner } = database;
  await owner`truncate throttles, mails`;
  const soon = new Date(now.getTime() + 1_000);
  for (const at of [now, soon]) {
    await owner`insert into throttles (key, attempts, resets_at) values (${`key ${at.getTime()}`}, 3, ${at})`;
    await owner`
      insert into password_resets (token_hash, user_id, session_version, expires_at)
      values (${Buffer.from(`${at.getTime()}`)}, ${userId}, 1, ${at})`;
  }
  const week = 7 * 24 * 60 * 60_000;
  for (const at of [now.getTime() - week, soon.getTime() - week]) {
    await owner`
      insert into mails (id, recipient, state, created_at) values (gen_random_uuid(), 'a@b.example', 'sent', ${new Date(at)})`;
  }
  await forgetExpired(services());
  expect([...(await owner`select key from throttles`)]).toEqual([{ key: `key ${soon.getTime()}` }]);
  expect([...(await owner`select expires_at from password_resets`)]).toEqual([{ expires_at: soon }]);
  expect(await owner`select from mails`).toHaveLength(1);
});
