/** Merging duplicate customers. See docs/adr/0021-merged-customers.md. */

import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant, withSnapshot } from '@/db/driver';
import { profileOf } from '@/db/kinds/lists';
import { anyOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import {
  balances,
  customerNotes,
  customerPins,
  customers,
  messages,
  topUpRequests,
  voucherCampaigns,
  vouchers,
} from '@/db/schema';
import {
  customerMerged,
  customerNotFound,
  displayName,
  endSessions,
  isNewTag,
  maxTags,
  type Profile,
  sendCustomerEvents,
} from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { sendEvents, wantsEvent } from '../kernel/events';
import { say } from '../kernel/say';
import { loadSpendable, lockBalances, noValue, sendBalanceEvents, type Value } from '../ledger';
import { requireConfirmedFor } from '../merchants';
import { queueWarnings } from '../messaging';
import { changedFields, profileRevision } from './edit';
import { moveValue } from './merge-value';
import { moveVouchers } from './merge-vouchers';
import type { MergeInput } from './schemas';
import { stakeIn } from './stake';

/** What a customer has before or after a merge. */
interface Holdings extends Value, Profile {
  name: string;
  /** Vouchers that are neither used nor expired. */
  vouchers: number;
}

export interface MergePreview {
  kept: Holdings;
  merged: Holdings;
  /** What the kept customer has afterwards. The other has nothing. */
  after: Holdings;
}

/**
 * Returns what merging would do, without changing anything. Errors: `customer_not_found`, `customer_blocked`,
 * `invalid_request` if both are the same customer.
 */
export function previewMerge(ctx: StaffContext, input: MergeInput): Promise<MergePreview> {
  return withSnapshot(ctx.db, ctx.merchant.id, async (tx) => {
    const { kept, merged } = await readBoth(tx, input);
    checkMergeable(kept, merged);
    const [before, other] = await holdingsOf(tx, [kept, merged], ctx.clock.now());
    const { principal, bonus, points, vouchers: held } = other;
    const after = {
      ...before,
      ...mergedProfile(kept, merged),
      principal: before.principal + principal,
      bonus: before.bonus + bonus,
      points: before.points + points,
      vouchers: before.vouchers + held,
    };
    return { kept: before, merged: other, after };
  });
}

/**
 * Merges a duplicate into the kept customer. An owner can undo it for some days (`undo-merge.ts`). Value, vouchers and notes move. The duplicate's id, phone and
 * e-mail address then find the kept customer. Transactions stay where they are. Repeating it does nothing. Errors:
 * those of `previewMerge`, `confirmation_required`.
 */
export function mergeCustomers(ctx: StaffContext, input: MergeInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { keptId, mergedId } = input;
    await lockBalances(tx, [keptId, mergedId]);
    const { kept, merged } = await readBoth(tx, input);
    if (merged.mergedInto === kept.id) return;
    checkMergeable(kept, merged);
    const now = ctx.clock.now();
    await requireConfirmedFor(tx, ctx, await stakeIn(tx, merged.id, now));
    const both = { keptId: kept.id, mergedId: merged.id };
    await holdIssues(tx);
    const linked = await linkCustomers(tx, kept, merged, now);
    const grantedBy = await moveValue(tx, { ...both, userId: ctx.staff.userId, now });
    const moved = { grantedBy, vouchers: await moveVouchers(tx, both), ...(await moveRest(tx, both, now)) };
    const undo = {
      keptId: kept.id,
      mergedAt: now.toISOString(),
      joinedAt: kept.joinedAt.toISOString(),
      tags: kept.tags,
      ...linked,
      ...moved,
    };
    await tx.db
      .update(customers)
      .set({ mergeUndo: undo })
      .where(and(eq(customers.merchantId, tx.merchantId), eq(customers.id, merged.id)));
    const phones = [kept.phone, merged.phone].flatMap((phone) => phone ?? []);
    await queueWarnings(tx, ctx.merchant, 'accounts-merged', { customerId: keptId, phones, now });
    await auditStaff(tx, ctx, 'customer.merge', { kind: 'customer', id: kept.id }, { after: { mergedId: merged.id } });
    if (wantsEvent(ctx.merchant, 'customer.merged')) {
      const data = { customerId: merged.id, mergedInto: kept.id };
      sendEvents(tx, [{ type: 'customer.merged', storeId: null, occurredAt: now, data }]);
    }
    await sendCustomerEvents(tx, ctx.merchant, { type: 'customer.updated', customerIds: [kept.id], now });
    sendBalanceEvents(tx, ctx.merchant, { customerIds: [kept.id], cause: 'merge', now });
    const topics = ['customers', 'transactions', 'vouchers', 'campaigns', 'messages'] as const;
    await Promise.all(topics.map((topic) => announceChange(tx, topic)));
  });
}

type Row = Awaited<ReturnType<typeof selectRows>>[number];

export const selectRows = ({ merchantId, db }: Tx, ids: string[]) => {
  const { id, joinedAt, erasedAt, mergedInto, mergeUndo } = customers;
  const { blockedAt } = balances;
  return db
    .select({ id, ...profileOf(customers), joinedAt, erasedAt, mergedInto, mergeUndo, blockedAt })
    .from(customers)
    .innerJoin(balances, and(eq(balances.merchantId, merchantId), eq(balances.customerId, id)))
    .where(and(eq(customers.merchantId, merchantId), anyOf(id, ids)));
};

async function readBoth(tx: Tx, { keptId, mergedId }: MergeInput): Promise<{ kept: Row; merged: Row }> {
  // As the database writes ids.
  const [keptKey, mergedKey] = [keptId.toLowerCase(), mergedId.toLowerCase()];
  if (keptKey === mergedKey) throw invalid('mergedId', say('mergeWithSelf'));
  const rows = await selectRows(tx, [keptKey, mergedKey]);
  const kept = rows.find(({ id }) => id === keptKey);
  const merged = rows.find(({ id }) => id === mergedKey);
  if (!kept || !merged) throw customerNotFound();
  return { kept, merged };
}

function checkMergeable(...both: Row[]): void {
  if (both.some(({ erasedAt }) => erasedAt !== null)) throw customerNotFound();
  if (both.some(({ mergedInto }) => mergedInto !== null)) throw customerMerged();
  if (both.some(({ blockedAt }) => blockedAt !== null)) throw new DomainError('customer_blocked', say('mergeBlocked'));
}

/** The kept customer's profile, completed with what only the other has. */
const mergedProfile = (kept: Profile, merged: Profile): Profile => ({
  givenName: kept.givenName,
  lastName: kept.lastName,
  phone: kept.phone ?? merged.phone,
  email: kept.email ?? merged.email,
  birthday: mergedBirthday(kept.birthday, merged.birthday),
  tags: mergedTags(kept.tags, merged.tags),
});

/** The kept customer's, with the year that only the other has. */
const mergedBirthday = (kept: string | null, merged: string | null): string | null =>
  kept === null || merged?.endsWith(kept.replace(/^--/, '-')) ? merged : kept;

/** Those of both, as many as fit: the kept customer's first. */
const mergedTags = (kept: string[], merged: string[]): string[] =>
  [...kept, ...merged].filter(isNewTag).slice(0, maxTags);

async function holdingsOf(tx: Tx, both: [Row, Row], now: Date): Promise<[Holdings, Holdings]> {
  const { merchantId, db } = tx;
  const ids = both.map(({ id }) => id);
  const [values, counts] = await Promise.all([
    loadSpendable(tx, ids, now),
    db
      .select({ customerId: vouchers.customerId, vouchers: count() })
      .from(vouchers)
      .where(
        and(
          eq(vouchers.merchantId, merchantId),
          anyOf(vouchers.customerId, ids),
          isNull(vouchers.redeemedAt),
          isNull(vouchers.cancelledAt),
          or(isNull(vouchers.expiresAt), gt(vouchers.expiresAt, now)),
        ),
      )
      .groupBy(vouchers.customerId),
  ]);
  const holdings = (row: Row): Holdings => {
    const { principal, bonus, points } = values.find(({ customerId }) => customerId === row.id) ?? noValue;
    return {
      ...profileOf(row),
      principal,
      bonus,
      points,
      name: displayName(row),
      vouchers: counts.find(({ customerId }) => customerId === row.id)?.vouchers ?? 0,
    };
  };
  return [holdings(both[0]), holdings(both[1])];
}

/**
 * Waits for vouchers that are being issued, so that the merge moves them, and stops new issues until it commits. Issues
 * lock their campaign before they read who gets a voucher.
 */
export async function holdIssues({ merchantId, db }: Tx): Promise<void> {
  const { id, archivedAt } = voucherCampaigns;
  await db
    .select({ id })
    .from(voucherCampaigns)
    .where(and(eq(voucherCampaigns.merchantId, merchantId), isNull(archivedAt)))
    .orderBy(id)
    .for('share');
}

/**
 * From now on, look-ups of the merged customer, and of customers merged into it earlier, find the kept one. Locked in
 * this order, because a sign-in with a duplicate's phone locks the duplicate, then the kept customer.
 */
async function linkCustomers({ merchantId, db }: Tx, kept: Row, merged: Row, now: Date) {
  const is = (id: string) => and(eq(customers.merchantId, merchantId), eq(customers.id, id));
  const aliases = await db
    .update(customers)
    .set({ mergedInto: kept.id })
    .where(and(eq(customers.merchantId, merchantId), eq(customers.mergedInto, merged.id)))
    .returning({ id: customers.id });
  const { messagesOptedOutAt: optedOutAt } = customers;
  // A sign-in may have changed the customers' choices since they were read.
  const { messagesOptedOutAt: otherOptedOutAt } = only(
    await db
      .update(customers)
      .set({
        mergedInto: kept.id,
        // Removed from the duplicate first, because these columns are unique.
        ...(kept.phone === null ? { phone: null } : {}),
        ...(kept.email === null ? { email: null } : {}),
      })
      .where(is(merged.id))
      .returning({ messagesOptedOutAt: optedOutAt }),
  );
  const messagesOptedOutAt = sql`coalesce(${optedOutAt}, ${otherOptedOutAt})`;
  const joinedAt = kept.joinedAt < merged.joinedAt ? kept.joinedAt : merged.joinedAt;
  const profile = mergedProfile(kept, merged);
  await db
    .update(customers)
    .set({ ...profile, joinedAt, messagesOptedOutAt })
    .where(is(kept.id));
  // Blocked as well, so that no segment, birthday or notice finds it.
  await db
    .update(balances)
    .set({ mergedAt: now, blockedAt: now })
    .where(and(eq(balances.merchantId, merchantId), eq(balances.customerId, merged.id)));
  return {
    fields: changedFields(kept, profile),
    revision: profileRevision(profile),
    aliasIds: aliases.map(({ id }) => id),
  };
}

/** Moves notes and unpaid top-ups, and returns their ids. Ends the PIN, sessions and queued messages. */
async function moveRest(tx: Tx, { keptId, mergedId }: MergeInput, now: Date) {
  const { merchantId, db } = tx;
  const notes = await db
    .update(customerNotes)
    .set({ customerId: keptId })
    .where(and(eq(customerNotes.merchantId, merchantId), eq(customerNotes.customerId, mergedId)))
    .returning({ id: customerNotes.id });
  const requests = await db
    .update(topUpRequests)
    .set({ customerId: keptId })
    .where(
      and(
        eq(topUpRequests.merchantId, merchantId),
        eq(topUpRequests.customerId, mergedId),
        isNull(topUpRequests.transactionUid),
      ),
    )
    .returning({ id: topUpRequests.id });
  await db
    .delete(customerPins)
    .where(and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, mergedId)));
  await endSessions(tx, mergedId);
  await db
    .update(messages)
    .set({ state: 'failed', secret: null, failure: say('mergedAway'), updatedAt: now })
    .where(
      and(
        eq(messages.merchantId, merchantId),
        eq(messages.customerId, mergedId),
        eq(messages.state, 'queued').inlineParams(),
      ),
    );
  return { noteIds: notes.map(({ id }) => id), topUpRequestIds: requests.map(({ id }) => id) };
}
