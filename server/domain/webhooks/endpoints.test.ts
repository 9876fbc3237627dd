import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createWebhookSender } from '@/server/gateways/webhook-sender';
import { createMerchant, recordingEvents, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { startReceiver } from '@/server/testing/webhook-receiver';
import { sendDue, settleEvents, writeEvents } from '@/server/testing/webhooks';
import type { StaffContext } from '../kernel/context';

const database = sharedDatabase();
let owner: StaffContext;
let merchantId: string;
let now: Date;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const sender = createWebhookSender({ allowsOwnMachine: true });
const services = () => testServices(database.db, { now: () => now });

afterAll(() => receiver.stop());
beforeEach(async () => {
  now = new Date();
  await receiver?.stop();
  receiver = await startReceiver();
  ({ id: merchantId } = await createMerchant(database.owner, recordingEvents));
  owner = await createStaff(database.owner, services(), merchantId);
});

const call = () => callAs(owner).webhooks;
const create = (given: Partial<Parameters<ReturnType<typeof call>['create']>[0]> = {}) =>
  call().create({ url: receiver.url, description: 'Accounting', eventTypes: null, ...given });
const write = async (...types: Parameters<typeof writeEvents>[2][]) => {
  const ids = await writeEvents(services(), merchantId, ...types);
  await settleEvents(services(), merchantId);
  return ids;
};
const work = () => sendDue(services(), sender, merchantId);
const later = (hours: number) => {
  now = new Date(now.getTime() + hours * 3_600_000);
};
const wanted = async () =>
  (await database.owner`select event_types from merchants where id = ${merchantId}`)[0]?.event_types;
const lastHeaders = () => receiver.received.at(-1)?.headers as Record<string, string>;
const lastBody = () => receiver.received.at(-1)?.body ?? '';

describe('an endpoint', () => {
  test('is created with a secret that is shown once, and stored encrypted', async () => {
    const { endpointId, secret } = await create({ eventTypes: ['order.placed'] });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await call().list()).toEqual([
      {
        endpointId,
        url: receiver.url,
        description: 'Accounting',
        eventTypes: ['order.placed'],
        state: 'enabled',
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
        previousSecretUntil: null,
        createdAt: now,
      },
    ]);
    const stored = JSON.stringify([
      await database.owner`select * from webhook_endpoints where id = ${endpointId}`,
      await database.owner`select * from audit_log where merchant_id = ${merchantId}`,
    ]);
    expect(stored).not.toContain(secret.slice(6));
    expect(stored).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
  });

  test('decides which events are written: the union of what all want, without those that are disabled', async () => {
    await database.owner`update merchants set records_events = false, event_types = '{}' where id = ${merchantId}`;
    const { endpointId } = await create({ eventTypes: ['order.placed'] });
    await create({ eventTypes: ['customer.erased', 'order.placed'] });
    expect(await wanted()).toEqual(['customer.erased', 'order.placed']);
    await call().change({ endpointId, url: receiver.url, description: '', eventTypes: null });
    expect(await wanted()).toBeNull();
    await call().pause({ endpointId });
    expect(await wanted()).toBeNull();
    await call().remove({ endpointId });
    expect(await wanted()).toEqual(['customer.erased', 'order.placed']);
  });

  test.each([
    'http://example.com/hook',
    'http://127.0.0.1/hook',
    'https://localhost/hook',
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://user:password@example.com/hook',
    'ftp://example.com/hook',
    'example.com',
  ])('is refused at %s in production', async (url) => {
    const live = { ...owner, environment: 'live' as const, publicOrigin: 'https://loyalty.example.com' };
    const input = { url, description: '', eventTypes: null };
    await expect(callAs(live).webhooks.create(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const shared = { ...owner, publicOrigin: 'https://sandbox.example.com' };
    await expect(callAs(shared).webhooks.create(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const { endpointId } = await create();
    await expect(callAs(live).webhooks.change({ ...input, endpointId })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each(['http://example.com/hook', 'http://10.0.0.1/hook', 'http://localhost.example.com/hook'])(
    'is refused at %s also in a sandbox on a developer’s machine: only that machine may be without TLS',
    async (url) => {
      const error = await create({ url }).catch(({ cause }) => cause);
      expect(error).toMatchObject({ code: 'invalid_request', issues: [{ path: 'url' }] });
    },
  );

  test('is one of ten at most, also when several are created at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 14 }, () => create()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await call().list()).toHaveLength(10);
  });

  test('keeps its events while it is paused, and gets them afterwards', async () => {
    const { endpointId } = await create();
    await call().pause({ endpointId });
    const ids = await write('order.placed', 'order.updated');
    await work();
    expect(receiver.received).toEqual([]);
    await call().resume({ endpointId });
    await work();
    expect(receiver.received.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  test('is deleted with its deliveries', async () => {
    const { endpointId } = await create();
    await write('order.placed');
    await work();
    await call().remove({ endpointId });
    expect(await call().list()).toEqual([]);
    expect([...(await database.owner`select from webhook_deliveries where endpoint_id = ${endpointId}`)]).toEqual([]);
    await expect(call().remove({ endpointId })).rejects.toMatchObject({
      cause: { code: 'webhook_endpoint_not_found' },
    });
  });
});

test('after a rotation both secrets sign for a day, then the new one alone', async () => {
  const { endpointId, secret: old } = await create();
  const { secret } = await call().rotateSecret({ endpointId });
  await write('order.placed');
  await work();
  for (const one of [old, secret]) new Webhook(one).verify(lastBody(), lastHeaders());
  later(25);
  await write('order.placed');
  await work();
  expect(lastHeaders()['webhook-signature']?.split(' ')).toHaveLength(1);
  expect((await call().get({ endpointId })).previousSecretUntil).toBeNull();
});

describe('a test event', () => {
  test('goes to its endpoint alone, before all that waits, and once', async () => {
    receiver.answer = () => 500;
    const { endpointId } = await create();
    const other = await startReceiver();
    await create({ url: other.url });
    await write('order.placed');
    await work();
    const { eventId } = await call().sendTest({ endpointId });
    later(1);
    await work();
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ id: eventId, type: 'webhook.test' });
    later(24);
    await work();
    expect(await call().delivery({ endpointId, eventId })).toMatchObject({
      type: 'webhook.test',
      state: 'failed',
      attempts: 1,
      status: 500,
      response: '',
      request: receiver.received[1]?.body,
    });
    expect(other.received.map(({ body }) => JSON.parse(body).type)).toEqual(['order.placed']);
    await other.stop();
  });

  test('needs an endpoint that is enabled', async () => {
    const { endpointId } = await create();
    await call().pause({ endpointId });
    await expect(call().sendTest({ endpointId })).rejects.toMatchObject({ cause: { code: 'webhook_endpoint_off' } });
  });
});

describe('sending again', () => {
  test('one that was delivered, with the same id', async () => {
    const { endpointId } = await create();
    const [eventId = ''] = await write('order.placed');
    await work();
    await call().resend({ endpointId, eventId });
    await work();
    expect(receiver.received.map(({ id }) => id)).toEqual([eventId, eventId]);
    const unknown = { endpointId, eventId: endpointId };
    await expect(call().resend(unknown)).rejects.toMatchObject({ cause: { code: 'webhook_delivery_not_found' } });
  });

  test('what failed on some days, or all of it', async () => {
    const { endpointId } = await create();
    const ids = await write('order.placed', 'order.updated', 'order.placed');
    await work();
    await database.owner`
      update webhook_deliveries set state = 'failed' where endpoint_id = ${endpointId} and event_id = ${ids[1] as string}`;
    const { timeZone } = owner.merchant;
    const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
    const span = (given: object) =>
      call().resendSpan({ endpointId, from: today, until: today, onlyFailed: true, ...given });
    expect(await span({ from: '2026-01-01', until: '2026-01-02' })).toEqual({ count: 0 });
    expect(await span({})).toEqual({ count: 1 });
    await work();
    expect(receiver.received.slice(3).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await span({ onlyFailed: false })).toEqual({ count: 3 });
    await work();
    expect(
      receiver.received
        .slice(4)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());
    await expect(span({ from: today, until: '2026-01-01' })).rejects.toMatchObject({
      cause: { code: 'invalid_request' },
    });
  });
});
