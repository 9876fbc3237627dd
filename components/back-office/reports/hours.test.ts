import { expect, test } from 'vitest';
import { hoursBetween, hoursOfDay } from './hours';

test('a business day that begins at 5:00 ends with 4:00', () => {
  const hours = hoursOfDay(5);
  expect([hours.length, hours[0], hours.at(-1)]).toEqual([24, '05', '04']);
});

test('the hours from the first to the last sale, past midnight', () => {
  expect(hoursBetween(['01', '22', '23'], 5)).toEqual(['22', '23', '00', '01']);
  expect(hoursBetween([], 5)).toEqual([]);
});
