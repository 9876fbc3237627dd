/** Parses a row's cells. Pure, so that every notation can be tested. */

import { email as emailSchema, type Profile, splitTags, tags as tagsSchema } from '../identity';
import { type AmountKind, readAmountCell } from '../kernel/amount-cells';
import { endOfDate } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { plainCell } from '../kernel/csv';
import { minorDigits } from '../kernel/money';
import { maxMoney, maxPoints, text } from '../kernel/schemas';
import type { Value } from '../ledger';
import { readBirthdayCell, readDateCell, thisCentury } from './date-cell';
import { readPhoneCell } from './phone-cell';
import {
  type AmountField,
  amountField,
  type DateOrder,
  type DecimalMarks,
  type ImportField,
  type ImportMapping,
  type ImportProblem,
  importField,
  isWarning,
} from './schemas';

const name = text(100);

export type RowValues = Partial<Record<ImportField, string>>;

const isAmount = (field: ImportField) => amountField.options.some((one) => one === field);

/** Returns the mapped cells as people read them. */
export function plainValuesOf(cells: string[], mapping: ImportMapping): RowValues {
  const values = valuesOf(cells, mapping);
  return Object.fromEntries(Object.entries(values).map(([field, cell]) => [field, plainCell(cell)]));
}

/** Returns the mapped cells, unparsed. Amounts stay as the file has them: a number says more than its text. */
export function valuesOf(cells: string[], { columns }: ImportMapping): RowValues {
  const values: RowValues = {};
  for (const field of importField.options) {
    const column = columns[field];
    if (column !== undefined) values[field] = isAmount(field) ? (cells[column] ?? '') : plainCell(cells[column] ?? '');
  }
  return values;
}

export interface RowContext {
  dateOrder: DateOrder;
  /** How the columns of amounts write decimals. */
  decimalMarks: DecimalMarks;
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
  if ([givenName, lastName].some((one) => one !== '' && !name.safeParse(one).success)) problems.push('nameInvalid');
  const read = <T>(value: string | undefined, parse: (value: string) => T | null): T | null =>
    value ? parse(value) : null;
  const written = read(values.phone, (value) => readPhoneCell(value, merchant.country));
  const phone = written !== null && 'phone' in written ? written.phone : null;
  const email = read(values.email, (value) => emailSchema.safeParse(value).data ?? null);
  const birthday = read(values.birthday, (value) => readBirthdayCell(value, dateOrder, today));
  const tags = read(values.tags, (value) => tagsSchema.safeParse(splitTags(value)).data ?? null);
  if (written !== null && 'problem' in written) {
    // A number that can be put right is put right first: once imported, the customer would not get it any more.
    problems.push(written.problem === 'phoneInvalid' && email !== null ? 'phoneIgnored' : written.problem);
  }
  if (values.email && email === null) problems.push(phone === null ? 'emailInvalid' : 'emailIgnored');
  if (values.birthday && birthday === null) problems.push('birthdayIgnored');
  if (values.tags && tags === null) problems.push('tagsIgnored');
  if (!values.phone && !values.email) problems.push('contactMissing');
  const { opening, problems: more } = readOpening(values, context);
  return {
    profile: { givenName, lastName, phone, email, birthday, tags: tags ?? [] },
    opening,
    problems: [...problems, ...more],
  };
}

function readOpening(values: RowValues, context: RowContext): Omit<ReadRow, 'profile'> {
  const { dateOrder, decimalMarks, merchant, today } = context;
  const problems: ImportProblem[] = [];
  const read = (field: AmountField, most: number, problem: ImportProblem): number => {
    const value = values[field];
    if (!value) return 0;
    const amount = readAmountCell(value, amountKindOf(field, merchant.currency), decimalMarks[field] ?? null);
    if (typeof amount === 'number' && amount <= most) return amount;
    const found = amount === 'ambiguous' ? 'amountAmbiguous' : problem;
    if (!problems.includes(found)) problems.push(found);
    return 0;
  };
  const principal = read('principal', maxMoney, 'amountInvalid');
  const bonus = read('bonus', maxMoney, 'amountInvalid');
  const points = read('points', maxPoints, 'pointsInvalid');
  if (principal + bonus > (merchant.balanceLimit ?? maxMoney)) problems.push('overBalanceLimit');
  const canExpire = bonus + points > 0 && Boolean(values.expiresOn);
  const expiresOn = canExpire ? readDateCell(values.expiresOn ?? '', dateOrder, thisCentury) : null;
  if (canExpire && (expiresOn === null || expiresOn < today || expiresOn > '2999')) problems.push('expiryInvalid');
  if (problems.length > 0 || principal + bonus + points === 0) return { opening: null, problems };
  const expiresAt = expiresOn === null ? null : endOfDate(expiresOn, merchant);
  return { opening: { principal, bonus, points, expiresAt }, problems };
}

/** What the cells of a column of amounts are. */
export const amountKindOf = (field: AmountField, currency: string): AmountKind =>
  field === 'points' ? { currency: null, digits: 0 } : { currency, digits: minorDigits(currency) };
