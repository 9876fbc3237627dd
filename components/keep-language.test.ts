import { afterEach, expect, test, vi } from 'vitest';
import { keepLanguage, keptLanguage } from './keep-language';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['https:', '__Host-language=ms; path=/; max-age=31536000; samesite=lax; secure'],
  // Without https, a browser would refuse a secure cookie.
  ['http:', 'language=ms; path=/; max-age=31536000; samesite=lax'],
])('over %s a language is kept in "%s"', (protocol, cookie) => {
  const page = { cookie: '' };
  const reload = vi.fn();
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol, reload });
  keepLanguage('language', 'ms');
  expect(page.cookie).toBe(cookie);
  expect(reload).toHaveBeenCalledOnce();
});

test('it is read from the cookie of this host alone, if there is one', () => {
  const read = (cookies: Record<string, string>) => keptLanguage((name) => cookies[name], 'language');
  expect(read({ '__Host-language': 'ms', language: 'ja' })).toBe('ms');
  expect(read({ language: 'ja' })).toBe('ja');
  expect(read({})).toBeUndefined();
});
