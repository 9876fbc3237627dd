import type { StaffContext } from '@/server/domain/kernel/context';
import { listStores } from '@/server/domain/merchants';
import { type ExportOrdersInput, exportOrders, exportOrdersInput } from '@/server/domain/qr-ordering';
import type { Export } from './export';
import { moneyCell, toCsv } from './write';

async function* linesOf(ctx: StaffContext, input: ExportOrdersInput) {
  const { stores } = await listStores(ctx);
  const names = new Map(stores.map(({ storeId, name }) => [storeId, name]));
  for await (const { lines, ...order } of exportOrders(ctx, input)) {
    const store = names.get(order.storeId) ?? null;
    for (const line of lines) yield { order, store, line };
  }
}

/** Diners' orders of one store or of all in a period, one row per line, so that the amounts add up. */
export const ordersExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  readsReplica: true,
  open: (ctx, query, write = toCsv) => {
    const { currency } = ctx.merchant;
    const money = (amount: number) => moneyCell(amount, currency);
    return write(
      {
        placedAt: ({ order }) => new Date(order.placedAt),
        orderId: ({ order }) => order.orderId,
        store: ({ store }) => store,
        table: ({ order }) => order.table,
        billId: ({ order }) => order.billId,
        status: ({ order }) => order.status,
        plu: ({ line }) => line.plu,
        name: ({ line }) => line.name,
        options: ({ line }) => line.options.map(({ name }) => name).join('; '),
        note: ({ line }) => line.note,
        orderNote: ({ order }) => order.note,
        quantity: ({ line }) => line.quantity,
        unitPrice: ({ line }) => money(line.unitPrice),
        amount: ({ line }) => money(line.amount),
        currency: () => currency,
      },
      linesOf(ctx, exportOrdersInput.parse(query)),
    );
  },
};
