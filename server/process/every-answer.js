/** Headers of every response, including the REST API's, files, event streams and errors. */
const headersOfAll = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
];

/**
 * Headers of every response of the front door. Browsers keep to https once they have seen them. A page's own content
 * security policy replaces this one.
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
 * Headers of every response to a browser, including files. `proxy.ts` sets the content security policy of pages per
 * request.
 */
export const securityHeaders = [
  ...headersOfAll,
  // URLs contain what staff searched for, and proxies log the Referer. So not even our own requests send the path.
  { key: 'Referrer-Policy', value: 'strict-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
];
