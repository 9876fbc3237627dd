import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashToken } from '../kernel/secrets';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^sk_(sandbox|live)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export type ApiEnvironment = 'sandbox' | 'live';

/** Creates a key: `sk_<environment>_`, 30 random base62 characters and a checksum of 6. It is shown once. */
export function newApiKey(environment: ApiEnvironment, randomDigit: () => number = () => randomInt(62)): string {
  const body = Array.from({ length: 30 }, () => alphabet[randomDigit()]).join('');
  return `sk_${environment}_${body}${checksum(environment, body)}`;
}

/** Returns the environment of a well-formed key. Returns null for a malformed one, so that it costs no query. */
export function keyEnvironment(key: string): ApiEnvironment | null {
  const [, environment, body, sum] = pattern.exec(key) ?? [];
  if (!environment || !body || sum !== checksum(environment, body)) return null;
  return environment as ApiEnvironment;
}

/** Returns the environment that a key names, well-formed or not; null if it names none. */
export function namedEnvironment(key: string): ApiEnvironment | null {
  const [, environment] = /^sk_(sandbox|live)_/.exec(key) ?? [];
  return (environment as ApiEnvironment | undefined) ?? null;
}

/** Hashes a key for storage. */
export const hashApiKey = hashToken;

function checksum(environment: string, body: string): string {
  let rest = crc32(`${environment}_${body}`);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
