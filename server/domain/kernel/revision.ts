import { createHash } from 'node:crypto';
import { DomainError } from './errors';
import { say } from './say';

/** Returns a hash of the edited fields, which changes as soon as any of them does. */
export const revisionOf = (edited: object): string =>
  createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22);

/**
 * Call it before a save, with the row locked: `opened` is the revision that the form began with, `found` the current
 * one. Errors: `edited_meanwhile` if the save would undo a change made in between.
 */
export function checkRevision(opened: string, found: string): void {
  if (opened === found) return;
  throw new DomainError('edited_meanwhile', say('editedMeanwhile'));
}
