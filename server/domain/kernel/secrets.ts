import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Secret keys, one per purpose. They are never in the database. */
export interface Keys {
  /** Keys the HMAC of PINs. */
  pinKey: Buffer;
  /** Encrypts codes on their way to a customer. */
  messageKey: Buffer;
  /** Keys the HMAC that derives QR tokens. */
  tokenKey: Buffer;
  /** Keys the HMAC by which a browser is known. */
  deviceKey: Buffer;
}

/** Derives all keys from the deployment's secret. */
export function deriveKeys(secret: string): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    pinKey: derive('customer PIN'),
    messageKey: derive('message secret'),
    tokenKey: derive('QR token'),
    deviceKey: derive('known browser'),
  };
}

/** Creates the secret of a link or cookie: 256 random bits, of which only the hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Hashes a token for look-up. Tokens are random, so a plain SHA-256 can't be reversed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Encrypts a code for its way to the customer (AES-256-GCM, bound to the message's id). */
export function sealSecret(key: Buffer, messageId: string, secret: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(messageId));
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Returns null if key, message or bytes do not match the sealed ones. */
export function tryOpenSecret(key: Buffer, messageId: string, sealed: Buffer): string | null {
  try {
    return openSecret(key, messageId, sealed);
  } catch {
    return null;
  }
}

/** Throws if key, message or bytes do not match the sealed ones. */
export function openSecret(key: Buffer, messageId: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(messageId));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8');
}
