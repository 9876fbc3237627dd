/**
 * Sends webhooks outside of the job queue, because they mostly wait for other servers and would fill the queue's few
 * slots.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { deliverBatch, type EndpointKey, endpointsDue, type WebhookSender } from '@/server/domain/webhooks';
import { inSpan } from '@/server/observe/spans';
import type { Services } from '../domain/kernel/context';
import { type Logger, safeError } from '../observe/log';

const pollMs = 1_000;
/**
 * The minimum time of a batch. It limits webhooks to about 200 a second, so that a backlog overloads neither us nor a
 * receiver.
 */
const batchMs = 200;
/** How many endpoints are handled at once. Failing endpoints, which may be slow, get at most half of these places. */
const maxEndpoints = 50;
const maxFailing = maxEndpoints / 2;

/** Looks for endpoints with something to send until `stop`, which lets running requests finish. */
export function sendWebhooks(services: Services, sender: WebhookSender, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each handled endpoint listens to it.
  setMaxListeners(0, signal);
  const worked = { ...services, stopping: signal };
  const running = new Map<string, { isFailing: boolean; done: Promise<void> }>();
  /** When each due endpoint had its last turn. Those whose last turn is longest ago come first. */
  const turns = new Map<string, number>();

  const work = async (key: EndpointKey) => {
    turns.set(key.endpointId, performance.now());
    let isMore = true;
    try {
      do {
        const pause = wait(batchMs, undefined, { signal, ref: false }).catch(() => {});
        isMore = await inSpan('job webhooks', () => deliverBatch(worked, sender, key), {
          kind: 'consumer',
          parent: null,
        });
        if (isMore) await pause;
        // If all places are taken, it continues in its next turn.
      } while (isMore && !signal.aborted && running.size < maxEndpoints);
    } catch (error) {
      log.warn({ ...safeError(error), ...key }, 'webhooks of an endpoint were not sent, and are tried again');
    } finally {
      running.delete(key.endpointId);
    }
  };
  const look = async () => {
    const due = await endpointsDue(services);
    const known = new Set([...running.keys(), ...due.map(({ endpointId }) => endpointId)]);
    for (const endpointId of turns.keys()) if (!known.has(endpointId)) turns.delete(endpointId);
    const lastTurn = ({ endpointId }: EndpointKey) => turns.get(endpointId) ?? 0;
    due.sort((a, b) => Number(a.isFailing) - Number(b.isFailing) || lastTurn(a) - lastTurn(b));
    for (const { isFailing, ...key } of due) {
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
