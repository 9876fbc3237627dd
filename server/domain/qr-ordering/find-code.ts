/** How a diner's phone reaches its table: by the token of the code that it scanned. */
import type { Services } from '../core/context';
import { networkOf } from '../core/network';
import { throttle } from '../core/throttle';
import { hashToken } from '../core/token';
import { tokenPattern } from './token';

/** A phone at a table. */
export interface Visit {
  /** From the address that the code says. */
  token: string;
  /** The network address that it asks from. */
  client: string;
}

/** Whose code a token is, open or not. */
export interface CodeName {
  merchantId: string;
  qrCodeId: string;
}

/** Null for a token that is nobody's. `clockAheadSeconds` is its merchant's. */
export async function findCode(
  { db }: Services,
  { token }: Visit,
): Promise<(CodeName & { clockAheadSeconds: number }) | null> {
  if (!tokenPattern.test(token)) return null;
  const [row] = await db.sql<(CodeName & { clockAheadSeconds: number })[]>`
    select merchant_id as "merchantId", qr_code_id as "qrCodeId", clock_ahead_seconds as "clockAheadSeconds"
    from qr_code_by_token(${hashToken(token)})`;
  return row ?? null;
}

/**
 * Counts a token that is nobody's. Diners share their restaurant's address, so a right one is served whatever others
 * missed: with 2^132 to guess from, the limit is there to save work, and beyond it a miss costs two reads by key and
 * writes nothing. Errors: `too_many_attempts`.
 */
export const countMiss = (services: Services, { client }: Visit): Promise<void> =>
  throttle(services, { key: `code ${networkOf(client)}`, attempts: 60, windowSeconds: 600 });

/** Until when a code takes orders, as it stands; null for one that takes none. */
export async function openUntil({ db, clock }: Services, { merchantId, qrCodeId }: CodeName): Promise<Date | null> {
  const [code] = await db.sql<{ expires_at: Date }[]>`
    select q.expires_at from set_tenant(${merchantId}) m
    cross join lateral (
      select expires_at from qr_codes where merchant_id = m.id and id = ${qrCodeId} and status = 'active' limit 1
    ) q
    where q.expires_at > ${clock.now()}`;
  return code?.expires_at ?? null;
}
