import { z } from 'zod';
import { day } from '../core/schemas';

const dayMs = 24 * 60 * 60_000;
/** A leap year. */
export const maxDays = 366;

/** A report's days, both inclusive, in the merchant's time zone. Future days are ignored. */
export const periodInput = z
  .strictObject({ from: day(), to: day() })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before the first day' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < maxDays * dayMs, {
    path: ['to'],
    message: `must be at most ${maxDays} days from the first`,
  });
export type Period = z.infer<typeof periodInput>;

export const reportInput = periodInput.safeExtend({ storeId: z.uuid().optional() });
export type ReportInput = z.infer<typeof reportInput>;
