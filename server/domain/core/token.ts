import { createHash, randomBytes } from 'node:crypto';

/** The secret of a link or a cookie: 256 random bits, of which only the hash is kept. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What a token is looked up by. Tokens are random, so a plain SHA-256 can't be turned back. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
