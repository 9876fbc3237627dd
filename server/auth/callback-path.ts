const home = '/home';

/**
 * The path to go to after sign-in: what was asked for if it is a page of this origin, else the back office's home.
 * Addresses elsewhere, also in their disguises (`//host`, `/\host`, control characters), never come through.
 */
export function callbackPath(asked: string | string[] | undefined, origin: string): string {
  if (typeof asked !== 'string' || !URL.canParse(asked, origin)) return home;
  const url = new URL(asked, origin);
  const here = url.origin === new URL(origin).origin && !url.pathname.startsWith('//');
  const isPage = !url.pathname.startsWith('/api/') && url.pathname !== '/sign-in';
  return here && isPage ? `${url.pathname}${url.search}${url.hash}` : home;
}
