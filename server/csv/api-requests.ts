import { listApiRequests } from '@/server/domain/access';
import { iteratePages } from '@/server/domain/kernel/page';
import { listApiRequestsInput } from '@/server/domain/merchants';
import type { Export } from './export';
import { toCsv } from './write';

const requestFilter = listApiRequestsInput.pick({ apiKeyId: true, outcome: true }).strip();

/** A key's requests, filtered as on the screen. */
export const apiRequestsExport: Export = {
  roles: ['owner'],
  readsReplica: true,
  isOfAllStores: true,
  open: (ctx, query, write = toCsv) => {
    const filter = requestFilter.parse(query);
    return write(
      {
        time: ({ createdAt }) => createdAt,
        requestId: ({ requestId }) => requestId,
        operation: ({ operation }) => operation,
        status: ({ status }) => status,
        errorCode: ({ errorCode }) => errorCode,
        durationMs: ({ durationMs }) => durationMs,
      },
      iteratePages((page) => listApiRequests(ctx, { ...filter, ...page })),
    );
  },
};
