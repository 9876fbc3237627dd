/** Ten times what the service can serve, and 201 slow connections: it says so, and goes on. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, createFixedPackage, createKey, createMerchant } from '@/server/testing/factory';
import type { Flood, FloodOutcome } from './flood';
import { startSlowClients } from './slow-clients';
import { eventually, startDatabase, startRestService, type VictimDatabase, type VictimService } from './victims';

const slowOfEach = 67;
const mostMegabytes = 300;
/** Of what can be served: ten times is aimed at, so much is sent on any machine. */
const leastFold = 5;

let database: VictimDatabase;
let service: VictimService;
let owner: postgres.Sql;
/** Tills whose limits are far off; one that floods the service, one that works on beside it, and one with slow clients. */
let unlimited: string[];
let [flooding, quiet, sluggish] = ['', '', ''];
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
  [flooding, quiet, sluggish] = [await newKey(asNew), await newKey(asNew), await newKey(asNew)];
  const customer = { customerId: (await createCustomer(owner, merchant.id)).id };
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000_000_000, bonus: 0 });
  const topUp = await fetch(`${service.origin}/api/v1/transactions/stored-value/top-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': unlimited[0] ?? '' },
    body: JSON.stringify({ transactionId: 'top-up', customer, packageId }),
  });
  expect(topUp.status).toBe(200);
  const body = JSON.stringify({ transactionId: 'r-#', customer, amount: 1 });
  // All of one balance, so that what can be served is bounded by its lock.
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

function startFlood(flood: Omit<Flood, 'origin'>): Promise<FloodOutcome> {
  const program = ['--import', 'tsx', join(import.meta.dirname, 'flood.ts')];
  const child = spawn(process.execPath, [...program, JSON.stringify({ ...flood, origin: service.origin })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`flood: ${code}`))));
  });
}

/** The median time of some requests in turn, in milliseconds. Fails where one is not served. */
async function medianOf(requests: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const from = performance.now();
    const { status } = await fetch(`${service.origin}/api/v1/ping`, { headers: { 'x-api-key': unlimited[0] ?? '' } });
    expect(status).toBe(200);
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[requests >> 1] as number;
}

/** What a till that keeps to its limits is answered, four times a second, until the flood is over. */
async function statusesBeside(flood: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void flood.finally(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  while (!isOver) {
    statuses.push((await fetch(`${service.origin}/api/v1/ping`, { headers: { 'x-api-key': quiet } })).status);
    await wait(250);
  }
  return statuses;
}

/** The figures, for whoever runs it. */
const tell = (figures: object) => process.stdout.write(`${JSON.stringify(figures)}\n`);
const shareServed = (statuses: number[]) => statuses.filter((status) => status === 200).length / statuses.length;
const statusesOf = ({ statuses }: FloodOutcome) => Object.keys(statuses).sort();

test('the rest is told when to come back, nobody else suffers, and all is as before within ten seconds', async () => {
  const before = await medianOf(40);
  const load = { keys: unlimited, ...redemption };
  const alone = await startFlood({ ...load, connections: 16, perSecond: null, seconds: 2 });
  expect(statusesOf(alone)).toEqual(['200']);
  const capacity = (alone.statuses['200'] ?? 0) / 2;
  const tenfold = { connections: 600, perSecond: 10 * capacity, seconds: 3 };
  const slow = startSlowClients(service.origin, sluggish, slowOfEach);

  // Of one key, twenty times its limit, which keeps it from all others.
  const ping = { path: '/api/v1/ping', body: null };
  const ofKey = startFlood({ keys: [flooding], ...ping, ...tenfold, perSecond: 1_000 });
  const beside = await statusesBeside(ofKey);
  const overLimit = await ofKey;
  tell({ before, capacity, overLimit, servedBeside: shareServed(beside) });
  expect(shareServed(beside)).toBeGreaterThan(0.75);
  expect(statusesOf(overLimit)).toEqual(expect.arrayContaining(['200', '429']));

  // Of many tills together: each within its limit, and all of them too much.
  const ofAll = startFlood({ ...load, ...tenfold });
  const besideAll = await statusesBeside(ofAll);
  const overCapacity = await ofAll;
  const calmed = performance.now();
  expect(statusesOf(overCapacity)).toEqual(expect.arrayContaining(['200', '503']));
  const served = (overCapacity.statuses['200'] ?? 0) / tenfold.seconds;
  const fold = overCapacity.sent / tenfold.seconds / capacity;
  tell({ overCapacity, fold, served, servedBeside: shareServed(besideAll), highestMegabytes });
  expect(fold).toBeGreaterThan(leastFold);

  for (const outcome of [overLimit, overCapacity]) {
    expect(['200', '429', '503']).toEqual(expect.arrayContaining(statusesOf(outcome)));
    expect(outcome.withoutRetryAfter).toBe(0);
    expect(outcome.slowestMs).toBeLessThan(5_000);
  }
  expect(served).toBeGreaterThan(capacity / 3);
  expect(highestMegabytes).toBeLessThan(mostMegabytes);

  // Where a request takes a millisecond, three would be chance.
  const normal = Math.max(3 * before, 50);
  await eventually(async () => expect(await medianOf(20)).toBeLessThan(normal), 10_000);
  await eventually(() => expect(slow.open()).toMatchObject({ headers: 0, bodies: 0 }), 10_000);
  expect(performance.now() - calmed).toBeLessThan(10_000);
  slow.stop();
  expect(service.unplannedExits).toEqual([]);
}, 120_000);
