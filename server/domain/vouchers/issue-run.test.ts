/** Issuing to many customers with several workers, some of which are killed or lost. */
import { expect, test, vi } from 'vitest';
import { queriesOn } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { waitForLocks } from '@/db/testing/locks';
import { createCampaignScene } from '@/server/testing/campaigns';
import { newId } from '../kernel/ids';
import { closeMerchant, openMerchant } from '../merchants';
import { allCustomers } from './campaign-schemas';
import { batchSize, continueIssue, requeueStalledIssues } from './issue-run';

const database = ownDatabase();

type Scene = Awaited<ReturnType<typeof createCampaignScene>>;

/** Inserts customers in one statement. */
async function addManyCustomers({ merchant }: Scene, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await database.owner`
    insert into customers (merchant_id, id, given_name, last_name, joined_at)
    select ${merchant.id}, id, 'Ada', 'Tester', '2026-01-01' from unnest(${ids}::uuid[]) id`;
  await database.owner`
    insert into balances (merchant_id, customer_id) select ${merchant.id}, id from unnest(${ids}::uuid[]) id`;
  return ids;
}

/** Creates an issue to a whole segment that has not started. */
async function startLarge(count = 2 * batchSize + 10) {
  const scene = await createCampaignScene(database);
  await addManyCustomers(scene, count);
  const campaignId = await scene.addCampaign();
  const key = { merchantId: scene.merchant.id, issueId: newId() };
  const audience = { kind: 'segment', segment: allCustomers, expected: count } as const;
  await scene.call.vouchers.issue({ issueId: key.issueId, campaignId, audience });
  const progress = async () => (await scene.call.campaigns.get({ campaignId })).issues[0];
  return { ...scene, count, campaignId, key, progress };
}

test('is issued once to each, though two workers do it at once', async () => {
  const { services, key, campaignId, vouchersOf, count, progress } = await startLarge();
  await Promise.all([1, 2, 3].map(() => continueIssue(services, key)));
  const rows = await vouchersOf(campaignId);
  expect(new Set(rows.map((row) => row.customer_id)).size).toBe(count);
  expect(rows).toHaveLength(count);
  expect(await progress()).toMatchObject({ requested: count, issued: count, refused: 0, isFinished: true });
});

test('is continued when its worker is killed', async () => {
  const { services, key, campaignId, vouchersOf, count, progress, merchant } = await startLarge();
  // Stops when the third batch is almost done.
  const { owner } = database;
  await owner.unsafe(
    `alter table voucher_issues add constraint killed check (id <> '${key.issueId}' or issued_count <= ${2 * batchSize})`,
  );
  await expect(continueIssue(services, key)).rejects.toThrow('killed');
  await owner`alter table voucher_issues drop constraint killed`;
  expect(await progress()).toMatchObject({ issued: 2 * batchSize, isFinished: false });
  expect(await vouchersOf(campaignId)).toHaveLength(2 * batchSize);
  await continueIssue(services, key);
  expect(await progress()).toMatchObject({ issued: count, isFinished: true });
  const rows = await vouchersOf(campaignId);
  expect(new Set(rows.map((row) => row.customer_id)).size).toBe(rows.length);
  const [counted] = await database.owner`
    select issued_count from voucher_campaigns where merchant_id = ${merchant.id} and id = ${campaignId}`;
  expect(counted?.issued_count).toBe(count);
});

test('without a worker is queued again, but not while its campaign is paused', async () => {
  const { services, key, campaignId, call, moveTo, progress } = await startLarge(10);
  const jobs = async () => {
    const [row] = await database.owner`
      select count(*)::int as jobs from graphile_worker.jobs where key = ${`issue ${key.issueId}`}`;
    return row?.jobs;
  };
  const loseJobs = () => database.owner`select graphile_worker.remove_job(${`issue ${key.issueId}`})`;
  expect(await jobs()).toBe(1);
  await loseJobs();
  await requeueStalledIssues(services);
  expect(await jobs()).toBe(0);
  moveTo('2026-11-20T04:02:00Z');
  await call.campaigns.setPaused({ campaignId, isPaused: true });
  await requeueStalledIssues(services);
  await continueIssue(services, key);
  expect([await jobs(), (await progress())?.issued]).toEqual([0, 0]);
  await call.campaigns.setPaused({ campaignId, isPaused: false });
  expect(await jobs()).toBe(1);
  await loseJobs();
  await requeueStalledIssues(services);
  expect(await jobs()).toBe(1);
  await continueIssue(services, key);
  expect(await progress()).toMatchObject({ issued: 10, isFinished: true });
});

test('continues after a pause between two batches', async () => {
  const { services, key, campaignId, call, count, progress } = await startLarge();
  const { owner } = database;
  const waiting = (count: number) =>
    vi.waitFor(async () => {
      const rows = await owner`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(rows).toHaveLength(count);
    }, 40_000);
  const batch = await owner.reserve();
  await batch`begin`;
  await batch`select from voucher_campaigns where id = ${campaignId} for no key update`;
  const pause = call.campaigns.setPaused({ campaignId, isPaused: true });
  await waiting(1);
  const next = continueIssue(services, key);
  await waiting(2);
  await batch`commit`;
  batch.release();
  await Promise.all([pause, next]);
  expect(await progress()).toMatchObject({ issued: 0, refused: 0, isFinished: false });
  await call.campaigns.setPaused({ campaignId, isPaused: false });
  await continueIssue(services, key);
  expect(await progress()).toMatchObject({ issued: count, refused: 0, isFinished: true });
});

test('stops between two batches when its merchant is closed, and continues once it is open again', async () => {
  const { services, key, campaignId, count, merchant, moveTo, progress } = await startLarge();
  const { owner } = database;
  const batch = await owner.reserve();
  await batch`begin`;
  await batch`select from voucher_campaigns where id = ${campaignId} for no key update`;
  const next = continueIssue(services, key);
  await waitForLocks(owner, 1);
  await closeMerchant(queriesOn(owner), merchant.id, services.systemClock.now());
  await batch`commit`;
  batch.release();
  await next;
  expect(await progress()).toMatchObject({ issued: 0, isFinished: false });
  moveTo('2026-11-20T04:02:00Z');
  await requeueStalledIssues(services);
  await continueIssue(services, key);
  expect(await progress()).toMatchObject({ issued: 0, isFinished: false });
  await openMerchant(queriesOn(owner), services, merchant.id);
  await owner`select graphile_worker.remove_job(${`issue ${key.issueId}`})`;
  await requeueStalledIssues(services);
  const [queued] = await owner`select from graphile_worker.jobs where key = ${`issue ${key.issueId}`}`;
  expect(queued).toBeDefined();
  await continueIssue(services, key);
  expect(await progress()).toMatchObject({ issued: count, refused: 0, isFinished: true });
});

test('ends when its campaign is archived', async () => {
  const { services, key, campaignId, call, progress } = await startLarge(10);
  await call.campaigns.setArchived({ campaignId, isArchived: true });
  await continueIssue(services, key);
  expect(await progress()).toMatchObject({ issued: 0, refused: 10, isFinished: true });
});
