import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newWebhookSecret, signedHeaders } from './signature';

const event = { id: '019ab0a1-0000-7000-8000-000000000001', body: '{"type":"order.placed","data":{"note":"Zoë 🍜"}}' };
const sign = (secrets: string[], at = new Date()) => signedHeaders(secrets, { ...event, at });

describe('a webhook', () => {
  test('is verified by the library of the specification', () => {
    const secret = newWebhookSecret();
    expect(new Webhook(secret).verify(event.body, sign([secret]))).toEqual(JSON.parse(event.body));
  });

  test('is verified with the old and the new secret while one is rotated', () => {
    const [fresh, old, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const headers = sign([fresh, old]);
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    for (const secret of [fresh, old]) new Webhook(secret).verify(event.body, headers);
    expect(() => new Webhook(other).verify(event.body, headers)).toThrow('No matching signature');
  });

  test('is refused with another body, id or time', () => {
    const secret = newWebhookSecret();
    const headers = sign([secret]);
    const webhook = new Webhook(secret);
    expect(() => webhook.verify(`${event.body} `, headers)).toThrow('No matching signature');
    expect(() => webhook.verify(event.body, { ...headers, 'webhook-id': 'another' })).toThrow('No matching signature');
    expect(() => webhook.verify(event.body, sign([secret], new Date(Date.now() - 600_000)))).toThrow('too old');
  });

  test('has the signature of the example in the specification', () => {
    const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});
