/** Passkeys (WebAuthn): a person adds them to their account and later proves with them who they are. */

import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { and, count, eq } from 'drizzle-orm';
import { withPerson } from '@/db/driver';
import { only, type Queries } from '@/db/query/queries';
import { passkeys } from '@/db/schema';
import type { Services } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { sealSecret, tryOpenSecret } from '../kernel/secrets';
import { countAttempt } from '../limits';
import { type Browser, describeUserAgent } from './browser';
import { addFactor, maxPasskeys, removeFactor } from './second-factors';
import type { Staff } from './sessions';

const challengeSeconds = 5 * 60;

/** Cells share their parent domain, so that passkeys still work after a merchant has moved to another cell. */
const siteOf = ({ publicOrigin, cell }: Services) => ({
  id: new URL(cell?.apiOrigin ?? publicOrigin).hostname,
  origin: new URL(publicOrigin).origin,
});

type Purpose = 'add' | 'prove';
const challengeFor = (purpose: Purpose, userId: string) => `challenge to ${purpose} a passkey ${userId}`;

/**
 * Creates a challenge. It is not stored: it is its own expiry time, encrypted. It can be used once, which `throttles`
 * remembers until it expires.
 */
function newChallenge({ factorKey, systemClock }: Services, purpose: Purpose, userId: string): Uint8Array<ArrayBuffer> {
  const expires = systemClock.now().getTime() + challengeSeconds * 1000;
  return new Uint8Array(sealSecret(factorKey, challengeFor(purpose, userId), String(expires)));
}

/** Returns the challenge that a response answers; null if it is not ours, too old, or was used before. */
async function takeChallenge(
  services: Services,
  { response }: { response: { clientDataJSON: string } },
  purpose: Purpose,
  userId: string,
): Promise<string | null> {
  const challenge = challengeOf(response.clientDataJSON);
  if (challenge === null) return null;
  const bytes = Buffer.from(challenge, 'base64url');
  const expires = tryOpenSecret(services.factorKey, challengeFor(purpose, userId), bytes);
  if (expires === null || Number(expires) <= services.systemClock.now().getTime()) return null;
  const use = { key: `challenge ${bytes.toString('hex')}`, attempts: 1, windowSeconds: challengeSeconds };
  return (await countAttempt(services, use)).attempts === 1 ? challenge : null;
}

function challengeOf(clientDataJSON: string): string | null {
  try {
    const { challenge } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Returns what the browser needs to create a passkey on the person's device. */
export async function newPasskey(
  services: Services,
  { userId, email, name }: Staff,
): Promise<Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>> {
  const { credentialId } = passkeys;
  const present = await withPerson(services.db, userId, ({ db }) =>
    db.select({ credentialId }).from(passkeys).where(eq(passkeys.userId, userId)),
  );
  return generateRegistrationOptions({
    rpName: 'Tableside',
    rpID: siteOf(services).id,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(userId)),
    challenge: newChallenge(services, 'add', userId),
    attestationType: 'none',
    excludeCredentials: present.map(({ credentialId: id }) => ({ id: id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Adds a passkey that the browser created, and names it after the browser. As the first second factor, it has the
 * effects of `addAuthenticator`. Errors: `invalid_request` if it is not valid, or the person has 20.
 */
export async function addPasskey(
  services: Services,
  browser: Browser,
  person: Staff,
  { response }: { response: RegistrationResponseJSON },
): Promise<{ recoveryCodes: string[] }> {
  const { userId } = person;
  const credential = await verifyNew(services, userId, response);
  if (!credential) throw wrongPasskey();
  const now = services.systemClock.now();
  const row = {
    id: newId(now.getTime()),
    userId,
    name: describeUserAgent(browser.userAgent) || 'Passkey',
    ...credential,
    createdAt: now,
    lastUsedAt: now,
  };
  return addFactor(services, person, 'passkey', async (db) => {
    const ofPerson = eq(passkeys.userId, userId);
    const { has } = only(await db.select({ has: count() }).from(passkeys).where(ofPerson));
    if (has >= maxPasskeys) throw invalid('', say('tooManyPasskeys', { count: maxPasskeys }));
    const { count: added } = await db.insert(passkeys).values(row).onConflictDoNothing();
    // The device was added twice at once, or is someone else's.
    if (added === 0) throw wrongPasskey();
  });
}

async function verifyNew(services: Services, userId: string, response: RegistrationResponseJSON) {
  const challenge = await takeChallenge(services, response, 'add', userId);
  if (challenge === null) return null;
  const { id: expectedRPID, origin: expectedOrigin } = siteOf(services);
  const expected = { expectedChallenge: challenge, expectedOrigin, expectedRPID, requireUserVerification: true };
  // The library throws for anything that is wrong with the response.
  const { registrationInfo } = await verifyRegistrationResponse({ response, ...expected }).catch(() => ({
    registrationInfo: undefined,
  }));
  if (!registrationInfo) return null;
  const { credential, credentialBackedUp: isBackedUp } = registrationInfo;
  const credentialId = Buffer.from(credential.id, 'base64url');
  return { credentialId, publicKey: Buffer.from(credential.publicKey), counter: credential.counter, isBackedUp };
}

/** Renames a passkey. Does nothing if it was removed. */
export async function renamePasskey(
  { db }: Services,
  { userId }: Staff,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<void> {
  await withPerson(db, userId, ({ db: queries }) =>
    queries
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.userId, userId), eq(passkeys.id, passkeyId))),
  );
}

/** Removes a passkey. If it was the last second factor, removes the recovery codes, too. */
export const removePasskey = (services: Services, person: Staff, { passkeyId }: { passkeyId: string }) =>
  removeFactor(services, person, 'passkey', (db) =>
    db.delete(passkeys).where(and(eq(passkeys.userId, person.userId), eq(passkeys.id, passkeyId))),
  );

/** Returns what the browser needs to ask for any passkey that the person has for this service. */
export const requestPasskey = (
  services: Services,
): Promise<Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>> =>
  generateAuthenticationOptions({
    rpID: siteOf(services).id,
    challenge: newChallenge(services, 'prove', ''),
    userVerification: 'required',
  });

/** Returns the id of the person whose response it claims to be, or null. */
export function personOfPasskey({ response }: AuthenticationResponseJSON): string | null {
  const userId = Buffer.from(response.userHandle ?? '', 'base64url').toString();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(userId) ? userId : null;
}

/**
 * Uses up the challenge of a response, so that it works once. Returns a function that checks the response in a database
 * transaction of the person and records the use. It returns null if the passkey is not theirs.
 */
export async function openPasskeyProof(services: Services, userId: string, response: AuthenticationResponseJSON) {
  const challenge = await takeChallenge(services, response, 'prove', '');
  return async (db: Queries): Promise<'passkey' | null> => {
    if (challenge === null || personOfPasskey(response) !== userId) return null;
    const { id, publicKey, counter } = passkeys;
    const isIt = eq(passkeys.credentialId, Buffer.from(response.id, 'base64url'));
    const [found] = await db.select({ id, publicKey, counter }).from(passkeys).where(isIt).for('update');
    if (!found) return null;
    const credential = { id: response.id, publicKey: new Uint8Array(found.publicKey), counter: found.counter };
    const { id: expectedRPID, origin: expectedOrigin } = siteOf(services);
    const expected = { expectedChallenge: challenge, expectedOrigin, expectedRPID, requireUserVerification: true };
    // The library throws for anything that is wrong with the response, and for a counter that has not grown: a copied
    // device.
    const proof = await verifyAuthenticationResponse({ response, credential, ...expected }).catch(() => null);
    if (!proof?.verified) return null;
    const { newCounter, credentialBackedUp: isBackedUp } = proof.authenticationInfo;
    const lastUsedAt = services.systemClock.now();
    await db.update(passkeys).set({ counter: newCounter, isBackedUp, lastUsedAt }).where(eq(passkeys.id, found.id));
    return 'passkey';
  };
}

export const wrongPasskey = () => invalid('', say('notThePasskey'));
