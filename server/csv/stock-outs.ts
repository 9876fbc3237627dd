import { iteratePages } from '@/server/domain/core/page';
import { listSoldOutInput } from '@/server/domain/stock-outs/schemas';
import { pageSoldOut } from '@/server/domain/stock-outs/sold-out';
import type { Export } from './export';
import { toCsv } from './write';

/** Sold-out items by store, filtered as on the screen. */
export const stockOutsExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query) => {
    const filter = listSoldOutInput.strip().parse(query);
    return toCsv(
      {
        store: ({ storeName }) => storeName,
        plu: ({ plu }) => plu,
        name: ({ name }) => name,
        category: ({ categoryName }) => categoryName,
        until: ({ until }) => until?.toISOString() ?? null,
        markedAt: ({ markedAt }) => markedAt.toISOString(),
        markedBy: ({ markedBy }) => markedBy,
        markedAtTill: ({ markedAtTill }) => (markedAtTill ? 'yes' : ''),
      },
      iteratePages((page) => pageSoldOut(ctx, { ...filter, ...page })),
    );
  },
};
