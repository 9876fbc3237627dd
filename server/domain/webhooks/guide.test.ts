/** Runs the guide's sample receiver as it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '@/db/operations/ports';
import { createWebhookSender } from '@/server/gateways/webhook-sender';
import { newWebhookSecret, signedHeaders } from './signature';

const guide = readFileSync('docs/guides/webhooks.md', 'utf8');

test('the request of the guide is signed with the secret of the guide', () => {
  const [, head = '', body = ''] = /^```http\n([\s\S]*?)\n\n(.*)\n```$/m.exec(guide) ?? [];
  const [secret = ''] = /whsec_[\w+/]{43}=/.exec(guide) ?? [];
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const at = new Date(Number(header('webhook-timestamp')) * 1_000);
  expect(new Webhook(secret).sign(header('webhook-id'), at, body)).toBe(header('webhook-signature'));
});

test('the receiver of the guide accepts what is signed, handles it once, and refuses anything else', async () => {
  const [, sample = ''] = /^```js\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  expect(sample).toContain('listen(4000)');
  const port = await freePort();
  const secret = newWebhookSecret();
  const args = ['--input-type=module', '--eval', sample.replace('4000', String(port))];
  const receiver = spawn(process.execPath, args, { env: { ...process.env, WEBHOOK_SECRET: secret } });
  onTestFinished(() => void receiver.kill());
  let printed = '';
  receiver.stdout.on('data', (text) => {
    printed += text;
  });
  await once(receiver, 'spawn');

  const sender = createWebhookSender({ allowsOwnMachine: true });
  const body = JSON.stringify({ id: 'an event', type: 'order.placed', data: { number: 418 } });
  const send = (secrets: string[]) => {
    const headers = signedHeaders(secrets, { id: 'an event', at: new Date(), body });
    return sender.send({ url: `http://127.0.0.1:${port}/webhooks`, headers, body });
  };
  await vi.waitFor(async () => expect(await send([secret])).toMatchObject({ status: 204 }), 40_000);
  expect(await send([newWebhookSecret(), secret])).toMatchObject({ outcome: 'sent' });
  expect(await send([newWebhookSecret()])).toMatchObject({ outcome: 'retry', status: 400 });
  await vi.waitFor(() => expect(printed).toBe('order.placed { number: 418 }\n'));

  const inChinese = JSON.stringify({ id: 'another', type: 'order.placed', data: { name: '麻婆豆腐' } });
  const signed = signedHeaders([secret], { id: 'another', at: new Date(), body: inChinese });
  expect(await postByByte(`http://127.0.0.1:${port}/webhooks`, signed, inChinese)).toBe(204);
});

/** Posts a body with each byte in a chunk of its own, so that no character arrives whole. Returns the status. */
async function postByByte(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const request = httpRequest(url, { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } });
  for (const byte of Buffer.from(body)) request.write(Buffer.from([byte]));
  request.end();
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode;
}

test('standardwebhooks 1.1.1 finds nothing in a Headers, as the guide says', () => {
  const [id, at, body, secret] = ['an event', new Date(), '{"id":"an event"}', newWebhookSecret()];
  const headers = new Headers(signedHeaders([secret], { id, at, body }));
  const verify = (given: object) => new Webhook(secret).verify(body, given as Record<string, string>);
  expect(() => verify(headers)).toThrow('Missing required headers');
  expect(verify(Object.fromEntries(headers))).toEqual({ id });
});
