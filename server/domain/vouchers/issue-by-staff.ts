import { isDeepStrictEqual } from 'node:util';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { balances, customers, voucherCampaigns, voucherIssues } from '@/db/schema';
import { countForStaff, findStaffLimit, withStaffLimits } from '../daily-limits';
import { customerNotFound } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { ensureAllStores } from '../kernel/own-stores';
import { say } from '../kernel/say';
import { checkNotBlocked } from '../ledger';
import { type Audience, allCustomers, type IssueInput, type Segment } from './campaign-schemas';
import { campaignNotFound } from './campaigns';
import type { NotIssued } from './issue';
import { batchSize, issueBatch, lockIssue, queueIssue } from './issue-run';
import { type CustomerBatch, checkSegment, readSegment, toSegment } from './segment';

export interface IssueResult {
  issued: number;
  refused: number;
  /** True if the worker continues it. */
  isRunning: boolean;
}

/**
 * Issues vouchers manually: at once if one batch is enough, otherwise in the worker. Repeating an `issueId` issues
 * nothing more and returns its progress. Errors: `campaign_not_found`, `customer_not_found`, `store_not_found`,
 * `campaign_not_running`, `voucher_limit_reached` for a single customer, `role_forbidden` for a segment by staff of
 * named stores, `limit_exceeded` beyond what the person may give in a day.
 */
export async function issueByStaff(ctx: StaffContext, input: IssueInput): Promise<IssueResult> {
  const { merchant, clock } = ctx;
  // A segment covers all customers, and may name any store.
  if (input.audience.kind === 'segment') ensureAllStores(ctx);
  return withStaffLimits(ctx, () => withMerchant(ctx.db, merchant.id, (tx) => issueOnce(tx, ctx, input, clock.now())));
}

async function issueOnce(tx: Tx, ctx: StaffContext, input: IssueInput, now: Date): Promise<IssueResult> {
  const { merchant } = ctx;
  const isRunning = await findWhetherRunning(tx, input.campaignId, now);
  const { issueId, campaignId, audience } = input;
  // Checked first, because the stored row refers to the segment's store.
  if (audience.kind === 'segment') await checkSegment(tx, audience.segment);
  const isNew = await insertIssue(tx, ctx, input, now);
  if (!isNew) return resultOf(tx, input);
  if (!isRunning) ensureIssued('not_running');
  if (audience.kind === 'customers') await checkCustomers(tx, audience.customerIds);
  const change = { after: { issueId, audience: audience.kind, ...describe(audience) } };
  await auditStaff(tx, ctx, 'voucher.issue', { kind: 'campaign', id: campaignId }, change);
  if (audience.kind === 'customers' && audience.customerIds.length < batchSize) {
    const issue = await lockIssue(tx, issueId);
    if (!issue) throw new Error('the issue that was just made is not there');
    const { outcomes } = await issueBatch(tx, merchant, issue, now);
    if (outcomes.size === 1) ensureIssued([...outcomes.values()][0]);
  } else {
    await queueIssue(tx, { merchantId: merchant.id, issueId });
  }
  await Promise.all([announceChange(tx, 'campaigns'), announceChange(tx, 'vouchers')]);
  await countForStaff(tx, ctx, 'vouchers', await countRecipients(tx, ctx, audience, now));
  return resultOf(tx, input);
}

/** Counts who is to get a voucher. A segment is counted only as far as the person's limit requires. */
async function countRecipients(tx: Tx, { merchant, staff }: StaffContext, audience: Audience, now: Date) {
  if (audience.kind === 'customers') return new Set(audience.customerIds).size;
  const maximum = await findStaffLimit(tx, staff.role, 'vouchers');
  if (maximum === null) return audience.expected ?? 0;
  let customers = 0;
  let after: string | null = null;
  do {
    const batch: CustomerBatch = await readSegment(tx, audience.segment, {
      after,
      take: countBatch,
      days: merchant,
      now,
    });
    customers += batch.customerIds.length;
    after = batch.last;
  } while (after !== null && customers <= maximum);
  return customers;
}

const describe = (audience: Audience) =>
  audience.kind === 'segment' ? { segment: audience.segment } : { customers: audience.customerIds.length };

async function findWhetherRunning({ merchantId, db }: Tx, campaignId: string, now: Date): Promise<boolean> {
  const { pausedAt, archivedAt, validUntil, ...its } = voucherCampaigns;
  const isRunning = and(isNull(pausedAt), isNull(archivedAt), or(isNull(validUntil), gt(validUntil, now)));
  const [campaign] = await db
    .select({ isRunning: sql<boolean>`${isRunning}` })
    .from(voucherCampaigns)
    .where(and(eq(its.merchantId, merchantId), eq(its.id, campaignId)));
  if (!campaign) throw campaignNotFound();
  return campaign.isRunning;
}

/** Errors: why a single customer got no voucher. */
function ensureIssued(outcome: object | NotIssued | undefined): void {
  if (outcome === 'not_running') {
    throw new DomainError('campaign_not_running', say('campaignNotRunning'));
  }
  if (outcome === 'limit_reached') {
    throw new DomainError('voucher_limit_reached', say('voucherLimitReached'));
  }
}

const isIssue = ({ merchantId }: Tx, issueId: string) =>
  and(eq(voucherIssues.merchantId, merchantId), eq(voucherIssues.id, issueId));

/** Returns true if the issue is new. Errors: `invalid_request` if the id belongs to a different issue. */
async function insertIssue(
  tx: Tx,
  { staff }: StaffContext,
  { issueId, campaignId, audience }: IssueInput,
  now: Date,
): Promise<boolean> {
  const { merchantId, db } = tx;
  const isSegment = audience.kind === 'segment';
  const customerIds = isSegment ? null : [...new Set(audience.customerIds)];
  const { count } = await db
    .insert(voucherIssues)
    .values({
      merchantId,
      id: issueId,
      campaignId,
      audience: audience.kind,
      ...(isSegment ? audience.segment : allCustomers),
      customerIds,
      requestedCount: isSegment ? audience.expected : customerIds?.length,
      userId: staff.userId,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing();
  if (count === 1) return true;
  const [before] = await db.select().from(voucherIssues).where(isIssue(tx, issueId));
  const isSame =
    before?.campaignId === campaignId &&
    (isSegment
      ? before.audience === 'segment' && isDeepStrictEqual(toSegment(before), { ...audience.segment })
      : isDeepStrictEqual(before.customerIds, customerIds));
  if (!isSame) throw invalid('issueId', say('issueIdUsed'));
  return false;
}

async function checkCustomers({ merchantId, db }: Tx, customerIds: string[]): Promise<void> {
  const requestedIds = new Set(customerIds);
  const rows = await db
    .select({ blockedAt: balances.blockedAt })
    .from(customers)
    .innerJoin(balances, and(eq(balances.merchantId, customers.merchantId), eq(balances.customerId, customers.id)))
    .where(
      and(
        eq(customers.merchantId, merchantId),
        anyOf(customers.id, [...requestedIds]),
        isNull(customers.erasedAt),
        isNull(customers.mergedInto),
      ),
    );
  if (rows.length < requestedIds.size) throw customerNotFound();
  for (const row of rows) checkNotBlocked(row);
}

async function resultOf(tx: Tx, { issueId }: IssueInput): Promise<IssueResult> {
  const { issuedCount, refusedCount, finishedAt } = voucherIssues;
  return only(
    await tx.db
      .select({ issued: issuedCount, refused: refusedCount, isRunning: sql<boolean>`${isNull(finishedAt)}` })
      .from(voucherIssues)
      .where(isIssue(tx, issueId)),
  );
}

/** Customers per database transaction of a count, and the time limit of one call. */
const countBatch = 5_000;
const maxCountMs = 1_000;

/**
 * Counts a part of a segment, `lookedAt` of all customers. Call it again from `next` until that is null, and add the parts
 * up. Errors: `store_not_found`, `menu_entry_not_found`.
 */
export async function countSegment(
  ctx: StaffContext,
  { segment, after }: { segment: Segment; after: string | null },
): Promise<{ customers: number; lookedAt: number; next: string | null }> {
  const { merchant } = ctx;
  const { id } = merchant;
  const stopAt = performance.now() + maxCountMs;
  let customers = 0;
  let lookedAt = 0;
  let next = after;
  do {
    const from = next;
    const batch = await withMerchant(ctx.db, id, async (tx) => {
      if (from === null) await checkSegment(tx, segment);
      return readSegment(tx, segment, { after: from, take: countBatch, days: merchant, now: ctx.clock.now() });
    });
    customers += batch.customerIds.length;
    lookedAt += batch.lookedAt;
    next = batch.last;
  } while (next !== null && performance.now() < stopAt);
  return { customers, lookedAt, next };
}
