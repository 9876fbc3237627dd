/** PostgreSQL and the service are killed under load: what was acknowledged is true, and nothing else happened. */
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '@/server/domain/ledger/verify';
import { createCustomer, createFixedPackage, createMerchant, type TestMerchant } from '@/server/testing/factory';
import { type Exchange, type Job, type Load, type Pos, sendRedeem, startClients, type Told } from './clients';
import {
  eventually,
  type Outage,
  startDatabase,
  startRestService,
  type VictimDatabase,
  type VictimService,
} from './victims';

const clients = 16;
const customersOfRound = 8;
const amount = 100;
const fundedJobs = 40;
const jobsOfCustomer = 60;

let database: VictimDatabase;
let service: VictimService;
let owner: postgres.Sql;
let merchant: TestMerchant;
let packageId: string;
let pos: Pos;
const told: Told[] = [];
const exchanges: Exchange[] = [];
const customerIds: string[] = [];

beforeAll(async () => {
  database = await startDatabase();
  owner = postgres(database.url, { max: 1, onnotice: () => {} });
  merchant = await createMerchant(owner);
  packageId = await createFixedPackage(owner, merchant.id, { amount: 3_500, bonus: fundedJobs * amount - 3_500 });
  service = await startRestService(database.url);
  pos = { origin: service.origin, key: merchant.stores[0].key };
});

afterAll(async () => {
  await service?.stop();
  await owner?.end({ timeout: 1 });
  await database?.stop();
});

/** Customers with funds for some of their redemptions, and all those redemptions, well mixed. */
async function newJobs(): Promise<Job[]> {
  const ids: string[] = [];
  for (let i = 0; i < customersOfRound; i++) {
    const { id } = await eventually(() => createCustomer(owner, merchant.id), 5_000);
    const response = await fetch(`${pos.origin}/api/v1/transactions/stored-value/top-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': pos.key },
      body: JSON.stringify({ transactionId: `top-up-${id}`, customer: { customerId: id }, packageId }),
    });
    expect(response.status).toBe(200);
    ids.push(id);
  }
  customerIds.push(...ids);
  const turns = Array.from({ length: jobsOfCustomer }, (_, n) => n);
  return turns.flatMap((n) =>
    ids.map((customerId) => ({ transactionId: `redeem-${customerId}-${n}`, customerId, amount })),
  );
}

/** Runs a round of jobs, with an accident in the middle of them. */
async function round(accident: (load: Load) => Promise<void>): Promise<void> {
  const jobs = await newJobs();
  const load = startClients(pos, clients, jobs);
  await eventually(() => expect(load.told.length).toBeGreaterThan(60), 15_000);
  await accident(load);
  await load.finished;
  told.push(...load.told);
  exchanges.push(...load.exchanges);
  expect(load.told).toHaveLength(jobs.length);
}

const failures = (load: Load, status: 503 | null) => load.exchanges.filter((one) => one.status === status).length;

async function killDatabase(load: Load): Promise<void> {
  database.kill();
  expect(load.told.length).toBeLessThan(customersOfRound * fundedJobs);
  // Long enough for every client to hear that the database is away.
  await eventually(() => expect(failures(load, 503)).toBeGreaterThanOrEqual(clients), 10_000);
  await database.restart();
  const { to: returned } = database.outages.at(-1) as Outage;
  const first = await eventually(() => {
    const answer = load.told.find(({ sentAt }) => sentAt > returned);
    if (!answer) throw new Error('not serving');
    return answer;
  }, 10_000);
  expect(first.at - returned).toBeLessThan(3_000);
}

async function killService(load: Load): Promise<void> {
  service.kill();
  expect(load.told.length).toBeLessThan(customersOfRound * fundedJobs);
  await eventually(() => expect(failures(load, null)).toBeGreaterThanOrEqual(clients), 10_000);
  await service.restart();
}

const overlaps = ({ from, to }: Exchange, outages: Outage[], graceMs = 0) =>
  outages.some((outage) => from < outage.to + graceMs && to > outage.from);

test('the database is killed, the service is killed, and both once more', async () => {
  await round(killDatabase);
  await round(killService);
  await round(killDatabase);
  await round(killService);
  expect(service.unplannedExits).toEqual([]);
}, 60_000);

test('every request was answered within 5 seconds while the service lived', () => {
  const unanswered = exchanges.filter((one) => one.status === null && !overlaps(one, service.outages));
  expect(unanswered).toEqual([]);
  expect(Math.max(...exchanges.filter(({ status }) => status !== null).map(({ from, to }) => to - from))).toBeLessThan(
    5_000,
  );
  const statuses = new Set(exchanges.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 402, 503, null]));
});

test('503 was told while the database was away, and only then, with Retry-After', () => {
  const busy = exchanges.filter(({ status }) => status === 503);
  expect(busy.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
  expect(busy.filter((one) => !overlaps(one, database.outages, 3_000))).toEqual([]);
});

test('exactly the funded redemptions succeeded; the others were refused', () => {
  for (const customerId of customerIds) {
    const own = told.filter(({ job }) => job.customerId === customerId);
    expect(own.filter(({ status }) => status === 200)).toHaveLength(fundedJobs);
    const refused = own.filter(({ status }) => status === 402).map(({ text }) => JSON.parse(text).error.code);
    expect(refused).toEqual(Array.from({ length: jobsOfCustomer - fundedJobs }, () => 'insufficient_balance'));
  }
});

test('no acknowledged redemption was lost or doubled, and none was carried out unacknowledged', async () => {
  const rows = await eventually(
    () => owner`
      select transaction_id as id, answer, status from transactions
      where merchant_id = ${merchant.id} and type = 'redeemStoredValue'`,
    5_000,
  );
  const acknowledged = told.filter(({ status }) => status === 200).map(({ job, text }) => [job.transactionId, text]);
  const completed = rows.filter(({ status }) => status === 'completed').map(({ id, answer }) => [id, answer]);
  expect(completed.sort()).toEqual(acknowledged.sort());
  const [{ left }] = await owner<[{ left: number }]>`
    select sum(principal + bonus)::int as left from balances where merchant_id = ${merchant.id}`;
  expect(left).toBe(customerIds.length * fundedJobs * amount - acknowledged.length * amount);
  expect(await verifyLedger(owner)).toEqual([]);
});

test('asked again, each answer is the one that was told', async () => {
  for (const { job, status, text } of told.filter((_, i) => i % 20 === 0)) {
    const response = await sendRedeem(pos, job);
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([status, 'true']);
    const meaning = (answer: string) => JSON.stringify({ ...JSON.parse(answer).error, requestId: '' });
    const again = await response.text();
    if (status === 200) expect(again).toBe(text);
    else expect(meaning(again)).toBe(meaning(text));
  }
});
