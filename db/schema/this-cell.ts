import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core';
import { sharedPolicy } from '../kinds/columns';

/**
 * Which cell this database is of, in one row that the service writes when it starts, if it has one: a merchant moves only
 * to the cell that was meant, and where its secrets can be read.
 */
export const thisCell = pgTable(
  'this_cell',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    name: text('name').notNull(),
    /** The names of the secrets that it reads with (`secretIdsOf`), the one that it writes with first. */
    secretIds: text('secret_ids').array().notNull(),
  },
  (t) => [check('this_cell_only', sql`${t.isOnly}`), sharedPolicy()],
);
