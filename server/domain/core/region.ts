/** How days and times are written for readers of a language: as the merchant's country does, where they read its own. */
export const regionFor = (locale: string, language: string): string =>
  new Intl.Locale(locale).language === language ? locale : language;
