import { iteratePages } from '@/server/domain/kernel/page';
import { listTransactions, transactionFilter } from '@/server/domain/transactions';
import type { Export } from './export';
import { moneyCell, toCsv } from './write';

/** Transactions, filtered as on the screen. Amounts are in the currency's major unit. */
export const transactionsExport: Export = {
  roles: ['owner', 'manager'],
  readsReplica: true,
  open: (ctx, query, write = toCsv) => {
    const { currency } = ctx.merchant;
    const filter = transactionFilter.strip().parse(query);
    const money = (amount: number) => moneyCell(amount, currency);
    return write(
      {
        recordedAt: ({ createdAt }) => createdAt,
        occurredAt: ({ occurredAt }) => occurredAt,
        transactionId: ({ transactionId }) => transactionId,
        type: ({ type }) => type,
        status: ({ status }) => status,
        store: ({ store }) => store?.name ?? null,
        customerId: ({ customer }) => customer?.id ?? null,
        customer: ({ customer }) => customer?.name ?? null,
        billAmount: ({ billAmount }) => (billAmount === null ? null : money(billAmount)),
        storedValue: ({ storedValue }) => money(storedValue),
        points: ({ points }) => points,
        currency: () => currency,
        billId: ({ billId }) => billId,
        staffId: ({ staffId }) => staffId,
        receiptNumber: ({ receiptNumber }) => receiptNumber,
        voidedAt: ({ voidedAt }) => voidedAt,
        uid: ({ uid }) => uid,
      },
      iteratePages((page) => listTransactions(ctx, { ...filter, ...page })),
    );
  },
};
