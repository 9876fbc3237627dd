import { iteratePages } from '@/server/domain/kernel/page';
import { campaignListInput, listCampaigns, listVouchers, voucherListInput } from '@/server/domain/vouchers';
import type { Export } from './export';
import { moneyCell, toCsv } from './write';

const campaignFilter = campaignListInput.pick({ search: true, status: true }).strip();
const voucherFilter = voucherListInput.pick({ campaignId: true, state: true }).strip();

/** The campaigns with their funnels, filtered as on the screen. */
export const campaignsExport: Export = {
  roles: ['owner', 'manager'],
  open: (ctx, query, write = toCsv) => {
    const filter = campaignFilter.parse(query);
    return write(
      {
        campaignId: ({ campaignId }) => campaignId,
        name: ({ name }) => name,
        status: ({ status }) => status,
        occasion: ({ trigger }) => trigger,
        issued: ({ funnel }) => funnel.issued,
        redeemed: ({ funnel }) => funnel.redeemed,
        expired: ({ funnel }) => funnel.expired,
        cancelled: ({ funnel }) => funnel.cancelled,
        discountGiven: ({ funnel }) => moneyCell(funnel.discount, ctx.merchant.currency),
        currency: () => ctx.merchant.currency,
      },
      iteratePages((page) => listCampaigns(ctx, { ...filter, ...page })),
    );
  },
};

/** A campaign's vouchers, filtered as on the screen. */
export const vouchersExport: Export = {
  roles: ['owner', 'manager'],
  readsReplica: true,
  open: (ctx, query, write = toCsv) => {
    const filter = voucherFilter.parse(query);
    return write(
      {
        voucherCode: ({ voucherCode }) => voucherCode,
        customerId: ({ customerId }) => customerId,
        customerName: ({ customerName }) => customerName,
        state: ({ state }) => state,
        issuedAt: ({ issuedAt }) => issuedAt,
        expiresAt: ({ expiresAt }) => expiresAt,
        redeemedAt: ({ redeemedAt }) => redeemedAt,
        discount: ({ discount }) => (discount === null ? null : moneyCell(discount, ctx.merchant.currency)),
        currency: () => ctx.merchant.currency,
        cancelReason: ({ cancelReason }) => cancelReason ?? '',
      },
      iteratePages((page) => listVouchers(ctx, { ...filter, ...page })),
    );
  },
};
