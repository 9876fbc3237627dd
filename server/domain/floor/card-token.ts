/**
 * The token in the URL of a table's card. It is derived from a secret, so that only its hash is stored and the card can
 * be printed again.
 */
import { createHmac } from 'node:crypto';
import { hashToken, type Keyring } from '../kernel/secrets';

interface Card {
  /** The table's id. */
  id: string;
  cardNumber: number;
}

const derive = ({ bytes }: Keyring[number], { id, cardNumber }: Card): string =>
  createHmac('sha256', bytes).update(`card ${cardNumber} of ${id}`).digest('base64url').slice(0, 22);

export const newCardToken = ([key]: Keyring, card: Card): string => derive(key, card);

/**
 * Returns the token of an existing card. Null if its key has left the ring: the card still works, because it is found
 * by its hash, but it can't be printed again.
 */
export function cardTokenOf(ring: Keyring, card: Card & { tokenHash: Buffer }): string | null {
  const tokens = ring.map((key) => derive(key, card));
  return tokens.find((token) => hashToken(token).equals(card.tokenHash)) ?? null;
}

export const cardTokenPattern = /^[A-Za-z0-9_-]{22}$/;
