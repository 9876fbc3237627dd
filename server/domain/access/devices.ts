/**
 * Known browsers. A cookie holds a random id and, for each person who signed in there, a keyed hash. It names nobody and
 * opens nothing: a sign-in from a known browser is only no surprise.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring, Keys } from '../kernel/secrets';
import type { Browser } from './browser';

interface Person {
  userId: string;
  /** A new password, or signing out everywhere, makes all browsers unknown. */
  sessionVersion: number;
}

/** More people than share a till's computer. */
const maxPeople = 10;
const markBytes = 16;
const shape = new RegExp(`^[\\w-]{22}(\\.[\\w-]{22}){1,${maxPeople}}$`);

function readDevice({ device }: Browser): { id: string; marks: string[] } {
  const value = device.read() ?? '';
  const [id = '', ...marks] = shape.test(value) ? value.split('.') : [randomBytes(markBytes).toString('base64url')];
  return { id, marks };
}

function markOf({ bytes: key }: Keyring[number], id: string, { userId, sessionVersion }: Person): string {
  const mark = createHmac('sha256', key).update(`${id} ${userId} ${sessionVersion}`).digest();
  return mark.subarray(0, markBytes).toString('base64url');
}

/** Returns the browser's id if the person signed in there before, else null. */
export function knownDevice({ deviceKey }: Keys, browser: Browser, person: Person): string | null {
  const { id, marks } = readDevice(browser);
  const isKnownBy = (key: Keyring[number]) => {
    const expected = Buffer.from(markOf(key, id, person));
    return marks.some((mark) => timingSafeEqual(Buffer.from(mark), expected));
  };
  return deviceKey.some(isKnownBy) ? id : null;
}

/** Makes the browser known for the person. */
export function rememberDevice({ deviceKey }: Keys, browser: Browser, person: Person): void {
  const { id, marks } = readDevice(browser);
  const own = deviceKey.map((key) => markOf(key, id, person));
  const others = marks.filter((one) => !own.includes(one)).slice(0, maxPeople - 1);
  browser.device.write([id, own[0], ...others].join('.'));
}
