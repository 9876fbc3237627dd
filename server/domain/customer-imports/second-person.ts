/** Opening balances above the merchant's `confirmAbove` need a second person: one uploads the file, another starts it. */
import { and, eq, ne, or } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import { customerImports, memberships, users } from '@/db/schema';
import { requireConfirmed } from '../kernel/confirmed';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import type { Value } from '../ledger';
import { queueMail } from '../mail';
import { isAboveConfirmed, readBusiness } from '../merchants';

/** A file with more vouchers than this needs a second person, too, if opening balances do: an import may invent the customers. */
const freelyImportedVouchers = 100;

/** How long the upload waits if there is no second person. Meanwhile, its mail may reach the account's true owner. */
export const delayMinutes = 60;

/**
 * Checks that this person may start an import with these opening balances and so many vouchers. Errors: `confirmation_required`,
 * `second_person_required` for the person who uploaded the file; if no other person could start it, only in the first hour.
 */
export async function requireSecondPerson(
  tx: Tx,
  ctx: StaffContext,
  importId: string,
  { openings: { principal, bonus, points }, vouchers }: { openings: Value; vouchers: number },
): Promise<void> {
  const hasMany = vouchers > freelyImportedVouchers && (await readBusiness(tx)).confirmAbove !== null;
  if (!hasMany && !(await isAboveConfirmed(tx, ctx, { value: principal + bonus, points }))) return;
  requireConfirmed(ctx, ctx.staff);
  const { userId, createdAt } = only(
    await tx.db
      .select({ userId: customerImports.userId, createdAt: customerImports.createdAt })
      .from(customerImports)
      .where(and(eq(customerImports.merchantId, tx.merchantId), eq(customerImports.id, importId))),
  );
  if (userId !== ctx.staff.userId) return;
  if (await hasOthers(tx, userId)) throw new DomainError('second_person_required', say('importNeedsAnother'));
  const minutes = Math.ceil(delayMinutes - (ctx.clock.now().getTime() - createdAt.getTime()) / 60_000);
  if (minutes > 0) throw new DomainError('second_person_required', say('importWaits', { minutes }));
}

/** Tells a person by mail of the file that they uploaded, if no other person could start its import. */
export async function mailLonelyUpload(tx: Tx, ctx: StaffContext, importId: string, fileName: string): Promise<void> {
  const { userId, email, name } = ctx.staff;
  const { confirmAbove } = await readBusiness(tx);
  if (confirmAbove === null || (await hasOthers(tx, userId))) return;
  const [row] = await tx.db.select({ language: users.language }).from(users).where(eq(users.id, userId));
  const letter = {
    kind: 'importUploaded' as const,
    name,
    merchantName: ctx.merchant.name,
    fileName,
    language: row?.language ?? ('en' as const),
    url: `${ctx.publicOrigin}/customers/import/${importId}`,
  };
  await queueMail(tx.db, ctx, { recipient: email, letter });
}

/** Returns whether somebody else may start imports. */
async function hasOthers({ merchantId, db }: Tx, userId: string): Promise<boolean> {
  const { role, allStores } = memberships;
  const mayStart = or(eq(role, 'owner').inlineParams(), and(eq(role, 'manager').inlineParams(), allStores));
  const found = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.merchantId, merchantId), ne(memberships.userId, userId), mayStart))
    .limit(1);
  return found.length > 0;
}
