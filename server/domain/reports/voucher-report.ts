import { and, between, eq, gt, gte, isNotNull, lte, or, sql } from 'drizzle-orm';
import { voucherCampaigns, voucherTallies } from '@/db/schema';
import { endOfDate, startOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { type Books, readBooks } from './books';
import { periodBefore, untilToday } from './rules';
import type { Period } from './schemas';

export interface CampaignResult {
  campaignId: string;
  name: string;
  issued: number;
  /** Since the campaign began. */
  everIssued: number;
  /** Not counting voided redemptions. */
  redeemed: number;
  /** Expired unused in the period. */
  expired: number;
  /** Minor units. */
  discount: number;
}

type VoucherTotal = Omit<CampaignResult, 'campaignId' | 'name' | 'everIssued'>;

export interface VoucherReport extends Period {
  /** The campaigns that changed in the period. */
  campaigns: CampaignResult[];
  total: VoucherTotal;
  /** In the same number of days before the period. */
  before: VoucherTotal;
}

/** Reports each campaign's vouchers. */
export function voucherReport(ctx: StaffContext, input: Period): Promise<VoucherReport> {
  const period = untilToday(ctx, input);
  const { from, to } = period;
  return readBooks(ctx, async (books) => {
    const [campaigns, before] = await Promise.all([
      byCampaign(ctx, books, period),
      byCampaign(ctx, books, periodBefore(period)),
    ]);
    return { from, to, campaigns, total: addCampaigns(campaigns), before: addCampaigns(before) };
  });
}

function byCampaign({ merchant, clock }: StaffContext, books: Books, { from, to }: Period): Promise<CampaignResult[]> {
  const {
    tx: { merchantId, db },
    voucherDays,
  } = books;
  const end = endOfDate(to, merchant);
  // A voucher that expires later today has not expired yet.
  const now = clock.now();
  const expiredBy = end < now ? end : now;
  const results = db
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
        gte(expiresAt, startOfDate(from, merchant)),
        lte(expiresAt, expiredBy),
      ),
    )
    .groupBy(campaignId)
    .as('unused');
  const { id, name } = voucherCampaigns;
  const ever = db
    .select({ issued: sql`sum(${issued})` })
    .from(voucherTallies)
    .where(and(eq(voucherTallies.merchantId, merchantId), eq(campaignId, id)));
  return db
    .select({
      campaignId: id,
      name,
      issued: sql<number>`coalesce(${results.issued}, 0)::int`,
      everIssued: sql<number>`coalesce(${ever}, 0)::int`,
      redeemed: sql<number>`coalesce(${results.redeemed}, 0)::int`,
      expired: sql<number>`coalesce(${unused.expired}, 0)::int`,
      discount: sql<number>`coalesce(${results.discount}, 0)::bigint`,
    })
    .from(voucherCampaigns)
    .leftJoin(results, eq(results.campaignId, id))
    .leftJoin(unused, eq(unused.campaignId, id))
    .where(and(eq(voucherCampaigns.merchantId, merchantId), or(isNotNull(results.campaignId), gt(unused.expired, 0))))
    .orderBy(name, id);
}

function addCampaigns(campaigns: CampaignResult[]): VoucherTotal {
  const add = (key: keyof VoucherTotal) => campaigns.reduce((sum, row) => sum + row[key], 0);
  return { issued: add('issued'), redeemed: add('redeemed'), expired: add('expired'), discount: add('discount') };
}
