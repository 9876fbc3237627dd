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

export const transactionsRouter = router({
  void: posProcedure
    .meta({
      area: 'loyalty',
      openapi: {
        method: 'POST',
        path: '/transactions/void',
        operationId: 'voidTransactions',
        tags,
        summary: 'Void multiple transactions',
        description:
          'Voids all of the transactions or none. Value returns to where it came from. A voided `transactionId` can never be ' +
          'used again. An id that was never used is recorded as voided, so a late original is refused.',
      },
      errors: [...storeErrors, 'void_refused'],
      example: {
        request: { transactionIds: ['T1-20261120-0042', 'T1-20261120-0043'], reason: 'Bill cancelled' },
        answer: {
          results: [
            { transactionId: 'T1-20261120-0042', status: 'voided', type: 'topUp', customerId: examples.customerId },
            {
              transactionId: 'T1-20261120-0043',
              status: 'already_voided',
              type: 'redeemStoredValue',
              customerId: examples.customerId,
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
      area: 'read',
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
        request: { transactionId: 'T1-20261120-0042' },
        answer: { transactionId: 'T1-20261120-0042', type: 'topUp', status: 'completed', answer: examples.topUp },
      },
    })
    .input(transactionLookupInput)
    .output(transactionLookupOutput)
    .query(({ ctx, input }) => lookUpTransaction(ctx, input)),
});
