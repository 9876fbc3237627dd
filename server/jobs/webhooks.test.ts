/** With more endpoints than the worker has places, each gets its turn. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import type { WebhookSender } from '@/server/domain/webhooks';
import { createMerchant, recordingEvents, testServices } from '@/server/testing/factory';
import { keptLog } from '@/server/testing/kept-log';
import { callAs, createStaff } from '@/server/testing/staff';
import { settleEvents } from '@/server/testing/webhooks';
import { sendWebhooks } from './webhooks';

const database = ownDatabase();

const services = () => testServices(database.db);

/** A merchant with endpoints, and some events for them. */
async function createBacklog(url: string, { endpoints, events }: { endpoints: number; events: number }) {
  const { id } = await createMerchant(database.owner, recordingEvents);
  const { webhooks } = callAs(await createStaff(database.owner, services(), id));
  for (let n = 0; n < endpoints; n++) await webhooks.create({ url: `${url}/${n}`, description: '', eventTypes: null });
  await database.owner`
    insert into events (merchant_id, id, type, occurred_at, data)
    select ${id}, uuidv7(), 'order.placed', now(), '{}' from generate_series(1, ${events})`;
  await settleEvents(services(), id);
  return id;
}

/** Counts requests by URL. Answers after `takesMs`, and accepts only URLs for which `accepts` is true. */
function countingSender(takesMs: number, accepts: (url: string) => boolean) {
  const counts = new Map<string, number>();
  const sender: WebhookSender = {
    send: async ({ url }) => {
      counts.set(url, (counts.get(url) ?? 0) + 1);
      await wait(takesMs);
      const outcome = accepts(url) ? 'sent' : 'retry';
      return { outcome, status: outcome === 'sent' ? 200 : 503, answer: '', error: null, durationMs: takesMs };
    },
  };
  return { counts, sender };
}

test('one that has failed once gets its event, however many others fail all the time', async () => {
  const dead: string[] = [];
  for (let n = 0; n < 3; n++) dead.push(await createBacklog('https://dead.example', { endpoints: 10, events: 12 }));
  const back = await createBacklog('https://back.example', { endpoints: 1, events: 1 });
  await database.owner`
    update webhook_endpoints set failing_since = now() - interval '1 minute' where merchant_id = any(${[...dead, back]})`;
  const { counts, sender } = countingSender(100, (url) => url.startsWith('https://back.example'));
  const worker = sendWebhooks(services(), sender, keptLog().log);
  await vi.waitFor(() => expect(counts.get('https://back.example/0')).toBe(1), 6_000);
  await worker.stop();
  await database.owner`update webhook_endpoints set state = 'paused'`;
});

test('one with an event gets it, while all places are taken by others with many', async () => {
  const events = 160;
  for (let n = 0; n < 5; n++) await createBacklog(`https://busy-${n}.example`, { endpoints: 10, events });
  await createBacklog('https://quick.example', { endpoints: 1, events: 1 });
  const { counts, sender } = countingSender(100, () => true);
  const worker = sendWebhooks(services(), sender, keptLog().log);
  await vi.waitFor(() => expect(counts.get('https://quick.example/0')).toBe(1), { timeout: 15_000, interval: 10 });
  const most = Math.max(...counts.values());
  await worker.stop();
  expect(most).toBeLessThan(events);
});
