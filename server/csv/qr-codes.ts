import { iteratePages } from '@/server/domain/kernel/page';
import { listQrCodes, qrCodeListInput } from '@/server/domain/qr-ordering';
import type { Export } from './export';
import { moneyCell, toCsv } from './write';

const timeCell = (time: string | null) => time && new Date(time);

const filterInput = qrCodeListInput.pick({ storeId: true, status: true, search: true }).strip();

/** A store's codes with their orders, filtered as on the screen, without the URLs that diners scan. */
export const qrCodesExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query, write = toCsv) => {
    const { currency } = ctx.merchant;
    const filter = filterInput.parse(query);
    return write(
      {
        qrCodeId: ({ qrCodeId }) => qrCodeId,
        table: ({ table }) => table,
        billId: ({ billId }) => billId,
        status: ({ status }) => status,
        openedAt: ({ createdAt }) => timeCell(createdAt),
        openUntil: ({ expiresAt }) => timeCell(expiresAt),
        closedAt: ({ invalidatedAt }) => timeCell(invalidatedAt),
        guests: ({ guests }) => guests,
        orders: ({ orderCount }) => orderCount,
        total: ({ total }) => moneyCell(total, currency),
        currency: () => currency,
      },
      iteratePages((page) => listQrCodes(ctx, { ...filter, ...page })),
    );
  },
};
