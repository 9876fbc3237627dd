import { type Tx, withMerchant } from '@/db/client';
import type { Merchant, Services } from '../core/context';
import { newId } from '../core/ids';
import { hashToken, newToken } from '../core/token';

/** Somebody who looks at a merchant's account page, from a network address. */
export interface Visitor {
  merchant: Merchant;
  client: string;
}

/** Who is signed in with a merchant by a phone. */
export interface Diner {
  merchant: Merchant;
  sessionId: string;
  /** E.164. */
  phone: string;
  /** Null for one who has not joined the programme. */
  customerId: string | null;
  /** When the diner proved to hold the phone. */
  verifiedAt: Date;
}

/** A diner who is a customer. */
export interface DinerCustomer extends Diner {
  customerId: string;
}

/** How long a customer stays signed in. */
export const sessionSeconds = 90 * 24 * 60 * 60;
/** A phone that is no customer's stays so long: its diner is here to join. */
const strangerSeconds = 60 * 60;

/** When a session ends that begins, or whose diner joins, at `now`. */
export const sessionEnd = (now: Date, customerId: string | null): Date =>
  new Date(now.getTime() + (customerId === null ? strangerSeconds : sessionSeconds) * 1000);

/** Signs a phone in, and answers the token of its cookie, of which only a hash is kept. */
export async function openSession(
  { merchantId, sql }: Tx,
  { phone, customerId, now }: { phone: string; customerId: string | null; now: Date },
): Promise<string> {
  const token = newToken();
  await sql`
    insert into diner_sessions (merchant_id, id, token_hash, phone, customer_id, verified_at, expires_at, created_at)
    values (${merchantId}, ${newId(now.getTime())}, ${hashToken(token)}, ${phone}, ${customerId}, ${now},
      ${sessionEnd(now, customerId)}, ${now})`;
  return token;
}

/** Who is signed in by a cookie's token; null for a stranger. */
export async function findDiner(
  { db, systemClock }: Services,
  merchant: Merchant,
  token: string | null,
): Promise<Diner | null> {
  if (token === null) return null;
  const [row] = await db.sql`
    select s.* from set_tenant(${merchant.id}) m
    cross join lateral (
      select id, phone, customer_id, verified_at from diner_sessions
      where merchant_id = m.id and token_hash = ${hashToken(token)} and expires_at > ${systemClock.now()} limit 1
    ) s`;
  if (!row) return null;
  return { merchant, sessionId: row.id, phone: row.phone, customerId: row.customer_id, verifiedAt: row.verified_at };
}

/** Signs this phone out. */
export async function signOut({ db }: Services, { merchant, sessionId }: Diner): Promise<void> {
  await withMerchant(
    db,
    merchant.id,
    ({ merchantId, sql }) => sql`delete from diner_sessions where merchant_id = ${merchantId} and id = ${sessionId}`,
  );
}

/** Signs a customer out on every phone. */
export const endSessions = ({ merchantId, sql }: Tx, customerId: string) =>
  sql`delete from diner_sessions where merchant_id = ${merchantId} and customer_id = ${customerId}`;
