/** Follows the changes of all merchants on one connection of the process, for the open screens of each. */
import { z } from 'zod';
import type { Database } from '@/db/client';
import { listen } from '@/db/listen';
import { changesChannel, type Topic, topics } from '@/server/domain/core/changes';
import { processLog, safeError } from '@/server/log';

const announcement = z
  .string()
  .transform((payload, issues) => {
    try {
      return JSON.parse(payload);
    } catch {
      issues.addIssue('is not JSON');
    }
  })
  .pipe(z.object({ merchantId: z.uuid(), topic: z.enum(topics), about: z.uuid().optional() }));

/** How long a screen can go on listening after its person may no longer. */
const recheckMs = 30_000;

/** An open screen, and what it has yet to hear of. A slow one hears once of many changes, so this never grows. */
interface Follower {
  merchantId: string;
  about: string | undefined;
  untold: Set<Topic>;
  wake(): void;
}

interface Feed {
  followers: Set<Follower>;
  stop(): void;
}

const feeds = new Map<Database['pool'], Feed>();

/**
 * A follower of the whole merchant hears everything; a follower of one code hears only what concerns that code or all of
 * them.
 */
const concerns = (follower: Follower, { merchantId, about }: { merchantId: string; about?: string | undefined }) =>
  follower.merchantId === merchantId && (!follower.about || !about || follower.about === about);

/** The process listens for as long as somebody does. */
function startFeed(db: Database): Feed {
  const followers = new Set<Follower>();
  const stopping = new AbortController();
  const tell = (follower: Follower, told: readonly Topic[]) => {
    for (const topic of told) follower.untold.add(topic);
    follower.wake();
  };
  const listener = {
    // What was announced before, nobody heard.
    onStart: () => {
      for (const follower of followers) tell(follower, topics);
    },
    onMessage: (payload: string) => {
      const { data } = announcement.safeParse(payload);
      if (!data) return;
      for (const follower of followers) if (concerns(follower, data)) tell(follower, [data.topic]);
    },
    onAway: (error: unknown) =>
      processLog().warn(
        safeError(error),
        'live updates are away: screens are stale until the database is back (DATABASE_DIRECT_URL)',
      ),
  };
  void listen(db, changesChannel, listener, stopping.signal);
  return { followers, stop: () => stopping.abort() };
}

function follow(db: Database, follower: Follower): () => void {
  let feed = feeds.get(db.pool);
  if (!feed) {
    feed = startFeed(db);
    feeds.set(db.pool, feed);
  }
  const { followers, stop } = feed;
  followers.add(follower);
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    stop();
    feeds.delete(db.pool);
  };
}

interface FollowOptions {
  signal: AbortSignal | undefined;
  /** Whether the person may still look; asked every half minute. */
  mayFollow: () => Promise<boolean>;
  /** The code that the screen is about; without it, all of them. */
  about?: string;
}

/**
 * The topics in which a merchant's data changes, as it happens; all of them once the process has begun to listen, and
 * again after a cut. It ends with `signal`, and when `mayFollow` says no.
 */
export async function* followChanges(
  db: Database,
  merchantId: string,
  { signal, mayFollow, about }: FollowOptions,
): AsyncGenerator<Topic> {
  const follower: Follower = { merchantId, about, untold: new Set(), wake: () => {} };
  const unfollow = follow(db, follower);
  const onAbort = () => follower.wake();
  signal?.addEventListener('abort', onAbort);
  try {
    let checkAt = performance.now() + recheckMs;
    while (!signal?.aborted) {
      if (performance.now() >= checkAt) {
        if (!(await mayFollow())) return;
        checkAt = performance.now() + recheckMs;
      }
      const told = [...follower.untold];
      follower.untold.clear();
      yield* told;
      if (follower.untold.size === 0 && !signal?.aborted) await woken(follower, checkAt - performance.now());
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    unfollow();
  }
}

/** Resolves when there is something to tell, or after so long. */
function woken(follower: Follower, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    follower.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
