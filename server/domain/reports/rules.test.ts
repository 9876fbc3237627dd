/** The period that a report is compared with. */
import { expect, test } from 'vitest';
import { periodBefore } from './rules';
import type { Comparison } from './schemas';

test.each<[string, string, string, Comparison, string]>([
  ['as many days before', '2026-03-10', '2026-03-16', 'before', '2026-03-03 – 2026-03-09'],
  ['whole month before', '2026-03-01', '2026-03-31', 'before', '2026-02-01 – 2026-02-28'],
  ['same days of the month before', '2026-11-01', '2026-11-12', 'before', '2026-10-01 – 2026-10-12'],
  ['whole of the longer month before', '2026-02-01', '2026-02-28', 'before', '2026-01-01 – 2026-01-31'],
  ['same days of the year before', '2026-01-01', '2026-11-28', 'before', '2025-01-01 – 2025-11-28'],
  ['same day of last week', '2026-03-10', '2026-03-10', 'lastWeek', '2026-03-03 – 2026-03-03'],
  ['same weekdays of the weeks before', '2026-03-10', '2026-03-18', 'lastWeek', '2026-02-24 – 2026-03-04'],
  ['same dates of last year', '2026-03-10', '2026-03-18', 'lastYear', '2025-03-10 – 2025-03-18'],
])('%s', (_, from, to, compare, expected) => {
  const before = periodBefore({ from, to, compare });
  expect(`${before.from} – ${before.to}`).toBe(expected);
});
