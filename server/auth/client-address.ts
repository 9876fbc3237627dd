/** Who asks, by the header that the front door has set; it is the only one that Next is reached through. */
export const clientAddress = (forwardedFor: unknown): string =>
  typeof forwardedFor === 'string' ? forwardedFor : 'unknown';

/** Whether such an address is this machine itself. */
export const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(address);
