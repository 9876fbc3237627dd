import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { membersWithSecondFactor } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { invitationStores, invitations, mails, membershipStores, memberships, merchants, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext, StaffRole } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { checkStoreIds } from '../merchants';
import type { OwnStores } from './schemas';

/** More than any merchant's staff. */
const maxStaff = 1_000;

/**
 * Lists members and open invitations, owners first, then by name. Also returns which roles need a second factor, and
 * from when on.
 */
export async function listStaff({ db, merchant, staff, systemClock }: StaffContext) {
  const { $rows: withFactor, userId: hasFactor } = membersWithSecondFactor({ merchant: merchant.id });
  const { secondFactorOf, secondFactorFrom } = merchants;
  const [members, invited, secured, [demand]] = await withMerchant(db, merchant.id, (tx) =>
    Promise.all([
      tx.db
        .select({
          userId: users.id,
          name: users.name,
          email: users.email,
          role: memberships.role,
          allStores: memberships.allStores,
          storeIds: storeIdsOf(tx, membershipStores, eq(membershipStores.userId, memberships.userId)),
          joinedAt: memberships.createdAt,
        })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(eq(memberships.merchantId, merchant.id))
        .orderBy(memberships.role, users.name, users.id)
        .limit(maxStaff),
      tx.db
        .select({
          invitationId: invitations.id,
          email: invitations.email,
          role: invitations.role,
          allStores: invitations.allStores,
          storeIds: storeIdsOf(tx, invitationStores, eq(invitationStores.invitationId, invitations.id)),
          expiresAt: invitations.expiresAt,
          /** True if the mail was not delivered: the link must be sent again or passed on by hand. */
          isUndelivered: sql<boolean>`coalesce(${eq(mails.state, 'failed').inlineParams()}, false)`,
        })
        .from(invitations)
        .leftJoin(mails, eq(mails.id, invitations.mailId))
        .where(eq(invitations.merchantId, merchant.id))
        .orderBy(desc(invitations.id))
        .limit(maxStaff),
      tx.db.select({ userId: hasFactor }).from(withFactor).limit(maxStaff),
      tx.db.select({ secondFactorOf, secondFactorFrom }).from(merchants).where(eq(merchants.id, merchant.id)),
    ]),
  );
  const haveFactor = new Set(secured.map(({ userId }) => userId));
  return {
    secondFactorOf: demand?.secondFactorOf ?? 'nobody',
    secondFactorFrom: demand?.secondFactorFrom ?? null,
    members: members.map((member) => ({
      ...member,
      isYou: member.userId === staff.userId,
      hasSecondFactor: haveFactor.has(member.userId),
    })),
    invitations: invited.map((invitation) => ({
      ...invitation,
      isExpired: invitation.expiresAt <= systemClock.now(),
    })),
  };
}

const storeIdsOf = (
  { merchantId, db }: Tx,
  table: typeof membershipStores | typeof invitationStores,
  isTheirs: SQL | undefined,
) => {
  const { storeId } = table;
  const ofThem = db
    .select({ storeId })
    .from(table)
    .where(and(eq(table.merchantId, merchantId), isTheirs))
    .orderBy(storeId);
  return sql<string[]>`array${ofThem}`;
};

/** Changes a member's role from their next request on. Owners work for all stores. Errors: `staff_not_found`, `last_owner`. */
export async function changeRole(
  ctx: StaffContext,
  { userId, role }: { userId: string; role: StaffRole },
): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await lockMember(tx, userId, { staysOwner: role === 'owner' });
    if (before === role) return;
    if (role === 'owner') await writeStores(tx, userId, { allStores: true, storeIds: [] });
    await tx.db.update(memberships).set({ role }).where(isMember(tx, userId));
    const change = { before: { role: before }, after: { role } };
    await auditStaff(tx, ctx, 'staff.role', { kind: 'user', id: userId }, change);
    await announceChange(tx, 'staff');
  });
}

/**
 * Changes the stores that a manager or cashier works for, from their next request on. Someone limited to stores no
 * longer gets the daily summary, which covers all stores. Errors: `staff_not_found`, `store_not_found`,
 * `invalid_request` for an owner.
 */
export async function setStores(
  ctx: StaffContext,
  { userId, ...given }: OwnStores & { userId: string },
): Promise<void> {
  const after = { allStores: given.allStores, storeIds: given.allStores ? [] : [...new Set(given.storeIds)].sort() };
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const role = await lockMember(tx, userId, { staysOwner: true });
    if (role === 'owner' && !after.allStores) throw invalid('allStores', say('ownersWorkEverywhere'));
    await checkStoreIds(tx, after.storeIds);
    const ofMember = storeIdsOf(tx, membershipStores, eq(membershipStores.userId, memberships.userId));
    const before = only(
      await tx.db
        .select({ allStores: memberships.allStores, storeIds: ofMember })
        .from(memberships)
        .where(isMember(tx, userId)),
    );
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await writeStores(tx, userId, after);
    await auditStaff(tx, ctx, 'staff.setStores', { kind: 'user', id: userId }, { before, after });
    await announceChange(tx, 'staff');
  });
}

async function writeStores({ merchantId, db }: Tx, userId: string, { allStores, storeIds }: OwnStores): Promise<void> {
  const ofMember = and(eq(membershipStores.merchantId, merchantId), eq(membershipStores.userId, userId));
  await db.delete(membershipStores).where(ofMember);
  await db
    .update(memberships)
    .set({ allStores, ...(allStores ? {} : { summaryLanguage: null, summarizedUntil: null }) })
    .where(and(eq(memberships.merchantId, merchantId), eq(memberships.userId, userId)));
  if (storeIds.length === 0) return;
  await db.insert(membershipStores).values(storeIds.map((storeId) => ({ merchantId, userId, storeId })));
}

/** Removes a member: their next request is refused. Errors: `staff_not_found`, `last_owner`. */
export async function removeStaff(ctx: StaffContext, { userId }: { userId: string }): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const role = await lockMember(tx, userId, { staysOwner: false });
    await tx.db.delete(memberships).where(isMember(tx, userId));
    await auditStaff(tx, ctx, 'staff.remove', { kind: 'user', id: userId }, { before: { role } });
    await announceChange(tx, 'staff');
  });
}

const isMember = ({ merchantId }: Tx, userId: string) =>
  and(eq(memberships.merchantId, merchantId), eq(memberships.userId, userId));

/** Locks the owners and the person in a fixed order, so that two owners can't remove each other at once. */
export async function lockMember(
  { merchantId, db }: Tx,
  userId: string,
  { staysOwner }: { staysOwner: boolean },
): Promise<StaffRole> {
  const rows = await db
    .select({ userId: memberships.userId, role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.merchantId, merchantId),
        or(eq(memberships.role, 'owner').inlineParams(), eq(memberships.userId, userId)),
      ),
    )
    .orderBy(memberships.userId)
    .for('update');
  const member = rows.find((row) => row.userId === userId);
  if (!member) throw new DomainError('staff_not_found', say('noLongerStaff'));
  const owners = rows.filter(({ role }) => role === 'owner').length;
  if (member.role === 'owner' && !staysOwner && owners === 1) {
    throw new DomainError('last_owner', say('lastOwner'));
  }
  return member.role;
}
