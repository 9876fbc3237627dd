/**
 * The second step: what a sign-in requires, that a code works once, and when it is asked for again. Tests move the
 * clock.
 */
import { describe, expect, test } from 'vitest';
import { secretsIn } from '@/db/testing/secrets';
import { createMerchant } from '@/server/testing/factory';
import { codeOf, createPerson, lettersTo, newBrowser, openSession, password, refusalOf } from '@/server/testing/people';
import { secondFactorStage } from '@/server/testing/second-factors';
import { requireConfirmed } from '../kernel/confirmed';
import { hashToken } from '../kernel/secrets';
import { listSecondFactors } from './second-factors';
import { confirmWithPassword, confirmWithProof, findWaitingSession, finishSignIn } from './second-step';
import { findStaff, listSessions } from './sessions';

const stage = secondFactorStage();
const { at, services, started, withApp, signInHalf, finish } = stage;

/** Attempts `count` times, until it is refused. Returns the codes of the refusals. */
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
    const [row] = await stage.owner`select expires_at from staff_sessions where token_hash = ${hashToken(token)}`;
    expect(row?.expires_at).toEqual(new Date(started.getTime() + 7 * 86_400_000));
    expect(await findWaitingSession(services(), { userId, token })).toBeNull();
  });

  test('without a second factor, the password is enough', async () => {
    const { email, userId } = await createPerson(stage.owner);
    const { token } = await openSession(services(), email);
    expect(await findStaff(services(), token)).toMatchObject({ userId, confirmedAt: started });
  });

  test('a session waits ten minutes, and only for its own person', async () => {
    const { email, userId } = await withApp();
    const { token } = await signInHalf(email);
    const stranger = await createPerson(stage.owner);
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
    // A code of the 30 seconds before the used one is refused, too.
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
    expect(await refusalOf(finish(waiting, first))).toMatchObject({
      issues: [{ path: 'code', sentence: { key: 'notARecoveryCode' } }],
    });
    const finished = await finish(waiting, ` ${second.replaceAll('-', ' ').toUpperCase()}`);
    expect(finished).toEqual({ recoveryCodesLeft: 8 });
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
    await stage.owner`delete from staff_sessions where user_id = ${userId}`;
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
    const { id } = await createMerchant(stage.owner);
    await stage.owner`insert into memberships (merchant_id, user_id, role) values (${id}, ${userId}, 'cashier')`;
    const { waiting } = await signInHalf(email);
    await refusalOf(finish(waiting, '000000'));
    await finish(waiting, codeOf(services(), secret));
    const entries =
      await stage.owner`select action, actor_kind, after from audit_log where merchant_id = ${id} order by action`;
    expect(entries).toMatchObject([
      { action: 'staff.secondStepRefused', actor_kind: 'service', after: '{"network":"192.0.2.0/24","attempts":1}' },
      { action: 'staff.signIn', actor_kind: 'staff', after: expect.stringContaining('"secondStep":"authenticator"') },
    ]);
    expect(secretsIn(JSON.stringify(entries))).toEqual([]);
  });
});

describe('who is there', () => {
  const personAt = async (seconds: number, token: string) => {
    const person = await findStaff(at(seconds), token);
    if (!person) throw new Error('the session has ended');
    return person;
  };

  test('is asked again 15 minutes after the sign-in, and again 15 minutes after the answer', async () => {
    const { email } = await createPerson(stage.owner);
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
