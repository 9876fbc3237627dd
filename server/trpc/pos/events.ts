import { listEvents, listEventsInput, listEventsOutput } from '@/server/domain/events';
import { exampleOfEvent } from './event-examples';
import { posProcedure, router, storeErrors } from './init';

const items = [exampleOfEvent('order.placed'), exampleOfEvent('transaction.completed')];

export const eventsRouter = router({
  list: posProcedure
    .meta({
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/events',
        operationId: 'listEvents',
        tags: ['Events'],
        summary: 'List events',
        description:
          'Lists what changed, in the order in which to apply it: orders, transactions, customers, balances, stock-outs and ' +
          'QR codes. Keep `nextAfter` and send it as `after` in the next request. You then get every event once. Events are ' +
          "kept for 30 days. A key bound to a store gets its store's events. A merchant-wide key gets all, with those of " +
          'customers. An owner turns recording on in the back office, under Webhooks. What only webhook endpoints want is ' +
          'recorded, too: then name these types.',
      },
      errors: [...storeErrors, 'events_not_recorded', 'event_not_found'],
      example: {
        answer: { items, nextAfter: items.at(-1)?.id, hasMore: false },
      },
    })
    .input(listEventsInput)
    .output(listEventsOutput)
    .query(({ ctx, input }) => listEvents(ctx, input)),
});
