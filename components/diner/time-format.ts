import { regionFor } from '@/server/domain/core/calendar';

/** How a merchant's times are written for readers of `language`: in its time zone, or the phone's where that is unknown to it. */
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
