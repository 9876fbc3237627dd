/** A worker is stopped while it stops or restarts after a database failure, and leaves the rest to others. */

import { type JobHelpers, parseCrontab } from 'graphile-worker';
import { expect, test, vi } from 'vitest';
import { connectionName } from '@/db/driver';
import { StartupError } from '@/db/startup-error';
import { ownDatabase } from '@/db/testing/database';
import type { Mailer } from '../domain/mail/deliver';
import { queueMail } from '../domain/mail/queue';
import { readEnv } from '../environment/env';
import { testSecret, testServices } from '../testing/factory';
import { keptLog } from '../testing/kept-log';
import { dropJobs } from '../testing/queue';
import { createLocks } from './locks';
import { crontab } from './tasks';
import { startWorker } from './worker';

const database = ownDatabase();

const letter = { kind: 'passwordReset', language: 'en', name: 'Ann', url: 'http://localhost:3000/x' } as const;

/** Starts a worker; `stop` also tells when the stop is complete. */
async function start(mailer: Mailer, url = database.url) {
  const settings = readEnv({
    APP_ENV: 'sandbox',
    DATABASE_URL: url,
    AUTH_SECRET: testSecret,
    DATA_SECRET: testSecret,
  });
  const services = { ...testServices(database.db), mailer: 'smtp' as const };
  const { log, lines } = keptLog();
  const worker = await startWorker(services, settings, log, undefined, mailer);
  const stop = () => {
    const onOver = vi.fn();
    return { onOver, over: worker.stop().then(onOver) };
  };
  const logged = (text: string) => vi.waitFor(() => expect(lines.join('')).toContain(text), 40_000);
  return { services, stop, logged };
}

/** Makes the queue refuse to hand out jobs. */
async function withoutJobs(work: () => Promise<unknown>): Promise<void> {
  await database.owner`alter table graphile_worker._private_jobs rename column run_at to gone`;
  await work();
  await database.owner`alter table graphile_worker._private_jobs rename column gone to run_at`;
}

test('a running job is finished before a stop is complete, also if the worker is already stopping', async () => {
  const events: string[] = [];
  let finish = () => {};
  const send: Mailer['send'] = () => {
    events.push('begun');
    return new Promise((resolve) => {
      finish = () => resolve({ outcome: 'refused', reason: 'a test' });
    });
  };
  const { services, stop, logged } = await start({ send });
  await queueMail(database.db.pool, services, { recipient: 'ann@example.com', letter });
  await vi.waitFor(() => expect(events).toEqual(['begun']), 40_000);
  await withoutJobs(() => logged('run_at does not exist'));
  const stopping = stop();
  await database.owner`select 1`;
  expect(stopping.onOver).not.toHaveBeenCalled();
  finish();
  await stopping.over;
  expect(await database.owner`select from graphile_worker.jobs where locked_at is not null`).toEqual([]);
});

test('a job whose worker is gone runs within about a minute, with the jobs behind it in its queue', async () => {
  const sent: string[] = [];
  const send: Mailer['send'] = async ({ recipient }) => {
    sent.push(recipient);
    return { outcome: 'refused', reason: 'a test' };
  };
  const services = { ...testServices(database.db), mailer: 'smtp' as const };
  for (const recipient of ['lost@example.com', 'behind@example.com', 'held@example.com']) {
    await queueMail(database.db.pool, services, { recipient, letter });
  }
  const jobs =
    await database.owner`select id from graphile_worker.jobs where task_identifier = 'send-mail' order by id`;
  const [lost, behind, held] = jobs.map(({ id }) => id);
  await database.owner`
    insert into graphile_worker._private_job_queues (queue_name, locked_at, locked_by)
    values ('mails', now() - interval '61 seconds', 'gone')`;
  await database.owner`
    update graphile_worker._private_jobs set job_queue_id = (select id from graphile_worker._private_job_queues where queue_name = 'mails')
    where id in (${lost}, ${behind})`;
  await database.owner`
    update graphile_worker._private_jobs set attempts = 1, locked_by = 'gone', locked_at = now() - interval '61 seconds'
    where id = ${lost}`;
  await database.owner`
    update graphile_worker._private_jobs set locked_by = 'another', locked_at = now() - interval '30 seconds'
    where id = ${held}`;
  const { stop } = await start({ send });
  await vi.waitFor(() => expect(sent.toSorted()).toEqual(['behind@example.com', 'lost@example.com']), 40_000);
  await stop().over;
  await dropJobs(database.owner, [held]);
});

test('a running job keeps its lock, and its queue’s', async () => {
  const job = await database.owner`select id from graphile_worker.add_job('a-test', '{}'::json, 'a-queue')`;
  const id = String(job[0]?.id);
  await database.owner`
    update graphile_worker._private_jobs set locked_by = 'us', locked_at = now() - interval '61 seconds' where id = ${id}`;
  await database.owner`
    update graphile_worker._private_job_queues set locked_by = 'us', locked_at = now() - interval '61 seconds'
    where queue_name = 'a-queue'`;
  const left = () => database.owner`
    select j.locked_by as job, q.locked_by as queue from graphile_worker._private_jobs j
    join graphile_worker._private_job_queues q on q.id = j.job_queue_id where j.id = ${id}`;
  const locks = createLocks(database.db);
  const { work } = locks.holding({ work: () => locks.keep() });
  await work?.({}, { job: { id } } as JobHelpers);
  expect(await left()).toEqual([{ job: 'us', queue: 'us' }]);
  await dropJobs(database.owner, [id]);
});

test('a scheduled task runs once per time, and never overlaps', () => {
  const options = parseCrontab(crontab).map(({ task, options: { queueName, jobKey, maxAttempts } }) => ({
    task,
    queueName,
    jobKey,
    maxAttempts,
  }));
  expect(options.length).toBeGreaterThan(10);
  for (const { task, ...rest } of options) expect(rest).toEqual({ queueName: task, jobKey: task, maxAttempts: 1 });
});

const noMails: Mailer = { send: async () => ({ outcome: 'refused', reason: 'no mails here' }) };

test('the queue’s connections can be told apart from others', async () => {
  const { stop } = await start(noMails);
  const listening = () => database.owner`
    select distinct application_name from pg_stat_activity
    where datname = current_database() and query ilike '%listen%jobs:insert%' and pid <> pg_backend_pid()`;
  await vi.waitFor(
    async () => expect([...(await listening())]).toEqual([{ application_name: connectionName('loyalty-worker') }]),
    40_000,
  );
  await stop().over;
});

test('no job begins on a schema on which this release cannot run', async () => {
  const { owner } = database;
  const sent: string[] = [];
  let isOutdated = true;
  const { services, stop, logged } = await start({
    send: async ({ recipient }) => {
      sent.push(`${recipient}, ${isOutdated}`);
      return { outcome: 'refused', reason: 'a test' };
    },
  });
  await owner`
    insert into drizzle.__drizzle_migrations (hash, created_at, compatible_since)
    select 'later', max(created_at) + 1, max(created_at) + 1 from drizzle.__drizzle_migrations`;
  await logged('no job runs: the database has the schema of a later release');
  await queueMail(database.db.pool, services, { recipient: 'bob@example.com', letter });
  const queue = () => owner`
    select from pg_stat_activity where datname = current_database() and application_name like 'loyalty-worker %'`;
  await vi.waitFor(async () => expect(await queue()).toEqual([]), 40_000);
  isOutdated = false;
  await owner`delete from drizzle.__drizzle_migrations where hash = 'later'`;
  await vi.waitFor(() => expect(sent).toEqual(['bob@example.com, false']), 40_000);
  await stop().over;
});

test('an unreachable queue is reported in one sentence', async () => {
  const refusal = start(noMails, `${database.url}?sslmode=verify-full`);
  await expect(refusal).rejects.toBeInstanceOf(StartupError);
  await expect(refusal).rejects.toThrow(/^The worker's queue does not start: the server does not offer TLS: [^\n]+$/);
});

test('a stop while the worker restarts leaves none behind', async () => {
  const { stop, logged } = await start(noMails);
  await withoutJobs(() => logged('starting it again'));
  const holder = await database.owner.reserve();
  await holder`begin`;
  await holder`lock table graphile_worker.migrations`;
  const waiting = () => database.owner`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), 40_000);
  const stopping = stop();
  await holder`commit`;
  holder.release();
  await stopping.over;
  const left = await database.owner`
    select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ilike '%listen%jobs:insert%'`;
  expect(left).toEqual([]);
});
