/** The records of automations, and running one on request. */
import { expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { createCampaignScene } from '@/server/testing/campaigns';
import { queuedJobs } from '@/server/testing/queue';
import { callAs, createStaff } from '@/server/testing/staff';
import { forgetOldRuns, type NoteProgress, recordRun, recordTask } from './record-run';

const database = ownDatabase();

async function createScene() {
  const scene = await createCampaignScene(database);
  const { services, merchant } = scene;
  const task = 'expire-value' as const;
  const record = (work: (note: NoteProgress) => Promise<void>, runId?: string) =>
    recordRun(services, { merchantId: merchant.id, task, runId }, work);
  const note = async (progress: NoteProgress, done: number) => {
    await withMerchant(services.db, merchant.id, (tx) => progress(tx, done));
  };
  const state = async () => {
    const found = (await scene.call.automations.list()).find((one) => one.task === task);
    if (!found) throw new Error('there is no such task');
    return found;
  };
  const jobs = async () => {
    const own = (await queuedJobs(database.owner)).filter(({ payload }) => payload.merchantId === merchant.id);
    return own.map(({ payload }) => payload.runId);
  };
  return { ...scene, record, note, state, jobs };
}

test('a run that finds nothing to do leaves no row', async () => {
  const { record, note, state } = await createScene();
  await record(async () => {});
  await record((progress) => note(progress, 0));
  expect((await state()).runs).toEqual([]);
});

test('a run is shown with its progress while it runs', async () => {
  const { record, note, state } = await createScene();
  await record(async (progress) => {
    await note(progress, 1_000);
    expect((await state()).runs).toMatchObject([{ state: 'running', done: 1_000 }]);
    await note(progress, 17);
  });
  expect((await state()).runs).toMatchObject([{ state: 'finished', done: 1_017, requestedBy: null, error: null }]);
});

test('a failure is described in our own words, and a lasting one leaves one row', async () => {
  const { record, state } = await createScene();
  const fault = () =>
    record(async () => {
      throw new Error('Ada Lovelace, +6590001234');
    });
  for (let n = 0; n < 3; n++) await expect(fault()).rejects.toThrow('Ada');
  expect((await state()).runs).toMatchObject([{ state: 'failed', failures: 3, error: 'fault', done: 0 }]);
});

test('a run whose worker was killed is shown as stopped', async () => {
  const { record, note, state, moveTo } = await createScene();
  const killed = record(async (progress) => {
    await note(progress, 5);
    moveTo('2026-11-20T04:03:00Z');
    expect((await state()).runs).toMatchObject([{ state: 'stopped', done: 5 }]);
  });
  await killed;
});

test('“run now” by two people at once, or while it runs, is queued once and audited', async () => {
  const { call, state, jobs, record, merchant, moveTo } = await createScene();
  await Promise.all([1, 2, 3].map(() => call.automations.runNow({ task: 'expire-value' })));
  const [runId, ...others] = await jobs();
  expect(others).toEqual([]);
  expect((await state()).runs).toMatchObject([{ runId, state: 'queued', requestedBy: 'Test manager' }]);
  await record(async () => {
    await call.automations.runNow({ task: 'expire-value' });
    expect(await jobs()).toHaveLength(1);
  }, runId);
  expect((await state()).runs).toMatchObject([{ runId, state: 'finished', done: 0 }]);
  moveTo('2026-11-20T04:03:00Z');
  await call.automations.runNow({ task: 'expire-value' });
  expect(await jobs()).toHaveLength(2);
  const audited = await database.owner`
    select subject_id from audit_log where merchant_id = ${merchant.id} and action = 'automation.runNow'`;
  expect(audited.map((row) => row.subject_id)).toEqual(['expire-value', 'expire-value']);
});

test('shows when the schedule checked last, and checks next', async () => {
  const { services, state, moveTo } = await createScene();
  moveTo('2026-11-20T04:00:07Z');
  await recordTask(services, 'expire-value', async () => 3);
  await expect(
    recordTask(services, 'roll-up-reports', async () => {
      throw new Error('a secret');
    }),
  ).rejects.toThrow();
  moveTo('2026-11-20T04:07:00Z');
  expect(await state()).toMatchObject({
    checkedAt: new Date('2026-11-20T04:00:07Z'),
    nextAt: new Date('2026-11-20T04:15:00Z'),
    canRunNow: true,
  });
  const rows = await database.owner`select task, done, error from scheduled_tasks order by task`;
  expect([...rows]).toEqual([
    { task: 'expire-value', done: 3, error: null },
    { task: 'roll-up-reports', done: null, error: 'fault' },
  ]);
});

test('runs are deleted after 30 days, and hidden from other merchants', async () => {
  const { record, note, state, moveTo, services } = await createScene();
  await record((progress) => note(progress, 1));
  const other = await createCampaignScene(database);
  const stranger = callAs(await createStaff(database.owner, services, other.merchant.id));
  expect((await stranger.automations.list()).flatMap(({ runs }) => runs)).toEqual([]);
  moveTo('2026-12-20T03:59:00Z');
  await forgetOldRuns(services);
  expect((await state()).runs).toHaveLength(1);
  moveTo('2026-12-20T04:01:00Z');
  await forgetOldRuns(services);
  expect((await state()).runs).toEqual([]);
});
