import { and, inArray, lte, sql } from 'drizzle-orm';
import { forgetInvitations, forgetPasswordResets, forgetStaffSessions } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { mails, rateBuckets, throttles } from '@/db/schema';
import type { Services } from '../kernel/context';
import { idleSeconds } from './sessions';

const batch = 5_000;
/** As long as the longest-lived link in a mail. */
const mailsKeptMs = 7 * 24 * 60 * 60_000;

/** How long an expired invitation can still be sent again. */
const invitationsKeptMs = 30 * 24 * 60 * 60_000;

/** Deletes expired counters of attempts and requests, reset links, mails, invitations and sessions. */
export async function forgetExpired({ db, clock, stopping }: Services): Promise<void> {
  const now = clock.now();
  const mailsBefore = new Date(now.getTime() - mailsKeptMs);
  const { pool } = db;
  const isFull = sql`${rateBuckets.fullAt} <= now()`;
  const ended = pool.select({ key: throttles.key }).from(throttles).where(lte(throttles.resetsAt, now)).limit(batch);
  const oldMails = pool.select({ id: mails.id }).from(mails).where(lte(mails.createdAt, mailsBefore)).limit(batch);
  const full = pool.select({ bucket: rateBuckets.bucket }).from(rateBuckets).where(isFull).limit(batch);
  const idleSince = new Date(now.getTime() - idleSeconds * 1000);
  const forgetResets = async () => {
    const { $rows: rows, forgotten } = forgetPasswordResets({ before: now, most: batch });
    return { count: only(await pool.select({ forgotten }).from(rows)).forgotten };
  };
  const forgetSessions = async () => {
    const { $rows: rows, forgotten } = forgetStaffSessions({ before: idleSince, most: batch });
    return { count: only(await pool.select({ forgotten }).from(rows)).forgotten };
  };
  const deletions = [
    () => pool.delete(throttles).where(inArray(throttles.key, ended)),
    forgetResets,
    () => pool.delete(mails).where(inArray(mails.id, oldMails)),
    forgetSessions,
    () => pool.delete(rateBuckets).where(and(inArray(rateBuckets.bucket, full), isFull)),
  ];
  const { $rows } = forgetInvitations({ before: new Date(now.getTime() - invitationsKeptMs) });
  await pool.run(sql`select from ${$rows}`);
  for (const deleteSome of deletions) while ((await deleteSome()).count === batch && !stopping?.aborted);
}
