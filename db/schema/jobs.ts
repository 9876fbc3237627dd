import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { id, instant, merchantId, tenantPolicy } from '../columns';
import { merchants } from './merchants';

/** What went wrong, in words of ours: the database was away or too busy, or something else. */
const error = () => text('error', { enum: ['unavailable', 'fault'] });

/**
 * What the worker did for a merchant by itself, or was asked to by staff, in the last 30 days. A run that found nothing to
 * do leaves no row, unless somebody asked for it. Times are the machine's.
 */
export const jobRuns = pgTable(
  'job_runs',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    task: text('task', {
      enum: ['begin-voucher-occasions', 'issue-vouchers', 'expire-value', 'remind-of-expiry'],
    }).notNull(),
    /** The member of staff who asked for it; null where the schedule did. */
    requestedBy: uuid('requested_by'),
    /** Null while it waits for a worker. */
    startedAt: instant('started_at'),
    /** When it last came further. */
    updatedAt: instant('updated_at').notNull(),
    endedAt: instant('ended_at'),
    /** How many vouchers, lots or days it has dealt with. */
    done: integer('done').notNull().default(0),
    /** How often it was tried without success. */
    failures: integer('failures').notNull().default(0),
    /** Of the last time. */
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

/** When each task of the schedule last looked for something to do, of all merchants. */
export const scheduledTasks = pgTable('scheduled_tasks', {
  task: text('task').primaryKey(),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at').notNull(),
  /** How many it dealt with, where it counts. */
  done: integer('done'),
  error: error(),
});
