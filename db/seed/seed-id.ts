import { createHash } from 'node:crypto';

/** Returns the same UUID for the same words: a version 7, with a time so early that it sorts first. */
export function seedId(...words: (string | number)[]): string {
  const hex = createHash('sha256').update(words.join(' ')).digest('hex');
  return `01900000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
