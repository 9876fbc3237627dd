/**
 * How many requests may come from whom: token buckets in the database, which all instances take from. A process leases
 * tokens for a moment ahead, so that a hot bucket costs a query now and then, and not one for each request.
 */
import { hash } from 'node:crypto';
import type { Database } from '@/db/client';
import { takeTokens } from '@/db/functions';
import { type Given, only, prepare } from '@/db/queries';
import { DomainError } from './errors';
import { say } from './say';

export interface Rate {
  perSecond: number;
  /** How many may come at once, after a rest. */
  burst: number;
}

type Connected = { db: Database };

/** What a process holds of a bucket. */
interface Lease {
  left: number;
  lapsesAt: number;
  /** Until then the bucket has nothing, as it said itself. */
  emptyUntil: number;
  /** The query under way, and how many requests wait for it. */
  asking: Promise<void> | null;
  waiting: number;
  /** When the present span began, how many asked in it, and how many in the one before. */
  spanFrom: number;
  asked: number;
  askedBefore: number;
}

const lifeMs = 1_000;
/** A lease is for as many as asked in the last span: a fifth of a second. */
const spanMs = 200;
const rememberedMs = 60 * 60_000;
const mostLeases = 10_000;

/** By the bucket's hash: what a client sends may be long. */
const processes = new WeakMap<Database['pool'], Map<string, Lease>>();

function leasesOf({ pool }: Database): Map<string, Lease> {
  let leases = processes.get(pool);
  if (!leases) {
    leases = new Map();
    processes.set(pool, leases);
  }
  return leases;
}

/** Counts a request, on all instances together. Errors: `rate_limited` with `details.retryAfterSeconds`. */
export async function limitRate({ db }: Connected, bucket: string, rate: Rate): Promise<void> {
  const name = nameOf(bucket);
  const lease = leaseOf(db, name);
  countDemand(lease);
  while (!spend(lease)) {
    lease.waiting += 1;
    lease.asking ??= ask(db, name, rate, lease);
    await lease.asking.finally(() => {
      lease.waiting -= 1;
    });
  }
}

/**
 * Whether this process counted requests of the bucket within the hour; asks nobody. Errors: `rate_limited` where it is known to be
 * empty.
 */
export function checkRate({ db }: Connected, bucket: string): boolean {
  const lease = leasesOf(db).get(nameOf(bucket));
  const now = performance.now();
  if (!lease || now - lease.spanFrom > rememberedMs) return false;
  if (lease.left === 0) refuseWhileEmpty(lease, now);
  return true;
}

function leaseOf(db: Database, name: string): Lease {
  const leases = leasesOf(db);
  let lease = leases.get(name);
  if (!lease) {
    // The oldest makes room; were it in use, it would ask again.
    if (leases.size >= mostLeases) leases.delete(leases.keys().next().value as string);
    const spanFrom = performance.now();
    lease = { left: 0, lapsesAt: 0, emptyUntil: 0, asking: null, waiting: 0, spanFrom, asked: 0, askedBefore: 0 };
    leases.set(name, lease);
  }
  return lease;
}

function countDemand(lease: Lease): void {
  const now = performance.now();
  if (now - lease.spanFrom >= spanMs) {
    lease.askedBefore = now - lease.spanFrom < 2 * spanMs ? lease.asked : 0;
    lease.spanFrom = now;
    lease.asked = 0;
  }
  lease.asked += 1;
}

/** Whether a token was left. Errors: `rate_limited`. */
function spend(lease: Lease): boolean {
  const now = performance.now();
  if (lease.left > 0 && now < lease.lapsesAt) {
    lease.left -= 1;
    return true;
  }
  refuseWhileEmpty(lease, now);
  return false;
}

function refuseWhileEmpty({ emptyUntil }: Lease, now: number): void {
  if (now >= emptyUntil) return;
  throw new DomainError('rate_limited', say('tooManyRequests'), {
    retryAfterSeconds: Math.ceil((emptyUntil - now) / 1000),
  });
}

type Taking = Record<'rate' | 'burst' | 'wanted', number> & { bucketName: string };
const take = prepare((db, given: Given<Taking>) => {
  const { $rows, granted, waitMs } = takeTokens(given);
  return db.select({ granted, waitMs }).from($rows);
});

/** At most a fifth of the rate is leased ahead, so that an instance that falls silent takes little with it. */
async function ask({ pool }: Database, name: string, { perSecond, burst }: Rate, lease: Lease): Promise<void> {
  // So that all who ask at this moment, or go on waiting, are counted.
  await Promise.resolve();
  const wanted = Math.max(lease.waiting, Math.min(lease.askedBefore, Math.floor((perSecond * spanMs) / 1000)));
  try {
    const { granted, waitMs } = only(await take(pool, { bucketName: name, rate: perSecond, burst, wanted }));
    const now = performance.now();
    Object.assign(lease, { left: granted, lapsesAt: now + lifeMs, emptyUntil: granted < wanted ? now + waitMs : 0 });
  } finally {
    lease.asking = null;
  }
}

const nameOf = (bucket: string) => hash('sha256', bucket);
