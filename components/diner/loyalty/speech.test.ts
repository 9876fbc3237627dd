import { expect, test } from 'vitest';
import { loyaltyWords } from '../dictionaries';
import { type LoyaltyMerchant, speechOf } from './speech';

const speak = (merchant: Partial<LoyaltyMerchant>, language: 'en' | 'zh' | 'ja' | 'ms' = 'en') => {
  const kitchen = {
    id: '1',
    name: 'Kitchen',
    locale: 'en-SG',
    currency: 'SGD',
    timeZone: 'Asia/Singapore',
    dayStartsAt: 0,
  };
  return speechOf({ ...kitchen, ...merchant }, language, loyaltyWords[language]);
};

test('a day is in the merchant’s time zone, wherever the phone is', () => {
  const lateInUtc = '2026-03-10T16:00:00Z';
  expect(speak({}).day(lateInUtc)).toBe('11 Mar 2026');
  expect(speak({ timeZone: 'America/New_York' }).day(lateInUtc)).toBe('10 Mar 2026');
  expect(speak({ timeZone: 'Pacific/Kiritimati' }).day(new Date('2026-03-10T10:00:00Z'))).toBe('11 Mar 2026');
});

test('days are in the format of the merchant’s country, for readers of its language', () => {
  expect(speak({ locale: 'en-US' }).day('2026-03-10T04:00:00Z')).toBe('Mar 10, 2026');
  expect(speak({ locale: 'en-US' }, 'zh').day('2026-03-10T04:00:00Z')).toBe('2026年3月10日');
  expect(speak({ locale: 'ja-JP' }, 'ja').day('2026-03-10T04:00:00Z')).toBe('2026年3月10日');
});

test('amounts are in the merchant’s format, whatever the language', () => {
  expect([speak({}).money(123_456), speak({}, 'zh').money(123_456)]).toEqual(['$1,234.56', '$1,234.56']);
});

test.each([
  [1, 'in 1 second'],
  [59.2, 'in 60 seconds'],
  [60, 'in 1 minute'],
  [61, 'in 2 minutes'],
  [3_599, 'in 60 minutes'],
  [3_600, 'in 1 hour'],
  [3_601, 'in 2 hours'],
])('%d seconds are formatted as %s', (seconds, text) => {
  expect(speak({}).when(seconds)).toBe(text);
});

test('a last day is that of the business, which may end after midnight, also where clocks change', () => {
  const bar = { timeZone: 'America/New_York', dayStartsAt: 4 };
  for (const [end, day] of [
    ['2026-03-11T07:59:59.999Z', '10 Mar 2026'],
    ['2026-03-08T07:59:59.999Z', '7 Mar 2026'],
    ['2026-11-01T08:59:59.999Z', '31 Oct 2026'],
  ] as const) {
    expect(speak(bar).day(end)).toBe(day);
  }
});
