import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core';
import { sharedPolicy } from '../kinds/columns';

/**
 * Which cell this database belongs to, in one row that the service of a cell writes when it starts. A move checks it,
 * so that a merchant arrives only in the intended cell and only where its secrets can be read.
 */
export const thisCell = pgTable(
  'this_cell',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    name: text('name').notNull(),
    /** The ids of the secrets that the service reads with (`secretIdsOf`). It writes with the first. */
    secretIds: text('secret_ids').array().notNull(),
  },
  (t) => [check('this_cell_only', sql`${t.isOnly}`), sharedPolicy()],
);
