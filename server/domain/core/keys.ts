import { hkdfSync } from 'node:crypto';

/** Keys that are never in the database, each for one purpose. */
export interface Keys {
  /** For the PINs' HMAC. */
  pinKey: Buffer;
  /** Encrypts codes on their way to a customer. */
  messageKey: Buffer;
  /** For the HMAC that QR tokens are derived by. */
  tokenKey: Buffer;
}

/** All keys, from one secret of the deployment. */
export function deriveKeys(secret: string): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return { pinKey: derive('customer PIN'), messageKey: derive('message secret'), tokenKey: derive('QR token') };
}
