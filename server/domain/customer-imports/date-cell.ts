/** Reads dates as spreadsheets and older systems write them. */

import type { DateOrder } from './schemas';

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const between = '[-/. ]';
const orders: Record<DateOrder, RegExp> = {
  YMD: new RegExp(`^(?<year>\\d{4})${between}(?<month>\\d{1,2})${between}(?<day>\\d{1,2})$`),
  DMY: new RegExp(`^(?<day>\\d{1,2})${between}(?<month>\\d{1,2})${between}(?<year>\\d{4}|\\d{2})$`),
  MDY: new RegExp(`^(?<month>\\d{1,2})${between}(?<day>\\d{1,2})${between}(?<year>\\d{4}|\\d{2})$`),
};
/** As workbooks and programs write it. A year of four digits in front is never followed by the day. */
const iso = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/;
export const isIsoDate = (text: string): boolean => iso.test(text);
/** With a month's name, the order is plain: `15-Jun-1985`, `June 15, 1985`. */
const named = [
  /^(?<day>\d{1,2})[-/. ]?(?<name>[a-z]{3,9})[-/. ,]*(?<year>\d{4}|\d{2})$/i,
  /^(?<name>[a-z]{3,9})[-/. ]?(?<day>\d{1,2})[-/. ,]+(?<year>\d{4}|\d{2})$/i,
];
const time =
  /[T ]\d{1,2}[:.](?<minute>\d{2})(?:[:.]\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?(?<zone>Z| ?[+-]\d{2}:?\d{2})?$/i;
/** Times that an instant of another zone can have without being another day here. */
const midnightOrNoon = /[T ](?:00|12)[:.]00/;

/**
 * Returns `YYYY-MM-DD`; null for an invalid date. A time is dropped, unless its zone makes the day doubtful.
 * `centuryOf` completes a year of two digits.
 */
export function readDateCell(value: string, order: DateOrder, centuryOf: (year: number) => number): string | null {
  const text = value.normalize('NFKC').replace(/年|月/g, '-').replace(/日/, '').trim();
  const found = time.exec(text);
  if (found?.groups?.zone !== undefined && !midnightOrNoon.test(text)) return null;
  const date = found ? text.slice(0, found.index).trim() : text;
  const { year = '', month, day = '', name } = match(date, order) ?? {};
  if (day === '') return null;
  const number = month ?? String(monthOf(name));
  const fullYear = year.length === 2 ? String(centuryOf(Number(year)) + Number(year)) : year;
  const date8601 = `${fullYear}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return new Date(`${date8601}T00:00:00Z`).toJSON()?.startsWith(date8601) === true ? date8601 : null;
}

const dayMonth: RegExp = new RegExp(`^(?<day>\\d{1,2})${between}(?<month>\\d{1,2})\\.?$`);
const monthDay: RegExp = new RegExp(`^(?<month>\\d{1,2})${between}(?<day>\\d{1,2})$`);
const withoutYear: Record<DateOrder, RegExp> = { YMD: monthDay, DMY: dayMonth, MDY: monthDay };
/** In any order: `--06-15`, `6月15日`, `15 June`, `15-Jun`, `June 15`. `Jun-15` may be a year's June. */
const plainlyWithoutYear = [
  /^--(?<month>\d{2})-?(?<day>\d{2})$/,
  /^(?<month>\d{1,2})月(?<day>\d{1,2})日?$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-/. ]{0,2}(?<name>[a-z]{3,9})\.?$/i,
  /^(?<name>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?$/i,
];
/** Years that stand for none: of Square, of our database, and of Apple's address book. All are leap years. */
const noYears = ['0000', '0004', '1604'];

/**
 * Returns `YYYY-MM-DD`, or `--MM-DD` without the year; null for an invalid birthday, and for one in the future or of
 * long ago.
 */
export function readBirthdayCell(value: string, order: DateOrder, today: string): string | null {
  const text = value.normalize('NFKC').trim();
  const { month, day, name } =
    [...plainlyWithoutYear, withoutYear[order]].map((one) => one.exec(text)?.groups).find(Boolean) ?? {};
  const completed = day === undefined ? text : `0004-${month ?? monthOf(name)}-${day}`;
  const date = readDateCell(completed, day === undefined ? order : 'YMD', pastCentury(today));
  if (date === null) return null;
  if (noYears.includes(date.slice(0, 4))) return `-${date.slice(4)}`;
  return date >= '1900-01-01' && date <= today ? date : null;
}

const monthOf = (name = ''): number => monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1;

const match = (date: string, order: DateOrder) =>
  [orders[order], iso, ...named].map((one) => one.exec(date)?.groups).find(Boolean);

/** The century of a birthday: the last one in which it is past. */
export const pastCentury =
  (today: string) =>
  (year: number): number =>
    2000 + year > Number(today.slice(0, 4)) ? 1900 : 2000;

/** The century of an expiry. */
export const thisCentury = () => 2000;

/** How dates are written in a country's main language. */
export function dateOrderOf(country: string): DateOrder {
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  const parts = new Intl.DateTimeFormat(`${language}-${country}`, { dateStyle: 'short' }).formatToParts(0);
  const [first] = parts.filter(({ type }) => type === 'year' || type === 'month' || type === 'day');
  return first?.type === 'year' ? 'YMD' : first?.type === 'month' ? 'MDY' : 'DMY';
}
