import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { dateIn } from '../core/calendar';
import { DomainError } from '../core/errors';
import { type Page, type PageRequest, seek, seekSql, toPage } from '../core/page';
import { revisionOf } from '../core/revision';
import type { StaffContext } from '../staff/context';
import type { CampaignInput } from './campaign-schemas';
import type { IssueAudience } from './issue-run';
import { toDay, toSegment } from './segment';

/** What became of a campaign's vouchers. */
export interface Funnel {
  issued: number;
  redeemed: number;
  /** Past their time and never used. */
  expired: number;
  cancelled: number;
  /** What they took off bills, in minor units. */
  discount: number;
}

/** A campaign as the back office shows it. */
export type ManagedCampaign = CampaignInput & {
  campaignId: string;
  revision: string;
  status: 'running' | 'scheduled' | 'paused' | 'ended' | 'archived';
  funnel: Funnel;
};

/** One run of issuing to several, or to one by hand. */
export interface IssueSummary {
  issueId: string;
  audience: IssueAudience;
  /** The day that is celebrated; null: by hand. */
  occasionOn: string | null;
  /** Who issued by hand; null where it happened by itself. */
  issuedBy: string | null;
  requested: number | null;
  issued: number;
  refused: number;
  isFinished: boolean;
  createdAt: Date;
}

const order = { columns: ['c.id'], descending: true };

/** The merchant's campaigns, the latest first, each with its funnel. */
export function listCampaigns(
  ctx: StaffContext,
  { search, status, ...page }: PageRequest & { search: string; status: 'current' | 'archived' },
): Promise<Page<ManagedCampaign>> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { sql } = tx;
    const from = seek(page, order);
    const { where, orderBy, limit } = seekSql(tx, from, order);
    const rows = await sql`
      ${select(tx, ctx.clock.now())} and ${where} and (c.archived_at is not null) = ${status === 'archived'}
        and position(lower(${search}) in lower(c.name)) > 0
      order by ${orderBy} ${limit}`;
    return toPage(
      rows,
      from,
      ({ id }) => [id],
      (row) => toManagedCampaign(ctx, row),
    );
  });
}

/** One campaign with its latest 20 issues. Errors: `campaign_not_found`. */
export function getCampaign(
  ctx: StaffContext,
  { campaignId }: { campaignId: string },
): Promise<ManagedCampaign & { issues: IssueSummary[] }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const [row] = await tx.sql`${select(tx, ctx.clock.now())} and c.id = ${campaignId}`;
    if (!row) throw campaignNotFound();
    return { ...toManagedCampaign(ctx, row), issues: await listIssues(tx, campaignId) };
  });
}

export const campaignNotFound = () => new DomainError('campaign_not_found', 'There is no such campaign.');

const select = ({ merchantId, sql }: Tx, now: Date) => sql`
  select c.*, t.*, array(
    select store_id from voucher_campaign_stores s where s.merchant_id = c.merchant_id and s.campaign_id = c.id
    order by store_id
  ) as store_ids
  from voucher_campaigns c
  cross join lateral (
    select coalesce(sum(issued), 0)::bigint as issued, coalesce(sum(redeemed), 0)::bigint as redeemed,
      coalesce(sum(cancelled), 0)::bigint as cancelled, coalesce(sum(discount), 0)::bigint as discount,
      coalesce(sum(issued - redeemed - cancelled) filter (where expires_at <= ${now}), 0)::bigint as expired
    from voucher_tallies where merchant_id = c.merchant_id and campaign_id = c.id
  ) t
  where c.merchant_id = ${merchantId}`;

async function listIssues({ merchantId, sql }: Tx, campaignId: string): Promise<IssueSummary[]> {
  const rows = await sql`
    select i.id, i.audience, i.occasion_on, u.name, i.requested_count, i.issued_count, i.refused_count, i.finished_at, i.created_at
    from voucher_issues i left join users u on u.id = i.user_id
    where i.merchant_id = ${merchantId} and i.campaign_id = ${campaignId} order by i.created_at desc limit 20`;
  return rows.map((row) => ({
    issueId: row.id,
    audience: row.audience,
    occasionOn: toDay(row.occasion_on),
    issuedBy: row.name,
    requested: row.requested_count,
    issued: row.issued_count,
    refused: row.refused_count,
    isFinished: row.finished_at !== null,
    createdAt: row.created_at,
  }));
}

function toManagedCampaign(ctx: StaffContext, row: Row): ManagedCampaign {
  const input = toInput(ctx, row);
  return {
    campaignId: row.id,
    status: statusOf(row, ctx.clock.now()),
    revision: revisionOf(input),
    funnel: {
      issued: row.issued,
      redeemed: row.redeemed,
      expired: row.expired,
      cancelled: row.cancelled,
      discount: row.discount,
    },
    ...input,
  };
}

/** What people edit of a campaign's row, which has the ids of its stores in their order. */
export function toInput({ merchant }: StaffContext, row: Row): CampaignInput {
  const day = (instant: Date | null) => (instant === null ? null : dateIn(merchant.timeZone, instant));
  return {
    ...toTerms(row),
    name: row.name,
    storeIds: row.store_ids,
    allStores: row.all_stores,
    validFrom: day(row.valid_from),
    validUntil: day(row.valid_until),
    validityDays: row.validity_days,
    trigger: row.trigger,
    daysBefore: row.days_before,
    seasonalOn: toDay(row.seasonal_on),
    segment: toSegment(row),
    totalLimit: row.total_limit,
    perCustomerLimit: row.per_customer_limit,
  };
}

/** What a voucher is worth, which does not change once one is issued. */
export const toTerms = (row: Row) => ({
  unit: row.unit,
  value: row.value,
  plus: row.plus,
  minSpend: row.min_spend,
  maxDiscount: row.max_discount,
  maxUnits: row.max_units,
  stackable: row.stackable,
});

function statusOf(row: Row, now: Date): ManagedCampaign['status'] {
  if (row.archived_at !== null) return 'archived';
  if (row.valid_until !== null && row.valid_until <= now) return 'ended';
  if (row.paused_at !== null) return 'paused';
  return row.valid_from !== null && row.valid_from > now ? 'scheduled' : 'running';
}
