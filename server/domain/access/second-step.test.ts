/** The second step: what it takes to sign in, that a code works once, and who is asked again. Times pass by the clock. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sharedDatabase, type TestDatabase } from '@/db/testing/database';
import { secretsIn } from '@/db/testing/secrets';
import { createMerchant, testServices } from '@/server/testing/factory';
import {
  addApp,
  codeOf,
  createPerson,
  lettersTo,
  newBrowser,
  openSession,
  password,
  personOf,
  refusalOf,
} from '@/server/testing/people';
import { deriveKeys, hashToken } from '../kernel/secrets';
import type { Browser } from './browser';
import {
  addAuthenticator,
  listSecondFactors,
  newAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from './second-factors';
import {
  confirmWithPassword,
  confirmWithProof,
  findWaitingSession,
  finishSignIn,
  requireConfirmed,
  type WaitingSession,
} from './second-step';
import { findStaff, listSessions } from './sessions';
import { signIn } from './sign-in';

let database: TestDatabase;
const started = new Date();
const at = (seconds: number) => {
  const clock = { now: () => new Date(started.getTime() + seconds * 1000) };
  return { ...testServices(database.db), clock, systemClock: clock };
};
const services = () => at(0);

beforeAll(async () => {
  database = await sharedDatabase(inject('adminUrl'));
});
afterAll(() => database.drop());

/** A person with an app. */
async function withApp() {
  const { userId, email } = await createPerson(database.owner);
  const person = await personOf(services(), userId);
  return { userId, email, person, ...(await addApp(services(), person)) };
}

/** Signs in with the password, and returns the session that waits. */
async function signInHalf(email: string, browser = newBrowser()) {
  const session = await signIn(services(), browser, { email, password });
  if (!session) throw new Error('the password is wrong');
  const waiting = await findWaitingSession(services(), session);
  if (!waiting) throw new Error('the session does not wait');
  return { ...session, waiting, browser };
}

const finish = (waiting: WaitingSession, code: string, browser: Browser = newBrowser()) =>
  finishSignIn(services(), browser, waiting, { code });

/** Attempts until it is refused. Returns the codes of the refusals. */
async function attempts(count: number, attempt: () => Promise<unknown>) {
  const codes: string[] = [];
  for (let n = 0; n < count; n++) codes.push((await refusalOf(attempt())).code);
  return codes;
}

describe('signing in with a second step', () => {
  test('the password alone opens nothing; the app’s code does, for seven days', async () => {
    const { userId, email, secret, person } = await withApp();
    const { token, waiting } = await signInHalf(email);
    expect(await findStaff(services(), token)).toBeNull();
    expect(await listSessions(services(), person)).toHaveLength(1);
    await finish(waiting, codeOf(services(), secret));
    expect(await findStaff(services(), token)).toMatchObject({ userId });
    const [row] = await database.owner`select expires_at from staff_sessions where token_hash = ${hashToken(token)}`;
    expect(row?.expires_at).toEqual(new Date(started.getTime() + 7 * 86_400_000));
    expect(await findWaitingSession(services(), { userId, token })).toBeNull();
  });

  test('without a second factor, the password is enough', async () => {
    const { email, userId } = await createPerson(database.owner);
    const { token } = await openSession(services(), email);
    expect(await findStaff(services(), token)).toMatchObject({ userId, confirmedAt: started });
  });

  test('a session waits ten minutes, and only for its own person', async () => {
    const { email, userId } = await withApp();
    const { token } = await signInHalf(email);
    const stranger = await createPerson(database.owner);
    expect(await findWaitingSession(at(599), { userId, token })).not.toBeNull();
    expect(await findWaitingSession(at(600), { userId, token })).toBeNull();
    expect(await findWaitingSession(services(), { userId: stranger.userId, token })).toBeNull();
  });

  test('a browser is known, and the person told of it, only after the second step', async () => {
    const { email, secret } = await withApp();
    const browser = newBrowser();
    const told = async () => (await lettersTo(services(), email)).filter(({ kind }) => kind === 'newDevice').length;
    const before = await told();
    const { waiting } = await signInHalf(email, browser);
    expect(browser.device.read()).toBeUndefined();
    expect(await told()).toBe(before);
    await finish(waiting, codeOf(services(), secret), browser);
    expect(browser.device.read()).toBeDefined();
    expect(await told()).toBe(before + 1);
  });

  test('a code works once, also in other sessions and at the same moment', async () => {
    const { email, secret } = await withApp();
    const sessions = await Promise.all(Array.from({ length: 4 }, () => signInHalf(email)));
    const code = codeOf(services(), secret);
    const outcomes = await Promise.allSettled(sessions.map(({ waiting }) => finish(waiting, code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const open = await Promise.all(sessions.map(({ token }) => findStaff(services(), token)));
    expect(open.filter(Boolean)).toHaveLength(1);
    const { waiting } = await signInHalf(email);
    expect(await refusalOf(finish(waiting, code))).toMatchObject({ code: 'invalid_request' });
    // Nor does one of the 30 seconds before the used one.
    expect(await refusalOf(finish(waiting, codeOf(services(), secret, -1)))).toMatchObject({ code: 'invalid_request' });
    await finish(waiting, codeOf(services(), secret, 1));
  });

  test('a code of a minute ago or in a minute is refused', async () => {
    const { email, secret } = await withApp();
    const { waiting } = await signInHalf(email);
    for (const steps of [-2, 2]) {
      expect(await refusalOf(finish(waiting, codeOf(services(), secret, steps)))).toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'code', sentence: { key: 'notTheSecondStep' } }],
      });
    }
  });

  test('a recovery code works once, in any notation, also at the same moment; the person is told', async () => {
    const { email, recoveryCodes, person } = await withApp();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    const sessions = await Promise.all(Array.from({ length: 4 }, () => signInHalf(email)));
    const outcomes = await Promise.allSettled(sessions.map(({ waiting }) => finish(waiting, first)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { waiting } = await signInHalf(email);
    await finish(waiting, ` ${second.replaceAll('-', ' ').toUpperCase()}`);
    expect(await listSecondFactors(services(), person)).toMatchObject({ recoveryCodesLeft: 8 });
    const changes = (await lettersTo(services(), email)).filter((letter) => letter.kind === 'secondFactorChanged');
    expect(changes.map((letter) => 'change' in letter && letter.change)).toEqual([
      'codeUsed',
      'codeUsed',
      'authenticatorAdded',
    ]);
  });

  test('a session that ends while the code is on its way stays ended, and the code stays unused', async () => {
    const { email, userId, secret } = await withApp();
    const { waiting, token } = await signInHalf(email);
    await database.owner`delete from staff_sessions where user_id = ${userId}`;
    const code = codeOf(services(), secret);
    expect(await refusalOf(finish(waiting, code))).toMatchObject({ code: 'signed_out' });
    expect(await findStaff(services(), token)).toBeNull();
    await finish((await signInHalf(email)).waiting, code);
  });

  test('ten wrong codes in 15 minutes and 50 in a day lock nobody out of a known browser, nor out of recovery codes', async () => {
    const { email, secret, recoveryCodes } = await withApp();
    const known = newBrowser();
    await finish((await signInHalf(email, known)).waiting, codeOf(services(), secret), known);
    const { waiting } = await signInHalf(email);
    const guess = () => finish(waiting, '000 000', newBrowser({ client: '203.0.113.7' }));
    expect(await attempts(12, guess)).toEqual([
      ...Array(10).fill('invalid_request'),
      ...['too_many_attempts', 'too_many_attempts'],
    ]);
    expect((await refusalOf(finish(waiting, codeOf(services(), secret, 1)))).code).toBe('too_many_attempts');
    await finish((await signInHalf(email, known)).waiting, codeOf(services(), secret, 1), known);
    await finish(waiting, recoveryCodes[0] ?? '', newBrowser({ client: '203.0.113.7' }));
    for (const minutes of [20, 40, 60, 80]) {
      const later = at(minutes * 60);
      const again = () => finishSignIn(later, newBrowser(), waiting, { code: '000000' });
      expect(await attempts(10, again), `after ${minutes} minutes`).toEqual(Array(10).fill('invalid_request'));
    }
    const tomorrow = at(100 * 60);
    const last = refusalOf(finishSignIn(tomorrow, newBrowser(), waiting, { code: '000000' }));
    expect(await last).toMatchObject({ code: 'too_many_attempts', details: { retryAfterSeconds: 86_400 - 6_000 } });
  });

  test('a code of the app is limited alike however it is written, and from whatever networks', async () => {
    const { email } = await withApp();
    const { waiting } = await signInHalf(email);
    const written = ['000000', '000 000', '0 0 0 0 0 0', '0-0-0-0-0-0', '000000------', '0  0  0  0  0  0'];
    let at = 0;
    const guess = () => {
      const code = written[at % written.length] as string;
      at += 1;
      return finish(waiting, code, newBrowser({ client: `198.51.100.${at}` }));
    };
    expect(await attempts(12, guess)).toEqual([
      ...Array(10).fill('invalid_request'),
      ...['too_many_attempts', 'too_many_attempts'],
    ]);
  });

  test('used and refused second steps are in the audit log and the log, without a code', async () => {
    const { userId, email, secret } = await withApp();
    const { id } = await createMerchant(database.owner);
    await database.owner`insert into memberships (merchant_id, user_id, role) values (${id}, ${userId}, 'cashier')`;
    const { waiting } = await signInHalf(email);
    await refusalOf(finish(waiting, '000000'));
    await finish(waiting, codeOf(services(), secret));
    const entries =
      await database.owner`select action, actor_kind, after from audit_log where merchant_id = ${id} order by action`;
    expect(entries).toMatchObject([
      { action: 'staff.secondStepRefused', actor_kind: 'service', after: '{"network":"192.0.2.0/24","attempts":1}' },
      { action: 'staff.signIn', actor_kind: 'staff', after: expect.stringContaining('"secondStep":"authenticator"') },
    ]);
    expect(secretsIn(JSON.stringify(entries))).toEqual([]);
  });
});

describe('an authenticator app', () => {
  test('is added by its right code only, and only by the person who got its secret', async () => {
    const { userId, email } = await createPerson(database.owner);
    const person = await personOf(services(), userId);
    const { secret, sealed, uri } = newAuthenticator(services(), person);
    expect(uri).toContain(`secret=${secret}`);
    const add = (who: typeof person, code: string, seal = sealed) =>
      addAuthenticator(services(), who, { sealed: seal, code });
    const stranger = await personOf(services(), (await createPerson(database.owner)).userId);
    for (const wrong of [
      add(person, '000000'),
      add(stranger, codeOf(services(), secret)),
      add(person, codeOf(services(), secret), 'AAAA'),
    ]) {
      expect(await refusalOf(wrong)).toMatchObject({ code: 'invalid_request', issues: [{ path: 'code' }] });
    }
    expect(await listSecondFactors(services(), person)).toEqual({
      authenticator: null,
      passkeys: [],
      recoveryCodesLeft: 0,
    });
    const { recoveryCodes } = await add(person, codeOf(services(), secret));
    expect(recoveryCodes).toHaveLength(10);
    expect(await listSecondFactors(services(), person)).toEqual({
      authenticator: { createdAt: started, lastUsedAt: started },
      passkeys: [],
      recoveryCodesLeft: 10,
    });
    // The code that added it has been used.
    expect(await refusalOf(finish((await signInHalf(email)).waiting, codeOf(services(), secret)))).toMatchObject({
      code: 'invalid_request',
    });
  });

  test('ends the sessions that only the password opened, but for the one that adds it', async () => {
    const { userId, email } = await createPerson(database.owner);
    const { token: other } = await openSession(services(), email);
    const person = await personOf(services(), userId);
    await addApp(services(), person);
    expect(await findStaff(services(), other)).toBeNull();
    expect(await listSessions(services(), person)).toMatchObject([{ isThis: true }]);
  });

  test('is asked for by a sign-in that is under way while it is added', async () => {
    const { userId, email } = await createPerson(database.owner);
    const person = await personOf(services(), userId);
    const [sessions] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, () => openSession(services(), email))),
      addApp(services(), person),
    ]);
    const open = await Promise.all(sessions.map(({ token }) => findStaff(services(), token)));
    expect(open.filter(Boolean)).toEqual([]);
  });

  test('that replaces another one ends its codes, and keeps recovery codes and sessions', async () => {
    const { person, email, secret: first, recoveryCodes } = await withApp();
    const again = await addApp(services(), person);
    expect(again.recoveryCodes).toEqual([]);
    const { waiting } = await signInHalf(email);
    expect(await refusalOf(finish(waiting, codeOf(services(), first)))).toMatchObject({ code: 'invalid_request' });
    await finish(waiting, codeOf(services(), again.secret));
    await finish((await signInHalf(email)).waiting, recoveryCodes[0] ?? '');
  });

  test('is removed with its recovery codes; from then on the password is enough', async () => {
    const { userId, person, email } = await withApp();
    await removeAuthenticator(services(), person);
    await removeAuthenticator(services(), person);
    expect(await listSecondFactors(services(), person)).toEqual({
      authenticator: null,
      passkeys: [],
      recoveryCodesLeft: 0,
    });
    const { token } = await openSession(services(), email);
    expect(await findStaff(services(), token)).toMatchObject({ userId });
    expect(await refusalOf(renewRecoveryCodes(services(), person))).toMatchObject({ code: 'second_factor_required' });
    const changes = (await lettersTo(services(), email)).map((letter) => 'change' in letter && letter.change);
    expect(changes.filter((change) => change === 'authenticatorRemoved')).toHaveLength(1);
  });

  test('and recovery codes are stored encrypted or hashed', async () => {
    const { userId, secret, recoveryCodes } = await withApp();
    const rows = await database.owner`
      select a.secret, r.code_hash from authenticators a join recovery_codes r using (user_id) where user_id = ${userId}`;
    const stored = rows.flatMap((row) => Object.values(row).map((bytes) => (bytes as Buffer).toString('latin1')));
    expect(stored).toHaveLength(20);
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored.some((one) => one.includes(text))).toBe(false);
    }
  });

  test('is a fault, and not a wrong code, where the service has lost the key', async () => {
    const { email, secret } = await withApp();
    const { waiting } = await signInHalf(email);
    const withoutKey = { ...services(), ...deriveKeys('another secret of tests, which sealed nothing') };
    const lost = finishSignIn(withoutKey, newBrowser(), waiting, { code: codeOf(services(), secret) });
    await expect(lost).rejects.toThrow('does not open');
    await finish(waiting, codeOf(services(), secret));
  });

  test('gets new recovery codes, which end the earlier ones', async () => {
    const { person, email, recoveryCodes } = await withApp();
    const { recoveryCodes: fresh } = await renewRecoveryCodes(services(), person);
    expect(fresh).toHaveLength(10);
    const { waiting } = await signInHalf(email);
    expect((await refusalOf(finish(waiting, recoveryCodes[0] ?? ''))).code).toBe('invalid_request');
    await finish(waiting, fresh[9] ?? '');
  });
});

describe('who is there', () => {
  const personAt = async (seconds: number, token: string) => {
    const person = await findStaff(at(seconds), token);
    if (!person) throw new Error('the session has ended');
    return person;
  };

  test('is asked again 15 minutes after the sign-in, and again 15 minutes after the answer', async () => {
    const { email } = await createPerson(database.owner);
    const { token } = await openSession(services(), email);
    requireConfirmed(at(900), await personAt(900, token));
    const late = await personAt(901, token);
    expect(() => requireConfirmed(at(901), late)).toThrow(expect.objectContaining({ code: 'confirmation_required' }));
    expect(await refusalOf(confirmWithPassword(at(901), late, { presentPassword: 'a guess' }))).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'presentPassword' }],
    });
    await confirmWithPassword(at(901), late, { presentPassword: password });
    requireConfirmed(at(1_801), await personAt(1_801, token));
    const later = await personAt(1_802, token);
    expect(() => requireConfirmed(at(1_802), later)).toThrow();
  });

  test('is answered with a code by a person who has an app; the password is not enough', async () => {
    const { email, secret } = await withApp();
    const { token, waiting } = await signInHalf(email);
    await finish(waiting, codeOf(services(), secret));
    const person = await personAt(1_000, token);
    expect(await refusalOf(confirmWithPassword(at(1_000), person, { presentPassword: password }))).toMatchObject({
      issues: [{ sentence: { key: 'secondStepNeeded' } }],
    });
    const confirm = (code: string) => confirmWithProof(at(1_000), newBrowser(), person, { code });
    expect((await refusalOf(confirm(codeOf(services(), secret)))).code).toBe('invalid_request');
    await confirm(codeOf(at(1_000), secret));
    requireConfirmed(at(1_000), await personAt(1_000, token));
  });

  test('is throttled in a session, whatever others do', async () => {
    const { person } = await withApp();
    const confirm = (who: typeof person) => () => confirmWithProof(services(), newBrowser(), who, { code: '000000' });
    expect((await attempts(11, confirm(person))).at(-1)).toBe('too_many_attempts');
    const elsewhere = { ...person, sessionId: '00000000-0000-7000-8000-000000000000' };
    expect(await attempts(1, confirm(elsewhere))).toEqual(['invalid_request']);
  });
});
