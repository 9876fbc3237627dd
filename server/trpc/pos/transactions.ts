import { lookUpTransaction } from '@/server/domain/transactions/lookup';
import {
  transactionLookupInput,
  transactionLookupOutput,
  voidInput,
  voidOutput,
} from '@/server/domain/transactions/schemas';
import { voidTransactions } from '@/server/domain/transactions/void';
import * as examples from './examples';
import { posProcedure, router, storeErrors } from './init';

const tags = ['Transactions'];

export const transactionsRouter = router({
  void: posProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/transactions/void',
        operationId: 'voidTransactions',
        tags,
        summary: 'Void multiple transactions',
        description:
          'Undoes all of them, or none: value goes back to where it came from. A voided `transactionId` can never be ' +
          'used again; one that was never seen is remembered as voided, so that a late original is refused.',
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
      openapi: {
        method: 'GET',
        path: '/transactions/{transactionId}',
        operationId: 'getTransaction',
        tags,
        summary: 'Look up a transaction',
        description: 'What became of a `transactionId`, for a POS that got no answer in time.',
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
