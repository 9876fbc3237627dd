import { inEnglish } from '@/server/domain/kernel/in-english';
import { iteratePages } from '@/server/domain/kernel/page';
import { listMessages, messageFilter } from '@/server/domain/messaging';
import type { Export } from './export';
import { toCsv } from './write';

/** Messages to customers, filtered as on the screen, without the codes in them. */
export const messagesExport: Export = {
  roles: ['owner', 'manager'],
  readsReplica: true,
  isSensitive: true,
  open: (ctx, query, write = toCsv) => {
    const filter = messageFilter.strip().parse(query);
    return write(
      {
        queuedAt: ({ createdAt }) => createdAt,
        kind: ({ kind }) => kind,
        customerId: ({ customerId }) => customerId,
        customer: ({ customerName }) => customerName,
        phone: ({ phone }) => phone,
        state: ({ state }) => state,
        attempts: ({ attempts }) => attempts,
        failure: ({ failure }) => failure && inEnglish(failure),
      },
      iteratePages((page) => listMessages(ctx, { ...filter, ...page })),
    );
  },
};
