import { invalid } from './errors';
import { say } from './say';

/** Lists are paged by the key of the last row, wrapped so that nobody builds on it. */
export const toCursor = (key: string): string => Buffer.from(key, 'utf8').toString('base64url');

export const unwrapCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('utf8');

/** `field`: of the request, the one that held it. */
export const notACursor = (field: string) => invalid(field, say('notACursor'));

/** Errors: `invalid_request` for what no cursor of ours can be. */
export function fromCursor(cursor: string | undefined, pattern: RegExp): string | null {
  if (cursor === undefined) return null;
  const key = unwrapCursor(cursor);
  if (!pattern.test(key) || toCursor(key) !== cursor) throw notACursor('after');
  return key;
}

export const uuidKey = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
