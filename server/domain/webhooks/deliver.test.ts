/** Events on their way to endpoints, with real receivers and several workers. */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createWebhookSender } from '@/server/gateways/webhook-sender';
import { sendWebhooks } from '@/server/jobs/webhooks';
import { createMerchant, recordingEvents, testProfile, testServices } from '@/server/testing/factory';
import { keptLog } from '@/server/testing/kept-log';
import { lettersTo } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import { startReceiver } from '@/server/testing/webhook-receiver';
import { sendDue, settleEvents, writeEvents } from '@/server/testing/webhooks';
import type { StaffContext } from '../kernel/context';
import { deliverBatch, type WebhookSender } from './deliver';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const database = sharedDatabase();
let owner: StaffContext;
let merchantId: string;
let now: Date;
const receivers: Receiver[] = [];
const sender = createWebhookSender({ allowsOwnMachine: true, timeoutMs: 1_000 });
const services = () => testServices(database.db, { now: () => now });

beforeEach(async () => {
  now = new Date();
  ({ id: merchantId } = await createMerchant(database.owner, recordingEvents));
  owner = await createStaff(database.owner, services(), merchantId);
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

const call = () => callAs(owner).webhooks;
const newReceiver = async (...given: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...given);
  receivers.push(receiver);
  return receiver;
};
/** Creates an endpoint at the receiver. */
const listen = async (
  { url }: Receiver,
  eventTypes: Parameters<ReturnType<typeof call>['create']>[0]['eventTypes'] = null,
) => ({
  ...(await call().create({ url, description: '', eventTypes })),
});
const write = async (...types: Parameters<typeof writeEvents>[2][]) => {
  const ids = await writeEvents(services(), merchantId, ...types);
  await settleEvents(services(), merchantId);
  return ids;
};
const work = () => sendDue(services(), sender, merchantId);
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};
const idsOf = ({ received }: Receiver) => received.map(({ id }) => id);
const deliveriesOf = async (endpointId: string) => (await call().deliveries({ endpointId })).items;
const find = (endpointId: string) => call().get({ endpointId });

describe('an event', () => {
  test('goes to each endpoint that wants its type, signed, and once', async () => {
    const [all, orders] = [await newReceiver(), await newReceiver()];
    const { secret } = await listen(all);
    await listen(orders, ['order.placed', 'order.updated']);
    const ids = await write('bill.updated', 'order.placed');
    await work();
    expect(await work()).toBe(false);
    expect(idsOf(all).sort()).toEqual([...ids].sort());
    expect(idsOf(orders)).toEqual([ids[1]]);
    for (const { id, headers, body } of all.received) {
      const event = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(event).toMatchObject({ id, storeCode: null, occurredAt: now.toISOString() });
    }
  });

  test('of before the endpoint, or of another merchant, is not sent', async () => {
    const receiver = await newReceiver();
    await write('order.placed');
    const { endpointId } = await listen(receiver);
    const other = await createMerchant(database.owner);
    await writeEvents(services(), other.id, 'order.placed');
    await work();
    expect(receiver.received).toEqual([]);
    expect(await deliveriesOf(endpointId)).toEqual([]);
  });

  test('that is committed late is sent nevertheless', async () => {
    const receiver = await newReceiver();
    await listen(receiver);
    const slow = await database.owner.reserve();
    await slow`begin`;
    const [late] = await slow`
      insert into events (merchant_id, id, type, occurred_at, data)
      values (${merchantId}, uuidv7(), 'order.placed', now(), '{}') returning id`;
    const [early] = await writeEvents(services(), merchantId, 'order.updated');
    await work();
    expect(receiver.received).toEqual([]);
    await slow`commit`;
    slow.release();
    await settleEvents(services(), merchantId);
    await work();
    expect(idsOf(receiver).sort()).toEqual([late?.id, early].sort());
  });
});

test('a response to what is erased meanwhile is not kept: it may repeat it', async () => {
  const receiver = await newReceiver();
  const { endpointId } = await listen(receiver, ['customer.enrolled']);
  const profile = { ...testProfile, givenName: 'Mei', phone: '+6591230001' };
  const { customerId } = await callAs({ ...owner, merchant: { ...owner.merchant, eventTypes: null } }).customers.enrol(
    profile,
  );
  await settleEvents(services(), merchantId);
  const slow: WebhookSender = {
    send: async ({ body }) => {
      expect(body).toContain('Mei');
      await callAs(owner).customers.erase({ customerId });
      return { outcome: 'sent', status: 200, answer: 'Thank you, Mei Tan', error: null, durationMs: 1 };
    },
  };
  await deliverBatch(services(), slow, { merchantId, endpointId });
  const [{ eventId } = { eventId: '' }] = await deliveriesOf(endpointId);
  expect(await call().delivery({ endpointId, eventId })).toMatchObject({ state: 'delivered', response: null });
});

describe('an endpoint that fails', () => {
  test('gets an event again after growing pauses, with the same id, until it accepts it', async () => {
    const receiver = await newReceiver(() => 503);
    const { endpointId } = await listen(receiver);
    const [id] = await write('order.placed');
    for (const minutes of [0, 0.1, 0.1, 1, 1]) {
      later(minutes);
      await work();
    }
    // At once, after 12 s and after 72 s more.
    expect(idsOf(receiver)).toEqual([id, id, id]);
    expect(await deliveriesOf(endpointId)).toMatchObject([{ state: 'pending', attempts: 3, status: 503 }]);
    receiver.answer = () => 200;
    later(10);
    await work();
    expect(await deliveriesOf(endpointId)).toMatchObject([
      { state: 'delivered', attempts: 4, status: 200, nextAttemptAt: null },
    ]);
    expect((await find(endpointId)).failingSince).toBeNull();
  });

  test('is given an event for three days', async () => {
    const receiver = await newReceiver(() => 500);
    const { endpointId } = await listen(receiver);
    await write('order.placed');
    const start = now.getTime();
    for (let hours = 0; hours < 80; hours++) {
      await work();
      later(60);
    }
    const [delivery] = await deliveriesOf(endpointId);
    expect(delivery).toMatchObject({ state: 'failed', status: 500, nextAttemptAt: null });
    const lastAttemptAt = delivery?.attemptedAt?.getTime() ?? 0;
    expect((lastAttemptAt - start) / 3_600_000).toBeGreaterThan(48);
    expect((lastAttemptAt - start) / 3_600_000).toBeLessThanOrEqual(72);
    expect(receiver.received.length).toBe(delivery?.attempts);
    expect(receiver.received.length).toBeLessThan(15);
  });

  test('is disabled after five days: owners get a mail, Home says so, and events are no longer written for it', async () => {
    const receiver = await newReceiver(() => 500);
    const { endpointId } = await listen(receiver, ['order.placed']);
    await database.owner`update merchants set records_events = false where id = ${merchantId}`;
    await database.owner`update users set language = 'ja' where id = ${owner.staff.userId}`;
    const attention = async () => (await callAs(owner).home.attention()).failingWebhooks;
    expect(await attention()).toBe(0);
    for (let day = 0; day < 6; day++) {
      await write('order.placed');
      await work();
      expect((await find(endpointId)).state).toBe(day < 5 ? 'enabled' : 'disabled');
      later(24 * 60);
      expect(await attention()).toBe(1);
    }
    expect(await find(endpointId)).toMatchObject({ state: 'disabled', disabledReason: 'failing' });
    const [letter, ...more] = await lettersTo(services(), owner.staff.email);
    expect(more).toEqual([]);
    expect(letter).toMatchObject({
      kind: 'webhookDisabled',
      language: 'ja',
      reason: 'failing',
      host: new URL(receiver.url).host,
    });
    const [merchant] = await database.owner`select event_types from merchants where id = ${merchantId}`;
    expect(merchant?.event_types).toEqual([]);
    const [audited] = await database.owner`
      select actor_kind, subject_id, after from audit_log where merchant_id = ${merchantId} and action = 'webhook.disable'`;
    expect(audited).toMatchObject({ actor_kind: 'service', subject_id: endpointId });
    const { length } = receiver.received;
    later(24 * 60);
    await work();
    expect(receiver.received).toHaveLength(length);
  });

  test('is not disabled by a test that failed, nor by the first failure in days', async () => {
    const receiver = await newReceiver(() => 500);
    const { endpointId } = await listen(receiver);
    await call().sendTest({ endpointId });
    await work();
    expect(receiver.received).toHaveLength(1);
    expect((await find(endpointId)).failingSince).toBeNull();
    await write('order.placed');
    for (let hours = 0; hours < 80; hours++) {
      await work();
      later(60);
    }
    expect(await deliveriesOf(endpointId)).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
    later(7 * 24 * 60);
    await write('order.placed');
    await work();
    expect(await find(endpointId)).toMatchObject({ state: 'enabled' });
    receiver.answer = () => 200;
    later(1);
    await work();
    expect(await find(endpointId)).toMatchObject({ state: 'enabled', failingSince: null });
  });

  test('is not disabled by what its former address answers', async () => {
    const receiver = await newReceiver();
    const { endpointId } = await listen(receiver);
    await write('order.placed');
    const former: WebhookSender = {
      send: async () => {
        await call().change({ endpointId, url: `${receiver.url}/new`, description: '', eventTypes: null });
        return { outcome: 'refused', status: 410, answer: '', error: null, durationMs: 1 };
      },
    };
    await deliverBatch(services(), former, { merchantId, endpointId });
    expect((await find(endpointId)).state).toBe('enabled');
  });

  test('is disabled at once if it is gone (410), and sent what comes once it is enabled again', async () => {
    const receiver = await newReceiver(() => 410);
    const { endpointId } = await listen(receiver);
    await write('order.placed');
    await work();
    expect(await find(endpointId)).toMatchObject({ state: 'disabled', disabledReason: 'gone' });
    expect(await deliveriesOf(endpointId)).toMatchObject([{ state: 'failed', status: 410, attempts: 1 }]);
    await write('order.updated');
    receiver.answer = () => 200;
    await call().resume({ endpointId });
    const [fresh] = await write('order.placed');
    await work();
    expect(idsOf(receiver).slice(1)).toEqual([fresh]);
  });

  test('has nothing waiting once it is disabled: what was not sent has failed, and is not sent when it is enabled', async () => {
    const receiver = await newReceiver(() => 410);
    const { endpointId } = await listen(receiver);
    await write(...Array(6).fill('order.placed'));
    await work();
    expect((await find(endpointId)).state).toBe('disabled');
    const deliveries = await deliveriesOf(endpointId);
    expect(deliveries).toHaveLength(6);
    expect(deliveries.filter(({ attempts }) => attempts === 0)).not.toEqual([]);
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['failed']));
    const { length } = receiver.received;
    await call().resume({ endpointId });
    later(24 * 60);
    await work();
    expect(receiver.received).toHaveLength(length);
  });

  test('is tried with one event at a time, and gets the rest once it accepts one', async () => {
    const receiver = await newReceiver(() => 500);
    await listen(receiver);
    await write(...Array(12).fill('order.placed'));
    await work();
    const tried = receiver.received.length;
    expect(tried).toBeLessThanOrEqual(4);
    await work();
    expect(receiver.received).toHaveLength(tried + 1);
    receiver.answer = () => 200;
    later(5);
    await work();
    expect(new Set(idsOf(receiver).slice(tried + 1)).size).toBe(12);
  });
});

describe('workers', () => {
  const start = () => sendWebhooks(services(), sender, keptLog().log);

  test('send a few at once to an endpoint, each event once, however many workers there are', async () => {
    const receiver = await newReceiver(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 200;
    });
    await listen(receiver);
    const ids = await write(...Array(60).fill('order.placed'));
    const all = [start(), start(), start()];
    await vi.waitFor(() => expect(receiver.received).toHaveLength(60), 40_000);
    await Promise.all(all.map((worker) => worker.stop()));
    expect(idsOf(receiver).sort()).toEqual([...ids].sort());
    expect(receiver.atOnce.most).toBe(4);
  });

  test('let an endpoint that does not answer hold back no other', async () => {
    let speak = () => {};
    const silence = new Promise<void>((resolve) => {
      speak = resolve;
    });
    const silent = await newReceiver(async () => {
      await silence;
      return 200;
    });
    const quick = await newReceiver();
    await listen(silent);
    await listen(quick);
    await write(...Array(10).fill('order.placed'));
    const patient = createWebhookSender({ allowsOwnMachine: true, timeoutMs: 240_000 });
    const worker = sendWebhooks(services(), patient, keptLog().log);
    await vi.waitFor(() => {
      expect(quick.received).toHaveLength(10);
      // It has been asked, and has not answered.
      expect(silent.received).not.toHaveLength(0);
    }, 40_000);
    speak();
    await worker.stop();
  });

  test('send again what a killed worker had taken, with the same ids, once its lease is over', async () => {
    const receiver = await newReceiver();
    const { endpointId } = await listen(receiver);
    const ids = await write('order.placed', 'order.updated');
    let answer = (_: never) => {};
    const killed: WebhookSender = {
      send: async (webhook) => {
        await sender.send(webhook);
        return new Promise((resolve) => {
          answer = resolve as typeof answer;
        });
      },
    };
    const lost = deliverBatch(services(), killed, { merchantId, endpointId });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    expect(await work()).toBe(false);
    later(1.1);
    await work();
    expect(idsOf(receiver).slice(2).sort()).toEqual([...ids].sort());
    expect(await deliveriesOf(endpointId)).toMatchObject([
      ...[
        { state: 'delivered', attempts: 1 },
        { state: 'delivered', attempts: 1 },
      ],
    ]);
    void lost;
    void answer;
  });

  test('that come back late change nothing that another has recorded', async () => {
    const receiver = await newReceiver();
    const { endpointId } = await listen(receiver);
    await write('order.placed');
    let comeBack = () => {};
    const late: WebhookSender = {
      send: () =>
        new Promise((resolve) => {
          comeBack = () =>
            resolve({ outcome: 'retry', status: null, answer: null, error: 'timeout', durationMs: 90_000 });
        }),
    };
    const lost = deliverBatch(services(), late, { merchantId, endpointId });
    await vi.waitFor(async () => {
      const [row] = await database.owner`select leased_until from webhook_endpoints where id = ${endpointId}`;
      expect(row?.leased_until).not.toBeNull();
    });
    later(1.5);
    await work();
    comeBack();
    await lost;
    expect(await deliveriesOf(endpointId)).toMatchObject([{ state: 'delivered', status: 200 }]);
    expect((await find(endpointId)).failingSince).toBeNull();
  });

  test('finish what they send when they are stopped, and leave the rest to the next', async () => {
    const receiver = await newReceiver(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return 200;
    });
    const { endpointId } = await listen(receiver);
    await write(...Array(30).fill('order.placed'));
    const worker = start();
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), 40_000);
    await worker.stop();
    const { length } = receiver.received;
    expect(length).toBeLessThan(30);
    const states = await database.owner`
      select state, count(*)::int as n from webhook_deliveries where endpoint_id = ${endpointId} group by state order by 1`;
    expect([...states]).toEqual([
      { state: 'delivered', n: length },
      { state: 'pending', n: 30 - length },
    ]);
    const [endpoint] = await database.owner`select leased_until from webhook_endpoints where id = ${endpointId}`;
    expect(endpoint?.leased_until).toBeNull();
    await work();
    expect(new Set(idsOf(receiver)).size).toBe(30);
    expect(receiver.received).toHaveLength(30);
  });
});
