import { createHmac } from 'node:crypto';
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

/** Returns the token of a code, whichever of the keys it was derived with. */
export function tokenOf(ring: Keyring, { id, tokenHash }: Code): string {
  const tokens = ring.map((key) => derive(key, id));
  return tokens.find((token) => hashToken(token).equals(tokenHash)) ?? newTokenOf(ring, id);
}

export const tokenPattern = /^[A-Za-z0-9_-]{22}$/;
