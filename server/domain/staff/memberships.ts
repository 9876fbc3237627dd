import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { DomainError } from '../core/errors';
import type { StaffContext } from './context';
import type { StaffRole } from './schemas';

/** More people than any merchant has. */
const most = 1_000;

/** Who works for the merchant and who is invited to. Owners first, then by name. */
export async function listStaff({ db, merchant, staff, systemClock }: StaffContext) {
  const [members, invitations] = await withMerchant(db, merchant.id, ({ sql }) =>
    Promise.all([
      sql`
        select u.id, u.name, u.email, m.role, m.created_at from memberships m join users u on u.id = m.user_id
        where m.merchant_id = ${merchant.id} order by m.role, u.name, u.id limit ${most}`,
      sql`
        select i.id, i.email, i.role, i.expires_at, coalesce(e.state = 'failed', false) as is_undelivered
        from invitations i left join mails e on e.id = i.mail_id
        where i.merchant_id = ${merchant.id} order by i.id desc limit ${most}`,
    ]),
  );
  return {
    members: members.map((row) => ({
      userId: row.id as string,
      name: row.name as string,
      email: row.email as string,
      role: row.role as StaffRole,
      joinedAt: row.created_at as Date,
      isYou: row.id === staff.userId,
    })),
    invitations: invitations.map((row) => ({
      invitationId: row.id as string,
      email: row.email as string,
      role: row.role as StaffRole,
      expiresAt: row.expires_at as Date,
      isExpired: row.expires_at <= systemClock.now(),
      /** The mail did not arrive: the link has to be sent again, or handed over. */
      isUndelivered: row.is_undelivered as boolean,
    })),
  };
}

/** Changes what somebody may do, from their next request on. Errors: `staff_not_found`, `last_owner`. */
export async function changeRole(
  ctx: StaffContext,
  { userId, role }: { userId: string; role: StaffRole },
): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await lockMember(tx, userId, { staysOwner: role === 'owner' });
    if (before === role) return;
    await tx.sql`update memberships set role = ${role} where merchant_id = ${tx.merchantId} and user_id = ${userId}`;
    const change = { before: { role: before }, after: { role } };
    await auditStaff(tx, ctx, 'staff.role', { kind: 'user', id: userId }, change);
    await announce(tx, 'staff');
  });
}

/** Ends that somebody works here: their next request is refused. Errors: `staff_not_found`, `last_owner`. */
export async function removeStaff(ctx: StaffContext, { userId }: { userId: string }): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const role = await lockMember(tx, userId, { staysOwner: false });
    await tx.sql`delete from memberships where merchant_id = ${tx.merchantId} and user_id = ${userId}`;
    await auditStaff(tx, ctx, 'staff.remove', { kind: 'user', id: userId }, { before: { role } });
    await announce(tx, 'staff');
  });
}

/** Locks the owners and the person, in one order, so that two owners can't let each other go at once. */
async function lockMember(
  { merchantId, sql }: Tx,
  userId: string,
  { staysOwner }: { staysOwner: boolean },
): Promise<StaffRole> {
  const rows = await sql<{ user_id: string; role: StaffRole }[]>`
    select user_id, role from memberships
    where merchant_id = ${merchantId} and (role = 'owner' or user_id = ${userId}) order by user_id for update`;
  const member = rows.find((row) => row.user_id === userId);
  if (!member) throw new DomainError('staff_not_found', 'This person does not work here any more.');
  const owners = rows.filter(({ role }) => role === 'owner').length;
  if (member.role === 'owner' && !staysOwner && owners === 1) {
    throw new DomainError('last_owner', 'Somebody has to own the business: make somebody else an owner first.');
  }
  return member.role;
}
