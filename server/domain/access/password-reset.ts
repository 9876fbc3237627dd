import { and, eq, gt, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { withPerson } from '@/db/driver';
import { passwordResetByToken } from '@/db/query/functions';
import type { Queries } from '@/db/query/queries';
import { passwordResets, users } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import type { Language, Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { jobPayload } from '../kernel/job-payload';
import { networkOf } from '../kernel/networks';
import { say } from '../kernel/say';
import { hashToken, newToken, openSecret, sealSecret } from '../kernel/secrets';
import { countAgainst, countAttempt, throttleClient } from '../limits';
import { mailPriority, queueMail } from '../mail';
import type { Browser } from './browser';
import { knownDevice, rememberDevice } from './devices';
import { hashPassword } from './password';
import { rejectGuessablePassword } from './password-rules';
import { recordPersonEvent } from './security-events';
import { deleteSessions } from './sessions';

/** The worker's job that handles a reset request. */
export const passwordResetTask = 'send-password-reset';
const maxAttempts = 8;
const windowSeconds = 60 * 60;
const validMs = 60 * 60_000;

/**
 * Requests a reset link by mail. The worker looks the address up later, so neither the response nor its time reveals
 * whether an account exists. Limits per hour: five requests of a browser where the person signed in before; of other
 * browsers, five for an address from one network, known or not, and 30 from that network in total. After five requests
 * for an address from anywhere, a mail goes out every ten minutes at most, and the last link still works. Errors:
 * `too_many_attempts`.
 */
export async function requestPasswordReset(
  services: Services,
  browser: Browser,
  { email, language }: { email: string; language: Language },
): Promise<void> {
  if (!(await countRequest(services, browser, email))) return;
  // Sealed, because failed jobs are kept, and must not reveal addresses.
  const sealed = sealSecret(services.messageKey, passwordResetTask, JSON.stringify({ email, language }));
  const payload = jobPayload({ request: sealed.toString('base64') });
  await services.db.pool.run(sql`
    select graphile_worker.add_job(
      ${passwordResetTask}, ${payload}::text::json, max_attempts => ${maxAttempts}, priority => ${mailPriority})`);
}

/** Counts a request. Returns false if many were made for the address and a link was mailed recently. */
async function countRequest(services: Services, browser: Browser, email: string): Promise<boolean> {
  const { id: userId, sessionVersion } = users;
  const [user] = await services.db.pool.select({ userId, sessionVersion }).from(users).where(eq(users.email, email));
  const device = user ? knownDevice(services, browser, user) : null;
  if (device) {
    await countAgainst(services, { key: `password reset of ${user?.userId} on ${device}`, attempts: 5, windowSeconds });
    return true;
  }
  const network = networkOf(browser.client);
  await throttleClient(services, browser.client, { key: 'password reset', attempts: 30, windowSeconds });
  await countAgainst(services, { key: `password reset ${email} from ${network}`, attempts: 5, windowSeconds });
  const isWithin = async (limit: { key: string; attempts: number; windowSeconds: number }) =>
    (await countAttempt(services, limit)).attempts <= limit.attempts;
  return (
    (await isWithin({ key: `password reset ${email}`, attempts: 5, windowSeconds })) ||
    (await isWithin({ key: `password reset again ${email}`, attempts: 1, windowSeconds: 10 * 60 }))
  );
}

interface ResetRequest {
  email: string;
  language: Language;
}

/** Decrypts a request from its job. Throws if `request` is not what was sealed. */
export function openResetRequest({ messageKey }: Services, request: string): ResetRequest {
  return JSON.parse(openSecret(messageKey, passwordResetTask, Buffer.from(request, 'base64')));
}

/**
 * Mails a link to the person with that address, if there is one. If it runs twice, both links work until one is used.
 */
export async function sendPasswordReset(services: Services, { email, language }: ResetRequest): Promise<void> {
  const { db, clock, publicOrigin } = services;
  const { id, name, sessionVersion } = users;
  const [user] = await db.pool.select({ id, name, sessionVersion }).from(users).where(eq(users.email, email));
  if (!user) return;
  const token = newToken();
  const expiresAt = new Date(clock.now().getTime() + validMs);
  const url = `${publicOrigin}/reset-password/${token}`;
  const letter = { kind: 'passwordReset', language, url, name: user.name } as const;
  await withPerson(db, user.id, async ({ db: queries }) => {
    const row = { tokenHash: hashToken(token), userId: user.id, sessionVersion: user.sessionVersion, expiresAt };
    await queries.insert(passwordResets).values(row);
    await queueMail(queries, services, { recipient: email, letter });
  });
}

/** Returns the person of a link and where they work; null if the link is unknown, used or expired. */
export async function findPasswordReset(
  { db, clock }: Services,
  token: string,
): Promise<{ userId: string; email: string; merchantNames: string[] } | null> {
  const { $rows, ...columns } = passwordResetByToken({ hash: hashToken(token), at: clock.now() });
  const [found] = await db.pool.select(columns).from($rows);
  return found ?? null;
}

const isUsableReset = (token: string, now: Date) =>
  and(eq(passwordResets.tokenHash, hashToken(token)), gt(passwordResets.expiresAt, now));

/** Matches the link's person, unless they have signed out everywhere since. */
const isPersonOf = ({ userId, sessionVersion }: Record<'userId' | 'sessionVersion', PgColumn>) =>
  and(eq(users.id, userId), eq(users.sessionVersion, sessionVersion));

/**
 * Sets a new password by a link, which works once, signs the person out everywhere, and notifies them by mail. Of two
 * concurrent calls, one wins. The browser is known from then on, because the link came from the person's own mail.
 * Errors: `link_not_found`, `invalid_request`, `service_unavailable`.
 */
export async function resetPassword(
  services: Services,
  browser: Browser,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const reset = await findPasswordReset(services, token);
  if (!reset) throw linkNotFound();
  await rejectGuessablePassword(password, reset, 'password');
  const passwordHash = await hashPassword(password);
  const user = await withPerson(services.db, reset.userId, async ({ db }) => {
    const { userId, sessionVersion } = passwordResets;
    const deletion = db
      .delete(passwordResets)
      .where(isUsableReset(token, services.clock.now()))
      .returning({ userId, sessionVersion });
    const used = db.$with('used', { userId, sessionVersion }).as(deletion.getSQL());
    const { id, name, email, language, sessionVersion: version } = users;
    const [changed] = await db
      .with(used)
      .update(users)
      .set({ passwordHash, sessionVersion: sql`${version} + 1` })
      .from(used)
      .where(isPersonOf(used))
      .returning({ userId: id, name, email, language, sessionVersion: version });
    if (!changed) throw linkNotFound();
    await deleteSessions(db, changed.userId);
    await mailPasswordChanged(db, services, changed);
    await recordPersonEvent(db, services, { userId: changed.userId, action: 'staff.changePassword' });
    return changed;
  });
  logSecurity('staff.password_changed', { userId: user.userId, by: 'link' });
  rememberDevice(services, browser, user);
  return { email: user.email };
}

/** Notifies a person that their password was changed, in case it was someone else. */
export async function mailPasswordChanged(
  db: Queries,
  services: Services,
  { name, email, language }: { name: string; email: string; language: Language | null },
): Promise<void> {
  const url = `${services.publicOrigin}/reset-password`;
  const letter = { kind: 'passwordChanged', language: language ?? 'en', name, url } as const;
  await queueMail(db, services, { recipient: email, letter });
}

export const linkNotFound = () => new DomainError('link_not_found', say('linkOver'));
