import { useFormatter, useLocale } from 'next-intl';
import { useMemo } from 'react';
import { currencyStyle, formatSigned, minorDigits, withMinus } from '@/server/domain/kernel/money';
import { useOffice } from '../office/office';
import { businessDateIn } from './local-days';

/** A date with this ISO weekday: the first of January 2024 was a Monday. */
const weekdayDate = (day: number) => new Date(Date.UTC(2024, 0, day));

/** Formats amounts and times for the reader's locale, in the merchant's currency and time zone. */
export function useFormat() {
  const format = useFormatter();
  const locale = useLocale();
  const { currency, timeZone, dayStartsAt } = useOffice().merchant;
  return useMemo(() => {
    const digits = minorDigits(currency);
    const style = { ...currencyStyle(currency), currencyDisplay: 'narrowSymbol', signDisplay: 'negative' } as const;
    const amounts = new Intl.NumberFormat(locale, style);
    const shortAmounts = new Intl.NumberFormat(locale, {
      ...style,
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumFractionDigits: 2,
    });
    const roughAmounts = new Intl.NumberFormat(locale, {
      ...style,
      notation: 'compact',
      minimumFractionDigits: undefined,
      maximumFractionDigits: undefined,
      maximumSignificantDigits: 2,
    });
    const money = (amountMinor: number) => withMinus(amounts.format(amountMinor / 10 ** digits));
    return {
      /** From minor units: `$12.50`. */
      money,
      /** From minor units with a sign, for changes of a balance: `+$12.50`. */
      movement: (amountMinor: number) => formatSigned(amountMinor, money),
      /** From minor units, abbreviated for the axis of a chart: `$12K`. */
      moneyShort: (amountMinor: number) => withMinus(shortAmounts.format(amountMinor / 10 ** digits)),
      /** From minor units, in two digits, for a cell of a map: `$630`, `$1.2K`. */
      moneyRough: (amountMinor: number) => withMinus(roughAmounts.format(amountMinor / 10 ** digits)),
      number: (value: number) => withMinus(format.number(value, { signDisplay: 'negative' })),
      numberShort: (value: number) => withMinus(format.number(value, { notation: 'compact' })),
      /** From hundredths of a percent: `12.5%`. */
      percent: (basisPoints: number) =>
        withMinus(format.number(basisPoints / 10_000, { style: 'percent', maximumFractionDigits: 2 })),
      /** From an instant: `21 Nov 2026`. */
      date: (instant: string | Date) => format.dateTime(new Date(instant), { dateStyle: 'medium' }),
      /** From an instant: `Saturday 21 November 2026`. */
      fullDate: (instant: string | Date) => format.dateTime(new Date(instant), { dateStyle: 'full' }),
      /** From an instant: `21 Nov 2026, 1:44 pm`. */
      dateTime: (instant: string | Date) =>
        format.dateTime(new Date(instant), { dateStyle: 'medium', timeStyle: 'short' }),
      time: (instant: string | Date) => format.dateTime(new Date(instant), { timeStyle: 'short' }),
      /** From an instant: `1:44:10 pm`. */
      timeInSeconds: (instant: string | Date) => format.dateTime(new Date(instant), { timeStyle: 'medium' }),
      /** From an instant, the merchant's day, such as the last one of a voucher: `21 Nov 2026`. */
      businessDate: (instant: string | Date) =>
        format.dateTime(new Date(businessDateIn({ timeZone, dayStartsAt }, new Date(instant))), {
          dateStyle: 'medium',
          timeZone: 'UTC',
        }),
      /** From a date without a time (`2026-11-21`), independent of the time zone. */
      calendarDate: (date: string) =>
        format.dateTime(new Date(`${date}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' }),
      /** From a birthday: `21 Nov 1990`, or `21 November` without its year (`--11-21`). */
      birthdayText: (birthday: string) =>
        birthday.startsWith('--')
          ? format.dateTime(new Date(`2024${birthday.slice(1)}T00:00:00Z`), {
              day: 'numeric',
              month: 'long',
              timeZone: 'UTC',
            })
          : format.dateTime(new Date(`${birthday}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' }),
      /** From an ISO weekday (1 to 7): `Monday`, `Mon`. */
      weekday: (day: number) => format.dateTime(weekdayDate(day), { weekday: 'long', timeZone: 'UTC' }),
      weekdayShort: (day: number) => format.dateTime(weekdayDate(day), { weekday: 'short', timeZone: 'UTC' }),
      /** From 1 to 12: `November`. */
      monthName: (month: number) =>
        format.dateTime(new Date(Date.UTC(2024, month - 1)), { month: 'long', timeZone: 'UTC' }),
      /** From a month (`2026-11`): `November 2026`. */
      monthOf: (month: string) =>
        format.dateTime(new Date(`${month}-01T00:00:00Z`), { month: 'long', year: 'numeric', timeZone: 'UTC' }),
      /** From a date without a time, without the year: `21 Nov`. */
      shortDate: (date: string) =>
        format.dateTime(new Date(`${date}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    };
  }, [format, locale, currency, timeZone, dayStartsAt]);
}
