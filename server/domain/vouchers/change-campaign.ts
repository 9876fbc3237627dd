import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { dateIn, endOfDate, startOfDate } from '../core/calendar';
import { announce } from '../core/changes';
import { DomainError, type Issue, invalid } from '../core/errors';
import { newId } from '../core/ids';
import { checkRevision, revisionOf } from '../core/revision';
import { checkStoreIds } from '../merchants/store';
import type { StaffContext } from '../staff/context';
import { type CampaignInput, everybody } from './campaign-schemas';
import { campaignNotFound, toInput, toTerms } from './campaigns';
import { queueIssue } from './issue-run';
import { lastBegun } from './occasions';
import { isForItems } from './schemas';
import { checkSegment, segmentColumns } from './segment';

/** Errors: `store_not_found`. */
export function createCampaign(ctx: StaffContext, input: CampaignInput): Promise<{ campaignId: string }> {
  const campaign = withoutIdleFields(input);
  const campaignId = newId();
  return change(ctx, campaignId, 'campaign.create', async (tx) => {
    const { merchantId, sql } = tx;
    await checkReferences(tx, campaign);
    checkSeason(ctx, campaign);
    await sql`
      insert into voucher_campaigns ${sql({
        merchant_id: merchantId,
        id: campaignId,
        ...toColumns(ctx, campaign),
        ...beginning(ctx, campaign.daysBefore),
      })}`;
    await link(tx, campaignId, campaign);
    return { result: { campaignId }, after: campaign };
  });
}

/**
 * Once a voucher is issued, what it is worth stays: only name, dates, limits, trigger and more stores may change.
 * Errors: `campaign_not_found`, `store_not_found`, `invalid_request` for what can't change any more, `edited_meanwhile`.
 */
export function updateCampaign(
  ctx: StaffContext,
  { campaignId, campaign: input, revision: opened }: { campaignId: string; campaign: CampaignInput; revision: string },
): Promise<{ revision: string }> {
  const campaign = withoutIdleFields(input);
  return change(ctx, campaignId, 'campaign.update', async (tx) => {
    const { merchantId, sql } = tx;
    const row = await lockCampaign(tx, campaignId);
    const before = toInput(ctx, row);
    checkRevision(opened, revisionOf(before));
    await checkReferences(tx, campaign);
    const columns = toColumns(ctx, campaign);
    checkKept(row, campaign, columns.valid_from);
    const isOtherOccasion =
      before.trigger !== campaign.trigger ||
      before.daysBefore !== campaign.daysBefore ||
      before.seasonalOn !== campaign.seasonalOn;
    if (isOtherOccasion) checkSeason(ctx, campaign);
    await sql`
      update voucher_campaigns set ${sql({ ...columns, ...(isOtherOccasion ? beginning(ctx, campaign.daysBefore) : {}) })}
      where merchant_id = ${merchantId} and id = ${campaignId}`;
    await link(tx, campaignId, campaign);
    const revision = revisionOf(toInput(ctx, await lockCampaign(tx, campaignId)));
    return { result: { revision }, before, after: campaign };
  });
}

/**
 * While a campaign is paused nothing is issued; what is issued stays good. Resuming it resumes its unfinished issues.
 * Repeating either call changes nothing.
 */
export function setCampaignPaused(
  ctx: StaffContext,
  { campaignId, isPaused }: { campaignId: string; isPaused: boolean },
): Promise<void> {
  return change(ctx, campaignId, isPaused ? 'campaign.pause' : 'campaign.resume', async (tx) => {
    const { merchantId, sql } = tx;
    const { days_before, paused_at } = await lockCampaign(tx, campaignId);
    if ((paused_at !== null) === isPaused) return { result: undefined, isUnchanged: true };
    const pausedAt = isPaused ? ctx.clock.now() : null;
    await sql`
      update voucher_campaigns set ${sql({ paused_at: pausedAt, ...beginning(ctx, days_before) })}
      where merchant_id = ${merchantId} and id = ${campaignId}`;
    if (!isPaused) {
      const waiting = await sql`
        select id from voucher_issues
        where merchant_id = ${merchantId} and campaign_id = ${campaignId} and finished_at is null limit 100`;
      for (const { id } of waiting) await queueIssue(tx, { merchantId, issueId: id });
    }
    return { result: undefined };
  });
}

/** An archived campaign issues nothing; its vouchers stay good. Repeating the call changes nothing. */
export function setCampaignArchived(
  ctx: StaffContext,
  { campaignId, isArchived }: { campaignId: string; isArchived: boolean },
): Promise<void> {
  return change(ctx, campaignId, isArchived ? 'campaign.archive' : 'campaign.restore', async (tx) => {
    const { merchantId, sql } = tx;
    const { days_before, archived_at } = await lockCampaign(tx, campaignId);
    if ((archived_at !== null) === isArchived) return { result: undefined, isUnchanged: true };
    const archivedAt = isArchived ? ctx.clock.now() : null;
    await sql`
      update voucher_campaigns set ${sql({ archived_at: archivedAt, ...beginning(ctx, days_before) })}
      where merchant_id = ${merchantId} and id = ${campaignId}`;
    return { result: undefined };
  });
}

/** One change of a campaign: with its line in the audit log, and announced to open screens. */
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
    await announce(tx, 'campaigns');
    return result;
  });
}

async function lockCampaign({ merchantId, sql }: Tx, campaignId: string): Promise<Row> {
  const [locked] = await sql`
    select from voucher_campaigns where merchant_id = ${merchantId} and id = ${campaignId} for no key update`;
  if (!locked) throw campaignNotFound();
  const [row] = await sql`
    select c.*, array(
        select store_id from voucher_campaign_stores s where s.merchant_id = c.merchant_id and s.campaign_id = c.id
        order by store_id
      ) as store_ids,
      exists (select from vouchers v where v.merchant_id = c.merchant_id and v.campaign_id = c.id) as is_issued
    from voucher_campaigns c where c.merchant_id = ${merchantId} and c.id = ${campaignId}`;
  return row as Row;
}

/** Errors: `invalid_request` with an issue for each field that holders of vouchers rely on. */
function checkKept(before: Row, campaign: CampaignInput, validFrom: Date | null): void {
  if (!before.is_issued) return;
  const issues: Issue[] = Object.entries(toTerms(before))
    .filter(([field, value]) => JSON.stringify(campaign[field as keyof CampaignInput]) !== JSON.stringify(value))
    .map(([path]) => ({ path, message: 'stays as it is once a voucher is issued' }));
  const isFewer = before.all_stores
    ? !campaign.allStores
    : !campaign.allStores && before.store_ids.some((storeId: string) => !campaign.storeIds.includes(storeId));
  if (isFewer) issues.push({ path: 'storeIds', message: 'can only become more once a voucher is issued' });
  if (validFrom !== null && (before.valid_from === null || validFrom > before.valid_from)) {
    issues.push({ path: 'validFrom', message: 'can only become earlier once a voucher is issued' });
  }
  if (campaign.totalLimit !== null && campaign.totalLimit < before.issued_count) {
    issues.push({ path: 'totalLimit', message: `must not be below the ${before.issued_count} that were issued` });
  }
  if (issues.length === 0) return;
  throw new DomainError('invalid_request', 'Customers hold vouchers of this campaign already.', {}, issues);
}

/** Days on which a campaign was not there, or paused, are not made up for. */
const beginning = ({ merchant, clock }: StaffContext, daysBefore: number) => ({
  occasions_through: lastBegun(dateIn(merchant.timeZone, clock.now()), daysBefore),
});

/** Errors: `invalid_request` for a day that is over. */
function checkSeason({ merchant, clock }: StaffContext, { seasonalOn }: CampaignInput): void {
  if (seasonalOn !== null && seasonalOn < dateIn(merchant.timeZone, clock.now())) {
    throw invalid('seasonalOn', 'is over already');
  }
}

async function checkReferences(tx: Tx, { storeIds, segment }: CampaignInput): Promise<void> {
  await checkStoreIds(tx, storeIds);
  await checkSegment(tx, segment);
}

/** What does not belong to its unit or trigger is not kept. */
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
    segment: isSeasonal ? input.segment : everybody,
  };
}

async function link({ merchantId, sql }: Tx, campaignId: string, { storeIds }: CampaignInput): Promise<void> {
  await sql`delete from voucher_campaign_stores where merchant_id = ${merchantId} and campaign_id = ${campaignId}`;
  await sql`
    insert into voucher_campaign_stores (merchant_id, campaign_id, store_id)
    select distinct ${merchantId}::uuid, ${campaignId}::uuid, store_id from unnest(${storeIds}::uuid[]) store_id`;
}

function toColumns({ merchant }: StaffContext, input: CampaignInput) {
  const { validFrom, validUntil } = input;
  return {
    name: input.name,
    unit: input.unit,
    value: input.value,
    plus: input.plus,
    min_spend: input.minSpend,
    max_discount: input.maxDiscount,
    max_units: input.maxUnits,
    stackable: input.stackable,
    all_stores: input.allStores,
    valid_from: validFrom === null ? null : startOfDate(validFrom, merchant.timeZone),
    valid_until: validUntil === null ? null : endOfDate(validUntil, merchant.timeZone),
    validity_days: input.validityDays,
    trigger: input.trigger,
    days_before: input.daysBefore,
    seasonal_on: input.seasonalOn,
    ...segmentColumns(input.segment),
    total_limit: input.totalLimit,
    per_customer_limit: input.perCustomerLimit,
  };
}
