import { createHmac } from 'node:crypto';

/** The token in a code's address: 132 bits that only the service can derive, so none is kept. */
export function tokenOf(tokenKey: Buffer, qrCodeId: string): string {
  return createHmac('sha256', tokenKey).update(qrCodeId).digest('base64url').slice(0, 22);
}

export const tokenPattern = /^[A-Za-z0-9_-]{22}$/;
