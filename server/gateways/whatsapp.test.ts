/** WhatsApp's webhook: its signature, its content, and how its receipts change a message. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { newId } from '@/server/domain/kernel/ids';
import { type Sentence, say, verbatim } from '@/server/domain/kernel/say';
import { recordReceipt } from '@/server/domain/messaging/deliver';
import type { Env } from '@/server/process/env';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { keptLog } from '@/server/testing/kept-log';
import { createWhatsapp, isSignedByWhatsapp, readOptOuts, readReceipts } from './whatsapp';

const secret = 'app secret';
const sign = (body: string, key = secret) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

describe('isSignedByWhatsapp', () => {
  const body = '{"entry":[],"name":"Zoë 🍜"}';

  test('accepts the signature of exactly this body', () => {
    expect(isSignedByWhatsapp([secret], body, sign(body))).toBe(true);
    expect(isSignedByWhatsapp([secret], '', sign(''))).toBe(true);
  });

  test('accepts any of two secrets, while one is rotated', () => {
    expect(isSignedByWhatsapp(['another', secret], body, sign(body))).toBe(true);
    expect(isSignedByWhatsapp(['another', 'a third'], body, sign(body))).toBe(false);
    expect(isSignedByWhatsapp([], body, sign(body))).toBe(false);
  });

  test.each<[string, string | null]>([
    ['none', null],
    ['an empty one', ''],
    ['of another body', sign(`${body} `)],
    ['by another secret', sign(body, 'another')],
    ['without its prefix', sign(body).slice(7)],
    ['of another kind', sign(body).replace('sha256', 'sha1')],
    ['in capitals', sign(body).toUpperCase()],
    ['cut short', sign(body).slice(0, -1)],
    ['with more behind it', `${sign(body)}0`],
    ['that is not ASCII', `sha256=${'é'.repeat(32)}`],
  ])('refuses %s', (_, signature) => {
    expect(isSignedByWhatsapp([secret], body, signature)).toBe(false);
  });
});

/** A webhook's body with these statuses. */
const webhook = (...statuses: unknown[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', statuses } }] }],
});

describe('readReceipts', () => {
  const receipt = { id: 'wamid.1', status: 'delivered', timestamp: '1795188900', recipient_id: '6591234567' };
  const read = { providerId: 'wamid.1', state: 'delivered', failure: null };

  test('returns state and id of each, from every entry and change', () => {
    const two = webhook(receipt, { ...receipt, id: 'wamid.2', status: 'read' });
    const three = { entry: [...two.entry, ...webhook({ ...receipt, status: 'sent' }).entry] };
    expect(readReceipts(three)).toEqual([
      read,
      { ...read, providerId: 'wamid.2', state: 'read' },
      { ...read, state: 'sent' },
    ]);
  });

  test('keeps a failure’s code, but no text that could quote the message', () => {
    const failed = { ...receipt, status: 'failed', errors: [{ code: 131_026, title: 'Undeliverable: 4831' }] };
    expect(readReceipts(webhook(failed))).toEqual([
      { ...read, state: 'failed', failure: say('whatsappError', { code: 131_026 }) },
    ]);
    const unexplained = { ...receipt, status: 'failed' };
    expect(readReceipts(webhook(unexplained))[0]?.failure).toEqual(say('whatsappError', { code: 'unknown' }));
  });

  test('ignores everything else, and keeps valid receipts beside it', () => {
    const others = [null, 'x', 7, {}, { id: 'wamid.3' }, { ...receipt, status: 'deleted' }, { ...receipt, id: 1 }];
    expect(readReceipts(webhook(...others, receipt))).toEqual([read]);
    const message = { entry: [{ changes: [{ value: { messages: [{ text: { body: 'hello' } }] } }] }] };
    for (const body of [message, null, undefined, [], 'x', {}, { entry: null }, { entry: [{}] }]) {
      expect(readReceipts(body)).toEqual([]);
    }
  });
});

describe('readOptOuts', () => {
  const replies = (...messages: unknown[]) => ({ entry: [{ changes: [{ value: { messages } }] }] });
  const reply = (body: string) => ({ from: '6591234567', type: 'text', text: { body } });

  test.each(['STOP', 'stop', ' Stop. ', '“Stop”', 'unsubscribe', 'Berhenti', '退订', '停止', '配信停止'])(
    'accepts %s',
    (said) => {
      expect(readOptOuts(replies(reply(said)))).toEqual(['+6591234567']);
    },
  );

  test.each([
    ...['', 'Please do not stop', 'stopped', 'nonstop', 'Thank you', 'STOP STOP now'],
    ...['请不要停止', '停止しないで', '不退订', 'éstop', '1 stop'],
  ])('ignores %j', (said) => {
    expect(readOptOuts(replies(reply(said)))).toEqual([]);
  });

  test('accepts a button of a template or a message', () => {
    const template = { from: '6591234567', type: 'button', button: { text: 'Stop', payload: 'x' } };
    const interactive = { type: 'button_reply', button_reply: { id: '1', title: '退订' } };
    const buttons = [template, { from: '6591234568', type: 'interactive', interactive }];
    expect(readOptOuts(replies(...buttons))).toEqual(['+6591234567', '+6591234568']);
    const other = { ...template, button: { text: 'Show me', payload: 'stop' } };
    expect(readOptOuts(replies(other))).toEqual([]);
  });

  test('ignores everything else, and finds replies beside receipts', () => {
    const others = [null, {}, { from: 'x', text: { body: 'STOP' } }, { from: '6591234567', type: 'image' }];
    expect(readOptOuts(replies(...others, reply('STOP')))).toEqual(['+6591234567']);
    expect(readOptOuts(webhook({ id: 'wamid.1', status: 'read' }))).toEqual([]);
  });
});

describe('recordReceipt', () => {
  const database = sharedDatabase();
  let merchantId: string;
  let customerId: string;

  beforeAll(async () => {
    merchantId = (await createMerchant(database.owner)).id;
    customerId = (await createCustomer(database.owner, merchantId)).id;
  });

  type State = 'sent' | 'delivered' | 'read' | 'failed';

  async function newMessage(state: State | 'queued' = 'sent'): Promise<string> {
    const providerId = `wamid.${newId()}`;
    const message = { id: newId(), kind: 'pin', channel: 'whatsapp', state, provider_id: providerId };
    await database.owner`
      insert into messages ${database.owner({ merchant_id: merchantId, customer_id: customerId, ...message })}`;
    return providerId;
  }
  const record = (providerId: string, state: State, failure: Sentence | null = null) =>
    recordReceipt(testServices(database.db), { providerId, state, failure });
  async function stateOf(providerId: string) {
    const [row] = await database.owner`select state, failure from messages where provider_id = ${providerId}`;
    return { state: row?.state, failure: row?.failure };
  }

  const states: State[] = ['sent', 'delivered', 'read', 'failed'];
  const forward: Record<State, State[]> = {
    sent: ['delivered', 'read', 'failed'],
    delivered: ['read'],
    read: [],
    failed: [],
  };

  test.each(states.flatMap((from) => states.map((to) => [from, to] as const)))('from %s, told %s', async (from, to) => {
    const providerId = await newMessage(from);
    await record(providerId, to, to === 'failed' ? say('whatsappError', { code: 1 }) : null);
    const isMove = forward[from].includes(to);
    expect(await stateOf(providerId)).toEqual({
      state: isMove ? to : from,
      failure: isMove && to === 'failed' ? say('whatsappError', { code: 1 }) : null,
    });
  });

  test('receipts in any order, each twice, end in the same state as in order', async () => {
    for (const order of [
      ['sent', 'delivered', 'read'],
      ['read', 'delivered', 'sent'],
      ['delivered', 'sent', 'read'],
    ] as State[][]) {
      const providerId = await newMessage();
      for (const state of [...order, ...order]) await record(providerId, state);
      expect((await stateOf(providerId)).state).toBe('read');
    }
  });

  test('a failure keeps its reason, whatever comes later', async () => {
    const providerId = await newMessage();
    await record(providerId, 'failed', say('whatsappError', { code: 131_026 }));
    for (const state of states) await record(providerId, state, state === 'failed' ? verbatim('another') : null);
    expect(await stateOf(providerId)).toEqual({ state: 'failed', failure: say('whatsappError', { code: 131_026 }) });
  });

  test('an unknown id is ignored, and affects no other message', async () => {
    const providerId = await newMessage();
    expect(await record('wamid.unknown', 'read')).toBe(false);
    expect(await record('', 'failed', verbatim('x'))).toBe(false);
    expect(await record(providerId, 'sent')).toBe(true);
    expect(await stateOf(providerId)).toEqual({ state: 'sent', failure: null });
  });
});

const sent = { messages: [{ id: 'wamid.1' }] };
const settingsAt = (address: string) =>
  ({
    WHATSAPP_API_URL: address,
    WHATSAPP_API_VERSION: 'v25.0',
    WHATSAPP_PHONE_NUMBER_ID: '7',
    WHATSAPP_ACCESS_TOKEN: 'token',
  }) as Env;

test.each([
  { what: 'refuses it', status: 400, headers: {}, body: { error: { code: 2635, message: 'deprecated' } } },
  { what: 'answers as a later one', status: 200, headers: { 'facebook-api-version': 'v26.0' }, body: sent },
  { what: 'serves it', status: 200, headers: { 'facebook-api-version': 'v25.0' }, body: sent },
])('an ended version is warned of once an hour, and no message is given up: WhatsApp $what', async (answer) => {
  const { what, status, headers, body } = answer;
  const outcome = status === 200 ? 'sent' : 'retry';
  const server = createServer((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { log, lines, check } = keptLog();
  const messenger = createWhatsapp(settingsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), { log });
  vi.useFakeTimers({ toFake: ['performance'] });
  const send = async () => expect(await messenger.sendCode('code', '+6591234567', '123456')).toMatchObject({ outcome });
  const warnings = what === 'serves it' ? [0, 0, 0] : [1, 1, 2];
  for (const [n, wanted] of warnings.entries()) {
    if (n === 2) vi.advanceTimersByTime(3_600_000);
    await send();
    expect(lines.filter((line) => line.includes('set WHATSAPP_API_VERSION'))).toHaveLength(wanted);
  }
  vi.useRealTimers();
  check();
  server.close();
});

test('a code is sent to no other address than WhatsApp’s, wherever that redirects', async () => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const messenger = createWhatsapp(settingsAt(address));
  expect(await messenger.sendCode('code', '+6591234567', '123456')).toMatchObject({ outcome: 'retry' });
  expect(asked).toEqual(['/v25.0/7/messages']);
  server.close();
});
