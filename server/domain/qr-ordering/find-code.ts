/** How a diner's phone reaches its table: by the token of the code that it scanned. */
import { and, eq, gt, sql } from 'drizzle-orm';
import { qrCodeByToken, setTenant } from '@/db/functions';
import { type Given, prepare } from '@/db/queries';
import { qrCodes } from '@/db/schema';
import { networkOf } from '../../client-address';
import type { Services } from '../core/context';
import { hashToken } from '../core/secrets';
import { throttle } from '../core/throttle';
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

const findByToken = prepare((db, given: Given<{ tokenHash: Buffer }>) => {
  const { $rows, merchantId, qrCodeId, clockAheadSeconds } = qrCodeByToken({ hash: given.tokenHash });
  return db.select({ merchantId, qrCodeId, clockAheadSeconds }).from($rows);
});

/** Null for a token that is nobody's. `clockAheadSeconds` is its merchant's. */
export async function findCode(
  { db }: Services,
  { token }: Visit,
): Promise<(CodeName & { clockAheadSeconds: number }) | null> {
  if (!tokenPattern.test(token)) return null;
  const [row] = await findByToken(db.pool, { tokenHash: hashToken(token) });
  return row ?? null;
}

/**
 * Counts a token that is nobody's. Diners share their restaurant's address, so a right one is served whatever others
 * missed: with 2^132 to guess from, the limit is there to save work, and beyond it a miss costs two reads by key and
 * writes nothing. Errors: `too_many_attempts`.
 */
export const countMiss = (services: Services, { client }: Visit): Promise<void> =>
  throttle(services, { key: `code ${networkOf(client)}`, attempts: 60, windowSeconds: 600 });

const findOpen = prepare((db, given: Given<CodeName & { now: Date }>) => {
  const tenant = setTenant({ merchant: given.merchantId });
  const active = db
    .select({ expiresAt: qrCodes.expiresAt })
    .from(qrCodes)
    .where(
      and(
        eq(qrCodes.merchantId, tenant.id),
        eq(qrCodes.id, given.qrCodeId),
        eq(qrCodes.status, 'active').inlineParams(),
      ),
    )
    .limit(1)
    .as('active');
  return db
    .select({ expiresAt: active.expiresAt })
    .from(tenant.$rows)
    .innerJoinLateral(active, sql`true`)
    .where(gt(active.expiresAt, given.now));
});

/** Until when a code takes orders, as it stands; null for one that takes none. */
export async function openUntil({ db, clock }: Services, { merchantId, qrCodeId }: CodeName): Promise<Date | null> {
  const [code] = await findOpen(db.pool, { merchantId, qrCodeId, now: clock.now() });
  return code?.expiresAt ?? null;
}
