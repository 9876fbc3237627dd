import { invalid } from './errors';

/** Lists are paged by the key of the last row, wrapped so that nobody builds on it. */
export const toCursor = (key: string): string => Buffer.from(key, 'utf8').toString('base64url');

/** Errors: `invalid_request` for what no cursor of ours can be. */
export function fromCursor(cursor: string | undefined, pattern: RegExp): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!pattern.test(key) || toCursor(key) !== cursor) throw invalid('after', 'is not a cursor of this list');
  return key;
}

export const uuidKey = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
