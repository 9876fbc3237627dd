import { toMajorUnits } from '@/server/domain/kernel/money';
import { iteratePages } from '@/server/domain/kernel/page';
import { listQrCodes, qrCodeListInput } from '@/server/domain/qr-ordering';
import type { Export } from './export';
import { toCsv } from './write';

const filterInput = qrCodeListInput.pick({ storeId: true, status: true, search: true }).strip();

/** A store's codes with their orders, filtered as on the screen, without the URLs that diners scan. */
export const qrCodesExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query) => {
    const { currency } = ctx.merchant;
    const filter = filterInput.parse(query);
    return toCsv(
      {
        qrCodeId: ({ qrCodeId }) => qrCodeId,
        table: ({ table }) => table,
        billId: ({ billId }) => billId,
        status: ({ status }) => status,
        openedAt: ({ createdAt }) => createdAt,
        openUntil: ({ expiresAt }) => expiresAt,
        closedAt: ({ invalidatedAt }) => invalidatedAt,
        guests: ({ guests }) => guests,
        orders: ({ orderCount }) => orderCount,
        total: ({ total }) => toMajorUnits(total, currency),
        currency: () => currency,
      },
      iteratePages((page) => listQrCodes(ctx, { ...filter, ...page })),
    );
  },
};
