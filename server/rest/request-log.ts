import { type ApiRequest, saveApiRequests } from '@/server/domain/access';
import type { Services } from '@/server/domain/kernel/context';
import { type Logger, safeError } from '@/server/observe/log';
import { inSpan } from '@/server/observe/spans';

export interface RequestLog {
  /** Queues a request; never waits and never fails. */
  record(request: ApiRequest): void;
  /** Writes what is queued. Call it before the process ends. */
  flush(): Promise<void>;
}

const flushEveryMs = 1_000;
const batchSize = 500;
/** Max requests queued while the database is slow or down. */
const capacity = 5_000;

/**
 * Logs what each key was used for. Requests are queued in memory for at most a second and written in batches, so that
 * no response waits for its log line. What can't be written is dropped and counted: it is a log, not a ledger.
 */
export function createRequestLog(services: Services, log: Logger): RequestLog {
  let waiting: ApiRequest[] = [];
  let dropped = 0;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const write = async (requests: ApiRequest[]) => {
    try {
      // A batch is of many requests: it is no part of the one that happened to start the timer.
      await inSpan('request log', () => saveApiRequests(services, requests), { parent: null });
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
