import { useLocale, useTranslations } from 'next-intl';
import { isPercentage, voucherUnitNames } from '@/server/domain/kernel/voucher-units';
import { dinerLanguages } from '../../diner/words';
import { useFormat } from '../state/format';
import type { AuditRow } from './audit-words';
import { labelOf } from './field-labels';

export type Fields = Record<string, unknown>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Of a birthday, the year may be missing. */
const calendarDay = /^(\d{4}|-)-\d\d-\d\d$/;
const shownInList = 10;
const percentages: unknown[] = voucherUnitNames.filter(isPercentage);

/** True for a value without content: null, an empty text, list or object, or an object of such values. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/** Turns `maxDiscount` into `max discount`. */
const splitCamelCase = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Formats the values of the log's fields for readers: as names, amounts, times, choices. */
export function useAuditValues() {
  const t = useTranslations('auditLog');
  const tCommon = useTranslations('common');
  const readers = useReaders();
  const format = useFormat();

  function print(
    { subject, names }: Pick<AuditRow, 'subject' | 'names'>,
    field: string,
    value: unknown,
    inside: Fields,
  ): string | null {
    const printIn = (name: string, inner: unknown, fields: Fields) => print({ subject, names }, name, inner, fields);
    if (value === null || value === undefined || value === '') return null;
    if (typeof value === 'boolean') return value ? tCommon('yes') : tCommon('no');
    if (Array.isArray(value)) {
      const shown = value.slice(0, shownInList).map((one) => printIn(field, one, inside) ?? t('nothing'));
      const more = value.length - shown.length;
      return value.length === 0 ? null : [...shown, ...(more > 0 ? [t('moreValues', { count: more })] : [])].join(', ');
    }
    if (typeof value === 'object') {
      const fields = value as Fields;
      const read = readers.objects[field];
      if (read) return read(fields, (name) => printIn(name, fields[name], fields));
      const parts = Object.entries(fields).filter(([, inner]) => !isEmpty(inner));
      return (
        parts
          .map(([name, inner]) => `${readers.label(subject.kind, name)}: ${printIn(name, inner, fields)}`)
          .join(', ') || null
      );
    }
    const reader = <Read>(list: Record<string, Read>) => list[`${subject.kind}.${field}`] ?? list[field];
    if (typeof value === 'number') return reader(readers.numbers)?.(value, inside) ?? format.number(value);
    const text = String(value);
    const choice = reader(readers.texts)?.(text);
    if (choice !== undefined) return choice;
    const name = names[text];
    if (name !== undefined) return field === 'plu' || field === 'plus' ? `${name} (${text})` : name;
    if (uuid.test(text)) return t('deleted');
    if (instant.test(text)) return format.dateTime(text);
    return calendarDay.test(text) ? format.birthdayText(text) : text;
  }

  return { print, label: readers.label };
}

/** How to format fields whose values alone do not say what they are. */
function useReaders() {
  const tAll = useTranslations();
  const locale = useLocale();
  const { money, movement, percent, number } = useFormat();
  const label = (subjectKind: string, name: string): string => {
    const key = labelOf(subjectKind, name);
    return key ? tAll(key) : splitCamelCase(name);
  };
  /** A choice's text. A choice that no longer has one is shown as it is. */
  const choiceOf =
    (path: string, end = '') =>
    (value: string): string =>
      tAll.has(`${path}${value}${end}` as never) ? tAll(`${path}${value}${end}` as never) : value;
  const nameOf = (type: 'region' | 'language') => (value: string) =>
    new Intl.DisplayNames(locale, { type }).of(value) ?? value;
  const language = (value: string): string => dinerLanguages[value as keyof typeof dinerLanguages] ?? value;

  /** `inside` is the entry's own value, or the object within it that has the field. */
  const numbers: Record<string, (value: number, inside: Fields) => string> = {
    ...Object.fromEntries(moneyFields.map((field) => [field, money])),
    // Only the 1st, 10th, 100th and 1,000th of an hour are recorded.
    attempts: (value) => (value > 1 ? tAll('auditLog.atLeast', { number: number(value) }) : number(value)),
    bonusBasisPoints: percent,
    serviceBasisPoints: percent,
    taxBasisPoints: percent,
    tipPercentages: (value) => percent(value * 100),
    'campaign.value': (value, { unit }) => (percentages.includes(unit) ? percent(value) : money(value)),
    'customer.amount': (value, { part }) => (part === 'points' ? number(value) : movement(value)),
  };
  const texts: Record<string, (value: string) => string> = {
    allergens: choiceOf('menu.allergen.'),
    'campaign.audience': choiceOf('auditLog.audiences.'),
    'campaign.trigger': choiceOf('vouchers.'),
    'campaign.unit': choiceOf('vouchers.units.', '.name'),
    codeCountries: nameOf('region'),
    country: nameOf('region'),
    eventTypes: choiceOf('webhooks.types.'),
    'webhook.reason': choiceOf('webhooks.reasons.'),
    'customer.fields': (value) => label('customer', value),
    'customer.part': choiceOf('transactions.parts.'),
    language,
    locale: nameOf('language'),
    logoId: () => tAll('auditLog.aPhoto'),
    'menuItem.plu': (value) => value,
    'merchant.kind': choiceOf('messages.'),
    'order.status': choiceOf('orders.'),
    'package.kind': choiceOf('packages.'),
    photoId: () => tAll('auditLog.aPhoto'),
    scope: choiceOf('apiKeys.scopes.'),
    scopes: choiceOf('apiKeys.scopes.'),
    secondFactorOf: (value) => choiceOf('staff.')(`demand${value.charAt(0).toUpperCase()}${value.slice(1)}`),
    paymentMethod: choiceOf('counter.paymentMethods.'),
    tableCardPage: choiceOf('settings.tables.cardPage.'),
    sessions: choiceOf('auditLog.endedSessions.'),
    secondStep: choiceOf('auditLog.secondSteps.'),
    role: (value) => choiceOf('shell.')(`role${value.charAt(0).toUpperCase()}${value.slice(1)}`),
  };
  type ReadObject = (fields: Fields, printed: (name: string) => string | null) => string | null;
  const objects: Record<string, ReadObject> = {
    items: ({ until }, printed) => {
      const detail =
        until === undefined
          ? printed('price')
          : until === null
            ? null
            : tAll('auditLog.untilTime', { time: printed('until') ?? '' });
      return [printed('plu'), detail].filter(Boolean).join(' ');
    },
    options: ({ price }, printed) =>
      [printed('name'), price ? movement(Number(price)) : null].filter(Boolean).join(' '),
    translations: (texts) =>
      Object.entries(texts)
        .filter(([, inner]) => !isEmpty(inner))
        .map(
          ([code, inner]) =>
            `${language(code)}: ${Object.values(inner as Fields)
              .filter(Boolean)
              .join(' – ')}`,
        )
        .join(', ') || null,
  };
  return { label, numbers, texts, objects };
}

const moneyFields = [
  ...['amount', 'balanceLimit', 'bonusAmount', 'earnPerAmount', 'maxAmount', 'maxDiscount', 'minAmount', 'minSpend'],
  ...['minSpent', 'pointValue', 'price', 'earningSaleLimit', 'customerDailyValue', 'keyDailyValue'],
  ...['newCustomerDailyValue', 'paid', 'returned', 'paidAtStripe', 'returnedAtStripe'],
  ...['cashDifference', 'cardDifference', 'otherDifference'],
  ...[
    'cashierDailyValue',
    'cashierRefundLimit',
    'confirmAbove',
    'managerDailyValue',
    'attemptedValue',
    'bonus',
    'bill.total',
  ],
];
