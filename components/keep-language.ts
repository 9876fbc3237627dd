const yearSeconds = 365 * 24 * 60 * 60;

/** Reloads the page in another language, which the browser keeps for a year in that cookie. */
export function keepLanguage(cookie: string, language: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers
  document.cookie = `${cookie}=${language}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
  location.reload();
}
