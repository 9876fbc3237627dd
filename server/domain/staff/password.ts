import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../core/errors';
import { say } from '../core/say';

/** Each takes a thread and 19 MiB for a while, and strangers decide how many there are. */
const mostAtOnce = 2;
const mostWaiting = 50;

let running = 0;
const waiting: (() => void)[] = [];

/** Errors: `service_unavailable` where too many wait already. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new DomainError('service_unavailable', say('inAMoment'));
    await new Promise<void>((proceed) => waiting.push(proceed));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** argon2id. Errors: `service_unavailable`. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password));

/** Errors: `service_unavailable`. */
export const isPassword = (password: string, passwordHash: string): Promise<boolean> =>
  inTurn(() => verify(passwordHash, password));
