/** WhatsApp's webhook: verified with a token, every receipt signed. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { newId } from '@/server/domain/kernel/ids';
import { countAttempt } from '@/server/testing/attempts';
import { createCustomer, createMerchant, testSecret } from '@/server/testing/factory';
import { useSettings } from '@/server/testing/settings';

/** What happens while the route waits before it looks a second time. */
const pause = vi.hoisted(() => ({ whileIt: async () => {} }));
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: () => pause.whileIt(),
}));

const database = ownDatabase();
let route: typeof import('@/app/api/webhooks/whatsapp/route');
let providerId: string;
let restore: () => void;
/** Notes a message that WhatsApp took under this id. */
let insertSent: (providerId: string) => Promise<void>;

beforeAll(async () => {
  restore = useSettings({
    APP_ENV: 'sandbox',
    DATABASE_URL: database.url,
    AUTH_SECRET: testSecret,
    DATA_SECRET: testSecret,
    WHATSAPP_PHONE_NUMBER_ID: '105550001112223',
    WHATSAPP_ACCESS_TOKEN: 'a token of tests',
    WHATSAPP_VERIFY_TOKEN: 'the verify token',
    WHATSAPP_APP_SECRET: 'the app secret',
  });
  route = await import('@/app/api/webhooks/whatsapp/route');
  const { id } = await createMerchant(database.owner);
  const customer = await createCustomer(database.owner, id);
  providerId = `wamid.${newId()}`;
  insertSent = async (provider_id) => {
    const row = { merchant_id: id, id: newId(), customer_id: customer.id, provider_id, state: 'sent' };
    await database.owner`insert into messages ${database.owner({ ...row, kind: 'pin', channel: 'whatsapp' })}`;
  };
  await insertSent(providerId);
});
afterAll(async () => {
  const { getServices } = await import('@/server/environment/services');
  await getServices().db.close();
  restore();
});

const address = 'https://loyalty.example.com/api/webhooks/whatsapp';
const sign = (body: string) => `sha256=${createHmac('sha256', 'the app secret').update(body).digest('hex')}`;
async function post(body: string, headers: Record<string, string> = { 'x-hub-signature-256': sign(body) }) {
  const answer = await route.POST(new Request(address, { method: 'POST', body, headers }));
  countAttempt(answer.status >= 400);
  return answer;
}
const stateNow = async (id = providerId) =>
  (await database.owner`select state from messages where provider_id = ${id}`)[0]?.state;
const receipt = (status: string, id = providerId) =>
  JSON.stringify({ entry: [{ changes: [{ value: { statuses: [{ id, status }] } }] }] });

test('verification: the challenge comes back for the right token only', async () => {
  const get = (query: string) => route.GET(new Request(`${address}?${query}`));
  const right = 'hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=';
  const answer = get(`${right}the+verify+token`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(await answer.text()).toBe('1158201444');
  const wrong = [
    `${right}another`,
    right,
    '',
    'hub.verify_token=the+verify+token',
    `${right}the+verify+token`.replace('subscribe', 'x'),
  ];
  for (const query of wrong) {
    const refused = get(query);
    expect(refused.status, query).toBe(403);
    expect(await refused.text()).not.toContain('1158201444');
  }
});

test('a signed receipt updates the message; one that is unsigned, or signed for another body, changes nothing', async () => {
  for (const headers of [{}, { 'x-hub-signature-256': sign('{}') }, { 'x-hub-signature-256': 'sha256=' }]) {
    expect((await post(receipt('read'), headers as Record<string, string>)).status).toBe(403);
  }
  expect(await stateNow()).toBe('sent');
  const answer = await post(receipt('delivered'));
  expect(answer.status).toBe(200);
  expect(await stateNow()).toBe('delivered');
  expect((await post(receipt('sent'))).status).toBe(200);
  expect(await stateNow()).toBe('delivered');
});

test('a receipt that arrives before its message’s id is stored is not lost', async () => {
  const early = `wamid.${newId()}`;
  pause.whileIt = () => insertSent(early);
  const { status } = await post(receipt('delivered', early));
  pause.whileIt = async () => {};
  expect(status).toBe(200);
  expect(await stateNow(early)).toBe('delivered');
});

test('a signed reply of STOP opts its sender out; an unsigned one nobody', async () => {
  const [customer] = await database.owner`select id, phone from customers`;
  const messages = [{ from: customer?.phone.slice(1), type: 'text', text: { body: 'Stop' } }];
  const body = JSON.stringify({ entry: [{ changes: [{ value: { messages } }] }] });
  const optedOutAt = async () =>
    (await database.owner`select messages_opted_out_at as at from customers where id = ${customer?.id}`)[0]?.at;
  expect((await post(body, {})).status).toBe(403);
  expect(await optedOutAt()).toBeNull();
  expect((await post(body)).status).toBe(200);
  expect(await optedOutAt()).toBeInstanceOf(Date);
});

test('a signed event of another kind is accepted and ignored', async () => {
  for (const body of ['', '{', '[]', '{"entry":[]}', receipt('read', 'wamid.unknown')]) {
    expect((await post(body)).status, body).toBe(200);
  }
  expect(await stateNow()).toBe('delivered');
});

test('a body that is too large is rejected', async () => {
  const body = 'x'.repeat(1024 * 1024 + 1);
  const headers = { 'x-hub-signature-256': sign(body), 'content-length': String(body.length) };
  expect((await post(body, headers)).status).toBe(413);
});
