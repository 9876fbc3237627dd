/** Who asks, by the header that the front door has set; it is the only one that Next is reached through. */
export const clientAddress = (forwardedFor: unknown): string =>
  typeof forwardedFor === 'string' ? forwardedFor : 'unknown';
