import { isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import { audit } from '../core/audit';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { hashToken } from '../core/token';
import { merchantNow } from '../merchants/merchant-time';
import { hashPassword } from './password';
import { ensureOwnWords, linkNotFound } from './password-reset';
import type { StaffRole } from './schemas';
import type { Staff } from './sign-in';

export interface InvitationDetails {
  merchantName: string;
  email: string;
  role: StaffRole;
  /** Who has an account accepts by signing in with it. */
  hasAccount: boolean;
}

/** What a link invites to; null where it is unknown, used, revoked or too old. */
export async function findInvitation(services: Services, token: string): Promise<InvitationDetails | null> {
  const merchantId = await merchantOf(services, token);
  if (!merchantId) return null;
  const [row] = await withMerchant(
    services.db,
    merchantId,
    ({ sql }) => sql`
      select i.email, i.role, m.name as merchant_name, exists (select from users u where u.email = i.email) as has_account
      from invitations i join merchants m on m.id = i.merchant_id
      where i.merchant_id = ${merchantId} and i.token_hash = ${hashToken(token)}
        and i.expires_at > ${services.clock.now()}`,
  );
  if (!row) return null;
  return { merchantName: row.merchant_name, email: row.email, role: row.role, hasAccount: row.has_account };
}

/**
 * Accepts as somebody new, with an account of their own from then on. A link works once: of two at once, one wins.
 * Errors: `link_not_found` (also for somebody who has an account), `invalid_request`, `service_unavailable`.
 */
export async function joinAsNewStaff(
  services: Services,
  { token, name, password }: { token: string; name: string; password: string },
): Promise<{ merchantId: string; email: string }> {
  const invitation = await findInvitation(services, token);
  if (!invitation) throw linkNotFound();
  if (invitation.hasAccount) throw hasAccount();
  ensureOwnWords(password, invitation.email, 'password');
  const passwordHash = await hashPassword(password);
  try {
    return await withInvitation(services, token, async (tx, { email, role }) => {
      const userId = newId();
      await tx.sql`
        insert into users (id, email, name, password_hash) values (${userId}, ${email}, ${name}, ${passwordHash})`;
      await join(tx, services, userId, role);
      return { merchantId: tx.merchantId, email };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) throw hasAccount();
    throw error;
  }
}

const hasAccount = () =>
  new DomainError('link_not_found', 'This address has an account: load the page again, and sign in to accept.');

/** Accepts as the person who is signed in. Errors: `link_not_found`, also where it invites another address. */
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

/** Uses the link up in the database transaction of what comes of it. */
async function withInvitation<T>(
  services: Services,
  token: string,
  work: (tx: Tx, invitation: { email: string; role: StaffRole }) => Promise<T>,
): Promise<T> {
  const merchantId = await merchantOf(services, token);
  if (!merchantId) throw linkNotFound();
  return withMerchant(services.db, merchantId, async (tx) => {
    const [invitation] = await tx.sql<{ email: string; role: StaffRole }[]>`
      delete from invitations
      where merchant_id = ${merchantId} and token_hash = ${hashToken(token)} and expires_at > ${services.clock.now()}
      returning email, role`;
    if (!invitation) throw linkNotFound();
    return work(tx, invitation);
  });
}

/** Who works there already keeps the role they have. */
async function join(tx: Tx, services: Services, userId: string, role: StaffRole): Promise<void> {
  const { merchantId, sql } = tx;
  const { count } = await sql`
    insert into memberships (merchant_id, user_id, role) values (${merchantId}, ${userId}, ${role})
    on conflict do nothing`;
  const after = count === 0 ? undefined : { role };
  const subject = { kind: 'user', id: userId };
  const { now } = await merchantNow(tx, services);
  await audit(tx, { kind: 'staff', id: userId }, 'staff.join', subject, now, { after });
  await announce(tx, 'staff');
}

async function merchantOf({ db }: Services, token: string): Promise<string | null> {
  const [row] = await db.sql`select merchant_id from invitation_by_token(${hashToken(token)})`;
  return row?.merchant_id ?? null;
}
