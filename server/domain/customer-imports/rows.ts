/** Parses a row's cells. Pure, so that every notation can be tested. */

import { email as emailSchema, type ProfileInput, toE164 } from '../customers';
import { plainCell } from '../kernel/csv';
import { text } from '../kernel/schemas';
import { type DateOrder, type ImportField, type ImportMapping, type ImportProblem, importField } from './schemas';

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

interface RowContext {
  dateOrder: DateOrder;
  /** The country of national phone numbers. */
  country: string;
  /** The merchant's date. */
  today: string;
}

/** Returns a row's customer, or its problems. */
export function readRow(
  { givenName = '', lastName = '', ...values }: RowValues,
  { dateOrder, country, today }: RowContext,
): { profile: ProfileInput; problems: ImportProblem[] } {
  const problems: ImportProblem[] = [];
  if (givenName === '') problems.push('givenNameMissing');
  else if (![givenName, ...(lastName ? [lastName] : [])].every((one) => name.safeParse(one).success)) {
    problems.push('nameInvalid');
  }
  const read = <T>(value: string | undefined, parse: (value: string) => T | null, problem: ImportProblem): T | null => {
    if (!value) return null;
    const parsed = parse(value);
    if (parsed === null) problems.push(problem);
    return parsed;
  };
  const phone = read(values.phone, (value) => readPhone(value, country), 'phoneInvalid');
  const email = read(values.email, (value) => emailSchema.safeParse(value).data ?? null, 'emailInvalid');
  const birthday = read(values.birthday, (value) => readBirthday(value, dateOrder, today), 'birthdayInvalid');
  if (!values.phone && !values.email) problems.push('contactMissing');
  return { profile: { givenName, lastName, phone, email, birthday }, problems };
}

/** Spreadsheets read the plus of an international number as arithmetic, and drop it. */
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

function readBirthday(value: string, order: DateOrder, today: string): string | null {
  const { year = '', month = '', day = '' } = orders[order].exec(value)?.groups ?? {};
  const birthday = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const isDate = new Date(`${birthday}T00:00:00Z`).toJSON()?.startsWith(birthday) === true;
  return isDate && birthday >= '1900-01-01' && birthday <= today ? birthday : null;
}

const headingWords: Record<ImportField, RegExp> = {
  givenName: /^(given|first|fore)[ _-]?name|^(full[ _-]?)?name|^customer( name)?$|^名字?$|^姓名$/i,
  lastName: /^(last|family|sur)[ _-]?name|^姓$/i,
  phone: /phone|mobile|^tel|^cell|^contact( no| number)?\b|whatsapp|电话|手机/i,
  email: /e-?mail|邮箱|电邮/i,
  birthday: /birth|^dob$|生日/i,
};

/** Guesses each field's column from the headings, and the date format of birthdays from the rows. */
export function guessMapping(headings: string[], rows: string[][]): ImportMapping {
  const columns: ImportMapping['columns'] = {};
  const taken = new Set<number>();
  for (const field of importField.options) {
    const column = headings.findIndex((heading, at) => !taken.has(at) && headingWords[field].test(heading.trim()));
    if (column < 0) continue;
    taken.add(column);
    columns[field] = column;
  }
  const birthdays = rows.map((cells) => cells[columns.birthday ?? -1] ?? '').filter(Boolean);
  const count = (order: DateOrder) => birthdays.filter((one) => readBirthday(one, order, '9999-12-31') !== null).length;
  const [dateOrder = 'YMD'] = (['YMD', 'DMY', 'MDY'] as const).toSorted((a, b) => count(b) - count(a));
  return { columns, dateOrder };
}
