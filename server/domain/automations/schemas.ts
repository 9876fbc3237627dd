import { z } from 'zod';
import type { jobRuns } from '@/db/schema';

type Task = (typeof jobRuns.$inferSelect)['task'];

/** What happens for a merchant by itself; how often the schedule looks, in minutes, and null for what follows at once. */
export const automations = {
  'begin-voucher-occasions': 5,
  'issue-vouchers': null,
  'expire-value': 15,
  'remind-of-expiry': 15,
} as const satisfies Record<Task, number | null>;
export type Automation = keyof typeof automations;

/** What can be asked for out of turn. */
export const runNowInput = z.strictObject({
  task: z.enum(['begin-voucher-occasions', 'expire-value', 'remind-of-expiry']),
});
export type RunNowInput = z.infer<typeof runNowInput>;
