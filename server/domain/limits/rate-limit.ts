/**
 * Rate limits as token buckets in the database, shared by all instances. A process leases tokens for a moment ahead, so
 * that a busy bucket does not cost a query per request.
 */

import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '@/db/driver';
import { recordset } from '@/db/query/expressions';
import { takeTokens } from '@/db/query/functions';
import { type Given, prepare } from '@/db/query/queries';
import { batchLookups, numbered } from '../kernel/batch-lookups';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';

export interface Rate {
  perSecond: number;
  /** Requests allowed at once after a pause. */
  burst: number;
}

type Connected = { db: Database };

/** A process's share of a bucket. */
interface Lease {
  left: number;
  lapsesAt: number;
  /** The bucket reported that it is empty until then. */
  emptyUntil: number;
  /** The running query, and the number of requests that wait for it. */
  query: Promise<void> | null;
  waiting: number;
  /** The start of the current span, and the number of requests in it and in the one before. */
  spanFrom: number;
  requests: number;
  previousRequests: number;
}

const leaseMs = 1_000;
/** A lease covers the demand of the last span, a fifth of a second. */
const spanMs = 200;
const recentMs = 60 * 60_000;
const maxLeases = 10_000;

/** Keyed by the bucket's hash, because clients may send long names. */
const leasesByPool = new WeakMap<Database['pool'], Map<string, Lease>>();

function getLeases({ pool }: Database): Map<string, Lease> {
  let leases = leasesByPool.get(pool);
  if (!leases) {
    leases = new Map();
    leasesByPool.set(pool, leases);
  }
  return leases;
}

/** Counts a request across all instances. Errors: `rate_limited` with `details.retryAfterSeconds`. */
export async function limitRate({ db }: Connected, bucket: string, rate: Rate): Promise<void> {
  const name = nameOf(bucket);
  const lease = getLease(db, name);
  countDemand(lease);
  while (!takeToken(lease)) {
    lease.waiting += 1;
    lease.query ??= queryTokens(db, name, rate, lease);
    await lease.query.finally(() => {
      lease.waiting -= 1;
    });
  }
}

/**
 * Returns whether this process counted requests of the bucket within the last hour. Makes no query. Errors:
 * `rate_limited` if the bucket is known to be empty.
 */
export function checkRate({ db }: Connected, bucket: string): boolean {
  const lease = getLeases(db).get(nameOf(bucket));
  const now = performance.now();
  if (!lease || now - lease.spanFrom > recentMs) return false;
  if (lease.left === 0) refuseWhileEmpty(lease, now);
  return true;
}

function getLease(db: Database, name: string): Lease {
  const leases = getLeases(db);
  let lease = leases.get(name);
  if (!lease) {
    // The oldest is dropped. If it is still in use, it is requested again.
    if (leases.size >= maxLeases) leases.delete(leases.keys().next().value as string);
    const spanFrom = performance.now();
    lease = {
      left: 0,
      lapsesAt: 0,
      emptyUntil: 0,
      query: null,
      waiting: 0,
      spanFrom,
      requests: 0,
      previousRequests: 0,
    };
    leases.set(name, lease);
  }
  return lease;
}

function countDemand(lease: Lease): void {
  const now = performance.now();
  if (now - lease.spanFrom >= spanMs) {
    lease.previousRequests = now - lease.spanFrom < 2 * spanMs ? lease.requests : 0;
    lease.spanFrom = now;
    lease.requests = 0;
  }
  lease.requests += 1;
}

/** Takes a token if the lease has one. Errors: `rate_limited`. */
function takeToken(lease: Lease): boolean {
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

type TokenRequest = Record<'rate' | 'burst' | 'wanted', number> & { bucketName: string };
const takeTokensQuery = prepare((db, given: Given<{ requests: (TokenRequest & { n: number })[] }>) => {
  const shape = { n: sql<number>`int`, ...takeTokens.$takes };
  const { $rows: requests, n, ...request } = recordset('request', shape, given.requests);
  const { $rows, granted, waitMs } = takeTokens(request);
  return db.select({ n, granted, waitMs }).from(requests).crossJoin($rows);
});

/** Requests for tokens of several buckets at the same moment share a statement. It locks them in the order of their names. */
const takeTogether = batchLookups(async (pool, _: Record<string, never>, requests: TokenRequest[]) => {
  const sorted = numbered(requests).sort((a, b) => (a.bucketName < b.bucketName ? -1 : 1));
  return (await takeTokensQuery(pool, { requests: sorted })).sort((a, b) => a.n - b.n);
});

/** Leases at most a fifth of the rate ahead, so that an instance that stops takes few tokens with it. */
async function queryTokens({ pool }: Database, name: string, { perSecond, burst }: Rate, lease: Lease): Promise<void> {
  // Waits for a tick, so that all concurrent requests are counted.
  await Promise.resolve();
  const wanted = Math.max(lease.waiting, Math.min(lease.previousRequests, Math.floor((perSecond * spanMs) / 1000)));
  try {
    const { granted, waitMs } = await takeTogether(pool, {}, { bucketName: name, rate: perSecond, burst, wanted });
    const now = performance.now();
    Object.assign(lease, { left: granted, lapsesAt: now + leaseMs, emptyUntil: granted < wanted ? now + waitMs : 0 });
  } finally {
    lease.query = null;
  }
}

const nameOf = (bucket: string) => hash('sha256', bucket);
