/** Browsers where a person signed in before. A sign-in from there needs no warning. */
import { knownFor, rememberFor } from '../kernel/device-marks';
import type { Keys } from '../kernel/secrets';
import type { Browser } from './browser';

interface Person {
  userId: string;
  /** A new password makes all browsers unknown. Signing out everywhere makes all others unknown. */
  sessionVersion: number;
}

const subjectOf = ({ userId, sessionVersion }: Person) => `${userId} ${sessionVersion}`;

/** Returns the browser's id if the person signed in there before, else null. */
export const knownDevice = (keys: Keys, { device }: Browser, person: Person): string | null =>
  knownFor(keys, device, subjectOf(person));

/** Makes the browser known for the person. */
export const rememberDevice = (keys: Keys, { device }: Browser, person: Person): void =>
  rememberFor(keys, device, subjectOf(person));
