import { sql } from 'drizzle-orm';
import { check, index, pgEnum, pgPolicy, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, createdAt, instant } from '../kinds/columns';

/** `inbox`: not sent, but shown in the sandbox's inbox. */
export const mailState = pgEnum('mail_state', ['queued', 'sent', 'failed', 'inbox']);

/** An e-mail to a current or invited member of staff. A worker delivers it. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    /** The content including its secret link, encrypted; erased once sent. */
    letter: bytes('letter'),
    state: mailState('state').notNull(),
    failure: text('failure'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('mails_created_at').on(t.createdAt),
    // Rows name no person, because someone invited has no account yet. Mails that were sent, given up or shown can't be
    // changed.
    pgPolicy('anyone_reads', { for: 'select', using: sql`true` }),
    pgPolicy('anyone_queues', { for: 'insert', withCheck: sql`${t.state} in ('queued', 'inbox')` }),
    pgPolicy('queued_changes', { for: 'update', using: sql`${t.state} = 'queued'`, withCheck: sql`true` }),
    pgPolicy('anyone_forgets', { for: 'delete', using: sql`true` }),
    check('mails_letter', sql`${t.state} in ('queued', 'inbox') or ${t.letter} is null`),
  ],
);
