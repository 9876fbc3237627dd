/** Ten times the service's capacity, and 201 slow connections: it rejects the excess and keeps running. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningClock } from '@/db/testing/running-clock';
import { createCustomer, createFixedPackage, createKey, createMerchant } from '@/server/testing/factory';
import type { Flood, FloodOutcome } from './flood';
import { type SlowClients, startSlowClients } from './slow-clients';
import { eventually, startDatabase, startRestService, type VictimDatabase, type VictimService } from './victims';

const slowOfEach = 67;
const maxMegabytes = 300;
/** Multiples of the capacity: the target rate, and the minimum sent on any machine. */
const [fold, minFold] = [16, 10];
/**
 * The database time of each transaction, under a shared lock: so the capacity is the same on any machine, far less than
 * any can send. All transactions in progress together take less than their deadline.
 */
const transactionSeconds = 0.005;
const floodSeconds = 3;
/** The minimum share of the capacity without overload. */
const minServed = 0.3;

let database: VictimDatabase;
let service: VictimService;
let owner: postgres.Sql;
/** Tills with very high limits; one that floods the service, one that works normally, and two with slow clients. */
let unlimited: string[];
let [flooding, quiet, sluggish, trickling] = ['', '', '', ''];
let redemption: Pick<Flood, 'path' | 'body'>;
let highestMegabytes = 0;
let watching: NodeJS.Timeout | undefined;

beforeAll(async () => {
  database = await startDatabase();
  service = await startRestService(database.url);
  owner = postgres(database.url, { max: 1, onnotice: () => {} });
  const merchant = await createMerchant(owner);
  const asNew = { rate_per_second: 50, rate_burst: 100 };
  const newKey = (settings = {}) => createKey(owner, merchant.id, merchant.stores[0].id, settings);
  unlimited = [await newKey(), await newKey(), await newKey(), await newKey()];
  [flooding, quiet] = [await newKey(asNew), await newKey(asNew)];
  [sluggish, trickling] = [await newKey(asNew), await newKey(asNew)];
  const customer = { customerId: (await createCustomer(owner, merchant.id)).id };
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000_000_000, bonus: 0 });
  const topUp = await fetch(`${service.origin}/api/v1/transactions/stored-value/top-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': unlimited[0] ?? '' },
    body: JSON.stringify({ transactionId: 'top-up', customer, packageId }),
  });
  expect(topUp.status).toBe(200);
  // New keys share the capacity of one, so each is used once first.
  for (const key of [...unlimited, flooding, quiet, sluggish, trickling]) expect((await ping(key)).status).toBe(200);
  const body = JSON.stringify({ transactionId: 'r-#', customer, amount: 1 });
  // All on one balance, whose lock is held this long for each.
  await owner.unsafe(`
    create function be_slow() returns trigger language plpgsql as $$
      begin perform pg_sleep(${transactionSeconds}); return null; end $$;
    create trigger be_slow after insert on transactions for each row execute function be_slow()`);
  redemption = { path: '/api/v1/transactions/stored-value/redeem', body };
  watching = setInterval(() => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid()}/status`, 'utf8')) ?? [];
    highestMegabytes = Math.max(highestMegabytes, Number(kilobytes) / 1024);
  }, 100);
});

afterAll(async () => {
  clearInterval(watching);
  await service?.stop();
  await owner?.end({ timeout: 1 });
  await database?.stop();
});

/** Resolves when its connections are open, to a function that starts the flood. */
async function prepareFlood(flood: Omit<Flood, 'origin'>): Promise<() => Promise<FloodOutcome>> {
  const program = ['--import', 'tsx', join(import.meta.dirname, 'flood.ts')];
  const child = spawn(process.execPath, [...program, JSON.stringify({ ...flood, origin: service.origin })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  const outcome = new Promise<FloodOutcome>((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`flood: ${code}`))));
  });
  await Promise.race([once(child.stdout, 'data'), outcome]);
  return () => {
    child.stdin.end('\n');
    return outcome;
  };
}

const runFlood = async (flood: Omit<Flood, 'origin'>) => (await prepareFlood(flood))();

const ping = (key = '') => fetch(`${service.origin}/api/v1/ping`, { headers: { 'x-api-key': key } });

/** The median time of sequential requests, in milliseconds. Fails where one is not served. */
async function medianOf(requests: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const from = performance.now();
    expect((await ping(unlimited[0])).status).toBe(200);
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[requests >> 1] as number;
}

interface Beside {
  /** Since the start of the flood. */
  seconds: number;
  status: number;
  /** The number of open slow connections at that time. */
  slow: number;
}

/** Samples the responses of a till within its limits, four times a second, until the flood ends. */
async function lookBeside(flood: Promise<unknown>, slow?: SlowClients): Promise<Beside[]> {
  let isOver = false;
  void flood.finally(() => {
    isOver = true;
  });
  const seen: Beside[] = [];
  const began = performance.now();
  while (!isOver) {
    const { status } = await ping(quiet);
    const { headers, bodies, readers } = slow?.open() ?? { headers: 0, bodies: 0, readers: 0 };
    seen.push({ seconds: (performance.now() - began) / 1_000, status, slow: headers + bodies + readers });
    await wait(250);
  }
  return seen;
}

/** Prints the figures. */
const tell = (figures: object) => process.stdout.write(`${JSON.stringify(figures)}\n`);
const shareServed = (seen: Beside[]) => seen.filter(({ status }) => status === 200).length / seen.length;
const statusesOf = ({ statuses }: FloodOutcome) => Object.keys(statuses).sort();
const servedPerSecond = ({ statuses, tookSeconds }: FloodOutcome) => (statuses['200'] ?? 0) / tookSeconds;

function expectOrderly(outcome: FloodOutcome): void {
  expect(['200', '429', '503']).toEqual(expect.arrayContaining(statusesOf(outcome)));
  expect(outcome.withoutRetryAfter).toBe(0);
  expect(outcome.slowestMs).toBeLessThan(5_000);
}

test('a key over its limit gets Retry-After, and the others are served', async () => {
  // At twenty times its limit.
  const load = { keys: [flooding], path: '/api/v1/ping', body: null };
  const flood = runFlood({ ...load, connections: 600, perSecond: 1_000, seconds: 3 });
  const beside = await lookBeside(flood);
  const overLimit = await flood;
  tell({ overLimit, servedBeside: shareServed(beside) });
  expectOrderly(overLimit);
  expect(shareServed(beside)).toBeGreaterThan(0.75);
  expect(statusesOf(overLimit)).toEqual(expect.arrayContaining(['200', '429']));
}, 60_000);

test('at ten times its capacity the service rejects the excess with Retry-After, serves a separate till, and recovers soon', async () => {
  const before = await medianOf(40);
  const load = { keys: unlimited, ...redemption };
  const alone = await runFlood({ ...load, connections: 32, perSecond: null, seconds: 3 });
  expect(statusesOf(alone)).toEqual(['200']);

  // Many tills, each within its limit, but too many together.
  const perSecond = fold * servedPerSecond(alone);
  const begin = await prepareFlood({ ...load, connections: 600, perSecond, seconds: floodSeconds });
  const slow = await startSlowClients(service.origin, { bodies: trickling, readers: sluggish }, slowOfEach);
  // Served in turn: those waiting for a body have been admitted by then.
  expect((await ping(trickling)).status).toBe(200);
  const flood = begin();
  const beside = await lookBeside(flood, slow);
  const overCapacity = await flood;
  const calmed = runningClock();
  const served = servedPerSecond(overCapacity);
  const capacity = Math.max(served, servedPerSecond(alone));
  const sentFold = overCapacity.sent / floodSeconds / capacity;
  const during = beside.filter(({ seconds }) => seconds < floodSeconds);
  const figures = { before, alone: servedPerSecond(alone), served, sentFold, highestMegabytes };
  tell({ ...figures, overCapacity, servedBeside: shareServed(during) });
  expect(sentFold).toBeGreaterThanOrEqual(minFold);
  expect(statusesOf(overCapacity)).toEqual(expect.arrayContaining(['200', '503']));
  expectOrderly(overCapacity);
  expect(served).toBeGreaterThan(servedPerSecond(alone) * minServed);
  expect(highestMegabytes).toBeLessThan(maxMegabytes);
  expect(shareServed(during)).toBeGreaterThan(0.75);
  // Slow bodies are cut off in time.
  expect(during[0]?.slow).toBeGreaterThanOrEqual(200);
  expect(Math.min(...during.map(({ slow }) => slow))).toBeGreaterThanOrEqual(2 * slowOfEach);

  // Where a request takes a millisecond, three would be within chance.
  const normal = Math.max(3 * before, 50);
  await eventually(async () => expect(await medianOf(20)).toBeLessThan(normal), 10_000);
  await eventually(() => expect(slow.open()).toMatchObject({ headers: 0, bodies: 0 }), 10_000);
  expect(calmed.stop()).toBeLessThan(10_000);
  slow.stop();
  expect(service.unplannedExits).toEqual([]);
}, 120_000);
