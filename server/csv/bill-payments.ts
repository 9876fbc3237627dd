import { exportPayments, exportPaymentsInput } from '@/server/domain/bills';
import type { Export } from './export';
import { moneyCell, toCsv } from './write';

/** What diners paid by card at their tables in a period, of one store or of all, one row per payment. */
export const billPaymentsExport: Export = {
  roles: ['owner', 'manager'],
  readsReplica: true,
  open: (ctx, query, write = toCsv) => {
    const { currency } = ctx.merchant;
    const money = (amount: number) => moneyCell(amount, currency);
    return write(
      {
        paidAt: ({ takenAt }) => takenAt,
        paymentId: ({ paymentId }) => paymentId,
        store: ({ store }) => store,
        table: ({ table }) => table,
        billId: ({ billId }) => billId,
        guest: ({ guestName }) => guestName,
        method: () => 'card',
        amount: ({ amount }) => money(amount),
        tip: ({ tip }) => money(tip),
        returned: ({ returned }) => money(returned),
        currency: () => currency,
      },
      exportPayments(ctx, exportPaymentsInput.strip().parse(query)),
    );
  },
};
