import { regionFor } from '@/server/domain/kernel/region';

/**
 * Returns the format of a merchant's times for readers of `language`: in the merchant's time zone, or in the phone's if
 * the phone does not know that zone.
 */
export function timeFormat(
  { locale, timeZone }: { locale: string; timeZone: string },
  language: string,
  style: Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>,
): Intl.DateTimeFormat {
  const region = regionFor(locale, language);
  try {
    return new Intl.DateTimeFormat(region, { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat(region, style);
  }
}
