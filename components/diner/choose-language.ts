import { languageCookie } from './words';

const yearSeconds = 365 * 24 * 60 * 60;

/** The page in another language: it is loaded anew. */
export function chooseLanguage(chosen: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
  document.cookie = `${languageCookie}=${chosen}; path=/; max-age=${yearSeconds}; samesite=lax`;
  location.reload();
}
