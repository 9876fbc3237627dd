import { createHmac, timingSafeEqual } from 'node:crypto';
import { hashToken, type Keyring } from '../kernel/secrets';

/** Derives the token in a code's URL: 132 bits that only the service can compute, so that it need not be stored. */
const derive = ({ bytes }: Keyring[number], qrCodeId: string): string =>
  createHmac('sha256', bytes).update(qrCodeId).digest('base64url').slice(0, 22);

export const newTokenOf = ([key]: Keyring, qrCodeId: string): string => derive(key, qrCodeId);

interface Code {
  id: string;
  tokenHash: Buffer;
}

/** True if the code's token is derived with the first key. */
export const isTokenCurrent = (ring: Keyring, { id, tokenHash }: Code): boolean =>
  hashToken(newTokenOf(ring, id)).equals(tokenHash);

/** Returns the token of a code, which may be derived from any of the keys. */
export function tokenOf(ring: Keyring, { id, tokenHash }: Code): string {
  const tokens = ring.map((key) => derive(key, id));
  return tokens.find((token) => hashToken(token).equals(tokenHash)) ?? newTokenOf(ring, id);
}

const idBytes = 16;
const macBytes = 16;
const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const macOf = ({ bytes }: Keyring[number], ids: Buffer) =>
  createHmac('sha256', bytes).update('by card').update(ids).digest().subarray(0, macBytes);

/**
 * Creates the token of a phone that used a table's card. It opens the code like the code's own token, but is a
 * different one: its holder can't pass for someone who scanned the bill's own code. It contains the code's id, with a
 * MAC.
 */
export function visitByCard({ tokenKey: [key] }: { tokenKey: Keyring }, { merchantId, qrCodeId }: CodeIds): string {
  const ids = Buffer.concat([bytesOf(merchantId), bytesOf(qrCodeId)]);
  return Buffer.concat([ids, macOf(key, ids)]).toString('base64url');
}

/** Returns the code in the token of a phone that used a card; null for any other token. */
export function readVisitByCard(ring: Keyring, token: string): CodeIds | null {
  if (!byCardPattern.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, 2 * idBytes);
  const isOurs = ring.some((key) => timingSafeEqual(macOf(key, ids), bytes.subarray(2 * idBytes)));
  return isOurs ? { merchantId: idOf(ids.subarray(0, idBytes)), qrCodeId: idOf(ids.subarray(idBytes)) } : null;
}

interface CodeIds {
  merchantId: string;
  qrCodeId: string;
}

const byCardPattern = /^[A-Za-z0-9_-]{64}$/;
export const tokenPattern = /^(?:[A-Za-z0-9_-]{22}|[A-Za-z0-9_-]{64})$/;
