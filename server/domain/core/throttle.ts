import { createHash } from 'node:crypto';
import type { Tx } from '@/db/client';
import type { Clock } from './clock';
import type { Services } from './context';
import { DomainError } from './errors';

interface Limit {
  /** What is limited, and for whom; only a hash of it is kept. */
  key: string;
  attempts: number;
  windowSeconds: number;
}

/**
 * Counts an attempt, on all instances together; within a database transaction, one that is refused counts for nothing.
 * Over the limit it only reads, so that a flood writes nothing. Errors: `too_many_attempts` with `details.retryAfterSeconds`.
 */
export async function throttle(
  { db, systemClock }: { db: Pick<Tx, 'sql'> | Services['db']; systemClock: Clock },
  { key, attempts, windowSeconds }: Limit,
): Promise<void> {
  const now = systemClock.now();
  const resetsAt = new Date(now.getTime() + windowSeconds * 1000);
  const [row] = await db.sql`
    with spent as (
      select attempts + 1 as attempts, resets_at from throttles
      where key = ${hash(key)} and attempts >= ${attempts} and resets_at > ${now}
    ), counted as (
      insert into throttles as t (key, attempts, resets_at)
      select ${hash(key)}, 1, ${resetsAt}::timestamptz where not exists (select from spent)
      on conflict (key) do update set
        attempts = case when t.resets_at <= ${now} then 1 else t.attempts + 1 end,
        resets_at = case when t.resets_at <= ${now} then ${resetsAt} else t.resets_at end
      returning attempts, resets_at
    )
    select * from spent union all select * from counted`;
  if (!row || row.attempts <= attempts) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((row.resets_at.getTime() - now.getTime()) / 1000));
  throw new DomainError('too_many_attempts', 'Too many attempts. Please wait a while and try again.', {
    retryAfterSeconds,
  });
}

/** Forgets the attempts: after a success. */
export async function clearThrottle({ db }: Services, key: string): Promise<void> {
  await db.sql`delete from throttles where key = ${hash(key)}`;
}

/** Takes one attempt back, where a success must not clear the failures of others. */
export async function returnAttempt({ db }: Services, key: string): Promise<void> {
  await db.sql`update throttles set attempts = attempts - 1 where key = ${hash(key)} and attempts > 0`;
}

const hash = (key: string) => createHash('sha256').update(key).digest('base64url');
