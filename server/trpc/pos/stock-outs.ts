import {
  listStockOuts,
  listStockOutsInput,
  listStockOutsOutput,
  restoreInput,
  restoreItem,
  restoreOutput,
  stockOut,
  stockOutInput,
  stockOutOutput,
} from '@/server/domain/stock-outs';
import { posProcedure, router, storeErrors } from './init';

const tags = ['Stock-outs'];
const known = { plu: 'S005', name: 'Ondeh-ondeh', known: true };
const unknown = { plu: 'X900', name: null, known: false };

export const stockOutsRouter = router({
  add: posProcedure
    .meta({
      scope: 'ordering',
      openapi: {
        method: 'POST',
        path: '/stock-outs',
        operationId: 'stockOut',
        tags,
        summary: 'Stock out PLU items',
        description:
          'Marks items as sold out. Ordering pages show this at once, and orders for these items are refused. A PLU that is ' +
          'not on the menu is kept and marked `known: false`.',
      },
      errors: storeErrors,
      example: {
        request: { plus: ['S005', 'X900'] },
        answer: {
          storeCode: 'ORCHARD',
          items: [
            { ...known, status: 'stocked_out', until: null },
            { ...unknown, status: 'stocked_out', until: null },
          ],
        },
      },
    })
    .input(stockOutInput)
    .output(stockOutOutput)
    .mutation(({ ctx, input }) => stockOut(ctx, input)),

  restore: posProcedure
    .meta({
      scope: 'ordering',
      openapi: {
        method: 'POST',
        path: '/stock-outs/restore',
        operationId: 'restoreStock',
        tags,
        summary: 'Restore PLU items',
        description: 'Makes the items available again at once.',
      },
      errors: storeErrors,
      example: {
        request: { plus: ['S005'] },
        answer: { storeCode: 'ORCHARD', items: [{ ...known, status: 'restored' }] },
      },
    })
    .input(restoreInput)
    .output(restoreOutput)
    .mutation(({ ctx, input }) => restoreItem(ctx, input)),

  list: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/stock-outs',
        operationId: 'listStockOuts',
        tags,
        summary: 'List sold-out items',
        description: "Lists the store's sold-out items, sorted by PLU.",
      },
      errors: storeErrors,
      example: {
        answer: {
          storeCode: 'ORCHARD',
          items: [{ ...known, until: null, stockedOutAt: '2026-11-20T11:42:07.318Z' }],
          nextCursor: null,
        },
      },
    })
    .input(listStockOutsInput)
    .output(listStockOutsOutput)
    .query(({ ctx, input }) => listStockOuts(ctx, input)),
});
