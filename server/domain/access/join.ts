import { and, eq, exists, gt, sql } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import { invitationByToken } from '@/db/functions';
import { invitations, memberships, merchants, users } from '@/db/schema';
import { audit } from '../kernel/audit';
import { announce } from '../kernel/changes';
import type { Services, StaffRole } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { hashToken } from '../kernel/secrets';
import { readMerchantNow } from '../merchants';
import type { Browser } from './browser';
import { rememberDevice } from './devices';
import { hashPassword } from './password';
import { linkNotFound } from './password-reset';
import { rejectGuessablePassword } from './password-rules';
import type { Staff } from './sessions';

export interface InvitationDetails {
  merchantName: string;
  email: string;
  role: StaffRole;
  /** People with an account accept by signing in. */
  hasAccount: boolean;
}

/** Returns a link's invitation; null if it is unknown, used, revoked or expired. */
export async function findInvitation(services: Services, token: string): Promise<InvitationDetails | null> {
  const merchantId = await merchantOf(services, token);
  if (!merchantId) return null;
  const [invitation] = await withMerchant(services.db, merchantId, (tx) => {
    const account = tx.db.select({ id: users.id }).from(users).where(eq(users.email, invitations.email));
    return tx.db
      .select({
        merchantName: merchants.name,
        email: invitations.email,
        role: invitations.role,
        hasAccount: sql<boolean>`${exists(account)}`,
      })
      .from(invitations)
      .innerJoin(merchants, eq(merchants.id, invitations.merchantId))
      .where(isOpen(tx, services, token));
  });
  return invitation ?? null;
}

const isOpen = ({ merchantId }: Tx, { clock }: Services, token: string) =>
  and(
    eq(invitations.merchantId, merchantId),
    eq(invitations.tokenHash, hashToken(token)),
    gt(invitations.expiresAt, clock.now()),
  );

/**
 * Accepts an invitation with a new account. A link works once: of two concurrent calls, one wins. Errors:
 * `link_not_found` (also if the person has an account), `invalid_request`, `service_unavailable`.
 */
export async function joinAsNewStaff(
  services: Services,
  browser: Browser,
  { token, name, password }: { token: string; name: string; password: string },
): Promise<{ merchantId: string; email: string }> {
  const invitation = await findInvitation(services, token);
  if (!invitation) throw linkNotFound();
  if (invitation.hasAccount) throw hasAccount();
  const { email, merchantName } = invitation;
  await rejectGuessablePassword(password, { email, merchantNames: [merchantName] }, 'password');
  const passwordHash = await hashPassword(password);
  try {
    const { user, ...joined } = await withInvitation(services, token, async (tx, { email, role }) => {
      const row = { id: newId(), email, name, passwordHash, language: browser.language };
      const [user] = await tx.db.insert(users).values(row).returning({ userId: users.id, sessionVersion });
      await join(tx, services, row.id, role);
      return { merchantId: tx.merchantId, email, user };
    });
    if (user) rememberDevice(services, browser, user);
    return joined;
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) throw hasAccount();
    throw error;
  }
}

const { sessionVersion } = users;

const hasAccount = () => new DomainError('link_not_found', say('haveAccount'));

/** Accepts as the signed-in person. Errors: `link_not_found`, also if the invitation is for another address. */
export function joinAsStaff(
  services: Services,
  person: Staff,
  { token }: { token: string },
): Promise<{ merchantId: string }> {
  return withInvitation(services, token, async (tx, { email, role }) => {
    if (email !== person.email) throw linkNotFound();
    await join(tx, services, person.userId, role);
    return { merchantId: tx.merchantId };
  });
}

/** Uses up the link in the same database transaction as `work`. */
async function withInvitation<T>(
  services: Services,
  token: string,
  work: (tx: Tx, invitation: { email: string; role: StaffRole }) => Promise<T>,
): Promise<T> {
  const merchantId = await merchantOf(services, token);
  if (!merchantId) throw linkNotFound();
  return withMerchant(services.db, merchantId, async (tx) => {
    const [invitation] = await tx.db
      .delete(invitations)
      .where(isOpen(tx, services, token))
      .returning({ email: invitations.email, role: invitations.role });
    if (!invitation) throw linkNotFound();
    return work(tx, invitation);
  });
}

/** Existing members keep their role. */
async function join(tx: Tx, services: Services, userId: string, role: StaffRole): Promise<void> {
  const { merchantId, db } = tx;
  const { count } = await db.insert(memberships).values({ merchantId, userId, role }).onConflictDoNothing();
  const after = count === 0 ? undefined : { role };
  const subject = { kind: 'user', id: userId };
  const { now } = await readMerchantNow(tx, services);
  await audit(tx, { kind: 'staff', id: userId }, 'staff.join', subject, now, { after });
  await announce(tx, 'staff');
}

async function merchantOf({ db }: Services, token: string): Promise<string | null> {
  const { $rows, merchantId } = invitationByToken({ hash: hashToken(token) });
  const [row] = await db.pool.select({ merchantId }).from($rows);
  return row?.merchantId ?? null;
}
