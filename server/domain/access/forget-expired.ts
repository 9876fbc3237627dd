import { and, inArray, lte, sql } from 'drizzle-orm';
import { forgetInvitations } from '@/db/functions';
import { mails, passwordResets, rateBuckets, throttles } from '@/db/schema';
import type { Services } from '../kernel/context';

const batch = 5_000;
/** As long as the longest-lived link in a mail. */
const mailsKeptMs = 7 * 24 * 60 * 60_000;

/** How long an expired invitation can still be sent again. */
const invitationsKeptMs = 30 * 24 * 60 * 60_000;

/** Deletes expired counters of attempts and requests, reset links, mails and invitations. */
export async function forgetExpired({ db, clock, stopping }: Services): Promise<void> {
  const now = clock.now();
  const mailsBefore = new Date(now.getTime() - mailsKeptMs);
  const { pool } = db;
  const isFull = sql`${rateBuckets.fullAt} <= now()`;
  const ended = pool.select({ key: throttles.key }).from(throttles).where(lte(throttles.resetsAt, now)).limit(batch);
  const oldResets = pool
    .select({ tokenHash: passwordResets.tokenHash })
    .from(passwordResets)
    .where(lte(passwordResets.expiresAt, now))
    .limit(batch);
  const oldMails = pool.select({ id: mails.id }).from(mails).where(lte(mails.createdAt, mailsBefore)).limit(batch);
  const full = pool.select({ bucket: rateBuckets.bucket }).from(rateBuckets).where(isFull).limit(batch);
  const deletions = [
    () => pool.delete(throttles).where(inArray(throttles.key, ended)),
    () => pool.delete(passwordResets).where(inArray(passwordResets.tokenHash, oldResets)),
    () => pool.delete(mails).where(inArray(mails.id, oldMails)),
    () => pool.delete(rateBuckets).where(and(inArray(rateBuckets.bucket, full), isFull)),
  ];
  const { $rows } = forgetInvitations({ before: new Date(now.getTime() - invitationsKeptMs) });
  await pool.run(sql`select from ${$rows}`);
  for (const deleteSome of deletions) while ((await deleteSome()).count === batch && !stopping?.aborted);
}
