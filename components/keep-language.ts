const yearSeconds = 365 * 24 * 60 * 60;

/** Over https a cookie is bound to the host, so that no neighbour on the same domain can set it. */
const boundName = (cookie: string) => `__Host-${cookie}`;

/** Reloads the page in another language, which the browser keeps for a year in that cookie. */
export function keepLanguage(cookie: string, language: string): void {
  const attributes = `path=/; max-age=${yearSeconds}; samesite=lax`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers
  document.cookie =
    location.protocol === 'https:'
      ? `${boundName(cookie)}=${language}; ${attributes}; secure`
      : `${cookie}=${language}; ${attributes}`;
  location.reload();
}

/** Returns the language that was kept in that cookie, from all cookies of a request. */
export const keptLanguage = (read: (cookie: string) => string | undefined, cookie: string): string | undefined =>
  read(boundName(cookie)) ?? read(cookie);
