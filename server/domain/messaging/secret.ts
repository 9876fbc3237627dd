import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

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
