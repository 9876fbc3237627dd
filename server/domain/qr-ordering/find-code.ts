/** Finds a diner's table by the token of the scanned code. */
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { qrCodeByToken, setTenant } from '@/db/query/functions';
import { type Given, prepare } from '@/db/query/queries';
import { merchants, qrCodes } from '@/db/schema';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { networkOf } from '../kernel/networks';
import { say } from '../kernel/say';
import { hashToken } from '../kernel/secrets';
import { countAgainst } from '../limits';
import { findMoved } from '../merchants';
import { readVisitByCard, tokenPattern } from './token';

/** A diner's phone at a table. */
export interface Visit {
  /** From the code's URL. */
  token: string;
  /** The phone's network address. */
  client: string;
}

/** The code that a token belongs to, open or not. */
export interface CodeName {
  merchantId: string;
  qrCodeId: string;
}

const findCodeByToken = prepare((db, given: Given<{ tokenHash: Buffer }>) => {
  const { $rows, ...columns } = qrCodeByToken({ hash: given.tokenHash });
  return db.select(columns).from($rows);
});

const findCodeById = prepare((db, given: Given<CodeName>) => {
  const tenant = setTenant({ merchant: given.merchantId });
  const code = db
    .select({
      merchantId: qrCodes.merchantId,
      qrCodeId: qrCodes.id,
      clockAheadSeconds: merchants.clockAheadSeconds,
      merchantClosedAt: merchants.closedAt,
      confirmedAt: qrCodes.confirmedAt,
    })
    .from(qrCodes)
    .innerJoin(merchants, eq(merchants.id, qrCodes.merchantId))
    .where(and(eq(qrCodes.merchantId, tenant.id), eq(qrCodes.id, given.qrCodeId)))
    .limit(1)
    .as('code');
  return db.select(code._.selectedFields).from(tenant.$rows).innerJoinLateral(code, sql`true`);
});

/** A code by its token. */
export interface FoundCode extends CodeName {
  /** The merchant's clock. */
  clockAheadSeconds: number;
  merchantClosedAt: Date | null;
  /** True for a phone that came by the table's card, which may be a photo of it. */
  byCard: boolean;
  /**
   * True for such a phone until staff accept the first order by the card on this bill. Until then it sees the menu and
   * its own orders, but nothing of the other guests.
   */
  waits: boolean;
}

/** Returns null for an unknown token. */
export async function findCode(services: Services, { token }: Visit): Promise<FoundCode | null> {
  const { db, tokenKey } = services;
  if (!tokenPattern.test(token)) return null;
  const named = readVisitByCard(tokenKey, token);
  if (!named) {
    const [code] = await findCodeByToken(db.pool, { tokenHash: hashToken(token) });
    return code ? { ...code, byCard: false, waits: false } : null;
  }
  // Other tokens are not found either if their merchant is not at home here.
  if ((await findMoved(services, 'merchant', named.merchantId)).length > 0) return null;
  const [row] = await findCodeById(db.pool, named);
  if (!row) return null;
  const { confirmedAt, ...code } = row;
  return { ...code, byCard: true, waits: confirmedAt === null };
}

/**
 * Counts an unknown token. All diners of a restaurant share its address, so valid tokens work even past the limit. None
 * of 2^132 tokens can be guessed: the limit only saves work, and past it an unknown token costs two reads by key and no
 * write. Errors: `too_many_attempts`.
 */
export const countMiss = (services: Services, { client }: Visit): Promise<void> =>
  countAgainst(services, { key: `code ${networkOf(client)}`, attempts: 60, windowSeconds: 600 });

/** Returns the code of a phone's token, open or not. Errors: `qr_code_not_found`, `too_many_attempts`. */
export async function requireCode(services: Services, visit: Visit): Promise<FoundCode> {
  const code = await findCode(services, visit);
  if (code) return code;
  await countMiss(services, visit);
  throw codeNotFound();
}

/** Wrong tokens and expired codes get the same error. */
export const codeNotFound = () => new DomainError('qr_code_not_found', say('counterCodeOver'));

const findOpen = prepare((db, given: Given<CodeName & { now: Date }>) => {
  const tenant = setTenant({ merchant: given.merchantId });
  const active = db
    .select({ expiresAt: qrCodes.expiresAt })
    .from(qrCodes)
    .innerJoin(merchants, and(eq(merchants.id, qrCodes.merchantId), isNull(merchants.closedAt)))
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

/** Returns when a code stops taking orders; null if it takes none now. */
export async function openUntil({ db, clock }: Services, { merchantId, qrCodeId }: CodeName): Promise<Date | null> {
  const [code] = await findOpen(db.pool, { merchantId, qrCodeId, now: clock.now() });
  return code?.expiresAt ?? null;
}
