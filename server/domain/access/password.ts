import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';

/** Each hash occupies a thread and 19 MiB, and strangers can trigger them. */
const maxConcurrent = 2;
const maxQueued = 50;

let running = 0;
const waiting: (() => void)[] = [];

/** Errors: `service_unavailable` if too many are queued. */
async function runQueued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxConcurrent) {
    if (waiting.length >= maxQueued) throw new DomainError('service_unavailable', say('inAMoment'));
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

/** Hashes with argon2id. Errors: `service_unavailable`. */
export const hashPassword = (password: string): Promise<string> => runQueued(() => hash(password));

/** Errors: `service_unavailable`. */
export const verifyPassword = (password: string, passwordHash: string): Promise<boolean> =>
  runQueued(() => verify(passwordHash, password));
