/**
 * Second factors: authenticator apps and recovery codes that a person adds to their account or removes. For passkeys
 * see `passkeys.ts`.
 */

import { randomInt } from 'node:crypto';
import { and, count, eq, lt, ne } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { withPerson } from '@/db/driver';
import { only, type Queries } from '@/db/query/queries';
import { authenticators, passkeys, recoveryCodes, staffSessions } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { hashToken, openSecret, sealSecret, tryOpenSecret } from '../kernel/secrets';
import { queueMail, type SecondFactorFacts } from '../mail';
import { listDemands } from './second-factor-demand';
import { recordPersonEvent } from './security-events';
import { confirmSession, hasSecondFactor, lockPerson, type Staff } from './sessions';

type Person = Awaited<ReturnType<typeof lockPerson>>;

/** More than a person's devices. */
export const maxPasskeys = 20;
const codesAtOnce = 10;
/** Without 0, 1, 8 and 9, which look like letters on paper. 16 of 32 characters are 80 bits. */
const codeAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const codeLength = 16;
const stepSeconds = 30;

const authenticatorOf = (userId: string) => `authenticator of ${userId}`;
const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Tableside', label, secret: Secret.fromBase32(secret) });

/** Lists the person's second factors, when each was added and last used, and the businesses that demand one. */
export async function listSecondFactors(services: Services, person: Pick<Staff, 'userId' | 'memberships'>) {
  const { userId } = person;
  const factors = await withPerson(services.db, userId, async ({ db: queries }) => {
    const { createdAt, lastUsedAt } = authenticators;
    const ofPerson = eq(authenticators.userId, userId);
    const passkey = {
      passkeyId: passkeys.id,
      name: passkeys.name,
      isBackedUp: passkeys.isBackedUp,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    };
    const [[authenticator], [codes], ofDevices] = await Promise.all([
      queries.select({ createdAt, lastUsedAt }).from(authenticators).where(ofPerson),
      queries.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      queries.select(passkey).from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.id).limit(maxPasskeys),
    ]);
    return { authenticator: authenticator ?? null, passkeys: ofDevices, recoveryCodesLeft: codes?.left ?? 0 };
  });
  return { ...factors, demandedBy: await listDemands(services, person) };
}

/**
 * Creates a secret for an authenticator app, without storing it. The browser sends `sealed` back with the app's first
 * code, and only this service can open it. `uri` is for the QR code.
 */
export function newAuthenticator({ factorKey }: Services, { userId, email }: Staff) {
  const { base32: secret } = new Secret({ size: 20 });
  const sealed = sealSecret(factorKey, authenticatorOf(userId), secret).toString('base64url');
  return { secret, uri: totpOf(secret, email).toString(), sealed };
}

/**
 * Adds the app once it shows the right code, and replaces an earlier one. If it is the person's first second factor,
 * ends their other sessions and returns recovery codes; otherwise returns none. Errors: `invalid_request` for a wrong
 * code.
 */
export async function addAuthenticator(
  services: Services,
  person: Staff,
  { sealed, code }: { sealed: string; code: string },
): Promise<{ recoveryCodes: string[] }> {
  const { userId } = person;
  const { factorKey, systemClock } = services;
  const secret = tryOpenSecret(factorKey, authenticatorOf(userId), Buffer.from(sealed, 'base64url'));
  const now = systemClock.now();
  const lastStep = secret === null ? null : stepOf(secret, code, now);
  if (secret === null || lastStep === null) throw wrongCode(code);
  return addFactor(services, person, 'authenticator', async (queries) => {
    await queries.delete(authenticators).where(eq(authenticators.userId, userId));
    // Sealed again, because the key may have been rotated since `sealed` was created.
    const stored = sealSecret(factorKey, authenticatorOf(userId), secret);
    const row = { userId, secret: stored, lastStep, createdAt: now, lastUsedAt: now };
    await queries.insert(authenticators).values(row);
  });
}

/** Adds a factor and applies its consequences. The person has just used it. */
export async function addFactor(
  services: Services,
  { userId, sessionId, memberships }: Staff,
  method: 'authenticator' | 'passkey',
  insert: (queries: Queries) => Promise<unknown>,
): Promise<{ recoveryCodes: string[] }> {
  const codes = await withPerson(services.db, userId, async ({ db }) => {
    const person = await lockPerson(db, userId);
    const isFirst = !(await hasSecondFactor(db, userId));
    await insert(db);
    // Ends the sessions of anyone who knows only the password.
    if (isFirst)
      await db.delete(staffSessions).where(and(eq(staffSessions.userId, userId), ne(staffSessions.id, sessionId)));
    await confirmSession(db, services, sessionId);
    await recordPersonEvent(db, services, { userId, action: 'staff.addSecondFactor', after: { secondStep: method } });
    await mailFactorChange(db, services, person, { change: `${method}Added` });
    await announceFactors(db, memberships);
    return isFirst ? renewCodes(db, userId) : [];
  });
  logSecurity('staff.second_factor_changed', { userId, change: 'added', method });
  return { recoveryCodes: codes };
}

/** Removes the app. If it was the last second factor, removes the recovery codes, too. */
export const removeAuthenticator = (services: Services, person: Staff): Promise<void> =>
  removeFactor(services, person, 'authenticator', (db) =>
    db.delete(authenticators).where(eq(authenticators.userId, person.userId)),
  );

/** Removes a factor, if the person still has it, and applies the consequences. */
export async function removeFactor(
  services: Services,
  staff: Staff,
  method: 'authenticator' | 'passkey',
  remove: (queries: Queries) => PromiseLike<{ count: number }>,
): Promise<void> {
  const { userId } = staff;
  const demandedBy = await listDemands(services, staff);
  const isRemoved = await withPerson(services.db, userId, async ({ db }) => {
    const person = await lockPerson(db, userId);
    const { count: removed } = await remove(db);
    if (removed === 0) return false;
    const isLast = !(await hasSecondFactor(db, userId));
    if (isLast) await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await recordPersonEvent(db, services, {
      userId,
      action: 'staff.removeSecondFactor',
      after: { secondStep: method },
    });
    await mailFactorChange(db, services, person, { change: `${method}Removed`, isLast, demandedBy });
    await announceFactors(db, staff.memberships);
    return true;
  });
  if (isRemoved) logSecurity('staff.second_factor_changed', { userId, change: 'removed', method });
}

/** Refreshes open staff lists, which show who has a second factor. */
async function announceFactors(db: Queries, memberships: Staff['memberships']): Promise<void> {
  for (const { merchantId } of memberships) await announceChange({ merchantId, db }, 'staff');
}

/** Replaces all recovery codes. Errors: `second_factor_required` if the person has no second factor. */
export async function renewRecoveryCodes(services: Services, { userId }: Staff): Promise<{ recoveryCodes: string[] }> {
  const codes = await withPerson(services.db, userId, async ({ db }) => {
    const person = await lockPerson(db, userId);
    if (!(await hasSecondFactor(db, userId))) throw new DomainError('second_factor_required', say('secondFactorFirst'));
    await recordPersonEvent(db, services, { userId, action: 'staff.renewRecoveryCodes' });
    await mailFactorChange(db, services, person, { change: 'codesRenewed' });
    return renewCodes(db, userId);
  });
  logSecurity('staff.second_factor_changed', { userId, change: 'renewed', method: 'recoveryCode' });
  return { recoveryCodes: codes };
}

async function renewCodes(db: Queries, userId: string): Promise<string[]> {
  const draw = () =>
    Array.from({ length: codeLength }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join('');
  const codes = Array.from({ length: codesAtOnce }, draw);
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashToken(code) })));
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/** Counts the recovery codes that the person can still use. */
export const countRecoveryCodes = ({ db }: Services, { userId }: Pick<Staff, 'userId'>): Promise<number> =>
  withPerson(db, userId, async ({ db: queries }) => {
    const ofPerson = eq(recoveryCodes.userId, userId);
    return only(await queries.select({ left: count() }).from(recoveryCodes).where(ofPerson)).left;
  });

const bareCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

/** True for an app's code, in any notation. Any other text counts as a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(bareCode(code));

/**
 * Uses up a code of the app or a recovery code, in any notation. Of two concurrent uses, one succeeds. Returns which
 * kind it was, or null for a wrong or used code. Throws if the app's secret can't be opened: that is not a wrong code.
 */
export async function consumeCode(
  db: Queries,
  { factorKey, systemClock }: Services,
  { userId, code }: { userId: string; code: string },
): Promise<'authenticator' | 'recoveryCode' | null> {
  const bare = bareCode(code);
  if (!isAppCode(code)) {
    const isIt = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashToken(bare)));
    const { count: used } = await db.delete(recoveryCodes).where(isIt);
    return used === 1 ? 'recoveryCode' : null;
  }
  const ofPerson = eq(authenticators.userId, userId);
  const [found] = await db.select({ sealed: authenticators.secret }).from(authenticators).where(ofPerson);
  const secret = found && openSecret(factorKey, authenticatorOf(userId), found.sealed);
  const now = systemClock.now();
  const step = secret ? stepOf(secret, bare, now) : null;
  if (step === null) return null;
  const { count: used } = await db
    .update(authenticators)
    .set({ lastStep: step, lastUsedAt: now })
    .where(and(ofPerson, lt(authenticators.lastStep, step)));
  return used === 1 ? 'authenticator' : null;
}

/** Returns the 30-second step of a code: the current, previous or next one; null for a wrong code. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: bareCode(code), timestamp, window: 1 });
  return delta === null ? null : TOTP.counter({ period: stepSeconds, timestamp }) + delta;
}

/** The refusal of a code: as an app's or a recovery code, whichever it looks like. */
export const wrongCode = (code: string) =>
  invalid('code', say(isAppCode(code) ? 'notTheSecondStep' : 'notARecoveryCode'));

/** Notifies the person of a change, in case it was someone else. */
export async function mailFactorChange(
  db: Queries,
  services: Services,
  { name, email, language }: Person,
  facts: SecondFactorFacts,
): Promise<void> {
  const url = `${services.publicOrigin}/account`;
  const letter = { kind: 'secondFactorChanged', language: language ?? 'en', name, url, ...facts } as const;
  await queueMail(db, services, { recipient: email, letter });
}
