/**
 * Known browsers. A cookie holds a random id and, for each person who signed in there, a keyed hash. It names nobody and
 * opens nothing: a sign-in from a known browser is only no surprise.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../kernel/secrets';
import type { Browser } from './browser';

interface Person {
  userId: string;
  /** A new password, or signing out everywhere, makes all browsers unknown. */
  sessionVersion: number;
}

/** More people than share a till's computer. */
const maxPeople = 10;
const bytes = 16;
const shape = new RegExp(`^[\\w-]{22}(\\.[\\w-]{22}){1,${maxPeople}}$`);

function readDevice({ device }: Browser): { id: string; marks: string[] } {
  const value = device.read() ?? '';
  const [id = '', ...marks] = shape.test(value) ? value.split('.') : [randomBytes(bytes).toString('base64url')];
  return { id, marks };
}

function markOf({ deviceKey }: Keys, id: string, { userId, sessionVersion }: Person): string {
  const mark = createHmac('sha256', deviceKey).update(`${id} ${userId} ${sessionVersion}`).digest();
  return mark.subarray(0, bytes).toString('base64url');
}

/** Returns the browser's id if the person signed in there before, else null. */
export function knownDevice(keys: Keys, browser: Browser, person: Person): string | null {
  const { id, marks } = readDevice(browser);
  const expected = Buffer.from(markOf(keys, id, person));
  return marks.some((mark) => timingSafeEqual(Buffer.from(mark), expected)) ? id : null;
}

/** Makes the browser known for the person. */
export function rememberDevice(keys: Keys, browser: Browser, person: Person): void {
  const { id, marks } = readDevice(browser);
  const mark = markOf(keys, id, person);
  const others = marks.filter((one) => one !== mark).slice(0, maxPeople - 1);
  browser.device.write([id, mark, ...others].join('.'));
}
