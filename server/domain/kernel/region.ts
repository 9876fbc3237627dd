/**
 * Returns the locale for dates, times and numbers: the merchant's if it has the reader's language, otherwise that
 * language with the merchant's country.
 */
export function regionFor(locale: string, language: string): string {
  const merchant = new Intl.Locale(locale);
  if (merchant.language === language) return locale;
  const { region } = merchant.maximize();
  return region ? `${language}-${region}` : language;
}
