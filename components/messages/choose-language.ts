const yearSeconds = 365 * 24 * 60 * 60;

/** Reloads the page in another language, which the browser keeps for a year. */
export function chooseLanguage(language: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers
  document.cookie = `language=${language}; path=/; max-age=${yearSeconds}; samesite=lax`;
  window.location.reload();
}
