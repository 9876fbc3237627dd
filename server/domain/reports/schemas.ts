import { z } from 'zod';
import { problem } from '../kernel/say';
import { day } from '../kernel/schemas';

const dayMs = 24 * 60 * 60_000;
/** A leap year. */
export const maxDays = 366;

/** A report's days, both inclusive, in the merchant's time zone. Future days are ignored. */
export const periodInput = z
  .strictObject({ from: day(), to: day() })
  .refine(({ from, to }) => from <= to, { path: ['to'], ...problem('beforeFirstDay') })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < maxDays * dayMs, {
    path: ['to'],
    ...problem('periodTooLong', { count: maxDays }),
  });
export type Period = z.infer<typeof periodInput>;

export const reportInput = periodInput.safeExtend({ storeId: z.uuid().optional() });
export type ReportInput = z.infer<typeof reportInput>;
