import { z } from 'zod';
import { customersRouter } from './customers';
import { posProcedure, router } from './init';
import { ordersRouter, qrCodesRouter } from './qr-ordering';
import { stockOutsRouter } from './stock-outs';
import { storedValueRouter } from './stored-value';
import { transactionsRouter } from './transactions';
import { pointsRouter, salesRouter, vouchersRouter } from './vouchers';

const pingOutput = z.object({
  environment: z.enum(['sandbox', 'production']),
  merchant: z.object({ name: z.string(), currency: z.string(), timeZone: z.string() }),
  store: z
    .object({ storeCode: z.string(), name: z.string() })
    .nullable()
    .describe('The store that the key is bound to. Null for a merchant-wide key.'),
});

export const posRouter = router({
  ping: posProcedure
    .meta({
      area: 'read',
      openapi: {
        method: 'GET',
        path: '/ping',
        operationId: 'ping',
        tags: ['Service'],
        summary: 'Check a key',
        description: 'Returns the merchant and store that the key belongs to. Make this call first.',
      },
      example: {
        answer: {
          environment: 'sandbox',
          merchant: { name: 'Kopi & Kaya', currency: 'SGD', timeZone: 'Asia/Singapore' },
          store: { storeCode: 'ORCHARD', name: 'Orchard Road' },
        },
      },
    })
    .input(z.strictObject({}))
    .output(pingOutput)
    .query(({ ctx: { environment, merchant, boundStore } }) => ({
      environment: environment === 'live' ? 'production' : 'sandbox',
      merchant: { name: merchant.name, currency: merchant.currency, timeZone: merchant.timeZone },
      store: boundStore && { storeCode: boundStore.storeCode, name: boundStore.name },
    })),
  customers: customersRouter,
  storedValue: storedValueRouter,
  vouchers: vouchersRouter,
  points: pointsRouter,
  sales: salesRouter,
  transactions: transactionsRouter,
  qrCodes: qrCodesRouter,
  orders: ordersRouter,
  stockOuts: stockOutsRouter,
});
