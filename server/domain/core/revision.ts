import { createHash } from 'node:crypto';
import { DomainError } from './errors';
import { say } from './say';

/** Identifies a version of what people edit: it changes as soon as any part changes. */
export const revisionOf = (edited: object): string =>
  createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22);

/**
 * To be called before a save, with the row locked: `opened` is what the form began with, `found` what is there now.
 * Errors: `edited_meanwhile` where the save would undo what was saved in between.
 */
export function checkRevision(opened: string, found: string): void {
  if (opened === found) return;
  throw new DomainError('edited_meanwhile', say('editedMeanwhile'));
}
