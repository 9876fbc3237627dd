import { createHash } from 'node:crypto';

/** A UUID that is the same for the same words: the shape of a version 7, early enough to sort first. */
export function seedId(...words: (string | number)[]): string {
  const hex = createHash('sha256').update(words.join(' ')).digest('hex');
  return `01900000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
