/** Finds names that diners in one of their languages would see in the original. Pure: lists of the back office use it, too. */
import { type MenuLanguage, type Merchant, menuLanguages } from './context';

interface Named {
  translations: Partial<Record<MenuLanguage, { name: string }>>;
}

/** Returns the languages of diners other than the merchant's own. */
export function translationLanguages({ locale }: Pick<Merchant, 'locale'>): MenuLanguage[] {
  const own = locale.split('-')[0];
  return menuLanguages.filter((language) => language !== own);
}

/** True if one of diners' languages, other than the merchant's own, has no name. */
export const lacksTranslation = (merchant: Pick<Merchant, 'locale'>, { translations }: Named): boolean =>
  translationLanguages(merchant).some((language) => !translations[language]?.name);
