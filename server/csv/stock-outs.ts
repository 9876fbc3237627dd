import { iteratePages } from '@/server/domain/kernel/page';
import { listSoldOutInput, pageSoldOut } from '@/server/domain/stock-outs';
import type { Export } from './export';
import { toCsv } from './write';

/** Sold-out items by store, filtered as on the screen. */
export const stockOutsExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query, write = toCsv) => {
    const filter = listSoldOutInput.strip().parse(query);
    return write(
      {
        store: ({ storeName }) => storeName,
        plu: ({ plu }) => plu,
        name: ({ name }) => name,
        category: ({ categoryName }) => categoryName,
        until: ({ until }) => until,
        markedAt: ({ markedAt }) => markedAt,
        markedBy: ({ markedBy }) => markedBy,
        markedAtTill: ({ markedAtTill }) => (markedAtTill ? 'yes' : ''),
      },
      iteratePages((page) => pageSoldOut(ctx, { ...filter, ...page })),
    );
  },
};
