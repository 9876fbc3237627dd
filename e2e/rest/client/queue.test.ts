/** The client's offline queue, against the running service. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openFileJournal } from '@/clients/typescript/src/file-journal';
import {
  createClient,
  openQueue,
  type QueuedOutcome,
  type QueuedRequest,
  RefusedError,
  UnknownOutcomeError,
} from '@/clients/typescript/src/index';
import { ledgerViolations, newTransactionId, restApi } from '../harness';
import { createStage, type Stage } from '../operations';
import { plainBill, plainSale } from '../ordering-operations';
import { type FaultyProxy, ofService, startFaultyProxy } from './faulty-proxy';

const api = restApi();
let stage: Stage;
let proxy: FaultyProxy;
let folder: string;

beforeAll(async () => {
  stage = await createStage(api);
});
beforeEach(async () => {
  proxy = await startFaultyProxy(() => api.origin);
  folder = await mkdtemp(join(tmpdir(), 'loyalty-journal-'));
});
afterEach(async () => {
  await proxy.stop();
  await rm(folder, { recursive: true });
});
afterAll(async () => expect(await ledgerViolations(api)).toEqual([]));

type Handled = [QueuedRequest, QueuedOutcome];

/** A queue on the test's journal, with what it tells. It is closed with the test. */
async function open(options: { apiKey?: string; onOutcome?: (handled: Handled) => void } = {}) {
  const handled: Handled[] = [];
  const waits: Error[] = [];
  const queue = await openQueue({
    client: createClient({ origin: proxy.origin, apiKey: options.apiKey ?? stage.key }),
    journal: await openFileJournal(folder),
    onOutcome: (...one) => {
      options.onOutcome?.(one);
      handled.push(one);
    },
    onWaiting: (reason) => waits.push(reason),
  });
  onTestFinished(() => queue.close());
  return { queue, handled, waits };
}

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const customer = () => ({ customerId: stage.customer.id });
const redemption = (amount = 10) => ({
  transactionId: newTransactionId(),
  customer: customer(),
  amount,
  occurredAt: anHourAgo(),
});
const sale = (rest: object = {}) =>
  plainSale(1_000, { customer: customer(), occurredAt: anHourAgo(), ...rest }) as ReturnType<typeof plainSale> & {
    occurredAt: string;
  };
const redeem = '/transactions/stored-value/redeem';

const rowsOf = (ids: string[]) => api.owner`
  select transaction_id as id, status, occurred_at as "occurredAt" from transactions
  where merchant_id = ${stage.merchant.id} and transaction_id in ${api.owner(ids)} order by created_at`;

test('what is added offline is sent in order when the network is back, as of the time at the till', async () => {
  proxy.faults.push(...Array(2).fill('unreached'));
  const { queue, handled, waits } = await open();
  const [first, second, third] = [sale(), redemption(), redemption(900_000)];
  await queue.add('/sales', first);
  await queue.add(redeem, second);
  await queue.add(redeem, third);
  expect(queue.size).toBe(3);
  expect(await readdir(folder)).toHaveLength(3);
  await vi.waitFor(() => expect(waits).toHaveLength(2), 5_000);
  expect(waits[0]).toBeInstanceOf(UnknownOutcomeError);
  queue.wake();
  await vi.waitFor(() => expect(queue.size).toBe(0), 5_000);
  expect(handled.map(([{ body }, { status }]) => [body, status])).toEqual([
    [first, 'completed'],
    [second, 'completed'],
    [third, 'refused'],
  ]);
  expect(handled[2]?.[1]).toMatchObject({ error: { code: 'insufficient_balance' } });
  expect(queue.held()).toMatchObject([{ request: { body: third }, error: { code: 'insufficient_balance' } }]);
  expect(await readdir(folder)).toHaveLength(1);
  const rows = await rowsOf([first.transactionId, second.transactionId]);
  expect(rows.map(({ occurredAt }) => new Date(occurredAt).toISOString())).toEqual([
    first.occurredAt,
    second.occurredAt,
  ]);
});

test('it waits as long as the service asks', async () => {
  proxy.faults.push(ofService(429, { 'retry-after': '4' }));
  const { queue, handled, waits } = await open();
  await queue.add('/sales', sale());
  await vi.waitFor(() => expect(handled).toHaveLength(1), 8_000);
  expect(waits).toHaveLength(1);
  const [refused, sent] = proxy.received.map(({ at }) => at) as [number, number];
  expect(sent - refused).toBeGreaterThanOrEqual(3_900);
});

test('a response that is lost is replayed to the next process, and nothing is executed twice', async () => {
  proxy.faults.push('lost');
  const body = redemption();
  const before = await open();
  await before.queue.add(redeem, body);
  await vi.waitFor(() => expect(before.waits).toHaveLength(1), 5_000);
  await before.queue.close();
  await expect(before.queue.add(redeem, redemption())).rejects.toThrow();
  const after = await open();
  await vi.waitFor(() => expect(after.handled).toHaveLength(1), 5_000);
  expect(after.handled[0]?.[1]).toMatchObject({ status: 'completed', answer: { transactionId: body.transactionId } });
  expect(proxy.received.map((one) => JSON.parse(one.body))).toEqual([body, body]);
  expect(await rowsOf([body.transactionId])).toHaveLength(1);
});

test('a request keeps its place while its key is refused, and is sent with the next key', async () => {
  const body = redemption();
  const before = await open({ apiKey: `sk_sandbox_${'x'.repeat(40)}` });
  await before.queue.add(redeem, body);
  await vi.waitFor(() => expect(before.waits[0]).toBeInstanceOf(RefusedError), 5_000);
  expect(before.handled).toEqual([]);
  await before.queue.close();
  const after = await open();
  await vi.waitFor(() => expect(after.handled).toHaveLength(1), 5_000);
});

test('an outcome is handled again until that succeeds', async () => {
  let attempts = 0;
  const { queue, handled, waits } = await open({
    onOutcome: () => {
      attempts += 1;
      if (attempts === 1) throw new Error('the printer is off');
    },
  });
  await queue.add(redeem, redemption());
  await vi.waitFor(() => expect(waits.map(({ message }) => message)).toEqual(['the printer is off']), 5_000);
  queue.wake();
  await vi.waitFor(() => expect(handled).toHaveLength(1), 5_000);
});

test('a bill that was cancelled offline is voided after its transactions', async () => {
  const { queue, handled } = await open();
  const body = redemption();
  await queue.add(redeem, body);
  await queue.add('/transactions/void', { transactionIds: [body.transactionId], occurredAt: anHourAgo() });
  await vi.waitFor(() => expect(handled).toHaveLength(2), 5_000);
  expect(handled[1]?.[1]).toMatchObject({ answer: { results: [{ status: 'voided' }] } });
  expect(await rowsOf([body.transactionId])).toMatchObject([{ status: 'voided' }]);
});

test('what can never be sent later is refused at once, and nothing is stored', async () => {
  const { queue } = await open();
  const withPin = { ...redemption(), pin: '4831' };
  await expect(queue.add(redeem, withPin)).rejects.toThrow('PIN');
  const { occurredAt, ...undated } = redemption();
  for (const body of [undated, { ...undated, occurredAt: undefined }])
    await expect(queue.add(redeem, body as unknown as ReturnType<typeof redemption>)).rejects.toThrow('occurredAt');
  await expect(queue.add('/sales', sale({ total: 999 }))).rejects.toThrow('do not add up');
  await expect(queue.add(redeem, redemption(0.1))).rejects.toThrow('body.amount is 0.1');
  expect([occurredAt !== undefined, queue.size, await readdir(folder)]).toEqual([true, 0, []]);
});

test('a file that a power cut left unfinished is removed', async () => {
  await writeFile(join(folder, `000000000001-${randomUUID()}.json.part`), '{"path":"/sa');
  const { queue, handled } = await open();
  expect([queue.size, await readdir(folder)]).toEqual([0, []]);
  await queue.add(redeem, redemption());
  await vi.waitFor(() => expect(handled).toHaveLength(1), 5_000);
});

test('the journal is readable by its user alone', async () => {
  proxy.faults.push(...Array(9).fill('unreached'));
  const { queue } = await open();
  await queue.add(redeem, redemption());
  const [name] = await readdir(folder);
  expect((await stat(join(folder, name as string))).mode & 0o077).toBe(0);
});

test('a paid sale is recorded without its customer, if that is all that is wrong, and a person is told why', async () => {
  const { queue, handled } = await open();
  const strangers = [{ phone: '+6599999998' }, { phone: '123' }, { email: 'not an address' }, { customerId: 'M-17' }];
  const bodies = strangers.map((one) => sale({ customer: one }));
  for (const body of bodies) await queue.add('/sales', body);
  await vi.waitFor(() => expect(handled).toHaveLength(bodies.length), 5_000);
  for (const [n, [request, outcome]] of handled.entries()) {
    expect(request).toEqual({ path: '/sales', body: bodies[n] });
    const code = n === 0 ? 'customer_not_found' : 'invalid_request';
    expect(outcome).toMatchObject({
      status: 'completed',
      answer: { transactionId: bodies[n]?.transactionId, customerId: null },
      withoutCustomer: { code },
    });
  }
  expect(await rowsOf(bodies.map(({ transactionId }) => transactionId))).toHaveLength(bodies.length);
});

test('a sale over a limit for customers is recorded without, once, also where the till stops in between', async () => {
  await api.owner`update merchants set earning_sale_limit = 500 where id = ${stage.merchant.id}`;
  onTestFinished(async () => {
    await api.owner`update merchants set earning_sale_limit = null where id = ${stage.merchant.id}`;
  });
  const body = sale();
  const before = await open();
  // The second response is lost: the till has stored by then what it sends.
  proxy.faults.push('none', 'lost');
  await before.queue.add('/sales', body);
  await vi.waitFor(() => expect(before.waits).toHaveLength(1), 8_000);
  await before.queue.close();
  const after = await open();
  await vi.waitFor(() => expect(after.handled).toHaveLength(1), 5_000);
  const [[request, outcome]] = after.handled as [Handled];
  expect(request.body).toEqual(body);
  expect(outcome).toMatchObject({ status: 'completed', withoutCustomer: { code: 'limit_exceeded' } });
  const { transactionId } = (outcome as { answer: { transactionId: string } }).answer;
  expect(await rowsOf([transactionId, body.transactionId])).toMatchObject([
    { id: body.transactionId, status: 'refused' },
    { id: transactionId, status: 'completed' },
  ]);
});

test('a void that waits behind such a sale voids what was recorded', async () => {
  await api.owner`update merchants set earning_sale_limit = 500 where id = ${stage.merchant.id}`;
  onTestFinished(async () => {
    await api.owner`update merchants set earning_sale_limit = null where id = ${stage.merchant.id}`;
  });
  const [body, occurredAt] = [sale(), new Date().toISOString()];
  const transactionIds = [body.transactionId];
  const before = await open();
  proxy.faults.push('lost');
  await before.queue.add('/sales', body);
  await before.queue.add('/transactions/void', { transactionIds, occurredAt });
  await before.queue.close();
  const { queue, handled } = await open();
  await vi.waitFor(() => expect(queue.size).toBe(0), 8_000);
  const [[, recorded], [request, voided]] = handled as [Handled, Handled];
  const { transactionId } = (recorded as { answer: { transactionId: string } }).answer;
  expect(request.body).toEqual({ transactionIds, occurredAt });
  expect(voided).toMatchObject({ answer: { results: [{ transactionId, status: 'voided' }] } });
});

test('a sale that expected another due is recorded all the same, and a person is told the figures', async () => {
  const billId = newTransactionId();
  const openedAt = new Date(Date.now() - 2 * 3_600_000).toISOString();
  expect((await api.put(stage.key, `/bills/${billId}`, plainBill(1_500, { openedAt }))).status).toBe(200);
  const body = sale({ billId, expectedDue: 1_000 });
  const { queue, handled } = await open();
  await queue.add('/sales', body);
  await vi.waitFor(() => expect(handled).toHaveLength(1), 5_000);
  const [[request, outcome]] = handled as [Handled];
  expect(request.body).toEqual(body);
  expect(outcome).toMatchObject({
    status: 'completed',
    answer: { transactionId: body.transactionId },
    withoutExpectedDue: { code: 'bill_changed', details: { expectedDue: 1_000, due: 1_500 } },
  });
});

test('a sale that may be of the last guests settles no bill of the next ones, unless a person says that it is theirs', async () => {
  const billId = newTransactionId();
  expect((await api.put(stage.key, `/bills/${billId}`, plainBill(700))).status).toBe(200);
  const body = sale({ billId, expectedDue: 1_000 });
  const { queue, handled } = await open();
  await queue.add('/sales', body);
  await vi.waitFor(() => expect(queue.held()).toHaveLength(1), 5_000);
  expect((await api.get(stage.key, `/bills/${billId}`)).body).toMatchObject({ state: 'open', sold: 0, due: 700 });
  await queue.resolve(queue.held()[0]?.name ?? '', 'sendWithoutExpectedDue');
  await vi.waitFor(() => expect(handled).toHaveLength(2), 5_000);
  expect((await api.get(stage.key, `/bills/${billId}`)).body).toMatchObject({ state: 'closed', sold: 1_000 });
});

test('a refused request is set aside, and executed once a person sends it again', async () => {
  const block = (isBlocked: boolean) =>
    api.owner`update balances set blocked_at = ${isBlocked ? new Date() : null} where customer_id = ${stage.customer.id}`;
  await block(true);
  onTestFinished(async () => {
    await block(false);
  });
  const body = redemption();
  const { queue, handled } = await open();
  await queue.add(redeem, body);
  await vi.waitFor(() => expect(queue.held()).toHaveLength(1), 5_000);
  expect(queue.held()[0]?.error).toMatchObject({ code: 'customer_blocked' });
  await block(false);
  await queue.resolve(queue.held()[0]?.name ?? '', 'sendAgain');
  await vi.waitFor(() => expect(handled).toHaveLength(2), 5_000);
  const [, [request, outcome]] = handled as [Handled, Handled];
  expect(request.body).toEqual(body);
  const { transactionId } = (outcome as { answer: { transactionId: string } }).answer;
  expect(await rowsOf([body.transactionId, transactionId])).toMatchObject([
    { id: body.transactionId, status: 'refused' },
    { id: transactionId, status: 'completed' },
  ]);
});
