/** Sends the changes of all merchants to their open screens, over one database connection per process. */

import { z } from 'zod';
import { type Database, listenToChannel } from '@/db/driver';
import { changesChannel, type Topic, topics } from '@/server/domain/kernel/changes';
import { processLog, safeError } from '@/server/observe/log';

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

/** How long a screen still receives changes after its user lost access: until the stream's next ping. */
const recheckMs = 15_000;

/**
 * An open screen and its pending topics. A slow screen gets each topic once for many changes, so the set stays small.
 */
interface Follower {
  merchantId: string;
  about: string | undefined;
  pending: Set<Topic>;
  wake(): void;
}

interface Feed {
  followers: Set<Follower>;
  stop(): void;
}

/** Keyed by a function that a database shares with all of its views, such as those for named stores. */
const feeds = new Map<Database['openSession'], Feed>();

/**
 * True if the follower needs the change. A follower without a code gets all changes of its merchant. One with a code
 * gets changes about that code, or about no code.
 */
const isRelevant = (follower: Follower, { merchantId, about }: { merchantId: string; about?: string | undefined }) =>
  follower.merchantId === merchantId && (!follower.about || !about || follower.about === about);

/** Listens for changes until the last follower leaves. */
function startFeed(db: Database): Feed {
  const followers = new Set<Follower>();
  const stopping = new AbortController();
  const notify = (follower: Follower, changed: readonly Topic[]) => {
    for (const topic of changed) follower.pending.add(topic);
    follower.wake();
  };
  const listener = {
    // Changes before this moment were missed.
    onStart: () => {
      for (const follower of followers) notify(follower, topics);
    },
    onMessage: (payload: string) => {
      const { data } = announcement.safeParse(payload);
      if (!data) return;
      for (const follower of followers) if (isRelevant(follower, data)) notify(follower, [data.topic]);
    },
    onAway: (error: unknown) =>
      processLog().warn(
        safeError(error),
        'live updates are away: screens are stale until the database is back (DATABASE_DIRECT_URL)',
      ),
  };
  void listenToChannel(db, changesChannel, listener, stopping.signal);
  return { followers, stop: () => stopping.abort() };
}

function follow(db: Database, follower: Follower): () => void {
  let feed = feeds.get(db.openSession);
  if (!feed) {
    feed = startFeed(db);
    feeds.set(db.openSession, feed);
  }
  const { followers, stop } = feed;
  followers.add(follower);
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    stop();
    feeds.delete(db.openSession);
  };
}

interface FollowOptions {
  signal: AbortSignal | undefined;
  /** Checks every 15 seconds whether the user still has access. */
  mayFollow: () => Promise<boolean>;
  /** The code shown on the screen; all codes without it. */
  about?: string;
}

/**
 * Yields the topics in which a merchant's data changes. Yields all topics once it starts to listen, and again after an
 * interruption. Ends with `signal`, or when `mayFollow` returns false.
 */
export async function* followChanges(
  db: Database,
  merchantId: string,
  { signal, mayFollow, about }: FollowOptions,
): AsyncGenerator<Topic> {
  const follower: Follower = { merchantId, about, pending: new Set(), wake: () => {} };
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
      const due = [...follower.pending];
      follower.pending.clear();
      yield* due;
      if (follower.pending.size === 0 && !signal?.aborted) await waitForWake(follower, checkAt - performance.now());
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    unfollow();
  }
}

/** Resolves when a topic is pending, or after `ms`. */
function waitForWake(follower: Follower, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    follower.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
