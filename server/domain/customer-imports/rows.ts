/** Parses a row's cells. Pure, so that every notation can be tested. */

import { email as emailSchema, type Profile, splitTags, tags as tagsSchema } from '../identity';
import { type AmountKind, readAmountCell } from '../kernel/amount-cells';
import { endOfDate } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { plainCell } from '../kernel/csv';
import { minorDigits } from '../kernel/money';
import { maxMoney, maxPoints, text } from '../kernel/schemas';
import type { Value } from '../ledger';
import { campaignKey, type ImportableCampaign } from '../vouchers';
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
  /** The campaigns whose vouchers can be given, by `campaignKey`. */
  campaigns: ReadonlyMap<string, ImportableCampaign>;
}

/** A customer's opening balance, in minor units and points, and the vouchers held elsewhere. */
export interface Opening extends Value {
  expiresAt: { bonus: Date | null; points: Date | null };
  vouchers: { campaignId: string; count: number; expiresAt: Date | null } | null;
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
  const { decimalMarks, merchant } = context;
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
  const expiryOf = (amount: number, value: string | undefined): Date | null => {
    if (amount === 0 || !value) return null;
    const expiry = readExpiry(value, context);
    if (expiry === null && !problems.includes('expiryInvalid')) problems.push('expiryInvalid');
    return expiry;
  };
  const expiresAt = {
    bonus: expiryOf(bonus, values.bonusExpiresOn || values.expiresOn),
    points: expiryOf(points, values.expiresOn),
  };
  const vouchers = readVouchers(values, context);
  if (typeof vouchers === 'string') return { opening: null, problems: [...problems, vouchers] };
  if (problems.length > 0 || (principal + bonus + points === 0 && vouchers === null))
    return { opening: null, problems };
  return { opening: { principal, bonus, points, expiresAt, vouchers }, problems };
}

/** Returns the end of the day; null for an invalid or past one. */
function readExpiry(value: string, { dateOrder, merchant, today }: RowContext): Date | null {
  const day = readDateCell(value, dateOrder, thisCentury);
  return day === null || day < today || day > '2999' ? null : endOfDate(day, merchant);
}

const maxVouchers = 100;

/** Returns a row's vouchers, or their problem. A row without a number of them has one. */
function readVouchers(values: RowValues, context: RowContext): Opening['vouchers'] | ImportProblem {
  if (!values.voucher) return null;
  const count = values.voucherCount ? readAmountCell(values.voucherCount, { currency: null, digits: 0 }, null) : 1;
  if (typeof count !== 'number' || count > maxVouchers) return 'voucherInvalid';
  if (count === 0) return null;
  const campaign = context.campaigns.get(campaignKey(values.voucher));
  if (!campaign) return 'voucherUnknown';
  const { campaignId, validUntil } = campaign;
  if (!values.voucherExpiresOn) return { campaignId, count, expiresAt: campaign.expiresAt };
  const expiresAt = readExpiry(values.voucherExpiresOn, context);
  const isValid = expiresAt !== null && (validUntil === null || expiresAt <= validUntil);
  return isValid ? { campaignId, count, expiresAt } : 'voucherInvalid';
}

/** What the cells of a column of amounts are. */
export const amountKindOf = (field: AmountField, currency: string): AmountKind =>
  field === 'points' ? { currency: null, digits: 0 } : { currency, digits: minorDigits(currency) };
