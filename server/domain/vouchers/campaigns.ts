import { and, count, desc, eq, getTableColumns, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import { only, type Queries } from '@/db/query/queries';
import { users, voucherCampaignStores, voucherCampaigns, voucherIssues, voucherTallies } from '@/db/schema';
import { dateIn } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { lacksTranslationSql } from '../kernel/missing-translations-sql';
import { isElsewhere } from '../kernel/own-stores';
import { type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import { revisionOf } from '../kernel/revision';
import { say } from '../kernel/say';
import type { CampaignInput } from './campaign-schemas';
import type { IssueAudience } from './issue-run';
import { toSegment } from './segment';

/** A campaign's vouchers by outcome. */
export interface Funnel {
  issued: number;
  redeemed: number;
  /** Expired and never used. */
  expired: number;
  cancelled: number;
  /** Total discount in minor units. */
  discount: number;
}

/** A campaign for the back office. */
export type ManagedCampaign = CampaignInput & {
  campaignId: string;
  revision: string;
  status: 'running' | 'scheduled' | 'paused' | 'ended' | 'archived';
  funnel: Funnel;
};

/** An issue to several customers, or a manual one to a single customer. */
export interface IssueSummary {
  issueId: string;
  audience: IssueAudience;
  /** The birthday, anniversary or season; null for a manual issue. */
  occasionOn: string | null;
  /** Who issued it manually; null if automatic. */
  issuedBy: string | null;
  requested: number | null;
  issued: number;
  refused: number;
  isFinished: boolean;
  createdAt: Date;
}

const newestFirst = { columns: [voucherCampaigns.id], descending: true };

/** Lists the merchant's campaigns, latest first, each with its funnel. */
export function listCampaigns(
  ctx: StaffContext,
  { search, status, ...page }: PageRequest & { search: string; status: 'current' | 'untranslated' | 'archived' },
): Promise<Page<ManagedCampaign>> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { name, archivedAt } = voucherCampaigns;
    const from = seekPage(page, newestFirst);
    const { where, orderBy, limit } = seekSql(from, newestFirst);
    const isAsked = {
      current: isNull(archivedAt),
      untranslated: isUntranslated(ctx),
      archived: isNotNull(archivedAt),
    }[status];
    const rows = await selectCampaigns(
      tx,
      ctx.clock.now(),
      and(where, isAsked, sql`position(lower(${search}) in lower(${name})) > 0`),
    )
      .orderBy(...orderBy)
      .limit(limit);
    return toPage(
      rows,
      from,
      ({ id }) => [id],
      (row) => toManagedCampaign(ctx, row),
    );
  });
}

const isUntranslated = ({ merchant }: StaffContext) =>
  and(isNull(voucherCampaigns.archivedAt), lacksTranslationSql(merchant, voucherCampaigns.translations));

/** Counts campaigns without a name in one of the diners' languages. Archived ones are not counted. */
export function countUntranslatedCampaigns(ctx: StaffContext): Promise<number> {
  return withMerchant(ctx.db, ctx.merchant.id, async ({ merchantId, db }) => {
    const rows = await db
      .select({ present: count() })
      .from(voucherCampaigns)
      .where(and(eq(voucherCampaigns.merchantId, merchantId), isUntranslated(ctx)));
    return only(rows).present;
  });
}

/** Returns a campaign with its latest 20 issues. Errors: `campaign_not_found`. */
export function getCampaign(
  ctx: StaffContext,
  { campaignId }: { campaignId: string },
): Promise<ManagedCampaign & { issues: IssueSummary[] }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const [row] = await selectCampaigns(tx, ctx.clock.now(), eq(voucherCampaigns.id, campaignId));
    if (!row) throw campaignNotFound();
    return { ...toManagedCampaign(ctx, row), issues: await listIssues(tx, campaignId) };
  });
}

export const campaignNotFound = () => new DomainError('campaign_not_found', say('campaignNotFound'));

/** A campaign's columns with its stores' ids in order. */
export const campaignColumns = (db: Queries) => {
  const { merchantId, campaignId, storeId } = voucherCampaignStores;
  const ofCampaign = db
    .select({ storeId })
    .from(voucherCampaignStores)
    .where(and(eq(merchantId, voucherCampaigns.merchantId), eq(campaignId, voucherCampaigns.id)))
    .orderBy(storeId);
  return { ...getTableColumns(voucherCampaigns), storeIds: sql<string[]>`array${ofCampaign}` };
};

type CampaignRow = typeof voucherCampaigns.$inferSelect & { storeIds: string[] };

function selectCampaigns({ merchantId, db }: Tx, now: Date, condition: SQL | undefined) {
  const { issued, redeemed, cancelled, discount, expiresAt, ...tallies } = voucherTallies;
  const sumOf = (column: PgColumn | SQL, filter = sql``) => sql<number>`coalesce(sum(${column})${filter}, 0)::bigint`;
  const hasExpired = sql` filter (where ${lte(expiresAt, now)})`;
  const funnel = db
    .select({
      issued: sumOf(issued).as('issued'),
      redeemed: sumOf(redeemed).as('redeemed'),
      expired: sumOf(sql`${issued} - ${redeemed} - ${cancelled}`, hasExpired).as('expired'),
      cancelled: sumOf(cancelled).as('cancelled'),
      discount: sumOf(discount).as('discount'),
    })
    .from(voucherTallies)
    .where(and(eq(tallies.merchantId, voucherCampaigns.merchantId), eq(tallies.campaignId, voucherCampaigns.id)))
    .as('funnel');
  return db
    .select({ ...campaignColumns(db), funnel: funnel._.selectedFields })
    .from(voucherCampaigns)
    .crossJoinLateral(funnel)
    .where(and(eq(voucherCampaigns.merchantId, merchantId), condition));
}

const listIssues = ({ merchantId, db }: Tx, campaignId: string): Promise<IssueSummary[]> =>
  db
    .select({
      issueId: voucherIssues.id,
      audience: voucherIssues.audience,
      occasionOn: voucherIssues.occasionOn,
      issuedBy: users.name,
      requested: voucherIssues.requestedCount,
      issued: voucherIssues.issuedCount,
      refused: voucherIssues.refusedCount,
      isFinished: sql<boolean>`${isNotNull(voucherIssues.finishedAt)}`,
      createdAt: voucherIssues.createdAt,
    })
    .from(voucherIssues)
    .leftJoin(users, eq(users.id, voucherIssues.userId))
    .where(and(eq(voucherIssues.merchantId, merchantId), eq(voucherIssues.campaignId, campaignId)))
    .orderBy(desc(voucherIssues.createdAt))
    .limit(20);

function toManagedCampaign(ctx: StaffContext, row: CampaignRow & { funnel: Funnel }): ManagedCampaign {
  const input = toInput(ctx, row);
  const { lastVisitedStoreId } = input.segment;
  const segment = {
    ...input.segment,
    lastVisitedStoreId: isElsewhere(ctx.db, lastVisitedStoreId) ? null : lastVisitedStoreId,
  };
  return {
    campaignId: row.id,
    status: statusOf(row, ctx.clock.now()),
    revision: revisionOf(input),
    funnel: row.funnel,
    ...input,
    segment,
  };
}

/** Returns a campaign's editable fields. */
export function toInput({ merchant }: StaffContext, row: CampaignRow): CampaignInput {
  const day = (instant: Date | null) => (instant === null ? null : dateIn(merchant, instant));
  return {
    unit: row.unit,
    value: row.value,
    plus: row.plus,
    minSpend: row.minSpend,
    maxDiscount: row.maxDiscount,
    maxUnits: row.maxUnits,
    stackable: row.stackable,
    name: row.name,
    translations: row.translations,
    storeIds: row.storeIds,
    allStores: row.allStores,
    validFrom: day(row.validFrom),
    validUntil: day(row.validUntil),
    validityDays: row.validityDays,
    trigger: row.trigger,
    daysBefore: row.daysBefore,
    seasonalOn: row.seasonalOn,
    segment: toSegment(row),
    totalLimit: row.totalLimit,
    perCustomerLimit: row.perCustomerLimit,
  };
}

function statusOf(row: CampaignRow, now: Date): ManagedCampaign['status'] {
  if (row.archivedAt !== null) return 'archived';
  if (row.validUntil !== null && row.validUntil <= now) return 'ended';
  if (row.pausedAt !== null) return 'paused';
  return row.validFrom !== null && row.validFrom > now ? 'scheduled' : 'running';
}
