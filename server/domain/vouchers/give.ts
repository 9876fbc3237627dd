/** One voucher to the customer at the counter. */
import { and, desc, eq, gt, isNull, lte, or, type SQL } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { voucherCampaigns } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import type { CampaignInput, GiveInput } from './campaign-schemas';
import { campaignNotFound } from './campaigns';
import { type IssueResult, issueByStaff } from './issue-by-staff';

/** A campaign, as far as it is needed to choose it. */
type Choice = Pick<CampaignInput, 'name' | 'unit' | 'value' | 'maxUnits'> & { campaignId: string };

/** More would be hard to choose from. */
const maxChoices = 100;

/** Cashiers give goodwill, and no birthdays. */
const mayGive = ({ staff }: StaffContext): SQL | undefined =>
  staff.role === 'cashier' ? eq(voucherCampaigns.trigger, 'manual') : undefined;

/** Lists the active campaigns whose vouchers the person may give a customer, latest first. */
export function listGivable(ctx: StaffContext): Promise<Choice[]> {
  const { id, name, unit, value, maxUnits, pausedAt, archivedAt, validFrom, validUntil } = voucherCampaigns;
  const now = ctx.clock.now();
  return withMerchant(ctx.db, ctx.merchant.id, ({ merchantId, db }) =>
    db
      .select({ campaignId: id, name, unit, value, maxUnits })
      .from(voucherCampaigns)
      .where(
        and(
          eq(voucherCampaigns.merchantId, merchantId),
          isNull(pausedAt),
          isNull(archivedAt),
          or(isNull(validFrom), lte(validFrom, now)),
          or(isNull(validUntil), gt(validUntil, now)),
          mayGive(ctx),
        ),
      )
      .orderBy(desc(id))
      .limit(maxChoices),
  );
}

/**
 * Gives one voucher to one customer. Repeating an `issueId` gives nothing more. Errors: those of `issueByStaff`;
 * `campaign_not_found` also for a campaign that the person may not give.
 */
export async function giveVoucher(ctx: StaffContext, { customerId, ...input }: GiveInput): Promise<IssueResult> {
  const { merchantId, id } = voucherCampaigns;
  const found = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    tx.db
      .select({ id })
      .from(voucherCampaigns)
      .where(and(eq(merchantId, tx.merchantId), eq(id, input.campaignId), mayGive(ctx))),
  );
  if (found.length === 0) throw campaignNotFound();
  return issueByStaff(ctx, { ...input, audience: { kind: 'customers', customerIds: [customerId] } });
}
