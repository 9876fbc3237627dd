import type { Services } from '../core/context';
import { tryOpenSecret } from '../messaging/secret';
import type { Letter } from './queue';

const newest = 50;

/** The latest mails of a sandbox that sends none, newest first, with their links. */
export async function listSandboxMails({ db, messageKey }: Services) {
  const rows = await db.sql`
    select id, recipient, letter, created_at from mails where state = 'inbox' order by id desc limit ${newest}`;
  return rows.flatMap(({ id, recipient, letter, created_at: sentAt }) => {
    const text = tryOpenSecret(messageKey, id, letter);
    return text === null ? [] : [{ mailId: id as string, recipient, sentAt, letter: JSON.parse(text) as Letter }];
  });
}
