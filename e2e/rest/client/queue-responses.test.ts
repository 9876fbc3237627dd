/** What the client's queue does with each response, by the rows that its guide shows. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openFileJournal } from '@/clients/typescript/src/file-journal';
import { createClient, openQueue, RefusedError, type SubmitSaleRequest } from '@/clients/typescript/src/index';
import { rows, type Step } from '@/clients/typescript/src/responses';
import { plainSale } from '../ordering-operations';
import { type Fault, type FaultyProxy, ofService, startFaultyProxy } from './faulty-proxy';

let proxy: FaultyProxy;
let folder: string;

beforeEach(async () => {
  proxy = await startFaultyProxy(() => '');
  folder = await mkdtemp(join(tmpdir(), 'loyalty-journal-'));
});
afterEach(async () => {
  await proxy.stop();
  await rm(folder, { recursive: true });
});

const done: Fault = ofService(200);
const refusal = (status: number, code: string, issues: string[] = [], details: object = {}): Fault => {
  const error = {
    code,
    message: `It is ${code}.`,
    details,
    issues: issues.map((path) => ({ path, message: 'Wrong.' })),
  };
  return { ...(ofService(status) as Exclude<Fault, string>), body: JSON.stringify({ error }) };
};

const soldAt = Date.now();
/** Of a bill that was opened that long before the sale. */
const changed = (beforeMs: number) =>
  refusal(402, 'bill_changed', [], { openedAt: new Date(soldAt - beforeMs).toISOString() });

/** For each row, responses that it is about. */
const examples: Record<string, [name: string, response: Fault][]> = {
  '200': [['200', done]],
  'no response, 429, 500, 503': [
    ['no response', 'unreached'],
    ['the page of a hotspot', { status: 200, body: '<html>' }],
    ...[429, 500, 502, 503].map((status): [string, Fault] => [`${status}`, ofService(status, { 'retry-after': '9' })]),
  ],
  '308': [['308', ofService(308, { location: '/cells/b/api/v1/sales' })]],
  '401, 403, or 404 `store_not_found`': [
    ['401', refusal(401, 'unauthorized')],
    ['403', refusal(403, 'store_forbidden')],
    ['404 store_not_found', refusal(404, 'store_not_found')],
  ],
  'a sale gets 404 `customer_not_found`, or 400 with issues of `customer` alone': [
    ['404 customer_not_found', refusal(404, 'customer_not_found')],
    ['400 for its customer', refusal(400, 'invalid_request', ['customer.phone'])],
  ],
  'a sale gets 402 `limit_exceeded`': [['402 limit_exceeded', refusal(402, 'limit_exceeded')]],
  'a sale gets 402 `bill_changed`, and happened at least five minutes after `details.openedAt`': [
    ['402 bill_changed', changed(300_001)],
  ],
  'a sale gets 402 `bill_changed` otherwise': [
    ['402 bill_changed of a bill that was opened later', changed(-1_000)],
    ['402 bill_changed of a bill that was opened just before', changed(240_000)],
  ],
  'another 400': [
    ['400', refusal(400, 'invalid_request', ['customer.phone', 'total'])],
    ['400 without issues', refusal(400, 'invalid_request')],
  ],
  'another 402 or 404': [
    ['402', refusal(402, 'customer_blocked')],
    ['404', refusal(404, 'not_found')],
  ],
};
const cases = rows.flatMap(({ response, step }) =>
  (examples[response] ?? []).map(([name, of]) => ({ name, step, of })),
);

const sale = () => {
  const rest = { customer: { phone: '+6591234567' }, occurredAt: new Date(soldAt).toISOString(), expectedDue: 1_000 };
  return plainSale(1_000, rest) as SubmitSaleRequest & { occurredAt: string; transactionId: string };
};

async function open() {
  const statuses: string[] = [];
  const waits: Error[] = [];
  const queue = await openQueue({
    client: createClient({ origin: proxy.origin, apiKey: 'sk_sandbox_x' }),
    journal: await openFileJournal(folder),
    onOutcome: (_, { status }) => void statuses.push(status),
    onWaiting: (reason) => waits.push(reason),
  });
  onTestFinished(() => queue.close());
  return { queue, statuses, waits };
}

/** What is sent after the first response; undefined if nothing is. */
const sentNext: Record<Step, (body: ReturnType<typeof sale>) => object | undefined> = {
  remove: () => undefined,
  hold: () => undefined,
  sendAgain: (body) => body,
  follow: (body) => body,
  stop: (body) => body,
  sendWithoutCustomer: ({ customer: _, ...body }) => body,
  sendWithoutCustomerAsNew: ({ customer: _, ...body }) => ({ ...body, transactionId: expect.any(String) }),
  sendWithoutExpectedDue: ({ expectedDue: _, ...body }) => body,
};

describe('a sale', () => {
  test.each(cases)('is treated by its row after $name ($step)', async ({ step, of }) => {
    proxy.faults.push(of, done);
    const { queue, statuses, waits } = await open();
    const body = sale();
    await queue.add('/sales', body);
    if (step === 'sendAgain' || step === 'stop') {
      await vi.waitFor(() => expect(waits).toHaveLength(1), 6_000);
      expect(waits[0] instanceof RefusedError).toBe(step === 'stop');
      expect([queue.size, queue.held(), statuses]).toEqual([1, [], []]);
      queue.wake();
    }
    await vi.waitFor(() => expect(queue.size).toBe(0), 6_000);
    const [first, second, ...more] = proxy.received.map((one) => JSON.parse(one.body));
    expect([first, second, more]).toEqual([body, sentNext[step](body), []]);
    if (second && second.transactionId !== body.transactionId) expect(step).toBe('sendWithoutCustomerAsNew');
    expect(statuses).toEqual([step === 'hold' ? 'refused' : 'completed']);
    expect(queue.held().map(({ request }) => request)).toEqual(step === 'hold' ? [{ path: '/sales', body }] : []);
    expect(await readdir(folder)).toHaveLength(step === 'hold' ? 1 : 0);
  });
});

test('the guide shows the rows', async () => {
  const guide = await readFile('docs/guides/offline.md', 'utf8');
  for (const { response, till } of rows) expect(guide).toContain(`\n| ${response} | ${till} |\n`);
  expect(Object.keys(examples).sort()).toEqual(rows.map(({ response }) => response).sort());
  const [, table = ''] = guide.split('| The response | The till |\n|---|---|\n');
  expect(table.split('\n\n')[0]?.split('\n')).toHaveLength(rows.length);
});

describe('a refused request', () => {
  test('stays set aside through restarts, and is not sent, until a person drops it', async () => {
    proxy.faults.push(refusal(402, 'customer_blocked'));
    const first = await open();
    const body = sale();
    await first.queue.add('/sales', body);
    await vi.waitFor(() => expect(first.queue.held()).toHaveLength(1), 5_000);
    await first.queue.close();
    const { queue } = await open();
    const [held] = queue.held();
    expect(held).toMatchObject({ request: { path: '/sales', body }, error: { code: 'customer_blocked' } });
    await queue.resolve(held?.name ?? '', 'drop');
    await queue.resolve(held?.name ?? '', 'sendAgain');
    expect([queue.held(), queue.size, await readdir(folder)]).toEqual([[], 0, []]);
    expect(proxy.received).toHaveLength(1);
  });

  test.each([
    ['of which nothing is recorded, keeps its id', refusal(404, 'transaction_not_found'), true],
    ['that is recorded, gets another id', { ...(done as object), body: '{"status":"refused"}' } as Fault, false],
  ])('%s when it is sent again', async (_, lookedUp, keepsId) => {
    proxy.faults.push(refusal(402, 'customer_blocked'), lookedUp, done);
    const { queue, statuses } = await open();
    const body = sale();
    await queue.add('/sales', body);
    await vi.waitFor(() => expect(queue.held()).toHaveLength(1), 5_000);
    await queue.resolve(queue.held()[0]?.name ?? '', 'sendWithoutCustomer');
    await vi.waitFor(() => expect([queue.size, statuses]).toEqual([0, ['refused', 'completed']]), 5_000);
    const { customer: _c, transactionId, ...rest } = body;
    const sent = JSON.parse(proxy.received.at(-1)?.body ?? '');
    expect(sent).toEqual({ ...rest, transactionId: keepsId ? transactionId : expect.any(String) });
    expect(sent.transactionId === transactionId).toBe(keepsId);
    expect([queue.held(), await readdir(folder)]).toEqual([[], []]);
  });

  test('that has no customer is not sent without one', async () => {
    proxy.faults.push(refusal(402, 'insufficient_balance'));
    const { queue } = await open();
    const occurredAt = new Date().toISOString();
    const body = { transactionId: 'R-1', customer: { phone: '+6591234567' }, amount: 10, occurredAt };
    await queue.add('/transactions/stored-value/redeem', body);
    await vi.waitFor(() => expect(queue.held()).toHaveLength(1), 5_000);
    const { name = '' } = queue.held()[0] ?? {};
    await expect(queue.resolve(name, 'sendWithoutCustomer')).rejects.toThrow(TypeError);
    expect(queue.held()).toHaveLength(1);
  });
});
