/** An authenticator app with its recovery codes: adding, replacing and removing it. Tests move the clock. */
import { describe, expect, test } from 'vitest';
import {
  addApp,
  codeOf,
  createPerson,
  lettersTo,
  newBrowser,
  openSession,
  personOf,
  refusalOf,
} from '@/server/testing/people';
import { secondFactorStage } from '@/server/testing/second-factors';
import { deriveKeys } from '../kernel/secrets';
import {
  addAuthenticator,
  listSecondFactors,
  newAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from './second-factors';
import { finishSignIn } from './second-step';
import { findStaff, listSessions } from './sessions';

const stage = secondFactorStage();
const { services, started, withApp, signInHalf, finish } = stage;

describe('an authenticator app', () => {
  test('is added by its right code only, and only by the person who got its secret', async () => {
    const { userId, email } = await createPerson(stage.owner);
    const person = await personOf(services(), userId);
    const { secret, sealed, uri } = newAuthenticator(services(), person);
    expect(uri).toContain(`secret=${secret}`);
    const add = (who: typeof person, code: string, seal = sealed) =>
      addAuthenticator(services(), who, { sealed: seal, code });
    const stranger = await personOf(services(), (await createPerson(stage.owner)).userId);
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
      demandedBy: [],
    });
    const { recoveryCodes } = await add(person, codeOf(services(), secret));
    expect(recoveryCodes).toHaveLength(10);
    expect(await listSecondFactors(services(), person)).toEqual({
      authenticator: { createdAt: started, lastUsedAt: started },
      passkeys: [],
      recoveryCodesLeft: 10,
      demandedBy: [],
    });
    // The code that added the app has been used.
    expect(await refusalOf(finish((await signInHalf(email)).waiting, codeOf(services(), secret)))).toMatchObject({
      code: 'invalid_request',
    });
  });

  test('ends the sessions that only the password opened, but for the one that adds it', async () => {
    const { userId, email } = await createPerson(stage.owner);
    const { token: other } = await openSession(services(), email);
    const person = await personOf(services(), userId);
    await addApp(services(), person);
    expect(await findStaff(services(), other)).toBeNull();
    expect(await listSessions(services(), person)).toMatchObject([{ isThis: true }]);
  });

  test('is asked for by a sign-in that is under way while it is added', async () => {
    const { userId, email } = await createPerson(stage.owner);
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
      demandedBy: [],
    });
    const { token } = await openSession(services(), email);
    expect(await findStaff(services(), token)).toMatchObject({ userId });
    expect(await refusalOf(renewRecoveryCodes(services(), person))).toMatchObject({ code: 'second_factor_required' });
    const changes = (await lettersTo(services(), email)).map((letter) => 'change' in letter && letter.change);
    expect(changes.filter((change) => change === 'authenticatorRemoved')).toHaveLength(1);
  });

  test('and recovery codes are stored encrypted or hashed', async () => {
    const { userId, secret, recoveryCodes } = await withApp();
    const rows = await stage.owner`
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
