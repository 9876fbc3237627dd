import { desc, eq } from 'drizzle-orm';
import { mails } from '@/db/schema';
import type { Services } from '../kernel/context';
import { tryOpenSecret } from '../kernel/secrets';
import type { Letter } from './queue';

const newest = 50;

/** Lists the latest mails of a sandbox without SMTP, newest first, with their links. */
export async function listSandboxMails({ db, messageKey }: Services) {
  const { id: mailId, recipient, letter: sealed, createdAt: sentAt } = mails;
  const rows = await db.pool
    .select({ mailId, recipient, sealed, sentAt })
    .from(mails)
    .where(eq(mails.state, 'inbox').inlineParams())
    .orderBy(desc(mailId))
    .limit(newest);
  return rows.flatMap(({ sealed: letter, ...mail }) => {
    const text = letter && tryOpenSecret(messageKey, mail.mailId, letter);
    return text === null ? [] : [{ ...mail, letter: JSON.parse(text) as Letter }];
  });
}
