import type { Services } from '@/server/domain/core/context';
import { type ApiRequest, saveApiRequests } from '@/server/domain/merchants/api-requests';
import { type Logger, safeError } from '@/server/log';

export interface RequestLog {
  /** Never waits and never fails; `flush` sees to the rest. */
  record(request: ApiRequest): void;
  /** Writes what is waiting; before the process ends. */
  flush(): Promise<void>;
}

const flushEveryMs = 1_000;
const batchSize = 500;
/** More than this is not kept waiting while the database is slow or away. */
const capacity = 5_000;

/**
 * The log of what each key was used for. Requests wait in memory for at most a second, and are written many at once, so
 * that no answer waits for its line. What can't be written is dropped and counted: it is a log, not a ledger.
 */
export function createRequestLog(services: Services, log: Logger): RequestLog {
  let waiting: ApiRequest[] = [];
  let dropped = 0;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const write = async (requests: ApiRequest[]) => {
    try {
      await saveApiRequests(services, requests);
    } catch (error) {
      log.warn({ dropped: dropped + requests.length, ...safeError(error) }, 'request log');
      dropped = 0;
    }
  };
  const writeBatch = async () => {
    clearTimeout(timer);
    timer = undefined;
    isWriting = true;
    await write(waiting.splice(0, batchSize));
    isWriting = false;
    schedule();
  };
  const schedule = () => {
    if (isWriting || waiting.length === 0) return;
    if (waiting.length >= batchSize) void writeBatch();
    else timer ??= setTimeout(writeBatch, flushEveryMs).unref();
  };
  return {
    record(request) {
      if (waiting.length >= capacity) dropped += 1;
      else waiting.push(request);
      schedule();
    },
    async flush() {
      clearTimeout(timer);
      const rest = waiting;
      waiting = [];
      if (rest.length > 0) await write(rest);
    },
  };
}
