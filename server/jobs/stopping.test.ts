/** A worker is stopped. Jobs of many batches end after the current batch, and the next worker does the rest. */
import { beforeAll, expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCampaignScene } from '@/server/testing/campaigns';
import { createFixedPackage, createMerchant, testSecret, testServices } from '@/server/testing/factory';
import { keptLog } from '@/server/testing/kept-log';
import { createNoticeScene, silentMessenger } from '@/server/testing/notices';
import { dropJobs, holdSchedule } from '@/server/testing/queue';
import { callAs, createStaff } from '@/server/testing/staff';
import { continueImport } from '../domain/customer-imports/run';
import { receiveFile } from '../domain/customer-imports/upload';
import type { Services } from '../domain/kernel/context';
import { newId } from '../domain/kernel/ids';
import { expireValueOf } from '../domain/ledger/expire';
import { remindOfExpiryOf } from '../domain/messaging/remind';
import { sendNotices } from '../domain/messaging/send-notices';
import { rollUpReports } from '../domain/reports/roll-up';
import { settleOverdueTopUps } from '../domain/top-ups/change';
import { allCustomers } from '../domain/vouchers/campaign-schemas';
import { batchSize, continueIssue } from '../domain/vouchers/issue-run';
import { readEnv } from '../environment/env';
import { startWorker } from './worker';

const database = ownDatabase();
beforeAll(async () => {
  await holdSchedule(database.owner);
});

const stopped = (services: Services): Services => ({ ...services, stopping: AbortSignal.abort() });
const countOf = async (rows: string, merchantId: string): Promise<number> => {
  const [row] = await database.owner.unsafe(`select count(*)::int as count from ${rows}`, [merchantId]);
  return row?.count;
};
const isQueued = async (key: string) =>
  (await database.owner`select from graphile_worker.jobs where key = ${key} and run_at <= now() and locked_at is null`)
    .length === 1;
const loseJobs = () => dropJobs(database.owner);

/** Inserts customers in one statement. */
async function addManyCustomers(merchantId: string, count: number): Promise<void> {
  await database.owner`
    insert into customers (merchant_id, id, given_name, last_name, joined_at)
    select ${merchantId}, uuidv7(), 'Ada', 'Tester', '2026-01-01' from generate_series(1, ${count}::int)`;
  await database.owner`
    insert into balances (merchant_id, customer_id) select merchant_id, id from customers where merchant_id = ${merchantId}`;
}

/** Creates a queued issue to a whole segment. */
async function startIssue(count: number) {
  const scene = await createCampaignScene(database);
  await addManyCustomers(scene.merchant.id, count);
  const campaignId = await scene.addCampaign();
  const key = { merchantId: scene.merchant.id, issueId: newId() };
  const audience = { kind: 'segment', segment: allCustomers, expected: count } as const;
  await scene.call.vouchers.issue({ issueId: key.issueId, campaignId, audience });
  return { ...scene, key, issued: () => countOf('vouchers where merchant_id = $1', key.merchantId) };
}

function start() {
  const settings = readEnv({
    APP_ENV: 'sandbox',
    DATABASE_URL: database.url,
    AUTH_SECRET: testSecret,
    DATA_SECRET: testSecret,
  });
  return startWorker(testServices(database.db), settings, keptLog().log);
}

test('the worker ends between two batches of an issue, and the next continues at once', async () => {
  const { key, issued } = await startIssue(2 * batchSize + 10);
  const before = await issued();
  const holder = await database.owner.reserve();
  await holder`begin`;
  await holder`select from voucher_issues where id = ${key.issueId} for update`;
  const worker = await start();
  const waiting = () => database.owner`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%voucher_issues%'`;
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), 40_000);
  const over = worker.stop();
  await holder`commit`;
  holder.release();
  await over;
  expect(await issued()).toBe(before + batchSize);
  expect(await isQueued(`issue ${key.issueId}`)).toBe(true);
  const [left] =
    await database.owner`select count(*)::int as jobs from graphile_worker.jobs where locked_at is not null`;
  expect(left?.jobs).toBe(0);
  const next = await start();
  await vi.waitFor(async () => expect(await issued()).toBe(2 * batchSize + 10), 40_000);
  await next.stop();
});

test('vouchers are issued to one batch, and the rest is queued', async () => {
  const { services, key, issued } = await startIssue(2 * batchSize);
  await loseJobs();
  const before = await issued();
  await continueIssue(stopped(services), key);
  expect(await issued()).toBe(before + batchSize);
  expect(await isQueued(`issue ${key.issueId}`)).toBe(true);
});

test('an import enrols one batch, and the rest is queued', async () => {
  const { id: merchantId } = await createMerchant(database.owner);
  const staff = await createStaff(database.owner, testServices(database.db), merchantId, 'manager');
  const people = Array.from({ length: 1_500 }, (_, n) => `Given${n},person${n}@example.com\n`).join('');
  const body = (async function* () {
    yield Buffer.from(`Name,E-mail\n${people}`);
  })();
  const { importId } = await receiveFile(staff, { fileName: 'members.csv', body });
  await callAs(staff).customerImports.start({
    importId,
    mapping: { columns: { givenName: 0, email: 1 }, dateOrder: 'DMY' },
  });
  await loseJobs();
  const enrolled = () => countOf(`customers where merchant_id = $1 and given_name like 'Given%'`, merchantId);
  await continueImport(stopped(staff), { merchantId, importId });
  expect(await enrolled()).toBe(1_000);
  expect(await isQueued(`import ${importId}`)).toBe(true);
  await continueImport(staff, { merchantId, importId });
  expect(await enrolled()).toBe(1_500);
});

test('value is written off one batch at a time, and the next run continues', async () => {
  const services = testServices(database.db);
  const { id: merchantId } = await createMerchant(database.owner);
  await addManyCustomers(merchantId, 1_500);
  await database.owner`
    with grants as materialized (
      select id as customer_id, uuidv7() as uid from customers where merchant_id = ${merchantId}
    ), booked as (
      insert into transactions (merchant_id, uid, type, status, customer_id, amount, occurred_at)
      select ${merchantId}, uid, 'adjustment', 'completed', customer_id, 10, now() from grants
    ), granted as (
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at)
      select ${merchantId}, uuidv7(), customer_id, uid, 'points', 10, 10, now() - interval '1 day' from grants
    )
    update balances b set points = 10 where b.merchant_id = ${merchantId}`;
  const left = () => countOf('lots where merchant_id = $1 and open', merchantId);
  expect(await expireValueOf(stopped(services), { merchantId })).toBe(1_000);
  expect(await left()).toBe(500);
  await expireValueOf(services, { merchantId });
  expect(await left()).toBe(0);
});

test('reminders are queued for one batch, and the next run queues the others', async () => {
  const scene = await createNoticeScene(database);
  const merchantId = scene.merchant.id;
  await scene.turnOn('value-expiring');
  await addManyCustomers(merchantId, 1_500);
  const campaignId = await scene.addCampaign();
  await database.owner`update customers set phone = '+6581' || lpad((row_number)::text, 6, '0') from (
    select id as one, row_number() over () from customers where merchant_id = ${merchantId}) n where id = one`;
  await database.owner`
    insert into vouchers (merchant_id, id, campaign_id, customer_id, voucher_code, issued_at, expires_at, occasion)
    select merchant_id, uuidv7(), ${campaignId}, id, 'C' || right(id::text, 12), '2026-11-19', '2026-11-23', 'a test'
    from customers where merchant_id = ${merchantId}`;
  const told = () => countOf(`messages where merchant_id = $1 and kind = 'value-expiring'`, merchantId);
  await remindOfExpiryOf(stopped(scene.services), { merchantId });
  expect(await told()).toBe(1_000);
  await remindOfExpiryOf(scene.services, { merchantId });
  expect(await told()).toBe(1_500);

  await loseJobs();
  await sendNotices(stopped(scene.services), silentMessenger, merchantId);
  expect(await countOf(`messages where merchant_id = $1 and state = 'inbox'`, merchantId)).toBe(0);
  expect(await isQueued(`notices ${merchantId}`)).toBe(true);
});

test('reports are summed one batch at a time; days are recomputed for another zone completely, or not yet', async () => {
  const services = testServices(database.db, { now: () => new Date(Date.now() + 60 * 60_000) });
  // Sums up all other merchants first.
  await rollUpReports(services);
  const { id: merchantId, stores } = await createMerchant(database.owner, { time_zone: 'UTC' });
  await database.owner`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, amount, occurred_at)
    select ${merchantId}, uuidv7(interval '-3 hours' + n * interval '1 ms'), ${stores[0].id}, 'sale' || n, 'sale', 'completed', 3, now()
    from generate_series(1, 25000) n`;
  /** Stops as soon as the first batch's rows exist. */
  const stopAtFirstBatch = async () => {
    const controller = new AbortController();
    const holder = await database.owner.reserve();
    await holder`begin`;
    await holder`lock table transaction_days in share mode`;
    const over = rollUpReports({ ...services, stopping: controller.signal });
    const waiting = () => database.owner`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%transaction_days%'`;
    await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), 40_000);
    controller.abort();
    await holder`commit`;
    holder.release();
    await over;
  };
  const summedUp = async () => {
    const [row] = await database.owner`
      select sum(d.count)::int as count, p.time_zone as rule from transaction_days d
      join report_progress p on p.merchant_id = d.merchant_id where d.merchant_id = ${merchantId} group by 2`;
    return [row?.count, row?.rule];
  };
  await stopAtFirstBatch();
  expect(await summedUp()).toEqual([20_000, 'v2 UTC 0']);
  await rollUpReports(services);
  expect(await summedUp()).toEqual([25_000, 'v2 UTC 0']);
  await database.owner`update merchants set time_zone = 'Asia/Tokyo' where id = ${merchantId}`;
  await stopAtFirstBatch();
  expect(await summedUp()).toEqual([25_000, 'v2 UTC 0']);
  await rollUpReports(services);
  expect(await summedUp()).toEqual([25_000, 'v2 Asia/Tokyo 0']);
  await database.owner`delete from transactions where merchant_id = ${merchantId}`;
});

test('no further merchant or top-up is begun', async () => {
  const services = testServices(database.db);
  const { id: merchantId } = await createMerchant(database.owner);
  await addManyCustomers(merchantId, 1);
  const packageId = await createFixedPackage(database.owner, merchantId, { amount: 1, bonus: 0 });
  await database.owner`
    insert into top_up_requests (merchant_id, id, request_key, customer_id, package_id, method, principal, bonus, created_at, expires_at, counter_code)
    select ${merchantId}, uuidv7(), uuidv7(), id, ${packageId}, 'counter', 1, 0, now() - interval '2 days', now() - interval '1 day', '123456'
    from customers where merchant_id = ${merchantId}`;
  const open = () => countOf(`top_up_requests where merchant_id = $1 and state = 'open'`, merchantId);
  await settleOverdueTopUps(stopped(services));
  expect(await open()).toBe(1);
  await settleOverdueTopUps(services);
  expect(await open()).toBe(0);
});
