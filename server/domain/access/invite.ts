import { and, eq, lte } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { invitationStores, invitations, memberships, stores, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Language, StaffContext, StaffRole } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { hashToken, newToken } from '../kernel/secrets';
import { countAgainst } from '../limits';
import { queueMail } from '../mail';
import { checkStoreIds } from '../merchants';
import type { OwnStores } from './schemas';

const validMs = 7 * 24 * 60 * 60_000;

interface Recipient {
  email: string;
  role: StaffRole;
  language: Language;
}

/** The link is shown once. It can't be retrieved later. */
interface Invited {
  invitationId: string;
  link: string;
}

/**
 * Invites a person by a mailed link, which is also returned. Replaces an expired invitation. Errors: `invalid_request`
 * for a member or an invited person, `store_not_found`, `too_many_attempts` (30 mails an hour).
 */
export async function inviteStaff(
  ctx: StaffContext,
  { email, role, language, allStores = true, storeIds: given = [] }: Recipient & Partial<OwnStores>,
): Promise<Invited> {
  const storeIds = allStores ? [] : [...new Set(given)].sort();
  await throttleMails(ctx);
  const invitationId = newId();
  try {
    return await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
      const { merchantId, db } = tx;
      const [member] = await db
        .select({ userId: users.id })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(eq(memberships.merchantId, merchantId), eq(users.email, email)));
      if (member) throw invalid('email', say('worksHereAlready'));
      const { link, ...sent } = await mailLink(tx, ctx, { email, role, language }, storeIds);
      await db
        .delete(invitations)
        .where(
          and(
            eq(invitations.merchantId, merchantId),
            eq(invitations.email, email),
            lte(invitations.expiresAt, ctx.systemClock.now()),
          ),
        );
      await checkStoreIds(tx, storeIds);
      await db.insert(invitations).values({ merchantId, id: invitationId, email, role, allStores, ...sent });
      if (!allStores) {
        await db.insert(invitationStores).values(storeIds.map((storeId) => ({ merchantId, invitationId, storeId })));
      }
      const after = allStores ? { role } : { role, allStores, storeIds };
      await auditInvitation(tx, ctx, 'staff.invite', invitationId, { after });
      return { invitationId, link };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'invitations_email')) throw invalid('email', say('invitedAlready'));
    throw error;
  }
}

/**
 * Mails a new link, valid for seven days, which replaces the old one. Errors: `invitation_not_found`,
 * `too_many_attempts`.
 */
export async function resendInvitation(
  ctx: StaffContext,
  { invitationId, language }: { invitationId: string; language: Language },
): Promise<Invited> {
  await throttleMails(ctx);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const [invitation] = await tx.db
      .select({ email: invitations.email, role: invitations.role })
      .from(invitations)
      .where(isThis(tx, invitationId))
      .for('update');
    if (!invitation) throw notFound();
    const { storeId } = invitationStores;
    const isOfIt = and(eq(invitationStores.merchantId, tx.merchantId), eq(invitationStores.invitationId, invitationId));
    const named = await tx.db.select({ storeId }).from(invitationStores).where(isOfIt);
    const storeIds = named.map((one) => one.storeId);
    const { link, ...sent } = await mailLink(tx, ctx, { ...invitation, language }, storeIds);
    await tx.db.update(invitations).set(sent).where(isThis(tx, invitationId));
    await auditInvitation(tx, ctx, 'staff.resendInvitation', invitationId);
    return { invitationId, link };
  });
}

/** Revokes an invitation: its link stops working. Errors: `invitation_not_found`. */
export async function revokeInvitation(ctx: StaffContext, { invitationId }: { invitationId: string }): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { count } = await tx.db.delete(invitations).where(isThis(tx, invitationId));
    if (count === 0) throw notFound();
    await auditInvitation(tx, ctx, 'staff.revokeInvitation', invitationId);
  });
}

const isThis = ({ merchantId }: Tx, invitationId: string) =>
  and(eq(invitations.merchantId, merchantId), eq(invitations.id, invitationId));

const notFound = () => new DomainError('invitation_not_found', say('invitationOver'));

const throttleMails = (ctx: StaffContext) =>
  countAgainst(ctx, { key: `invitations of ${ctx.merchant.id}`, attempts: 30, windowSeconds: 60 * 60 });

/** `storeIds` are the stores of an invitation to named stores, else empty. */
async function mailLink(tx: Tx, ctx: StaffContext, { email, role, language }: Recipient, storeIds: string[]) {
  const token = newToken();
  const link = `${ctx.publicOrigin}/invitation/${token}`;
  const isNamed = and(eq(stores.merchantId, tx.merchantId), anyOf(stores.id, storeIds));
  const rows = await tx.db.select({ name: stores.name }).from(stores).where(isNamed).orderBy(stores.storeCode);
  const storeNames = rows.map(({ name }) => name);
  const named = { merchantName: ctx.merchant.name, by: ctx.staff.name, role, storeNames };
  const letter = { kind: 'invitation', language, url: link, ...named } as const;
  const mailId = await queueMail(tx.db, ctx, { recipient: email, letter });
  return {
    link,
    tokenHash: hashToken(token),
    mailId,
    expiresAt: new Date(ctx.systemClock.now().getTime() + validMs),
  };
}

function auditInvitation(tx: Tx, ctx: StaffContext, action: string, id: string, change: { after?: unknown } = {}) {
  return Promise.all([auditStaff(tx, ctx, action, { kind: 'invitation', id }, change), announceChange(tx, 'staff')]);
}
