/** A worker that is stopped while it stops or starts by itself, the database having failed it. */
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import type { Mailer } from '../domain/mail/deliver';
import { queueMail } from '../domain/mail/queue';
import { readEnv } from '../env';
import { testSecret, testServices } from '../testing/factory';
import { keptLog } from '../testing/kept-log';
import { startWorker } from './worker';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
});
afterAll(() => database.drop());

/** A worker; `stop` says when who stopped it is told that it has. */
async function start(mailer: Mailer) {
  const settings = readEnv({
    ...{ APP_ENV: 'sandbox', DATABASE_URL: database.url, AUTH_SECRET: testSecret, DATA_SECRET: testSecret },
  });
  const services = { ...testServices(database.db), mailer: 'smtp' as const };
  const { log, lines } = keptLog();
  const worker = await startWorker(services, settings, log, undefined, mailer);
  const stop = () => {
    const onOver = vi.fn();
    return { onOver, over: worker.stop().then(onOver) };
  };
  const logged = (text: string) => vi.waitFor(() => expect(lines.join('')).toContain(text), 10_000);
  return { services, stop, logged };
}

/** While the queue refuses to hand out jobs. */
async function withoutJobs(work: () => Promise<unknown>): Promise<void> {
  await database.owner`alter table graphile_worker._private_jobs rename column run_at to gone`;
  await work();
  await database.owner`alter table graphile_worker._private_jobs rename column gone to run_at`;
}

test('a job under way is finished before a stop is over, also where the worker stops already', async () => {
  const events: string[] = [];
  let finish = () => {};
  const send: Mailer['send'] = () => {
    events.push('begun');
    return new Promise((resolve) => {
      finish = () => resolve({ outcome: 'refused', reason: 'a test' });
    });
  };
  const { services, stop, logged } = await start({ send });
  const letter = { kind: 'passwordReset', language: 'en', name: 'Ann', url: 'http://localhost:3000/x' } as const;
  await queueMail(database.db.sql, services, { recipient: 'ann@example.com', letter });
  await vi.waitFor(() => expect(events).toEqual(['begun']), 10_000);
  await withoutJobs(() => logged('run_at does not exist'));
  const stopping = stop();
  await database.owner`select 1`;
  expect(stopping.onOver).not.toHaveBeenCalled();
  finish();
  await stopping.over;
  expect(await database.owner`select from graphile_worker._private_jobs where locked_at is not null`).toEqual([]);
}, 60_000);

test('a stop while the worker starts again leaves none behind', async () => {
  const { stop, logged } = await start({ send: async () => ({ outcome: 'refused', reason: 'no mails here' }) });
  await withoutJobs(() => logged('starting it again'));
  const holder = await database.owner.reserve();
  await holder`begin`;
  await holder`lock table graphile_worker.migrations`;
  const waiting = () => database.owner`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), 10_000);
  const stopping = stop();
  await holder`commit`;
  holder.release();
  await stopping.over;
  const left = await database.owner`
    select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ilike '%listen%jobs:insert%'`;
  expect(left).toEqual([]);
}, 60_000);
