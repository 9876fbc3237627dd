import { createHash } from 'node:crypto';
import { DomainError } from './errors';
import { say } from './say';

/** Returns a hash of the edited fields, which changes whenever one of them changes. */
export const revisionOf = (edited: object): string =>
  createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22);

/**
 * Call it before a save, with the row locked. `opened` is the revision that the form started from, `found` the current
 * one. Errors: `edited_meanwhile` if the save would undo someone else's change.
 */
export function checkRevision(opened: string, found: string): void {
  if (opened === found) return;
  throw new DomainError('edited_meanwhile', say('editedMeanwhile'));
}
