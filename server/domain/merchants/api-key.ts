import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashToken } from '../core/secrets';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^sk_(sandbox|live)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export type ApiEnvironment = 'sandbox' | 'live';

/** A new key, `sk_<environment>_` with 30 random base62 characters and a checksum of 6. It is shown once. */
export function newApiKey(environment: ApiEnvironment, randomDigit: () => number = () => randomInt(62)): string {
  const body = Array.from({ length: 30 }, () => alphabet[randomDigit()]).join('');
  return `sk_${environment}_${body}${checksum(environment, body)}`;
}

/** The environment of a well-formed key; null for what can't be a key, so that no query is spent on it. */
export function keyEnvironment(key: string): ApiEnvironment | null {
  const [, environment, body, sum] = pattern.exec(key) ?? [];
  if (!environment || !body || sum !== checksum(environment, body)) return null;
  return environment as ApiEnvironment;
}

/** What is kept of a key. */
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
