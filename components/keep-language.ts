const yearSeconds = 365 * 24 * 60 * 60;

/** Over https, a cookie is bound to the host, so that no neighbour on the same domain can set it. */
const boundName = (cookie: string) => `__Host-${cookie}`;

/** Keeps a choice of the reader, such as a language, in a cookie for a year. */
export function storeChoice(cookie: string, choice: string): void {
  const attributes = `path=/; max-age=${yearSeconds}; samesite=lax`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers
  document.cookie =
    location.protocol === 'https:'
      ? `${boundName(cookie)}=${choice}; ${attributes}; secure`
      : `${cookie}=${choice}; ${attributes}`;
}

/** Reloads the page in another language, which the browser remembers. */
export function keepLanguage(cookie: string, language: string): void {
  storeChoice(cookie, language);
  location.reload();
}

/** Returns the choice kept in a cookie, from all cookies of a request. */
export const keptLanguage = (read: (cookie: string) => string | undefined, cookie: string): string | undefined =>
  read(boundName(cookie)) ?? read(cookie);
