/** Traces of the front door and the worker, as a collector receives them. For Next's, see `e2e/site/traces.e2e.ts`. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { secretsIn } from '@/db/testing/secrets';
import { type CollectedSpan, type FakeOtlp, startFakeOtlp, treeBelow } from '@/e2e/fixtures/fake-otlp';
import { saleBody } from '@/e2e/rest/ordering-operations';
import type { Services } from '../domain/kernel/context';
import { networkList } from '../domain/kernel/networks';
import type { Messenger } from '../domain/messaging';
import { readEnv } from '../environment/env';
import { startWorker } from '../jobs/worker';
import type { TrustedProxies } from '../limits/client-address';
import { startTracing } from '../observe/tracing';
import { createCustomer, createMerchant, type TestMerchant, testSecret, testServices } from '../testing/factory';
import { keptLog } from '../testing/kept-log';
import { createFrontDoor } from './front-door';

const database = ownDatabase();
let merchant: TestMerchant;
let collector: FakeOtlp;
let tracing: { stop(): Promise<void> };
const { log, lines } = keptLog();

beforeAll(async () => {
  merchant = await createMerchant(database.owner, { pin_required: true });
});
beforeEach(async () => {
  collector = await startFakeOtlp();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.endpoint);
  tracing = await startTracing('service', collector.endpoint, log);
});
afterEach(async () => {
  await tracing.stop();
  await collector.stop();
  vi.unstubAllEnvs();
});

/** Runs `work` against a front door. Returns all spans that were sent. */
async function spansOf(
  work: (send: (path: string, init?: RequestInit) => Promise<Response>) => Promise<unknown>,
  also: Partial<Services> = {},
  trustedProxies: TrustedProxies = networkList(['127.0.0.1']),
): Promise<CollectedSpan[]> {
  const services = { ...testServices(database.db), ...also };
  const server = createFrontDoor({ services, log, nextOrigin: 'http://127.0.0.1:9', trustedProxies });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = { 'x-api-key': merchant.stores[0].key, 'content-type': 'application/json' };
  await work((path, init) => fetch(`${origin}${path}`, { ...init, headers: { ...headers, ...init?.headers } }));
  server.closeAllConnections();
  await new Promise<void>((done) => server.close(() => done()));
  await tracing.stop();
  return collector.spans;
}

const post = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers,
});

/** A caller's span, as its header names it. */
function newCaller(flags = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

test('a sale is one trace below the till’s: request, procedure, statements and database transaction', async () => {
  const { id: customerId } = await createCustomer(database.owner, merchant.id);
  const till = newCaller();
  const spans = await spansOf(async (send) => {
    // Makes the key known.
    await send('/api/v1/ping');
    const answer = await send('/api/v1/sales', post(saleBody({ customer: { customerId } }), till.headers));
    expect(answer.status).toBe(200);
  });
  expect(treeBelow(spans, till.spanId)).toEqual([
    ['POST /api/v1/sales', 'statement', ['sales.submit', 'statement', ['group', 'transaction']]],
  ]);
  const own = spans.filter(({ traceId }) => traceId === till.traceId);
  const kindOf = (name: string) => own.find((span) => span.name === name)?.kind;
  expect(['POST /api/v1/sales', 'sales.submit', 'transaction'].map(kindOf)).toEqual([2, 1, 3]);
  const [request] = own.filter(({ parentSpanId }) => parentSpanId === till.spanId);
  expect(request).toMatchObject({
    process: 'service',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/sales',
      'http.response.status_code': 200,
      'loyalty.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
});

test('a caller that is none of our proxies decides nothing about traces', async () => {
  const caller = newCaller();
  const spans = await spansOf((send) => send('/api/v1/ping', { headers: caller.headers }), {}, 0);
  expect(spans.filter(({ traceId }) => traceId === caller.traceId)).toEqual([]);
  expect(spans.filter(({ name }) => name === 'GET /api/v1/ping')).toHaveLength(1);
});

test('sales that share a database transaction are linked with it, and it with them', async () => {
  const customers = await Promise.all(Array.from({ length: 12 }, () => createCustomer(database.owner, merchant.id)));
  const spans = await spansOf(async (send) => {
    await send('/api/v1/ping');
    const sales = customers.map(({ id }) => send('/api/v1/sales', post(saleBody({ customer: { customerId: id } }))));
    for (const { status } of await Promise.all(sales)) expect(status).toBe(200);
  });
  const procedures = spans.filter(({ name }) => name === 'sales.submit');
  const groups = spans.filter(({ name }) => name === 'group');
  expect(procedures).toHaveLength(12);
  expect(groups.length).toBeLessThan(12);
  // Each sale is in one group, which is below it or linked to it.
  for (const { spanId, links } of procedures) {
    const below = groups.filter(({ parentSpanId }) => parentSpanId === spanId);
    const linked = groups.filter((group) => group.links.some((link) => link.spanId === spanId));
    expect(below.length + linked.length).toBe(1);
    expect(links.map((link) => link.spanId)).toEqual(linked.map((group) => group.spanId));
  }
});

test('a message that a request queues is a trace of its own, linked with the request', async () => {
  const { id: customerId } = await createCustomer(database.owner, merchant.id, { pin: '4831' });
  const settings = { APP_ENV: 'sandbox', DATABASE_URL: database.url, AUTH_SECRET: testSecret, DATA_SECRET: testSecret };
  const services = { ...testServices(database.db), messenger: 'whatsapp' as const };
  const till = newCaller();
  let isSent = () => {};
  const sent = new Promise<void>((resolve) => {
    isSent = resolve;
  });
  const sendCode: Messenger['sendCode'] = async () => {
    isSent();
    return { outcome: 'sent', providerId: 'wamid.1' };
  };
  const worker = await startWorker(services, readEnv(settings), log, {
    sendCode,
    sendNotice: () => sendCode('pin', '', ''),
  });
  const spans = await spansOf(async (send) => {
    const answer = await send('/api/v1/customers/forget-pin', post({ customer: { customerId } }, till.headers));
    expect(answer.status).toBe(200);
    await sent;
    // The worker finishes the job first.
    await worker.stop();
  }, services);
  const [job, ...others] = spans.filter(({ name }) => name === 'job deliver-message');
  expect(others).toEqual([]);
  expect(job?.parentSpanId).toBeUndefined();
  expect(job?.attributes).toMatchObject({ 'loyalty.job.attempt': 1 });
  const inRequest = spans.filter(({ traceId }) => traceId === till.traceId).map(({ spanId }) => spanId);
  expect(job?.links.map(({ traceId }) => traceId)).toEqual([till.traceId]);
  expect(inRequest).toContain(job?.links[0]?.spanId);
  expect(treeBelow(spans, job?.spanId ?? '')).toContain('transaction');
});

test('a request that the caller does not record is not recorded here', async () => {
  const till = newCaller('00');
  const spans = await spansOf((send) => send('/api/v1/ping', { headers: till.headers }));
  expect(spans.filter(({ name }) => name.includes('ping'))).toEqual([]);
});

test('a refusal has its code; only a failure of ours is an error', async () => {
  const spans = await spansOf(async (send) => {
    expect((await send(`/api/v1/customers/phone/%2B6599999999/balances`)).status).toBe(404);
    expect((await send('/q/nothing-is-there')).status).toBe(503);
  });
  const [refused, failed] = spans.filter(({ kind }) => kind === 2);
  expect(refused?.name).toBe('GET /api/v1/customers/phone/{phone}/balances');
  expect(refused?.attributes['error.type']).toBe('customer_not_found');
  expect(refused?.status.code ?? 0).toBe(0);
  expect(failed?.name).toMatch(/^GET( \/q\/\[token\])?$/);
  expect(failed?.status.code).toBe(2);
});

test('no personal data, PIN, key, token or text of a caller is sent', async () => {
  const { id: customerId } = await createCustomer(database.owner, merchant.id, { pin: '4831' });
  const [phone, email, token] = ['+6591237777', 'mei-lin@example.com', randomBytes(16).toString('base64url')];
  await spansOf(async (send) => {
    await send('/api/v1/customers', post({ givenName: 'Meilin', lastName: 'Tan', phone, email }));
    await send(`/api/v1/customers/phone/${encodeURIComponent(phone)}/balances?email=${email}`);
    await send(`/api/v1/customers/email/${email}/balances`);
    await send(
      '/api/v1/transactions/points/redeem',
      post({ transactionId: 't', customer: { customerId }, points: 1, pin: '9376' }),
    );
    await send('/api/v1/customers', post({ phone: '+6591237777 x', note: 'Meilin' }));
    await send(`/api/v1/nowhere/${phone}`, { headers: { 'x-api-key': `${merchant.key}x` } });
    await send(`/q/${token}?phone=${phone}`, {
      headers: { tracestate: 'who=Meilin', baggage: 'who=Meilin', traceparent: 'Meilin' },
    });
    await send('/customers?search=Meilin');
  });
  const text = collector.text();
  expect(text).toContain('GET /api/v1/customers/email/{email}/balances');
  expect(secretsIn(text)).toEqual([]);
  const canaries = ['91237777', 'mei-lin', 'Meilin', token, merchant.key, merchant.stores[0].key];
  for (const canary of [...canaries, customerId, merchant.id]) expect(text).not.toContain(canary);
  // Four digits are now and then part of a time or of a span's id.
  expect(text).not.toMatch(/(?<![0-9a-f])(4831|9376)(?![0-9a-f])/);
});

test('a collector that is away delays no request, and is logged once', async () => {
  await Promise.all([collector.stop(), tracing.stop()]);
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '100');
  tracing = await startTracing('service', collector.endpoint, log);
  const said = () => lines.filter((line) => line.includes('traces were not sent'));
  await spansOf(async (send) => {
    expect((await send('/api/v1/ping')).status).toBe(200);
    await vi.waitFor(() => expect(said()).toHaveLength(1), 40_000);
    for (let n = 0; n < 5; n++) expect((await send('/api/v1/ping')).status).toBe(200);
  });
  expect(said()).toHaveLength(1);
});
