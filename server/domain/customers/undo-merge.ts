/** Undoing a merge, and removing a merged phone. See docs/adr/0021-merged-customers.md. */
import { addDays } from 'date-fns';
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import {
  balances,
  customerNotes,
  customers,
  ledgerEntries,
  lots,
  type MergeUndo,
  topUpRequests,
  transactions,
  vouchers,
} from '@/db/schema';
import { customerNotFound, endSessions, sendCustomerEvents } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { sendEvents, wantsEvent } from '../kernel/events';
import { type Sentence, say } from '../kernel/say';
import { lockBalances, sendBalanceEvents } from '../ledger';
import { requireConfirmedFor } from '../merchants';
import { queueWarnings } from '../messaging';
import { profileRevision } from './edit';
import { holdIssues, selectRows } from './merge';
import { moveValue } from './merge-value';
import { returnVouchers } from './merge-vouchers';
import type { MergedInput } from './schemas';
import { stakeIn } from './stake';

/** How long a merge can be undone. */
export const undoDays = 7;

/** Until when an owner can undo a merge, if nothing of it was used; null if there is nothing to undo. */
export const undoableUntil = (undo: MergeUndo | null): Date | null =>
  undo === null ? null : addDays(new Date(undo.mergedAt), undoDays);

/**
 * Takes a merge apart: the merged customer gets back what the merge moved, and the ids, phone number and e-mail address of
 * their own. What happened since then stays with the kept customer. Repeating it does nothing. Errors: `customer_not_found`,
 * `confirmation_required`, `merge_final` after seven days, if value or vouchers were used or have expired, if the kept
 * customer was merged since, or if their details were edited since and some came from the merged customer.
 */
export function undoMerge(ctx: StaffContext, { mergedId: id }: MergedInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const now = ctx.clock.now();
    const { merged, keptId } = await lockMerged(tx, id);
    if (keptId === null) return;
    const { mergeUndo: undo, id: mergedId } = merged;
    const until = undoableUntil(undo);
    const [kept] = await selectRows(tx, [keptId]);
    if (!kept || !undo || !until || now > until || undo.keptId !== keptId)
      throw final(say('mergeUndoLate', { count: undoDays }));
    const { grantedBy } = undo;
    await checkUnused(tx, { keptId, mergedId }, undo);
    await requireConfirmedFor(tx, ctx, await stakeIn(tx, keptId, now));
    await holdIssues(tx);
    // Sign-ins lock the duplicate first.
    await unlink(tx, { keptId, mergedId }, undo, now);
    const ownerOf = and(eq(customers.merchantId, merchantId), eq(customers.id, keptId));
    const returned = undo.fields;
    // It is no longer known whose number or address it is.
    if (returned.length > 0 && profileRevision(kept) !== undo.revision) throw final(say('mergeEdited'));
    // The merged customer's tags stayed.
    const moved = returned.filter((field) => field !== 'tags');
    const cleared = Object.fromEntries(moved.map((field) => [field, null]));
    const tags = (returned.includes('tags') ? undo.tags : null) ?? kept.tags;
    await db
      .update(customers)
      // With the name, so that search finds the tags (`index_changed_customer`).
      .set({ ...cleared, givenName: kept.givenName, tags, joinedAt: new Date(undo.joinedAt) })
      .where(ownerOf);
    if (moved.length > 0) {
      const back = Object.fromEntries(moved.map((field) => [field, kept[field]]));
      await db
        .update(customers)
        .set(back)
        .where(and(eq(customers.merchantId, merchantId), eq(customers.id, mergedId)));
    }
    if (grantedBy.length > 0) {
      await moveValue(tx, { keptId: mergedId, mergedId: keptId, userId: ctx.staff.userId, now, grantedBy });
    }
    await returnVouchers(tx, { keptId, mergedId }, undo.vouchers);
    await returnRest(tx, mergedId, undo);
    // Somebody may be signed in with the other's phone.
    await endSessions(tx, keptId);
    await auditStaff(tx, ctx, 'customer.undoMerge', { kind: 'customer', id: keptId }, { after: { mergedId } });
    if (wantsEvent(ctx.merchant, 'customer.unmerged')) {
      const data = { customerId: mergedId, mergedInto: keptId };
      sendEvents(tx, [{ type: 'customer.unmerged', storeId: null, occurredAt: now, data }]);
    }
    const customerIds = [keptId, mergedId];
    await sendCustomerEvents(tx, ctx.merchant, { type: 'customer.updated', customerIds, now });
    sendBalanceEvents(tx, ctx.merchant, { customerIds, cause: 'merge', now });
    const topics = ['customers', 'transactions', 'vouchers', 'campaigns'] as const;
    await Promise.all(topics.map((topic) => announceChange(tx, topic)));
  });
}

/**
 * Removes a merged customer's phone number, which then neither signs in nor finds the kept customer. It is told, and the kept
 * customer's phones have to sign in again. Repeating it does nothing. Errors: `customer_not_found`, `confirmation_required`.
 */
export function removeMergedPhone(ctx: StaffContext, { mergedId: id }: MergedInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const now = ctx.clock.now();
    const { merged, keptId } = await lockMerged(tx, id);
    if (keptId === null) throw customerNotFound();
    if (merged.phone === null) return;
    await requireConfirmedFor(tx, ctx, await stakeIn(tx, keptId, now));
    await tx.db
      .update(customers)
      .set({ phone: null })
      .where(and(eq(customers.merchantId, tx.merchantId), eq(customers.id, merged.id)));
    await endSessions(tx, keptId);
    await queueWarnings(tx, ctx.merchant, 'phone-changed', { customerId: keptId, phones: [merged.phone], now });
    const after = { mergedId: merged.id };
    await auditStaff(tx, ctx, 'customer.removeMergedPhone', { kind: 'customer', id: keptId }, { after });
    await announceChange(tx, 'customers');
  });
}

const final = (sentence: Sentence) => new DomainError('merge_final', sentence);

/** Locks both balances. `keptId` is null if the customer is not merged. Errors: `customer_not_found`. */
async function lockMerged(tx: Tx, id: string) {
  const [seen] = await selectRows(tx, [id.toLowerCase()]);
  if (!seen || seen.erasedAt !== null) throw customerNotFound();
  await lockBalances(tx, [seen.id, ...(seen.mergedInto === null ? [] : [seen.mergedInto])]);
  const [merged] = await selectRows(tx, [seen.id]);
  if (!merged || merged.erasedAt !== null || merged.mergedInto !== seen.mergedInto) throw customerNotFound();
  return { merged, keptId: merged.mergedInto };
}

interface Both {
  keptId: string;
  mergedId: string;
}

/**
 * Errors: `merge_final` if something of the moved value or vouchers was used or has expired since, or if the ledger has
 * moved value between both for a transaction of one of them, such as a void.
 */
async function checkUnused(tx: Tx, both: Both, undo: MergeUndo) {
  const { merchantId, db } = tx;
  const mergedIds = [both.mergedId, ...undo.aliasIds];
  const unused = undo.vouchers.filter(({ isUsed }) => !isUsed).map((voucher) => voucher.id);
  const [usedLots, crossing, usedVouchers] = await Promise.all([
    db
      .select({ id: lots.id })
      .from(lots)
      .where(
        and(
          eq(lots.merchantId, merchantId),
          anyOf(lots.transactionUid, undo.grantedBy),
          ne(lots.remaining, lots.granted),
        ),
      )
      .limit(1),
    db
      .select({ id: ledgerEntries.id })
      .from(ledgerEntries)
      .innerJoin(
        transactions,
        and(eq(transactions.merchantId, merchantId), eq(transactions.uid, ledgerEntries.transactionUid)),
      )
      .where(
        and(
          eq(ledgerEntries.merchantId, merchantId),
          eq(ledgerEntries.customerId, both.keptId),
          anyOf(transactions.customerId, mergedIds),
        ),
      )
      .limit(1),
    db
      .select({ id: vouchers.id })
      .from(vouchers)
      .where(
        and(
          eq(vouchers.merchantId, merchantId),
          anyOf(vouchers.id, unused),
          or(ne(vouchers.customerId, both.keptId), sql`${vouchers.redeemedAt} is not null`),
        ),
      )
      .limit(1),
  ]);
  if (usedLots.length + crossing.length + usedVouchers.length > 0) throw final(say('mergeUsed'));
}

/** From now on, look-ups of the merged customer, and of those merged into it before, find it again. */
async function unlink(
  { merchantId, db }: Tx,
  { keptId, mergedId }: Both,
  { aliasIds }: MergeUndo,
  now: Date,
): Promise<void> {
  await db
    .update(customers)
    .set({ mergedInto: null, mergeUndo: null })
    .where(and(eq(customers.merchantId, merchantId), eq(customers.id, mergedId)));
  await db
    .update(customers)
    .set({ mergedInto: mergedId })
    .where(and(eq(customers.merchantId, merchantId), anyOf(customers.id, aliasIds)));
  await db
    .update(balances)
    .set({ mergedAt: null, blockedAt: null })
    .where(and(eq(balances.merchantId, merchantId), eq(balances.customerId, mergedId)));
  await db
    .update(balances)
    .set({ unmergedAt: now })
    .where(and(eq(balances.merchantId, merchantId), eq(balances.customerId, keptId)));
}

async function returnRest({ merchantId, db }: Tx, mergedId: string, { noteIds, topUpRequestIds }: MergeUndo) {
  await db
    .update(customerNotes)
    .set({ customerId: mergedId })
    .where(and(eq(customerNotes.merchantId, merchantId), anyOf(customerNotes.id, noteIds)));
  await db
    .update(topUpRequests)
    .set({ customerId: mergedId })
    .where(
      and(
        eq(topUpRequests.merchantId, merchantId),
        anyOf(topUpRequests.id, topUpRequestIds),
        isNull(topUpRequests.transactionUid),
      ),
    );
}
