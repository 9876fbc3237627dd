import { minorDigits } from '@/server/domain/core/money';
import { campaignListInput, voucherListInput } from '@/server/domain/vouchers/campaign-schemas';
import { exportVouchers } from '@/server/domain/vouchers/campaign-vouchers';
import { exportCampaigns } from '@/server/domain/vouchers/campaigns';
import type { Export } from './exports';
import { toCsv } from './write';

const campaignFilter = campaignListInput.pick({ search: true, status: true }).strip();
const voucherFilter = voucherListInput.pick({ campaignId: true, state: true }).strip();

/** The campaigns with their funnels, as the screen is filtered. */
export const campaignsExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query) =>
    toCsv(
      {
        campaignId: ({ campaignId }) => campaignId,
        name: ({ name }) => name,
        status: ({ status }) => status,
        occasion: ({ trigger }) => trigger,
        issued: ({ funnel }) => funnel.issued,
        redeemed: ({ funnel }) => funnel.redeemed,
        expired: ({ funnel }) => funnel.expired,
        cancelled: ({ funnel }) => funnel.cancelled,
        discountGiven: ({ funnel }) => funnel.discount / 10 ** minorDigits(ctx.merchant.currency),
        currency: () => ctx.merchant.currency,
      },
      exportCampaigns(ctx, campaignFilter.parse(query)),
    ),
};

/** A campaign's vouchers, as the screen is filtered. */
export const vouchersExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query) =>
    toCsv(
      {
        voucherCode: ({ voucherCode }) => voucherCode,
        customerId: ({ customerId }) => customerId,
        customerName: ({ customerName }) => customerName,
        state: ({ state }) => state,
        issuedAt: ({ issuedAt }) => issuedAt.toISOString(),
        expiresAt: ({ expiresAt }) => expiresAt?.toISOString() ?? '',
        redeemedAt: ({ redeemedAt }) => redeemedAt?.toISOString() ?? '',
        discount: ({ discount }) => (discount === null ? '' : discount / 10 ** minorDigits(ctx.merchant.currency)),
        currency: () => ctx.merchant.currency,
        cancelReason: ({ cancelReason }) => cancelReason ?? '',
      },
      exportVouchers(ctx, voucherFilter.parse(query)),
    ),
};
