/** Passkeys of devices that the test simulates: each proof works once, and only for its holder. */
import { describe, expect, test } from 'vitest';
import { newDevice } from '@/server/testing/passkey-device';
import { createPerson, lettersTo, newBrowser, password, personOf, refusalOf } from '@/server/testing/people';
import { secondFactorStage } from '@/server/testing/second-factors';
import { requireConfirmed } from '../kernel/confirmed';
import { addPasskey, newPasskey, removePasskey, renamePasskey, requestPasskey } from './passkeys';
import { listSecondFactors } from './second-factors';
import {
  confirmWithPassword,
  confirmWithProof,
  findWaitingSession,
  finishSignIn,
  signInWithPasskey,
} from './second-step';
import { findStaff, type Staff } from './sessions';
import { signIn } from './sign-in';

const stage = secondFactorStage();
const { at, services, started } = stage;

const add = async (person: Staff, device = newDevice()) => {
  const response = device.create(await newPasskey(services(), person));
  const browser = newBrowser({ userAgent: 'Chrome/142 (Windows)' });
  return { device, ...(await addPasskey(services(), browser, person, { response })) };
};

/** A person with a passkey. */
async function withPasskey() {
  const { userId, email } = await createPerson(stage.owner);
  const person = await personOf(services(), userId);
  return { userId, email, person, ...(await add(person)) };
}

const enter = (response: ReturnType<ReturnType<typeof newDevice>['prove']>, seconds = 0) =>
  signInWithPasskey(at(seconds), newBrowser(), response);
const challenge = () => requestPasskey(services());

describe('a passkey', () => {
  test('signs in without the password, as both steps', async () => {
    const { userId, device, email } = await withPasskey();
    const session = await enter(device.prove(await challenge()));
    expect(await findStaff(services(), session?.token ?? '')).toMatchObject({ userId, confirmedAt: started });
    expect((await lettersTo(services(), email))[0]).toMatchObject({ kind: 'newDevice' });
  });

  test('is the second step after the password', async () => {
    const { userId, device, email } = await withPasskey();
    const session = await signIn(services(), newBrowser(), { email, password });
    expect(await findStaff(services(), session?.token ?? '')).toBeNull();
    const waiting = session && (await findWaitingSession(services(), session));
    if (!waiting) throw new Error('the session does not wait');
    expect(waiting.hasApp).toBe(false);
    await finishSignIn(services(), newBrowser(), waiting, { passkey: device.prove(await challenge()) });
    expect(await findStaff(services(), session.token)).toMatchObject({ userId });
  });

  test('confirms who is there, instead of the password', async () => {
    const { device, person } = await withPasskey();
    const late = { ...person, confirmedAt: new Date(started.getTime() - 16 * 60_000) };
    expect(() => requireConfirmed(services(), late)).toThrow();
    expect((await refusalOf(confirmWithPassword(services(), late, { presentPassword: password }))).code).toBe(
      'invalid_request',
    );
    await stage.owner`update staff_sessions set confirmed_at = ${late.confirmedAt} where id = ${person.sessionId}`;
    await confirmWithProof(services(), newBrowser(), late, { passkey: device.prove(await challenge()) });
    const [row] = await stage.owner`select confirmed_at from staff_sessions where id = ${person.sessionId}`;
    expect(row?.confirmed_at).toEqual(started);
  });

  test('answers a challenge once, also at the same moment, and within five minutes', async () => {
    const { device } = await withPasskey();
    const proof = device.prove(await challenge());
    const sessions = await Promise.all(Array.from({ length: 5 }, () => enter(proof)));
    expect(sessions.filter(Boolean)).toHaveLength(1);
    expect(await enter(proof)).toBeNull();
    expect(await enter(device.prove(await challenge()), 301)).toBeNull();
    expect(await enter(device.prove(await challenge()), 299)).not.toBeNull();
  });

  test.each([
    ['a challenge of somebody’s own', async () => ({ challenge: Buffer.alloc(45).toString('base64url') })],
    ['a challenge to add a passkey', async () => newPasskey(services(), (await withPasskey()).person)],
  ])('proves nothing with %s', async (_, other) => {
    const { device } = await withPasskey();
    expect(await enter(device.prove(await other()))).toBeNull();
  });

  test('proves nothing to another site, without its holder, or as a copy of the device', async () => {
    const { person, device } = await withPasskey();
    const phishing = newDevice({ origin: 'http://localhost.example.com' });
    const unattended = newDevice({ verifies: false });
    for (const bad of [phishing, unattended]) {
      const response = bad.create(await newPasskey(services(), person));
      const refused = addPasskey(services(), newBrowser(), person, { response });
      expect(await refusalOf(refused)).toMatchObject({ issues: [{ sentence: { key: 'notThePasskey' } }] });
    }
    expect(await enter(device.prove(await challenge()))).not.toBeNull();
    expect(await enter(device.prove(await challenge(), { counts: false }))).toBeNull();
  });

  test('is of one person: it neither finishes nor confirms another’s', async () => {
    const { device } = await withPasskey();
    const { person, email } = await withPasskey();
    const confirm = confirmWithProof(services(), newBrowser(), person, { passkey: device.prove(await challenge()) });
    expect((await refusalOf(confirm)).code).toBe('invalid_request');
    const session = await signIn(services(), newBrowser(), { email, password });
    const waiting = session && (await findWaitingSession(services(), session));
    if (!waiting) throw new Error('the session does not wait');
    const finish = finishSignIn(services(), newBrowser(), waiting, { passkey: device.prove(await challenge()) });
    expect((await refusalOf(finish)).code).toBe('invalid_request');
    expect(await findStaff(services(), session.token)).toBeNull();
  });

  test('is added once, with a challenge of the person’s own', async () => {
    const { person, device } = await withPasskey();
    const other = await personOf(services(), (await createPerson(stage.owner)).userId);
    const response = newDevice().create(await newPasskey(services(), other));
    expect((await refusalOf(addPasskey(services(), newBrowser(), person, { response }))).code).toBe('invalid_request');
    expect((await newPasskey(services(), person)).excludeCredentials).toMatchObject([{ id: device.id }]);
    const again = device.create(await newPasskey(services(), other));
    expect((await refusalOf(addPasskey(services(), newBrowser(), other, { response: again }))).code).toBe(
      'invalid_request',
    );
    expect((await listSecondFactors(services(), other)).passkeys).toEqual([]);
  });

  test('is named after its browser, renamed, and removed with the recovery codes; then it opens nothing', async () => {
    const { person, device, recoveryCodes, email } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    const [passkey] = (await listSecondFactors(services(), person)).passkeys;
    expect(passkey).toMatchObject({ name: 'Chrome · Windows', isBackedUp: true, createdAt: started });
    const passkeyId = passkey?.passkeyId ?? '';
    const stranger = (await withPasskey()).person;
    await renamePasskey(services(), stranger, { passkeyId, name: 'Mine' });
    await removePasskey(services(), stranger, { passkeyId });
    await renamePasskey(services(), person, { passkeyId, name: 'Laptop' });
    expect((await listSecondFactors(services(), person)).passkeys).toMatchObject([{ name: 'Laptop' }]);
    await removePasskey(services(), person, { passkeyId });
    await removePasskey(services(), person, { passkeyId });
    const none = { authenticator: null, passkeys: [], recoveryCodesLeft: 0, demandedBy: [] };
    expect(await listSecondFactors(services(), person)).toEqual(none);
    expect(await enter(device.prove(await challenge()))).toBeNull();
    const changes = (await lettersTo(services(), email)).flatMap((letter) =>
      'change' in letter ? [letter.change] : [],
    );
    expect(changes).toEqual(['passkeyRemoved', 'passkeyAdded']);
  });

  test('can be one of 20', async () => {
    const { person } = await withPasskey();
    for (let n = 1; n < 20; n++) await add(person);
    expect((await refusalOf(add(person))).sentence.key).toBe('requestNotValid');
    expect((await listSecondFactors(services(), person)).passkeys).toHaveLength(20);
  });
});

test('a browser that answers with rubbish, or for nobody, is refused', async () => {
  const { device } = await withPasskey();
  const proof = device.prove(await challenge());
  const rubbish = [
    { ...proof, response: { ...proof.response, clientDataJSON: 'AAAA' } },
    { ...proof, response: { ...proof.response, userHandle: 'AAAA' } },
    { ...proof, response: { ...proof.response, signature: 'AAAA' } },
  ];
  for (const response of rubbish) expect(await enter(response)).toBeNull();
});
