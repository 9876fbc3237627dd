import { createHash } from 'node:crypto';
import { and, eq, gt, gte, lte, sql } from 'drizzle-orm';
import type { Database } from '@/db/driver';
import { insertFrom, nameOf } from '@/db/query/expressions';
import { type Given, only, prepare, type Queries } from '@/db/query/queries';
import { throttles } from '@/db/schema';
import type { Clock } from '../kernel/clock';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';

export interface Limit {
  /** Identifies the limit and its subject. Only its hash is stored. */
  key: string;
  attempts: number;
  windowSeconds: number;
}

export type Counting = { db: Database | Queries; systemClock: Clock };

/**
 * Counts an attempt across all instances. Within a database transaction, a refused attempt is not counted. Over the
 * limit it only reads, so that a flood writes nothing. Errors: `too_many_attempts` with `details.retryAfterSeconds`.
 */
export async function countAgainst(services: Counting, limit: Limit): Promise<void> {
  const { attempts, retryAfterSeconds } = await countAttempt(services, limit);
  if (attempts > limit.attempts) throw tooManyAttempts(retryAfterSeconds);
}

export const tooManyAttempts = (retryAfterSeconds: number) =>
  new DomainError('too_many_attempts', say('tooManyAttempts'), { retryAfterSeconds });

/** Counts as `countAgainst` does, but refuses nothing. Returns at most one attempt more than the limit. */
export async function countAttempt(
  { db, systemClock }: Counting,
  { key, attempts: most, windowSeconds }: Limit,
): Promise<{ attempts: number; retryAfterSeconds: number }> {
  const now = systemClock.now();
  const resetsAt = new Date(now.getTime() + windowSeconds * 1000);
  const { attempts, resetsAt: ends } = only(
    await count('pool' in db ? db.pool : db, { key: hash(key), most, now, resetsAt }),
  );
  return { attempts, retryAfterSeconds: Math.max(1, Math.ceil((ends.getTime() - now.getTime()) / 1000)) };
}

const count = prepare((db, given: Given<{ key: string; most: number; now: Date; resetsAt: Date }>) => {
  const spent = db.$with('spent').as(
    db
      .select({ attempts: sql<number>`${throttles.attempts} + 1`.as('attempts'), resetsAt: throttles.resetsAt })
      .from(throttles)
      .where(and(eq(throttles.key, given.key), gte(throttles.attempts, given.most), gt(throttles.resetsAt, given.now))),
  );
  const isOver = lte(throttles.resetsAt, given.now);
  const row = { key: given.key, attempts: sql<number>`1`, resetsAt: given.resetsAt };
  const counted = db.$with('counted', { attempts: throttles.attempts, resetsAt: throttles.resetsAt }).as(sql`
    ${insertFrom(throttles, row)} where not exists (select from ${spent})
    on conflict (${nameOf(throttles.key)}) do update set
      ${nameOf(throttles.attempts)} = case when ${isOver} then 1 else ${throttles.attempts} + 1 end,
      ${nameOf(throttles.resetsAt)} = case when ${isOver} then ${given.resetsAt} else ${throttles.resetsAt} end
    returning ${throttles.attempts}, ${throttles.resetsAt}`);
  // A statement with writes must come before the whole union.
  const either = db
    .select({ attempts: spent.attempts, resetsAt: spent.resetsAt })
    .from(spent)
    .unionAll(db.select({ attempts: counted.attempts, resetsAt: counted.resetsAt }).from(counted))
    .as('either');
  return db.with(spent, counted).select({ attempts: either.attempts, resetsAt: either.resetsAt }).from(either);
});

/** Clears the attempts after a success. */
export async function clearThrottle({ db }: Services, key: string): Promise<void> {
  await db.pool.delete(throttles).where(eq(throttles.key, hash(key)));
}

/** Takes back one attempt, if a success must not clear others' failures. */
export async function returnAttempt({ db }: Services, key: string): Promise<void> {
  await db.pool
    .update(throttles)
    .set({ attempts: sql`${throttles.attempts} - 1` })
    .where(and(eq(throttles.key, hash(key)), gt(throttles.attempts, 0)));
}

const hash = (key: string) => createHash('sha256').update(key).digest('base64url');
