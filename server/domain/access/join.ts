import { and, eq, exists, gt, isNull, sql } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/driver';
import { invitationByToken } from '@/db/query/functions';
import { invitationStores, invitations, membershipStores, memberships, merchants, stores, users } from '@/db/schema';
import { auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services, StaffRole } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { hashToken } from '../kernel/secrets';
import { readMerchantNow } from '../merchants';
import type { Browser } from './browser';
import { rememberDevice } from './devices';
import { hashPassword } from './password';
import { linkNotFound } from './password-reset';
import { rejectGuessablePassword } from './password-rules';
import { personId } from './person-id';
import type { OwnStores } from './schemas';
import type { Staff } from './sessions';

export interface InvitationDetails {
  merchantName: string;
  email: string;
  role: StaffRole;
  /** The stores of an invitation to named stores, else empty. */
  storeNames: string[];
  /** People with an account accept by signing in. */
  hasAccount: boolean;
}

/** Returns a link's invitation; null if it is unknown, used, revoked or expired, or its merchant is closed. */
export async function findInvitation(services: Services, token: string): Promise<InvitationDetails | null> {
  const merchantId = await merchantOf(services, token);
  if (!merchantId) return null;
  const [invitation] = await withMerchant(services.db, merchantId, (tx) => {
    const account = tx.db.select({ id: users.id }).from(users).where(eq(users.email, invitations.email));
    const ofInvitation = tx.db
      .select({ name: stores.name })
      .from(invitationStores)
      .innerJoin(
        stores,
        and(eq(stores.merchantId, invitationStores.merchantId), eq(stores.id, invitationStores.storeId)),
      )
      .where(
        and(eq(invitationStores.merchantId, invitations.merchantId), eq(invitationStores.invitationId, invitations.id)),
      )
      .orderBy(stores.storeCode);
    return tx.db
      .select({
        merchantName: merchants.name,
        email: invitations.email,
        role: invitations.role,
        storeNames: sql<string[]>`array${ofInvitation}`,
        hasAccount: sql<boolean>`${exists(account)}`,
      })
      .from(invitations)
      .innerJoin(merchants, eq(merchants.id, invitations.merchantId))
      .where(isOpenInvitation(tx, services, token));
  });
  return invitation ?? null;
}

function isOpenInvitation({ merchantId, db }: Tx, { clock }: Services, token: string) {
  const { id, closedAt } = merchants;
  const open = db
    .select({ id })
    .from(merchants)
    .where(and(eq(id, merchantId), isNull(closedAt)));
  return and(
    eq(invitations.merchantId, merchantId),
    eq(invitations.tokenHash, hashToken(token)),
    gt(invitations.expiresAt, clock.now()),
    exists(open),
  );
}

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
    const { user, ...joined } = await withInvitation(services, token, async (tx, { email, ...joining }) => {
      const row = { id: personId(email), email, name, passwordHash, language: browser.language };
      const [user] = await tx.db.insert(users).values(row).returning({ userId: users.id, sessionVersion });
      await join(tx, services, row.id, joining);
      return { merchantId: tx.merchantId, email, user };
    });
    if (user) rememberDevice(services, browser, user);
    return joined;
  } catch (error) {
    if (isUniqueViolation(error, 'users_email') || isUniqueViolation(error, 'users_pkey')) throw hasAccount();
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
  return withInvitation(services, token, async (tx, { email, ...joining }) => {
    if (email !== person.email) throw linkNotFound();
    await join(tx, services, person.userId, joining);
    return { merchantId: tx.merchantId };
  });
}

/** Uses up the link in the same database transaction as `work`. */
async function withInvitation<T>(
  services: Services,
  token: string,
  work: (tx: Tx, invitation: Joining & { email: string }) => Promise<T>,
): Promise<T> {
  const merchantId = await merchantOf(services, token);
  if (!merchantId) throw linkNotFound();
  return withMerchant(services.db, merchantId, async (tx) => {
    const { merchantId, db } = tx;
    const { id, email, role, allStores } = invitations;
    const open = await db
      .select({ id, email, role, allStores })
      .from(invitations)
      .where(isOpenInvitation(tx, services, token))
      .for('update');
    const [found] = open;
    if (!found) throw linkNotFound();
    const { id: invitationId, ...invitation } = found;
    const { storeId } = invitationStores;
    const named = await db
      .select({ storeId })
      .from(invitationStores)
      .where(and(eq(invitationStores.merchantId, merchantId), eq(invitationStores.invitationId, invitationId)));
    await db.delete(invitations).where(and(eq(invitations.merchantId, merchantId), eq(id, invitationId)));
    return work(tx, { ...invitation, storeIds: named.map((row) => row.storeId) });
  });
}

interface Joining extends OwnStores {
  role: StaffRole;
}

/** Existing members keep their role and stores. */
async function join(tx: Tx, services: Services, userId: string, { role, allStores, storeIds }: Joining): Promise<void> {
  const { merchantId, db } = tx;
  const row = { merchantId, userId, role, allStores };
  const { count } = await db.insert(memberships).values(row).onConflictDoNothing();
  if (count > 0 && storeIds.length > 0) {
    await db.insert(membershipStores).values(storeIds.map((storeId) => ({ merchantId, userId, storeId })));
  }
  const after = count === 0 ? undefined : allStores ? { role } : { role, allStores, storeIds };
  const subject = { kind: 'user', id: userId };
  const { now } = await readMerchantNow(tx, services);
  await auditChange(tx, { kind: 'staff', id: userId }, 'staff.join', subject, now, { after });
  await announceChange(tx, 'staff');
}

async function merchantOf({ db }: Services, token: string): Promise<string | null> {
  const { $rows, merchantId } = invitationByToken({ hash: hashToken(token) });
  const [row] = await db.pool.select({ merchantId }).from($rows);
  return row?.merchantId ?? null;
}
