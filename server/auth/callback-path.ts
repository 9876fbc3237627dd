const home = '/home';

/**
 * Returns the path to open after sign-in: the requested one if it is a page of this origin, otherwise the back office's
 * home. Rejects URLs of other origins, even disguised ones (`//host`, `/\host`, control characters).
 */
export function callbackPath(requested: string | string[] | undefined, origin: string): string {
  if (typeof requested !== 'string' || !URL.canParse(requested, origin)) return home;
  const [url, own] = [new URL(requested, origin), new URL(origin)];
  // `origin` alone is not enough: a `blob:` URL has the origin of the page that created it.
  const here = url.protocol === own.protocol && url.host === own.host && !url.pathname.startsWith('//');
  const isPage = !url.pathname.startsWith('/api/') && url.pathname !== '/sign-in';
  return here && isPage ? `${url.pathname}${url.search}${url.hash}` : home;
}
