/** Headers of every response: the REST API's, files, event streams and errors included. */
const headersOfAll = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
];

/**
 * Headers of every response of the front door. Browsers keep to https once they have seen it. A page's own policy takes
 * the place of this one.
 */
export const headersOfEveryAnswer = (publicOrigin) =>
  new Map([
    ...headersOfAll.map(({ key, value }) => [key, value]),
    ['Content-Security-Policy', "frame-ancestors 'none'"],
    ...(publicOrigin.startsWith('https:')
      ? [['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']]
      : []),
  ]);

/**
 * Headers of every response to a browser, files included. `proxy.ts` sets the content security policy of pages per
 * request.
 */
export const securityHeaders = [
  ...headersOfAll,
  // URLs hold what staff searched for. Proxies log the Referer, so not even our own requests send the path.
  { key: 'Referrer-Policy', value: 'strict-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
];
