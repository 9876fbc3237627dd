import { and, eq, exists, isNull, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { insertRows } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { voucherCampaignStores, voucherCampaigns, voucherIssues, vouchers } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { dateIn, endOfDate, startOfDate } from '../kernel/calendar';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, type Issue, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { checkRevision, revisionOf } from '../kernel/revision';
import { say } from '../kernel/say';
import { isForItems } from '../kernel/voucher-units';
import { checkStoreIds } from '../merchants';
import { allCustomers, type CampaignInput } from './campaign-schemas';
import { campaignColumns, campaignNotFound, toInput } from './campaigns';
import { termColumns } from './issue';
import { queueIssue } from './issue-run';
import { startingCursor } from './occasions';
import { checkSegment } from './segment';

/** Errors: `store_not_found`. */
export function createCampaign(ctx: StaffContext, input: CampaignInput): Promise<{ campaignId: string }> {
  const campaign = withoutIdleFields(input);
  const campaignId = newId();
  return change(ctx, campaignId, 'campaign.create', async (tx) => {
    const { merchantId, db } = tx;
    await checkReferences(tx, campaign);
    checkSeason(ctx, campaign);
    await db.insert(voucherCampaigns).values({
      merchantId,
      id: campaignId,
      ...toColumns(ctx, campaign),
      ...initialProgress(ctx, campaign.daysBefore),
    });
    await link(tx, campaignId, campaign);
    return { result: { campaignId }, after: campaign };
  });
}

/**
 * Updates a campaign. Once a voucher was issued, its value is fixed: only the name, dates, limits, trigger and
 * additional stores can change. Errors: `campaign_not_found`, `store_not_found`, `invalid_request` for what can no
 * longer change, `edited_meanwhile`.
 */
export function updateCampaign(
  ctx: StaffContext,
  { campaignId, campaign: input, revision: opened }: { campaignId: string; campaign: CampaignInput; revision: string },
): Promise<{ revision: string }> {
  const campaign = withoutIdleFields(input);
  return change(ctx, campaignId, 'campaign.update', async (tx) => {
    const row = await lockCampaign(tx, campaignId);
    const before = toInput(ctx, row);
    checkRevision(opened, revisionOf(before));
    await checkReferences(tx, campaign);
    const columns = toColumns(ctx, campaign);
    checkKept(row, campaign, columns.validFrom);
    const isOtherOccasion =
      before.trigger !== campaign.trigger ||
      before.daysBefore !== campaign.daysBefore ||
      before.seasonalOn !== campaign.seasonalOn;
    if (isOtherOccasion) checkSeason(ctx, campaign);
    await update(tx, campaignId, { ...columns, ...(isOtherOccasion ? initialProgress(ctx, campaign.daysBefore) : {}) });
    await link(tx, campaignId, campaign);
    const revision = revisionOf(toInput(ctx, await lockCampaign(tx, campaignId)));
    return { result: { revision }, before, after: campaign };
  });
}

/**
 * Pauses or resumes a campaign. A paused campaign issues nothing, but issued vouchers stay valid. Resuming it resumes
 * its unfinished issues. Repeating either call does nothing.
 */
export function setCampaignPaused(
  ctx: StaffContext,
  { campaignId, isPaused }: { campaignId: string; isPaused: boolean },
): Promise<void> {
  return change(ctx, campaignId, isPaused ? 'campaign.pause' : 'campaign.resume', async (tx) => {
    const before = await lockCampaign(tx, campaignId);
    if ((before.pausedAt !== null) === isPaused) return { result: undefined, isUnchanged: true };
    const pausedAt = isPaused ? ctx.clock.now() : null;
    await update(tx, campaignId, { pausedAt, ...initialProgress(ctx, before.daysBefore) });
    if (!isPaused) {
      const { merchantId, db } = tx;
      const waiting = await db
        .select({ issueId: voucherIssues.id })
        .from(voucherIssues)
        .where(
          and(
            eq(voucherIssues.merchantId, merchantId),
            eq(voucherIssues.campaignId, campaignId),
            isNull(voucherIssues.finishedAt),
          ),
        )
        .limit(100);
      for (const { issueId } of waiting) await queueIssue(tx, { merchantId, issueId });
    }
    return { result: undefined };
  });
}

/** Archives a campaign: it issues nothing, but issued vouchers stay valid. Repeating the call does nothing. */
export function setCampaignArchived(
  ctx: StaffContext,
  { campaignId, isArchived }: { campaignId: string; isArchived: boolean },
): Promise<void> {
  return change(ctx, campaignId, isArchived ? 'campaign.archive' : 'campaign.restore', async (tx) => {
    const before = await lockCampaign(tx, campaignId);
    if ((before.archivedAt !== null) === isArchived) return { result: undefined, isUnchanged: true };
    const archivedAt = isArchived ? ctx.clock.now() : null;
    await update(tx, campaignId, { archivedAt, ...initialProgress(ctx, before.daysBefore) });
    return { result: undefined };
  });
}

/** Runs one change of a campaign, with its audit entry, and notifies open screens. */
function change<T>(
  ctx: StaffContext,
  campaignId: string,
  action: string,
  work: (tx: Tx) => Promise<{ result: T; before?: CampaignInput; after?: CampaignInput; isUnchanged?: true }>,
): Promise<T> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { result, before, after, isUnchanged } = await work(tx);
    if (isUnchanged) return result;
    await auditStaff(tx, ctx, action, { kind: 'campaign', id: campaignId }, { before, after });
    await announceChange(tx, 'campaigns');
    return result;
  });
}

const isCampaign = ({ merchantId }: Tx, campaignId: string) =>
  and(eq(voucherCampaigns.merchantId, merchantId), eq(voucherCampaigns.id, campaignId));

const update = (tx: Tx, campaignId: string, change: Partial<typeof voucherCampaigns.$inferInsert>) =>
  tx.db.update(voucherCampaigns).set(change).where(isCampaign(tx, campaignId));

async function lockCampaign(tx: Tx, campaignId: string) {
  const { db } = tx;
  const { id, merchantId } = voucherCampaigns;
  const isIt = isCampaign(tx, campaignId);
  const [locked] = await db.select({ id }).from(voucherCampaigns).where(isIt).for('no key update');
  if (!locked) throw campaignNotFound();
  const issued = db
    .select({ id: vouchers.id })
    .from(vouchers)
    .where(and(eq(vouchers.merchantId, merchantId), eq(vouchers.campaignId, id)));
  const columns = { ...campaignColumns(db), isIssued: sql<boolean>`${exists(issued)}` };
  return only(await db.select(columns).from(voucherCampaigns).where(isIt));
}

type LockedCampaign = Awaited<ReturnType<typeof lockCampaign>>;

const terms = Object.keys(termColumns) as (keyof typeof termColumns)[];

/** Errors: `invalid_request` with an issue for each changed field that voucher holders rely on. */
function checkKept(before: LockedCampaign, campaign: CampaignInput, validFrom: Date | null): void {
  if (!before.isIssued) return;
  const issues: Issue[] = terms
    .filter((term) => JSON.stringify(campaign[term]) !== JSON.stringify(before[term]))
    .map((path) => ({ path, sentence: say('keptOnceIssued') }));
  const isFewer = before.allStores
    ? !campaign.allStores
    : !campaign.allStores && before.storeIds.some((storeId) => !campaign.storeIds.includes(storeId));
  if (isFewer) issues.push({ path: 'storeIds', sentence: say('onlyMoreOnceIssued') });
  if (validFrom !== null && (before.validFrom === null || validFrom > before.validFrom)) {
    issues.push({ path: 'validFrom', sentence: say('onlyEarlierOnceIssued') });
  }
  if (campaign.totalLimit !== null && campaign.totalLimit < before.issuedCount) {
    issues.push({ path: 'totalLimit', sentence: say('belowIssued', { count: before.issuedCount }) });
  }
  if (issues.length === 0) return;
  throw new DomainError('invalid_request', say('vouchersHeld'), {}, issues);
}

/** A campaign does not make up for days on which it did not exist or was paused. */
const initialProgress = ({ merchant, clock }: StaffContext, daysBefore: number) => ({
  occasionsThrough: startingCursor(dateIn(merchant, clock.now()), daysBefore),
});

/** Errors: `invalid_request` for a day in the past. */
function checkSeason({ merchant, clock }: StaffContext, { seasonalOn }: CampaignInput): void {
  if (seasonalOn !== null && seasonalOn < dateIn(merchant, clock.now())) {
    throw invalid('seasonalOn', say('overAlready'));
  }
}

async function checkReferences(tx: Tx, { storeIds, segment }: CampaignInput): Promise<void> {
  await checkStoreIds(tx, storeIds);
  await checkSegment(tx, segment);
}

/** Drops fields that do not apply to the discount type or trigger. */
function withoutIdleFields(input: CampaignInput): CampaignInput {
  const ofItems = isForItems(input.unit);
  const isSeasonal = input.trigger === 'seasonal';
  return {
    ...input,
    plus: ofItems ? input.plus : [],
    maxUnits: ofItems ? input.maxUnits : 1,
    storeIds: input.allStores ? [] : input.storeIds,
    daysBefore: input.trigger === 'birthday' || input.trigger === 'anniversary' ? input.daysBefore : 0,
    seasonalOn: isSeasonal ? input.seasonalOn : null,
    segment: isSeasonal ? input.segment : allCustomers,
  };
}

const insertStores = insertRows(voucherCampaignStores, ['campaignId', 'storeId'], sql`do nothing`);

async function link(tx: Tx, campaignId: string, { storeIds }: CampaignInput): Promise<void> {
  const ofCampaign = and(
    eq(voucherCampaignStores.merchantId, tx.merchantId),
    eq(voucherCampaignStores.campaignId, campaignId),
  );
  await tx.db.delete(voucherCampaignStores).where(ofCampaign);
  await insertStores(
    tx,
    storeIds.map((storeId) => ({ campaignId, storeId })),
  );
}

function toColumns({ merchant }: StaffContext, { segment, storeIds, ...input }: CampaignInput) {
  const { validFrom, validUntil } = input;
  return {
    ...input,
    ...segment,
    validFrom: validFrom === null ? null : startOfDate(validFrom, merchant),
    validUntil: validUntil === null ? null : endOfDate(validUntil, merchant),
  };
}
