import { iterateList } from '@/server/domain/kernel/page';
import { isStoreListed, listStores, storeFilter } from '@/server/domain/merchants';
import type { Export } from './export';
import { toCsv } from './write';

/** The stores, filtered as on the screen. */
export const storesExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query, write = toCsv) => {
    const filter = storeFilter.strip().parse(query);
    return write(
      {
        storeId: ({ storeId }) => storeId,
        storeCode: ({ storeCode }) => storeCode,
        name: ({ name }) => name,
        address: ({ address }) => address,
        phone: ({ phone }) => phone,
        state: ({ closedAt }) => (closedAt === null ? 'open' : 'closed'),
        closedAt: ({ closedAt }) => closedAt,
      },
      iterateList(async () => (await listStores(ctx)).stores.filter((store) => isStoreListed(store, filter))),
    );
  },
};
