import { z } from 'zod';
import { breakdowns } from '@/db/kinds/lists';
import { languages } from '../kernel/context';
import { problem } from '../kernel/say';
import { day, pageFields } from '../kernel/schemas';

const dayMs = 24 * 60 * 60_000;
/** The length of a leap year. */
export const maxDays = 366;

/**
 * The period that figures are compared with: the one before (see `periodBefore`), the same weekdays of the weeks before,
 * or the same dates of last year.
 */
export const comparisons = ['before', 'lastWeek', 'lastYear'] as const;
export type Comparison = (typeof comparisons)[number];

/** A report's days, both inclusive, in the merchant's time zone. Future days are ignored. */
export const periodInput = z
  .strictObject({ from: day(), to: day(), compare: z.enum(comparisons).optional() })
  .refine(({ from, to }) => from <= to, { path: ['to'], ...problem('beforeFirstDay') })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < maxDays * dayMs, {
    path: ['to'],
    ...problem('periodTooLong', { count: maxDays }),
  });
export type Period = z.infer<typeof periodInput>;

export const reportInput = periodInput.safeExtend({ storeId: z.uuid().optional() });
export type ReportInput = z.infer<typeof reportInput>;

export const breakdownInput = reportInput.safeExtend({ by: z.enum(breakdowns) });
export type BreakdownInput = z.infer<typeof breakdownInput>;

/** One part of a breakdown. */
export const salesPartInput = breakdownInput.safeExtend({ key: z.string().max(200) });
export type SalesPartInput = z.infer<typeof salesPartInput>;

export const voidsInput = reportInput.safeExtend({ ...pageFields });
export type VoidsInput = z.infer<typeof voidsInput>;

export const dailySummaryInput = z.strictObject({ isOn: z.boolean(), language: z.enum(languages) });

/** Balances at the end of a day, which may be today. */
export const balancesInput = z.strictObject({ day: day(), ...pageFields });
export type BalancesInput = z.infer<typeof balancesInput>;
