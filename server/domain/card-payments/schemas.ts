import { z } from 'zod';
import { problem } from '../kernel/say';
import { day } from '../kernel/schemas';

const dayMs = 24 * 60 * 60_000;
/** A month, because each payout is read from the payment service. */
export const maxPayoutDays = 31;

/** Days of arrival at the bank, both inclusive, in UTC as the payment service counts them. */
export const payoutsInput = z
  .strictObject({ from: day(), to: day() })
  .refine(({ from, to }) => from <= to, { path: ['to'], ...problem('beforeFirstDay') })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < maxPayoutDays * dayMs, {
    path: ['to'],
    ...problem('periodTooLong', { count: maxPayoutDays }),
  });
export type PayoutsInput = z.infer<typeof payoutsInput>;
