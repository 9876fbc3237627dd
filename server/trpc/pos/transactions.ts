import { testCustomers, testTransactionIds } from '@/db/seed/test-data';
import {
  lookUpTransaction,
  transactionLookupInput,
  transactionLookupOutput,
  voidInput,
  voidOutput,
  voidTransactions,
} from '@/server/domain/transactions';
import * as examples from './examples';
import { posProcedure, router, storeErrors } from './init';

const tags = ['Transactions'];
const [topUpId, redeemId] = testTransactionIds.voids;

export const transactionsRouter = router({
  void: posProcedure
    .meta({
      scope: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/transactions/void',
        operationId: 'voidTransactions',
        tags,
        summary: 'Void multiple transactions',
        description:
          'Voids all of the transactions or none. Value returns to where it came from, and `effect` says what came back, what had ' +
          'expired, and the balance. A voided `transactionId` can never be ' +
          'used again. An id that was never used is recorded as voided, so a late original is refused.',
      },
      errors: [...storeErrors, 'void_refused'],
      example: {
        request: { transactionIds: testTransactionIds.voids, reason: 'Bill cancelled' },
        answer: {
          results: [
            {
              transactionId: topUpId,
              status: 'voided',
              type: 'topUp',
              customerId: testCustomers.voids.id,
              effect: examples.voidedTopUp,
            },
            {
              transactionId: redeemId,
              status: 'voided',
              type: 'redeemStoredValue',
              customerId: testCustomers.voids.id,
              effect: examples.voidedRedemption,
            },
          ],
        },
      },
    })
    .input(voidInput)
    .output(voidOutput)
    .mutation(({ ctx, input }) => voidTransactions(ctx, input)),

  lookUp: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/transactions/{transactionId}',
        operationId: 'getTransaction',
        tags,
        summary: 'Look up a transaction',
        description: 'Returns the outcome of a `transactionId`. Use it when no response arrived in time.',
      },
      errors: [...storeErrors, 'transaction_not_found'],
      example: {
        request: { transactionId: testTransactionIds.lookUp },
        answer: {
          transactionId: testTransactionIds.lookUp,
          type: 'topUp',
          status: 'completed',
          answer: examples.topUp,
        },
      },
    })
    .input(transactionLookupInput)
    .output(transactionLookupOutput)
    .query(({ ctx, input }) => lookUpTransaction(ctx, input)),
});
