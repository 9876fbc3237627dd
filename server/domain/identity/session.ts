import { and, eq, gt, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { setTenant } from '@/db/query/functions';
import { type Given, prepare } from '@/db/query/queries';
import { dinerSessions } from '@/db/schema';
import type { Merchant, Services } from '../kernel/context';
import type { DeviceCookie } from '../kernel/device-marks';
import { newId } from '../kernel/ids';
import { hashToken, newToken } from '../kernel/secrets';

/** A visitor of a merchant's account page, with the network address. */
export interface Visitor {
  merchant: Merchant;
  client: string;
  /** The cookie that remembers which phones signed in here before (`kernel/device-marks.ts`). */
  device: DeviceCookie;
}

/** A phone that is signed in with a merchant. */
export interface Diner {
  merchant: Merchant;
  sessionId: string;
  /** E.164. */
  phone: string;
  /** Null for a diner who has not joined the programme. */
  customerId: string | null;
  /** When the diner last proved possession of the phone. */
  verifiedAt: Date;
}

/** A diner who is a customer. */
export interface DinerCustomer extends Diner {
  customerId: string;
}

/** How long a customer stays signed in. */
export const sessionSeconds = 90 * 24 * 60 * 60;
/** How long a phone without a customer stays signed in. Its diner is about to join. */
const strangerSeconds = 60 * 60;

/** Returns when a session ends that starts at `now`, or whose diner joins at `now`. */
export const sessionEnd = (now: Date, customerId: string | null): Date =>
  new Date(now.getTime() + (customerId === null ? strangerSeconds : sessionSeconds) * 1000);

/** Signs a phone in, and returns its cookie's token. Only the token's hash is stored. */
export async function openSession(
  { merchantId, db }: Tx,
  { phone, customerId, now }: { phone: string; customerId: string | null; now: Date },
): Promise<string> {
  const token = newToken();
  const times = { verifiedAt: now, expiresAt: sessionEnd(now, customerId), createdAt: now };
  await db
    .insert(dinerSessions)
    .values({ merchantId, id: newId(now.getTime()), tokenHash: hashToken(token), phone, customerId, ...times });
  return token;
}

const findByToken = prepare((db, given: Given<{ merchantId: string; tokenHash: Buffer; now: Date }>) => {
  const tenant = setTenant({ merchant: given.merchantId });
  const { merchantId, id, tokenHash, phone, customerId, verifiedAt, expiresAt } = dinerSessions;
  const session = db
    .select({ id, phone, customerId, verifiedAt })
    .from(dinerSessions)
    .where(and(eq(merchantId, tenant.id), eq(tokenHash, given.tokenHash), gt(expiresAt, given.now)))
    .limit(1)
    .as('session');
  return db
    .select({
      sessionId: session.id,
      phone: session.phone,
      customerId: session.customerId,
      verifiedAt: session.verifiedAt,
    })
    .from(tenant.$rows)
    .innerJoinLateral(session, sql`true`);
});

/** Finds who a cookie's token belongs to; null if signed out. */
export async function findDiner(
  { db, systemClock }: Services,
  merchant: Merchant,
  token: string | null,
): Promise<Diner | null> {
  if (token === null) return null;
  const named = { merchantId: merchant.id, tokenHash: hashToken(token), now: systemClock.now() };
  const [session] = await findByToken(db.pool, named);
  return session ? { merchant, ...session } : null;
}

/** Signs this phone out. */
export async function signOut({ db }: Services, { merchant, sessionId }: Diner): Promise<void> {
  await withMerchant(db, merchant.id, ({ merchantId, db: queries }) =>
    queries.delete(dinerSessions).where(and(eq(dinerSessions.merchantId, merchantId), eq(dinerSessions.id, sessionId))),
  );
}

/** Signs a customer out on every phone. */
export const endSessions = ({ merchantId, db }: Tx, customerId: string) =>
  db
    .delete(dinerSessions)
    .where(and(eq(dinerSessions.merchantId, merchantId), eq(dinerSessions.customerId, customerId)));
