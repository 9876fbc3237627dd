import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

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

/** The secret of a link or a cookie: 256 random bits, of which only the hash is kept. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What a token is looked up by. Tokens are random, so a plain SHA-256 can't be turned back. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Encrypts a code for its way to the customer (AES-256-GCM; the message's id is bound to it). */
export function sealSecret(key: Buffer, messageId: string, secret: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(messageId));
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Null where key, message or bytes are not those it was sealed with. */
export function tryOpenSecret(key: Buffer, messageId: string, sealed: Buffer): string | null {
  try {
    return openSecret(key, messageId, sealed);
  } catch {
    return null;
  }
}

/** Errors: throws where key, message or bytes are not those it was sealed with. */
export function openSecret(key: Buffer, messageId: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(messageId));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8');
}
