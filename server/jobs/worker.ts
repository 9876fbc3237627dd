/** Runs jobs queued in the database and scheduled tasks (`tasks.ts`), and sends webhooks. Several workers may run at once. */

import { setTimeout as wait } from 'node:timers/promises';
import { Logger as QueueLogger, type Runner, type RunnerOptions, run } from 'graphile-worker';
import { appRole, connectionName, describeConnectionProblem, primaryOf } from '@/db/driver';
import { schemaState } from '@/db/operations/schema-state';
import { StartupError } from '@/db/startup-error';
import type { Mailer } from '@/server/domain/mail';
import type { Messenger } from '@/server/domain/messaging';
import { allowsOwnMachine, type WebhookSender } from '@/server/domain/webhooks';
import type { Services } from '../domain/kernel/context';
import type { Env } from '../environment/env';
import { createSmtpMailer } from '../gateways/smtp';
import { createWebhookSender } from '../gateways/webhook-sender';
import { createWhatsapp } from '../gateways/whatsapp';
import { type Logger, safeError } from '../observe/log';
import { jobSeconds } from '../observe/metrics';
import { createLocks, renewMs } from './locks';
import { recordSpans } from './record-spans';
import { crontab, tasks } from './tasks';
import { sendWebhooks } from './webhooks';

const restartMs = 3_000;
const schemaCheckMs = 3_000;
const silenceMs = 10_000;

/**
 * Runs until `stop`, which lets running jobs finish (jobs of many batches only the current one). Starts no job while
 * this release can't run on the database's schema. Errors: `StartupError` if the queue can't connect.
 */
export async function startWorker(
  services: Services,
  settings: Env,
  log: Logger,
  messenger: Messenger = createWhatsapp(settings, { log }),
  mailer: Mailer = createSmtpMailer(settings),
  webhooks: WebhookSender = createWebhookSender({ allowsOwnMachine: allowsOwnMachine(services) }),
): Promise<{ stop(): Promise<void> }> {
  const locks = createLocks(services.db);
  const options: RunnerOptions = {
    taskList: recordSpans(locks.holding(tasks(services, messenger, mailer))),
    // More than can wait for outside services at once: one scheduled task that calls Stripe, and three jobs that send
    // notices.
    concurrency: 6,
    maxPoolSize: 6,
    crontab,
    noHandleSignals: true,
    pollInterval: 1_000,
    preset: {
      worker: {
        // Otherwise a job's end is written in the background. A stop would lose it, and the job would run again.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        // Tells jobs of many batches about a stop at once.
        gracefulShutdownAbortTimeout: 0,
      },
    },
    logger: new QueueLogger(() => (level, message) => {
      const severity = ({ error: 'error', warning: 'warn' } as const)[String(level)] ?? 'debug';
      log[severity]({ queue: String(message).slice(0, 200) }, 'worker');
    }),
  };
  const start = async () => {
    const started = await run({ ...options, connectionString: await queueUrl(settings) });
    // Otherwise the queue would stay on this host for ever. A restart looks the primary up again.
    started.events.on('job:complete', ({ job, error }) => {
      const [task, outcome] = [job.task_identifier, error ? 'failed' : 'done'];
      jobSeconds.observe({ task, outcome }, job.locked_at ? (Date.now() - job.locked_at.getTime()) / 1000 : 0);
    });
    started.events.on('worker:getJob:error', () => started.stop().catch(() => {}));
    const sending = sendWebhooks(services, webhooks, log);
    return {
      promise: started.promise.catch(() => {}).then(sending.stop),
      stop: async () => {
        await Promise.all([end(started), sending.stop()]);
      },
    };
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  let runner = await start().catch((error) => {
    throw new StartupError(`The worker's queue does not start: ${describeConnectionProblem(error)}`);
  });
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {});
  const isOutdated = () =>
    schemaState(services.db.pool).then(
      (state) => state === 'incompatible',
      () => false,
    );
  const watchSchema = async () => {
    while (!signal.aborted) {
      if (await isOutdated()) await runner.stop();
      await pause(schemaCheckMs);
    }
  };
  const keepRunning = async () => {
    while (!signal.aborted) {
      await runner.promise;
      if (signal.aborted) return;
      log.error(
        (await isOutdated())
          ? 'no job runs: the database has the schema of a later release, on which this one cannot run'
          : 'worker stopped, starting it again',
      );
      do await pause(restartMs);
      while (!signal.aborted && (await isOutdated()));
      if (!signal.aborted) runner = await start().catch(() => runner);
    }
    // It was restarted during the stop.
    await runner.stop();
  };
  const running = Promise.all([keepRunning(), watchSchema()]);
  const locksEnd = new AbortController();
  const keepLocks = async () => {
    while (!locksEnd.signal.aborted) {
      await locks.keep().catch((error) => log.warn(safeError(error), 'the locks of jobs were not renewed'));
      await wait(renewMs, undefined, { signal: locksEnd.signal }).catch(() => {});
    }
  };
  const lockRenewal = keepLocks();
  return {
    stop: async () => {
      stopping.abort();
      await runner.stop();
      await running;
      locksEnd.abort();
      await lockRenewal;
    },
  };
}

/**
 * Resolves when running jobs have finished. A second stop is refused, so one that was already begun is awaited, too.
 */
const end = (runner: Runner): Promise<void> =>
  runner
    .stop()
    .catch(() => runner.promise)
    .catch(() => {});

/** The queue uses LISTEN, so it bypasses a pooler. It uses the application's role, like every other connection. */
async function queueUrl(settings: Env): Promise<string> {
  const url = new URL(await primaryOf(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL));
  // Otherwise the queue would wait for a silent host until TCP gives up.
  url.searchParams.set('query_timeout', String(silenceMs));
  url.searchParams.set('application_name', connectionName('loyalty-worker'));
  if (!settings.DATABASE_OWNER_URL) url.searchParams.set('options', `-c role=${appRole}`);
  return url.href;
}
