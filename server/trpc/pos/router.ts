import { z } from 'zod';
import { storesOfKey } from '@/server/domain/merchants';
import { billsRouter } from './bills';
import { customersRouter } from './customers';
import { eventsRouter } from './events';
import { posProcedure, router } from './init';
import { ordersRouter, qrCodesRouter } from './qr-ordering';
import { sandboxRouter } from './sandbox';
import { stockOutsRouter } from './stock-outs';
import { storedValueRouter } from './stored-value';
import { transactionsRouter } from './transactions';
import { pointsRouter, salesRouter, vouchersRouter } from './vouchers';
import { webhookEndpointsRouter } from './webhook-endpoints';

const store = z.object({ storeCode: z.string(), name: z.string() });

const pingOutput = z.object({
  environment: z.enum(['sandbox', 'production']),
  merchant: z.object({ name: z.string(), currency: z.string(), timeZone: z.string() }),
  store: store.nullable().describe('The store that the key is bound to. Null for a merchant-wide key.'),
  stores: z
    .array(store)
    .describe('The open stores that the key works for, by `storeCode`: the bound one, or all of the merchant.'),
});

export const posRouter = router({
  ping: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/ping',
        operationId: 'ping',
        tags: ['Service'],
        summary: 'Check a key',
        description:
          'Returns the merchant and the stores that the key works for. Make this call first: a merchant-wide key names one of ' +
          '`stores` in its requests.',
      },
      example: {
        answer: {
          environment: 'sandbox',
          merchant: { name: 'Kopi & Kaya', currency: 'SGD', timeZone: 'Asia/Singapore' },
          store: { storeCode: 'ORCHARD', name: 'Kopi & Kaya Orchard' },
          stores: [{ storeCode: 'ORCHARD', name: 'Kopi & Kaya Orchard' }],
        },
      },
    })
    .input(z.strictObject({}))
    .output(pingOutput)
    .query(async ({ ctx }) => {
      const { environment, merchant, boundStore } = ctx;
      return {
        environment: environment === 'live' ? 'production' : 'sandbox',
        merchant: { name: merchant.name, currency: merchant.currency, timeZone: merchant.timeZone },
        store: boundStore,
        stores: await storesOfKey(ctx),
      };
    }),
  customers: customersRouter,
  storedValue: storedValueRouter,
  vouchers: vouchersRouter,
  points: pointsRouter,
  sales: salesRouter,
  transactions: transactionsRouter,
  qrCodes: qrCodesRouter,
  orders: ordersRouter,
  bills: billsRouter,
  stockOuts: stockOutsRouter,
  events: eventsRouter,
  webhookEndpoints: webhookEndpointsRouter,
  sandbox: sandboxRouter,
});
