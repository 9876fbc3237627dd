import { endOfDate, startOfDate } from '../core/calendar';
import type { StaffContext } from '../staff/context';
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
  return readBooks(ctx, async ({ tx: { merchantId, sql }, voucherDays }) => {
    const rows = await sql<CampaignResult[]>`
      select c.id as "campaignId", c.name, coalesce(d.issued, 0)::int as issued, coalesce(d.redeemed, 0)::int as redeemed,
        coalesce(e.expired, 0)::int as expired, coalesce(d.discount, 0)::bigint as discount
      from voucher_campaigns c
      left join (
        select campaign_id, sum(issued) as issued, sum(redeemed) as redeemed, sum(discount) as discount
        from (${voucherDays}) d where day between ${from} and ${to} group by campaign_id
      ) d on d.campaign_id = c.id
      left join (
        select campaign_id, sum(issued - redeemed - cancelled) as expired from voucher_tallies
        where merchant_id = ${merchantId} and expires_at >= ${startOfDate(from, merchant.timeZone)}
          and expires_at <= ${expiredBy}
        group by campaign_id
      ) e on e.campaign_id = c.id
      where c.merchant_id = ${merchantId} and (d.campaign_id is not null or e.expired > 0)
      order by c.name, c.id`;
    const add = (key: keyof VoucherReport['total']) => rows.reduce((sum, row) => sum + row[key], 0);
    const total = {
      issued: add('issued'),
      redeemed: add('redeemed'),
      expired: add('expired'),
      discount: add('discount'),
    };
    return { from, to, campaigns: [...rows], total };
  });
}
