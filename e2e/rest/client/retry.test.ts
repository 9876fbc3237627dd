/** The client's retry rule, against the running service. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createClient,
  giveUp,
  lookUp,
  type RedeemStoredValueRequest,
  RefusedError,
  UnknownOutcomeError,
} from '@/clients/typescript/src/index';
import { ledgerViolations, newTransactionId, restApi } from '../harness';
import { createStage, type Stage } from '../operations';
import { type Fault, type FaultyProxy, ofService, startFaultyProxy } from './faulty-proxy';

const api = restApi();
let stage: Stage;
let proxy: FaultyProxy;

beforeAll(async () => {
  stage = await createStage(api);
  proxy = await startFaultyProxy(() => api.origin);
});
afterAll(async () => {
  await proxy.stop();
  expect(await ledgerViolations(api)).toEqual([]);
});
afterEach(() => {
  proxy.faults.length = 0;
  proxy.received.length = 0;
});

const newClient = (giveUpAfterMs?: number) => createClient({ origin: proxy.origin, apiKey: stage.key, giveUpAfterMs });

const newRedemption = (): RedeemStoredValueRequest => ({
  transactionId: newTransactionId(),
  customer: { customerId: stage.customer.id },
  amount: 10,
});

/** How many times a transaction took its 10 cents. */
async function timesExecuted({ transactionId }: { transactionId: string }): Promise<number> {
  const [row] = await api.owner`
    select coalesce(-sum(e.amount), 0)::int / 10 as times
    from ledger_entries e join transactions t on t.uid = e.transaction_uid
    where t.merchant_id = ${stage.merchant.id} and t.transaction_id = ${transactionId}`;
  return row?.times;
}

const hotspot: Fault = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome to our WiFi</h1>' };
const portal: Fault = { status: 302, headers: { location: 'https://wifi.invalid/login' } };
const elsewhere = ofService(308, { location: 'https://wifi.invalid/cells/sg2/api/v1/sales' });
const gateway: Fault = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"Forbidden"}',
};

test.each<[string, Fault[]]>([
  ['the request is lost', ['unreached']],
  ['the response is lost', ['lost']],
  ['half of the response arrives', ['cut']],
  ['the service has a fault', [ofService(500)]],
  ['a hotspot shows its page', [hotspot]],
  ['a hotspot redirects to its page', [portal]],
  ['a redirect leads to another host', [elsewhere]],
  ['a firewall refuses', [gateway]],
  ['a proxy has no connection', [{ status: 502 }, { status: 504 }]],
  ['all of it happens', ['unreached', 'lost', hotspot]],
])('the same request is sent again, and executed once, if %s', async (_, faults) => {
  proxy.faults.push(...faults);
  const body = newRedemption();
  const { data } = await newClient().POST('/transactions/stored-value/redeem', { body });
  expect(data).toMatchObject({ transactionId: body.transactionId, amountRedeemed: 10 });
  expect(proxy.received.map((one) => JSON.parse(one.body))).toEqual(Array(faults.length + 1).fill(body));
  expect(await timesExecuted(body)).toBe(1);
});

test('where a redirect led before, and the key is unknown now, the first address is asked again', async () => {
  const moved = ofService(308, { location: '/cells/sg2/api/v1/transactions/stored-value/redeem' });
  const client = newClient();
  proxy.faults.push(moved, ofService(200));
  await client.POST('/transactions/stored-value/redeem', { body: newRedemption() });
  proxy.faults.push(ofService(401));
  const body = newRedemption();
  const { data } = await client.POST('/transactions/stored-value/redeem', { body });
  expect(data?.amountRedeemed).toBe(10);
  expect(await timesExecuted(body)).toBe(1);
  // A key that is unknown wherever the first address leads to is so for the caller.
  proxy.faults.push(moved, ofService(401), moved, ofService(401));
  const redeem = () => client.POST('/transactions/stored-value/redeem', { body: newRedemption() });
  expect((await redeem()).response.status).toBe(401);
  expect(proxy.faults).toHaveLength(2);
});

test('without a response for five seconds, the request is sent again', async () => {
  proxy.faults.push('silent');
  const body = newRedemption();
  const { data, response } = await newClient().POST('/transactions/stored-value/redeem', { body });
  expect(data?.amountRedeemed).toBe(10);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
  const [first, second] = proxy.received.map(({ at }) => at) as [number, number];
  expect(second - first).toBeGreaterThan(4_900);
  expect(await timesExecuted(body)).toBe(1);
});

test.each([429, 503])('after %i, the client waits as long as Retry-After says', async (status) => {
  proxy.faults.push(ofService(status, { 'retry-after': '1' }));
  const body = newRedemption();
  expect((await newClient().POST('/transactions/stored-value/redeem', { body })).data?.amountRedeemed).toBe(10);
  const [first, second] = proxy.received.map(({ at }) => at) as [number, number];
  expect(second - first).toBeGreaterThanOrEqual(1_000);
  expect(second - first).toBeLessThan(3_000);
});

test('a refusal is not sent again: code and message are there to show', async () => {
  const body = { ...newRedemption(), amount: 900_000 };
  const { data, error, response } = await newClient().POST('/transactions/stored-value/redeem', { body });
  expect([data, response.status, error?.error.code]).toEqual([undefined, 402, 'insufficient_balance']);
  expect(error?.error.details.requested).toBe(900_000);
  expect(proxy.received).toHaveLength(1);
});

const outcomeUnknown = (faults: Fault[], body: RedeemStoredValueRequest, giveUpAfterMs = 0) => {
  proxy.faults.push(...faults);
  return newClient(giveUpAfterMs)
    .POST('/transactions/stored-value/redeem', { body })
    .then(
      () => null,
      (error) => error as UnknownOutcomeError,
    );
};

test('it gives up in time, and says whether the transaction may have been executed', async () => {
  const busy = ofService(429, { 'retry-after': '1' });
  const throttled = await outcomeUnknown(Array(9).fill(busy), newRedemption(), 2_000);
  expect(throttled).toBeInstanceOf(UnknownOutcomeError);
  expect(throttled).toMatchObject({ mayBeExecuted: false, last: 'status 429' });
  expect(throttled?.attempts).toBeLessThanOrEqual(2);
  expect(throttled?.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  proxy.faults.length = 0;
  expect(await outcomeUnknown(['lost'], newRedemption())).toMatchObject({ mayBeExecuted: true, attempts: 1 });
  expect(await outcomeUnknown([hotspot], newRedemption())).toMatchObject({ last: 'status 200, not from the service' });
});

test('a look-up tells what became of a transaction', async () => {
  const [executed, never, refused] = [newRedemption(), newRedemption(), { ...newRedemption(), amount: 900_000 }];
  await outcomeUnknown(['lost'], executed);
  await outcomeUnknown(['unreached'], never);
  await outcomeUnknown(['lost'], refused);
  const client = newClient();
  expect(await lookUp(client, executed.transactionId)).toMatchObject({
    status: 'completed',
    answer: { amountRedeemed: 10 },
  });
  expect(await lookUp(client, never.transactionId)).toBeNull();
  expect(await lookUp(client, refused.transactionId)).toMatchObject({
    status: 'refused',
    answer: { error: { code: 'insufficient_balance' } },
  });
  await expect(lookUp(client, 'any', { storeCode: 'NOWHERE' })).rejects.toBeInstanceOf(RefusedError);
});

test('a void settles a transaction that arrived, and one that did not', async () => {
  const [executed, never] = [newRedemption(), newRedemption()];
  await outcomeUnknown(['lost'], executed);
  await outcomeUnknown(['unreached'], never);
  proxy.faults.push('lost');
  const results = await giveUp(newClient(), [executed.transactionId, never.transactionId]);
  expect(results.map(({ status }) => status)).toEqual(['already_voided', 'already_voided']);
  const { error } = await newClient().POST('/transactions/stored-value/redeem', { body: never });
  expect(error?.error.code).toBe('transaction_voided');
  expect([await timesExecuted(executed), await timesExecuted(never)]).toEqual([0, 0]);
});

test('a new PIN is not sent twice: only 429 is tried again', async () => {
  const body = { customer: { customerId: stage.customer.id } };
  proxy.faults.push(ofService(429, { 'retry-after': '1' }), 'lost');
  await expect(newClient().POST('/customers/forget-pin', { body })).rejects.toMatchObject({
    name: 'UnknownOutcomeError',
    attempts: 2,
  });
  const [row] = await api.owner`select count(*)::int as sent from messages where customer_id = ${stage.customer.id}`;
  expect(row?.sent).toBe(1);
});

test('a call ends at once when the caller aborts it', async () => {
  proxy.faults.push(...Array(9).fill('unreached'));
  const cancelled = new AbortController();
  const call = newClient().POST('/transactions/stored-value/redeem', {
    body: newRedemption(),
    signal: cancelled.signal,
  });
  setTimeout(() => cancelled.abort(new Error('the till was closed')), 50);
  await expect(call).rejects.toThrow('the till was closed');
});
