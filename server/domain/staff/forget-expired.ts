import type { Services } from '../core/context';

const batch = 5_000;
/** As long as the longest link in a mail works. */
const mailsKeptMs = 7 * 24 * 60 * 60_000;

/** How long after it ended an invitation can still be sent again. */
const invitationsKeptMs = 30 * 24 * 60 * 60_000;

/** Deletes what has had its time: counts of attempts and of requests, links to reset a password, mails and invitations. */
export async function forgetExpired({ db, clock, stopping }: Services): Promise<void> {
  const now = clock.now();
  const mailsBefore = new Date(now.getTime() - mailsKeptMs);
  const deletions = [
    () =>
      db.sql`delete from throttles where key in (select key from throttles where resets_at <= ${now} limit ${batch})`,
    () => db.sql`
      delete from password_resets where token_hash in (
        select token_hash from password_resets where expires_at <= ${now} limit ${batch})`,
    () =>
      db.sql`delete from mails where id in (select id from mails where created_at <= ${mailsBefore} limit ${batch})`,
    () => db.sql`
      delete from rate_buckets where bucket in (
        select bucket from rate_buckets where full_at <= now() limit ${batch}) and full_at <= now()`,
  ];
  await db.sql`select forget_invitations(${new Date(now.getTime() - invitationsKeptMs)})`;
  for (const deleteSome of deletions) while ((await deleteSome()).count === batch && !stopping?.aborted);
}
