/** Headers of every answer to a browser, files included. The policy of pages is set per request in `proxy.ts`. */
export const everyAnswer = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  // Addresses hold what staff searched for: not even our own requests tell them, for proxies log it.
  { key: 'Referrer-Policy', value: 'strict-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
];
