/**
 * Everything that is encrypted, hashed or derived with the deployment's secret (ADR 8). The secret can be rotated (ADR
 * 23).
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

interface Key {
  /** Names the secret that the key was derived from. It prefixes everything that is sealed with the key. */
  id: Buffer;
  bytes: Buffer;
}

/** The keys of a purpose. The first seals everything new. During a rotation there is a second one, which only opens. */
export type Keyring = readonly [Key, ...Key[]];

/** Secret keys, one per purpose. They are never in the database. */
export interface Keys {
  /** Seals PINs and diners' codes. */
  pinKey: Keyring;
  /** Seals codes and letters on their way. */
  messageKey: Keyring;
  /** Keys the HMAC that derives QR tokens. */
  tokenKey: Keyring;
  /** Keys the HMAC by which a browser is known. */
  deviceKey: Keyring;
  /** Keys the HMAC that replaces a phone number in the counters of attempts. */
  limitKey: Keyring;
  /** Seals the secrets of authenticator apps. */
  factorKey: Keyring;
  /** Seals the secrets that webhooks are signed with. */
  webhookKey: Keyring;
}

export const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const hashBytes = 32;

/** Derives all keys from the deployment's secret, and from other secrets that are only accepted. */
export function deriveKeys(secret: string, ...accepted: string[]): Keys {
  const ringOf = (purpose: string): Keyring => {
    const keyOf = (from: string): Key => ({ id: derive(from, 'key id', keyIdBytes), bytes: derive(from, purpose, 32) });
    return [keyOf(secret), ...accepted.map(keyOf)];
  };
  return {
    pinKey: ringOf('customer PIN'),
    messageKey: ringOf('message secret'),
    tokenKey: ringOf('QR token'),
    deviceKey: ringOf('known browser'),
    limitKey: ringOf('counted phone'),
    factorKey: ringOf('second factor'),
    webhookKey: ringOf('webhook secret'),
  };
}

/** Returns ids of the secrets that the keys were derived from. The ids reveal nothing about the secrets. */
export const secretIdsOf = ({ pinKey }: Keys): string[] => pinKey.map(({ id }) => id.toString('hex'));

const derive = (secret: string, purpose: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, length));

/** Creates the secret of a link or cookie: 256 random bits. Only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Hashes a token for look-up. Tokens are random, so a plain SHA-256 can't be reversed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Encrypts a code for its way to the customer (AES-256-GCM, bound to the message's id). */
export const sealSecret = (ring: Keyring, messageId: string, secret: string): Buffer =>
  seal(ring, messageId, Buffer.from(secret));

/** Returns null if key, message or bytes do not match the sealed ones. */
export const tryOpenSecret = (ring: Keyring, messageId: string, sealed: Buffer): string | null =>
  open(ring, messageId, sealed)?.toString() ?? null;

/** Throws if key, message or bytes do not match the sealed ones. */
export function openSecret(ring: Keyring, messageId: string, sealed: Buffer): string {
  const secret = tryOpenSecret(ring, messageId, sealed);
  if (secret === null) throw new Error('the sealed value does not open');
  return secret;
}

/**
 * Protects a PIN or code for storage, by sealing its salted hash. Without a key, all possible PINs could be tried
 * against any hash. The hash does not depend on the key, so that it can be sealed again with another. `subject` is the
 * owner's id.
 */
export function sealPin(ring: Keyring, subject: string, pin: string): Buffer {
  const salt = randomBytes(hashBytes);
  return seal(ring, subject, Buffer.concat([salt, saltedHash(salt, subject, pin)]));
}

/**
 * True if `guess` is the PIN or code that was sealed. Throws if key, subject or bytes do not match the sealed ones.
 * That is our fault, and must not count as a wrong guess.
 */
export function isPin(ring: Keyring, subject: string, sealed: Buffer, guess: string): boolean {
  const opened = openPin(ring, subject, sealed);
  if (!opened) throw new Error('the sealed PIN or code does not open');
  const hash = opened.subarray(-hashBytes);
  const salts = Array.from({ length: opened.length / hashBytes - 1 }, (_, at) =>
    opened.subarray(at * hashBytes, (at + 1) * hashBytes),
  );
  return salts.some((salt) => timingSafeEqual(saltedHash(salt, subject, guess), hash));
}

const saltedHash = (salt: Buffer, subject: string, pin: string): Buffer =>
  createHmac('sha256', salt).update(`${subject}:${pin}`).digest();

/** The length of older hashes, which were keyed but not sealed. */
export const keyedHashBytes = hashBytes;

/**
 * True if one of the keys is that of a keyed hash. Such a hash does not name its key, so this searches for the PIN,
 * which takes some ten milliseconds.
 */
export const isKeyOfHash = (ring: Keyring, subject: string, hash: Buffer): boolean =>
  Array.from({ length: 10_000 }, (_, pin) => String(pin).padStart(4, '0')).some((pin) =>
    isPin(ring, subject, hash, pin),
  );

/** Returns the salts and, at the end, the hash. */
function openPin(ring: Keyring, subject: string, sealed: Buffer): Buffer | null {
  // An older hash is salted with its key, which may be any of the keys.
  if (sealed.length === keyedHashBytes) return Buffer.concat([...ring.map(({ bytes }) => bytes), sealed]);
  return open(ring, subject, sealed);
}

/** Reseals with the first key. Returns null if key, message or bytes do not match the sealed ones. */
export function resealSecret(ring: Keyring, messageId: string, sealed: Buffer): Buffer | null {
  const opened = open(ring, messageId, sealed);
  return opened && seal(ring, messageId, opened);
}

/** Like `resealSecret`, for a PIN or code. It works without knowing the PIN. */
export function resealPin(ring: Keyring, subject: string, sealed: Buffer): Buffer | null {
  const opened = openPin(ring, subject, sealed);
  return opened && seal(ring, subject, opened);
}

function seal([{ id, bytes }]: Keyring, subject: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(subject));
  return Buffer.concat([id, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(ring: Keyring, subject: string, sealed: Buffer): Buffer | null {
  const named = ring.find(({ id }) => sealed.subarray(0, keyIdBytes).equals(id));
  if (named) return decrypt(named, subject, sealed.subarray(keyIdBytes));
  // Older sealed values do not name their key: it may be any of them.
  return ring.reduce<Buffer | null>((opened, key) => opened ?? decrypt(key, subject, sealed), null);
}

function decrypt({ bytes }: Key, subject: string, sealed: Buffer): Buffer | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', bytes, sealed.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(subject)).setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}
