import { z } from 'zod';
import type { jobRuns } from '@/db/schema';

type Task = (typeof jobRuns.$inferSelect)['task'];

/** A merchant's automations, with the minutes between scheduled checks, or null if they start at once. */
export const automations = {
  'begin-voucher-occasions': 5,
  'issue-vouchers': null,
  'expire-value': 15,
  'remind-of-expiry': 15,
} as const satisfies Record<Task, number | null>;
export type Automation = keyof typeof automations;

/** The tasks that staff can run now. */
export const runNowInput = z.strictObject({
  task: z.enum(['begin-voucher-occasions', 'expire-value', 'remind-of-expiry']),
});
export type RunNowInput = z.infer<typeof runNowInput>;
