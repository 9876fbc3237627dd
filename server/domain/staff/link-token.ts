import { createHash, randomBytes } from 'node:crypto';

/** The secret of a link that is sent by mail: 256 random bits, of which only the hash is kept. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url');

/** What a link is looked up by. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();
