import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { id, instant, merchantId, sharedPolicy, tenantPolicy } from '../kinds/columns';
import { merchants } from './merchants';

/** The kind of error: the database was unavailable or overloaded, or anything else. */
const error = () => text('error', { enum: ['unavailable', 'fault'] });

/**
 * The worker's runs for a merchant in the last 30 days, whether scheduled or requested by staff. A run that found
 * nothing to do leaves no row, unless staff requested it. Times are the machine's.
 */
export const jobRuns = pgTable(
  'job_runs',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    task: text('task', {
      enum: ['begin-voucher-occasions', 'issue-vouchers', 'expire-value', 'remind-of-expiry'],
    }).notNull(),
    /** The member of staff who requested the run; null for a scheduled one. */
    requestedBy: uuid('requested_by'),
    /** Null until a worker starts it. */
    startedAt: instant('started_at'),
    /** When it last made progress. */
    updatedAt: instant('updated_at').notNull(),
    endedAt: instant('ended_at'),
    /** The number of vouchers, lots or days processed. */
    done: integer('done').notNull().default(0),
    /** The number of failed attempts. */
    failures: integer('failures').notNull().default(0),
    /** The error of the last attempt. */
    error: error(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('job_runs_task').on(t.merchantId, t.task, t.id),
    index('job_runs_updated_at').on(t.updatedAt),
    check('job_runs_error', sql`(${t.error} is null) = (${t.failures} = 0)`),
    tenantPolicy(),
  ],
);

/** When each scheduled task last looked for work, over all merchants. */
export const scheduledTasks = pgTable(
  'scheduled_tasks',
  {
    task: text('task').primaryKey(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at').notNull(),
    /** The number of items processed, where the task counts them. */
    done: integer('done'),
    error: error(),
  },
  () => [sharedPolicy()],
);
