/** The days of a report's period, relative to the merchant's date. */
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OfficeFacts, OfficeProvider } from '../office/office';
import { usePeriod } from './use-period';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the period in a URL as `from – to`, and its problem. */
function shown(address: string, at: string): string {
  vi.setSystemTime(new Date(at));
  const Shown = () => {
    const { days, problem } = usePeriod();
    return `${days.from} – ${days.to}${problem === null ? '' : `, ${problem}`}`;
  };
  const facts = { merchant: { timeZone: 'Asia/Singapore', clockAheadSeconds: 0 } } as OfficeFacts;
  return renderToStaticMarkup(
    <NuqsTestingAdapter searchParams={address}>
      <OfficeProvider facts={facts}>
        <Shown />
      </OfficeProvider>
    </NuqsTestingAdapter>,
  );
}

// In Singapore it is already the 31st.
const evening = '2026-03-30T16:00:00Z';

test.each([
  ['today', '2026-03-31 – 2026-03-31'],
  ['yesterday', '2026-03-30 – 2026-03-30'],
  ['thisWeek', '2026-03-30 – 2026-03-31'],
  ['lastWeek', '2026-03-23 – 2026-03-29'],
  ['week', '2026-03-25 – 2026-03-31'],
  ['month', '2026-03-02 – 2026-03-31'],
  ['thisMonth', '2026-03-01 – 2026-03-31'],
  ['lastMonth', '2026-02-01 – 2026-02-28'],
  ['thisYear', '2026-01-01 – 2026-03-31'],
])('%s is %s', (preset, days) => {
  expect(shown(`?period=${preset}`, evening)).toBe(days);
});

test('in January, last month is December of last year', () => {
  expect(shown('?period=lastMonth', '2026-01-15T04:00:00Z')).toBe('2025-12-01 – 2025-12-31');
});

test('without a valid period, shows thirty days', () => {
  expect([shown('', evening), shown('?period=ever', evening)]).toEqual(Array(2).fill('2026-03-02 – 2026-03-31'));
});

test.each([
  ['from=2026-03-05&until=2026-03-05', '2026-03-05 – 2026-03-05'],
  ['from=2026-03-05', '2026-03-05 – 2026-03-31'],
  ['from=2026-03-06&until=2026-03-05', '2026-03-06 – 2026-03-05, order'],
  ['from=2001-01-01&until=2026-03-05', '2001-01-01 – 2026-03-05, length'],
])('days of one’s own: %s', (range, days) => {
  expect(shown(`?period=custom&${range}`, evening)).toBe(days);
});
