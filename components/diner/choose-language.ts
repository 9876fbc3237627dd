import { languageCookie } from './words';

const yearSeconds = 365 * 24 * 60 * 60;

/** Reloads the page in another language. */
export function chooseLanguage(chosen: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
  document.cookie = `${languageCookie}=${chosen}; path=/; max-age=${yearSeconds}; samesite=lax`;
  location.reload();
}
