import { iterateList } from '@/server/domain/core/page';
import { isStoreListed, storeFilter } from '@/server/domain/merchants/schemas';
import { listStores } from '@/server/domain/merchants/stores';
import type { Export } from './export';
import { toCsv } from './write';

/** The stores, filtered as on the screen. */
export const storesExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query) => {
    const filter = storeFilter.strip().parse(query);
    return toCsv(
      {
        storeId: ({ storeId }) => storeId,
        storeCode: ({ storeCode }) => storeCode,
        name: ({ name }) => name,
        state: ({ closedAt }) => (closedAt === null ? 'open' : 'closed'),
        closedAt: ({ closedAt }) => closedAt?.toISOString() ?? null,
      },
      iterateList(async () => (await listStores(ctx)).stores.filter((store) => isStoreListed(store, filter))),
    );
  },
};
