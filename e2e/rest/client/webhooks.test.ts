/** Webhooks are verified as the Standard Webhooks specification says: what its own library signs, the client accepts. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '@/clients/typescript/src/index';
import { newWebhookSecret, signedHeaders } from '@/server/domain/webhooks/signature';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const event = {
  id: 'evt-1',
  type: 'order.placed',
  occurredAt: '2026-11-25T12:00:00.000Z',
  storeCode: 'NORTH',
  data: { name: '辣沙' },
};
const body = JSON.stringify(event);

function signed({ at = new Date(), secrets = [secret], id = event.id } = {}) {
  const signatures = secrets.map((one) => new Webhook(one).sign(id, at, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

test('a webhook of the service is verified and read, from text or bytes, and with any kind of headers', async () => {
  const headers = signed();
  expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret)).toEqual(event);
  const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  expect(await verifyWebhook(Buffer.from(body), capitals, secret)).toEqual(event);
});

test('during a rotation, each of both secrets verifies it', async () => {
  const next = newSecret();
  const headers = signed({ secrets: [next, secret] });
  expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  expect(await verifyWebhook(body, headers, next)).toEqual(event);
});

test('what the service signs is verified', async () => {
  const own = newWebhookSecret();
  const headers = signedHeaders([newWebhookSecret(), own], { id: event.id, at: new Date(), body });
  expect(await verifyWebhook(body, headers, own)).toEqual(event);
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('it may be up to five minutes old, or early', async () => {
  for (const minutes of [4.9, -4.9]) {
    expect(await verifyWebhook(body, signed({ at: minutesAgo(minutes) }), secret)).toEqual(event);
  }
});

test.each<[string, Parameters<typeof verifyWebhook>]>([
  ['another secret', [body, signed({ secrets: [newSecret()] }), secret]],
  ['another body', [body.replace('NORTH', 'SOUTH'), signed(), secret]],
  ['a body that was parsed and written again', [JSON.stringify(event, null, 1), signed(), secret]],
  ['another id', [body, { ...signed(), 'webhook-id': 'evt-2' }, secret]],
  ['another time', [body, { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + 1) }, secret]],
  ['an old time', [body, signed({ at: minutesAgo(5.1) }), secret]],
  ['a time to come', [body, signed({ at: minutesAgo(-5.1) }), secret]],
  ['no time', [body, { ...signed(), 'webhook-timestamp': '' }, secret]],
  ['no signature', [body, { ...signed(), 'webhook-signature': '' }, secret]],
  ['a signature that is no base64', [body, { ...signed(), 'webhook-signature': 'v1,%%%' }, secret]],
  [
    'a signature of another version',
    [body, { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v2') }, secret],
  ],
  ['no headers', [body, {}, secret]],
  ['a secret that is none', [body, signed(), 'hunter2']],
  ['an empty secret', [body, signed(), 'whsec_']],
])('it is refused with %s', async (_, [...args]) => {
  await expect(verifyWebhook(...args)).rejects.toBeInstanceOf(WebhookError);
});

test('its message says that the secret is not set, or that the body was parsed', async () => {
  const refused = (message: RegExp) =>
    expect.objectContaining({ name: 'WebhookError', message: expect.stringMatching(message) });
  for (const unset of [undefined, '']) {
    await expect(verifyWebhook(body, signed(), unset)).rejects.toEqual(refused(/^The secret is not set/));
  }
  for (const parsed of [event, undefined, null, [...Buffer.from(body)]]) {
    await expect(verifyWebhook(parsed as never, signed(), secret)).rejects.toEqual(refused(/^Pass the raw body/));
  }
});
