import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Cell } from '../kernel/cells';
import { hashToken } from '../kernel/secrets';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^sk_((sandbox|live)(?:_[a-z][a-z0-9]{0,7})?)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export type ApiEnvironment = 'sandbox' | 'live';
/** The cell that a key names; null for a deployment without cells. */
export type KeyCell = Pick<Cell, 'name'> | null;

/**
 * Creates a key: `sk_<environment>_`, 30 random base62 characters and a checksum of 6. In a cell, the cell's name and
 * `_` come before the random characters, so that a router can tell where the key belongs. The key is shown once.
 */
export function newApiKey(
  environment: ApiEnvironment,
  { cell = null, randomDigit = () => randomInt(62) }: { cell?: KeyCell; randomDigit?: () => number } = {},
): string {
  const body = Array.from({ length: 30 }, () => alphabet[randomDigit()]).join('');
  const kind = cell ? `${environment}_${cell.name}` : environment;
  return `sk_${kind}_${body}${checksum(kind, body)}`;
}

/**
 * Returns the environment of a well-formed key. Its cell does not matter, because keys move with their merchant.
 * Returns null for a malformed key, which then costs no query.
 */
export function keyEnvironment(key: string): ApiEnvironment | null {
  const [, kind, environment, body, sum] = pattern.exec(key) ?? [];
  if (!kind || !body || sum !== checksum(kind, body)) return null;
  return environment as ApiEnvironment;
}

/** Returns the environment that a key names, even if the key is malformed; null if it names none. */
export function namedEnvironment(key: string): ApiEnvironment | null {
  const [, environment] = /^sk_(sandbox|live)_/.exec(key) ?? [];
  return (environment as ApiEnvironment | undefined) ?? null;
}

/** Hashes a key for storage. */
export const hashApiKey = hashToken;

function checksum(kind: string, body: string): string {
  let rest = crc32(`${kind}_${body}`);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
