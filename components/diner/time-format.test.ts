import { expect, test } from 'vitest';
import { timeFormat } from './time-format';

const evening = new Date('2026-11-23T11:44:00Z');
const text = (merchant: { locale: string; timeZone: string }, language: string) =>
  timeFormat(merchant, language, { timeStyle: 'short' }).format(evening).replace(/\s/g, ' ');

test('a time is in the merchant’s zone, in its country’s format for readers of its language', () => {
  expect(text({ locale: 'en-SG', timeZone: 'Asia/Singapore' }, 'en')).toBe('7:44 pm');
  expect(text({ locale: 'en-SG', timeZone: 'Asia/Singapore' }, 'ja')).toBe('19:44');
  expect(text({ locale: 'de-DE', timeZone: 'Europe/Berlin' }, 'en')).toBe('12:44');
});

test('a phone that lacks the merchant’s time zone shows its own time', () => {
  const known = new Intl.DateTimeFormat('en-SG', { timeStyle: 'short' }).format(evening).replace(/\s/g, ' ');
  expect(text({ locale: 'en-SG', timeZone: 'Mars/Olympus' }, 'en')).toBe(known);
});
