import { z } from 'zod';
import { everyStore, exportItems, listSeparator, printPrice, searchItemsInput } from '@/server/domain/menu';
import type { Export } from './export';
import { moneyCell, toCsv } from './write';

const { search, status } = searchItemsInput.shape;
const filter = z.object({ search, status });

/** The menu's items, in the columns that an import reads. */
export const menuExport: Export = {
  roles: ['owner', 'manager', 'cashier'],
  open: (ctx, query, write = toCsv) =>
    write(
      {
        plu: ({ plu }) => plu,
        name: ({ name }) => name,
        price: ({ price }) => moneyCell(price, ctx.merchant.currency, printPrice),
        category: ({ categoryName }) => categoryName,
        description: ({ description }) => description,
        allergens: ({ allergens }) => allergens.join(listSeparator),
        diets: ({ diets }) => diets.join(listSeparator),
        stores: ({ allStores, storeCodes }) => (allStores ? everyStore : storeCodes.join(listSeparator)),
      },
      exportItems(ctx, filter.parse(query)),
    ),
};
