/** Sends webhooks beside the queue's jobs: most of it is waiting for others' servers, which would fill the queue's few slots. */
import { setTimeout as wait } from 'node:timers/promises';
import { inSpan } from '@/db/spans';
import { deliverBatch, type EndpointKey, endpointsDue, type WebhookSender } from '@/server/domain/webhooks';
import type { Services } from '../domain/kernel/context';
import { type Logger, safeError } from '../process/log';

const pollMs = 1_000;
/** A batch takes this long at least: about 200 webhooks a second, so that a backlog takes neither our CPU nor the receiver's. */
const batchMs = 200;
/** Endpoints that are worked on at once; of those that fail, and may keep us waiting, half as many. */
const maxEndpoints = 50;
const maxFailing = maxEndpoints / 2;

/** Looks for endpoints with something to send until `stop`, which lets running requests finish. */
export function sendWebhooks(services: Services, sender: WebhookSender, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const worked = { ...services, stopping: signal };
  const running = new Map<string, { isFailing: boolean; done: Promise<void> }>();

  const work = async (key: EndpointKey) => {
    try {
      for (let isMore = true; isMore && !signal.aborted; ) {
        const pause = wait(batchMs, undefined, { signal, ref: false }).catch(() => {});
        isMore = await inSpan('job webhooks', () => deliverBatch(worked, sender, key), {
          kind: 'consumer',
          parent: null,
        });
        if (isMore) await pause;
      }
    } catch (error) {
      log.warn({ ...safeError(error), ...key }, 'webhooks of an endpoint were not sent, and are tried again');
    } finally {
      running.delete(key.endpointId);
    }
  };
  const look = async () => {
    for (const { isFailing, ...key } of await endpointsDue(services)) {
      const failing = [...running.values()].filter((one) => one.isFailing).length;
      if (running.size >= maxEndpoints || (isFailing && failing >= maxFailing)) return;
      if (!running.has(key.endpointId)) running.set(key.endpointId, { isFailing, done: work(key) });
    }
  };
  const keepLooking = async () => {
    while (!signal.aborted) {
      await look().catch((error) => log.warn(safeError(error), 'no webhooks are sent: the database did not answer'));
      await wait(pollMs, undefined, { signal }).catch(() => {});
    }
  };
  const looking = keepLooking();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
