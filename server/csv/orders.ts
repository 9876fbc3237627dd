import { toMajorUnits } from '@/server/domain/kernel/money';
import { exportOrders, exportOrdersInput, type Order } from '@/server/domain/qr-ordering';
import type { Export } from './export';
import { toCsv } from './write';

async function* linesOf(orders: AsyncGenerator<Order>) {
  for await (const { lines, ...order } of orders) for (const line of lines) yield { order, line };
}

/** Diners' orders of a store and period, one row per line, so that the amounts add up. */
export const ordersExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query) => {
    const { currency } = ctx.merchant;
    const money = (amount: number) => toMajorUnits(amount, currency);
    return toCsv(
      {
        placedAt: ({ order }) => order.placedAt,
        orderId: ({ order }) => order.orderId,
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
      linesOf(exportOrders(ctx, exportOrdersInput.parse(query))),
    );
  },
};
