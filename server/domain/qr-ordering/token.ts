import { createHmac } from 'node:crypto';

/** Derives the token in a code's URL: 132 bits that only the service can compute, so that it need not be stored. */
export function tokenOf(tokenKey: Buffer, qrCodeId: string): string {
  return createHmac('sha256', tokenKey).update(qrCodeId).digest('base64url').slice(0, 22);
}

export const tokenPattern = /^[A-Za-z0-9_-]{22}$/;
