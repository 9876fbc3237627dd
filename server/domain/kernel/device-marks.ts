/**
 * Known browsers. A cookie holds a random id and, for each person or phone that proved itself there, a keyed hash. The
 * cookie identifies no one and opens nothing: it only tells earlier visitors from strangers.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring, Keys } from './secrets';

export interface DeviceCookie {
  read(): string | undefined;
  write(value: string): void;
}

/** More than the people who share a till's computer, and than the businesses that a phone is signed in with. */
const maxMarks = 10;
const bytes = 16;
const shape = new RegExp(`^[\\w-]{22}(\\.[\\w-]{22}){1,${maxMarks}}$`);

function readDevice(cookie: DeviceCookie): { id: string; marks: string[] } {
  const value = cookie.read() ?? '';
  const [id = '', ...marks] = shape.test(value) ? value.split('.') : [randomBytes(bytes).toString('base64url')];
  return { id, marks };
}

function markOf({ bytes: key }: Keyring[number], id: string, subject: string): string {
  const mark = createHmac('sha256', key).update(`${id} ${subject}`).digest();
  return mark.subarray(0, bytes).toString('base64url');
}

/** Returns the browser's id if it is known for the subject, else null. */
export function knownFor({ deviceKey }: Keys, cookie: DeviceCookie, subject: string): string | null {
  const { id, marks } = readDevice(cookie);
  const isKnownBy = (key: Keyring[number]) => {
    const expected = Buffer.from(markOf(key, id, subject));
    return marks.some((mark) => timingSafeEqual(Buffer.from(mark), expected));
  };
  return deviceKey.some(isKnownBy) ? id : null;
}

/** Makes the browser known for the subject. */
export function rememberFor({ deviceKey }: Keys, cookie: DeviceCookie, subject: string): void {
  const { id, marks } = readDevice(cookie);
  const own = deviceKey.map((key) => markOf(key, id, subject));
  const others = marks.filter((one) => !own.includes(one)).slice(0, maxMarks - 1);
  cookie.write([id, own[0], ...others].join('.'));
}
