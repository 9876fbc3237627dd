/** Returns the locale for dates and times: the merchant's if it has the reader's language, else that language. */
export const regionFor = (locale: string, language: string): string =>
  new Intl.Locale(locale).language === language ? locale : language;
