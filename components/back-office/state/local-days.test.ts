import { expect, test } from 'vitest';
import { businessDateIn } from './local-days';

test('a day goes on after midnight until the merchant’s hour, also where clocks change', () => {
  const bar = { timeZone: 'America/New_York', dayStartsAt: 4 };
  for (const [end, day, next] of [
    ['2026-03-11T07:59:59.999Z', '2026-03-10', '2026-03-11'],
    ['2026-03-08T07:59:59.999Z', '2026-03-07', '2026-03-08'],
    ['2026-11-01T08:59:59.999Z', '2026-10-31', '2026-11-01'],
  ] as const) {
    expect(businessDateIn(bar, new Date(end))).toBe(day);
    expect(businessDateIn(bar, new Date(Date.parse(end) + 1))).toBe(next);
  }
});
