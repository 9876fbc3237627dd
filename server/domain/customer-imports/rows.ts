/** Parses a row's cells. Pure, so that every notation can be tested. */

import { email as emailSchema, type Profile, splitTags, tags as tagsSchema, toE164 } from '../identity';
import { endOfDate } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { plainCell } from '../kernel/csv';
import { minorDigits } from '../kernel/money';
import { maxMoney, maxPoints, text } from '../kernel/schemas';
import type { Value } from '../ledger';
import {
  type DateOrder,
  type ImportField,
  type ImportMapping,
  type ImportProblem,
  importField,
  isWarning,
} from './schemas';

const name = text(100);
const minInternationalDigits = 10;

export type RowValues = Partial<Record<ImportField, string>>;

/** Returns the mapped cells, unparsed. */
export function valuesOf(cells: string[], { columns }: ImportMapping): RowValues {
  const values: RowValues = {};
  for (const field of importField.options) {
    const column = columns[field];
    if (column !== undefined) values[field] = plainCell(cells[column] ?? '');
  }
  return values;
}

export interface RowContext {
  dateOrder: DateOrder;
  merchant: Pick<Merchant, 'country' | 'currency' | 'balanceLimit' | 'timeZone' | 'dayStartsAt'>;
  /** Today's date in the merchant's time zone. */
  today: string;
}

/** A customer's opening balance, in minor units and points. */
export interface Opening extends Value {
  /** The expiry of bonus and points. */
  expiresAt: Date | null;
}

export interface ReadRow {
  profile: Profile;
  /** Null without a balance. */
  opening: Opening | null;
  /** A row with any problem that is not a warning is skipped. */
  problems: ImportProblem[];
}

export const isSkipped = ({ problems }: Pick<ReadRow, 'problems'>) => problems.some((one) => !isWarning(one));

/**
 * Returns a row's customer and opening balance, and its problems. An unreadable optional field is left out, with a
 * warning. An unreadable amount skips the row, because the customer would lose it.
 */
export function readRow({ givenName = '', lastName = '', ...values }: RowValues, context: RowContext): ReadRow {
  const { dateOrder, merchant, today } = context;
  const problems: ImportProblem[] = [];
  if (givenName === '') problems.push('givenNameMissing');
  else if (![givenName, ...(lastName ? [lastName] : [])].every((one) => name.safeParse(one).success)) {
    problems.push('nameInvalid');
  }
  const read = <T>(value: string | undefined, parse: (value: string) => T | null): T | null =>
    value ? parse(value) : null;
  const phone = read(values.phone, (value) => readPhone(value, merchant.country));
  const email = read(values.email, (value) => emailSchema.safeParse(value).data ?? null);
  const birthday = read(values.birthday, (value) => readBirthday(value, dateOrder, today));
  const tags = read(values.tags, (value) => tagsSchema.safeParse(splitTags(value)).data ?? null);
  if (values.phone && phone === null) problems.push(email === null ? 'phoneInvalid' : 'phoneIgnored');
  if (values.email && email === null) problems.push(phone === null ? 'emailInvalid' : 'emailIgnored');
  if (values.birthday && birthday === null) problems.push('birthdayIgnored');
  if (values.tags && tags === null) problems.push('tagsIgnored');
  if (!values.phone && !values.email) problems.push('contactMissing');
  const { opening, problems: more } = readOpening(values, context);
  return { profile: { givenName, lastName, phone, email, birthday, tags: tags ?? [] }, opening, problems: [...problems, ...more] };
}

function readOpening(values: RowValues, { dateOrder, merchant, today }: RowContext): Omit<ReadRow, 'profile'> {
  const problems: ImportProblem[] = [];
  const read = (value: string | undefined, digits: number, most: number, problem: ImportProblem): number => {
    if (!value) return 0;
    const amount = readAmount(value, digits);
    if (amount !== null && amount <= most) return amount;
    if (!problems.includes(problem)) problems.push(problem);
    return 0;
  };
  const digits = minorDigits(merchant.currency);
  const principal = read(values.principal, digits, maxMoney, 'amountInvalid');
  const bonus = read(values.bonus, digits, maxMoney, 'amountInvalid');
  const points = read(values.points, 0, maxPoints, 'pointsInvalid');
  if (principal + bonus > (merchant.balanceLimit ?? maxMoney)) problems.push('overBalanceLimit');
  const canExpire = bonus + points > 0 && Boolean(values.expiresOn);
  const expiresOn = canExpire ? readDate(values.expiresOn ?? '', dateOrder) : null;
  if (canExpire && (expiresOn === null || expiresOn < today || expiresOn > '2999')) problems.push('expiryInvalid');
  if (problems.length > 0 || principal + bonus + points === 0) return { opening: null, problems };
  const expiresAt = expiresOn === null ? null : endOfDate(expiresOn, merchant);
  return { opening: { principal, bonus, points, expiresAt }, problems };
}

/** Reads an amount such as `1,250.50`, with or without a currency before it, in minor units. */
function readAmount(value: string, digits: number): number | null {
  const found = /^(?:[A-Z]{0,3}\p{Sc}?\s?)(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d+))?$/u.exec(value);
  const [, whole = '', fraction = ''] = found ?? [];
  const decimals = fraction.replace(/0+$/, '');
  if (whole === '' || decimals.length > digits) return null;
  return Number(whole.replaceAll(',', '') + decimals.padEnd(digits, '0'));
}

/** Spreadsheets take the plus of an international number for arithmetic, and drop it. */
function readPhone(value: string, country: string): string | null {
  const phone = toE164(value, country, { strict: true });
  if (phone !== null) return phone;
  const digits = value.replace(/\D/g, '');
  return digits.length >= minInternationalDigits ? toE164(`+${digits}`, country, { strict: true }) : null;
}

const orders: Record<DateOrder, RegExp> = {
  YMD: /^(?<year>\d{4})[-/. ](?<month>\d{1,2})[-/. ](?<day>\d{1,2})$/,
  DMY: /^(?<day>\d{1,2})[-/. ](?<month>\d{1,2})[-/. ](?<year>\d{4})$/,
  MDY: /^(?<month>\d{1,2})[-/. ](?<day>\d{1,2})[-/. ](?<year>\d{4})$/,
};

/** Returns `YYYY-MM-DD`; null for an invalid date. */
function readDate(value: string, order: DateOrder): string | null {
  const { year = '', month = '', day = '' } = orders[order].exec(value)?.groups ?? {};
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true ? date : null;
}

function readBirthday(value: string, order: DateOrder, today: string): string | null {
  const birthday = readDate(value, order);
  return birthday !== null && birthday >= '1900-01-01' && birthday <= today ? birthday : null;
}

const headingWords: Record<ImportField, RegExp> = {
  givenName: /^(given|first|fore)[ _-]?name|^(full[ _-]?)?name|^customer( name)?$|^名字?$|^姓名$/i,
  lastName: /^(last|family|sur)[ _-]?name|^姓$/i,
  phone: /phone|mobile|^tel|^cell|^contact( no| number)?\b|whatsapp|电话|手机/i,
  email: /e-?mail|邮箱|电邮/i,
  birthday: /birth|^dob$|生日/i,
  tags: /^tags?$|^labels?$|^groups?$|标签/i,
  bonus: /bonus|promo|赠送/i,
  principal: /stored[ _-]?value|^principal|balance|^credit|wallet|储值|本金|余额/i,
  points: /points?|积分/i,
  expiresOn: /expir|valid (until|to)|到期|有效期/i,
};

/** Guesses each field's column from the headings, and the format of dates from the rows. */
export function guessMapping(headings: string[], rows: string[][]): ImportMapping {
  const columns: ImportMapping['columns'] = {};
  const taken = new Set<number>();
  for (const field of importField.options) {
    const column = headings.findIndex((heading, at) => !taken.has(at) && headingWords[field].test(heading.trim()));
    if (column < 0) continue;
    taken.add(column);
    columns[field] = column;
  }
  const dates = rows
    .flatMap((cells) => [cells[columns.birthday ?? -1], cells[columns.expiresOn ?? -1]])
    .flatMap((cell) => cell || []);
  const count = (order: DateOrder) => dates.filter((one) => readDate(one, order) !== null).length;
  const [dateOrder = 'YMD'] = (['YMD', 'DMY', 'MDY'] as const).toSorted((a, b) => count(b) - count(a));
  return { columns, dateOrder };
}
