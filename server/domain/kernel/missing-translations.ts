/** Finds names without a translation into one of the diners' languages. Pure: lists in the back office use it, too. */
import { type MenuLanguage, type Merchant, menuLanguages } from './context';

interface Named {
  translations: Partial<Record<MenuLanguage, { name: string }>>;
}

/** Returns the diners' languages other than the merchant's own. */
export function translationLanguages({ locale }: Pick<Merchant, 'locale'>): MenuLanguage[] {
  const own = locale.split('-')[0];
  return menuLanguages.filter((language) => language !== own);
}

/** True if one of these languages has no name. */
export const lacksTranslation = (merchant: Pick<Merchant, 'locale'>, { translations }: Named): boolean =>
  translationLanguages(merchant).some((language) => !translations[language]?.name);
