import { and, between, eq, gt, gte, isNotNull, lte, or, sql } from 'drizzle-orm';
import { voucherCampaigns, voucherTallies } from '@/db/schema';
import { endOfDate, startOfDate } from '../core/calendar';
import type { StaffContext } from '../core/context';
import { readBooks } from './books';
import { untilToday } from './period';
import type { Period } from './schemas';

export interface CampaignResult {
  campaignId: string;
  name: string;
  issued: number;
  /** Less the redemptions that were voided. */
  redeemed: number;
  /** Those that expired in the period and were neither redeemed nor cancelled. */
  expired: number;
  /** Minor units. */
  discount: number;
}

export interface VoucherReport extends Period {
  /** The campaigns that something became of in the period. */
  campaigns: CampaignResult[];
  total: Omit<CampaignResult, 'campaignId' | 'name'>;
}

/** What became of each campaign's vouchers. */
export function voucherReport(ctx: StaffContext, input: Period): Promise<VoucherReport> {
  const { from, to } = untilToday(ctx, input);
  const { merchant, clock } = ctx;
  const end = endOfDate(to, merchant.timeZone);
  // What expires later today has not expired.
  const now = clock.now();
  const expiredBy = end < now ? end : now;
  return readBooks(ctx, async ({ tx: { merchantId, db }, voucherDays }) => {
    const became = db
      .select({
        campaignId: voucherDays.campaignId,
        issued: sql<number>`sum(${voucherDays.issued})`.as('issued'),
        redeemed: sql<number>`sum(${voucherDays.redeemed})`.as('redeemed'),
        discount: sql<number>`sum(${voucherDays.discount})`.as('discount'),
      })
      .from(voucherDays)
      .where(between(voucherDays.day, from, to))
      .groupBy(voucherDays.campaignId)
      .as('became');
    const { campaignId, issued, redeemed, cancelled, expiresAt } = voucherTallies;
    const unused = db
      .select({ campaignId, expired: sql<number>`sum(${issued} - ${redeemed} - ${cancelled})`.as('expired') })
      .from(voucherTallies)
      .where(
        and(
          eq(voucherTallies.merchantId, merchantId),
          gte(expiresAt, startOfDate(from, merchant.timeZone)),
          lte(expiresAt, expiredBy),
        ),
      )
      .groupBy(campaignId)
      .as('unused');
    const { id, name } = voucherCampaigns;
    const campaigns: CampaignResult[] = await db
      .select({
        campaignId: id,
        name,
        issued: sql<number>`coalesce(${became.issued}, 0)::int`,
        redeemed: sql<number>`coalesce(${became.redeemed}, 0)::int`,
        expired: sql<number>`coalesce(${unused.expired}, 0)::int`,
        discount: sql<number>`coalesce(${became.discount}, 0)::bigint`,
      })
      .from(voucherCampaigns)
      .leftJoin(became, eq(became.campaignId, id))
      .leftJoin(unused, eq(unused.campaignId, id))
      .where(and(eq(voucherCampaigns.merchantId, merchantId), or(isNotNull(became.campaignId), gt(unused.expired, 0))))
      .orderBy(name, id);
    const add = (key: keyof VoucherReport['total']) => campaigns.reduce((sum, row) => sum + row[key], 0);
    const total = {
      issued: add('issued'),
      redeemed: add('redeemed'),
      expired: add('expired'),
      discount: add('discount'),
    };
    return { from, to, campaigns, total };
  });
}
