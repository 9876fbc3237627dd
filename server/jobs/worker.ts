/** Does what is queued in the database, and what happens by the clock (`tasks.ts`). Several may run at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { Logger as QueueLogger, type RunnerOptions, run } from 'graphile-worker';
import { appRole } from '@/db/client';
import type { Services } from '../domain/core/context';
import type { Mailer } from '../domain/mail/deliver';
import type { Messenger } from '../domain/messaging/deliver';
import type { Env } from '../env';
import type { Logger } from '../log';
import { createSmtpMailer } from '../messaging/smtp';
import { createWhatsapp } from '../messaging/whatsapp';
import { crontab, tasks } from './tasks';

const restartMs = 3_000;

/** Runs until `stop`, which lets the jobs under way finish. */
export async function startWorker(
  services: Services,
  settings: Env,
  log: Logger,
  messenger: Messenger = createWhatsapp(settings),
  mailer: Mailer = createSmtpMailer(settings),
): Promise<{ stop(): Promise<void> }> {
  const options: RunnerOptions = {
    connectionString: queueUrl(settings),
    taskList: tasks(services, messenger, mailer),
    concurrency: 4,
    maxPoolSize: 4,
    crontab,
    noHandleSignals: true,
    pollInterval: 1_000,
    // Without these, a job's end is written unwatched: a stop would lose it and leave the job locked for four hours.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new QueueLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ queue: String(message).slice(0, 200) }, 'worker');
    }),
  };
  let isStopping = false;
  let runner = await run(options);
  const watch = () => {
    runner.promise.catch(async (error) => {
      // The database was away for longer than the queue's own patience.
      log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'worker stopped, starting it again');
      while (!isStopping) {
        await wait(restartMs);
        const restarted = await run(options).catch(() => null);
        if (!restarted) continue;
        runner = restarted;
        return watch();
      }
    });
  };
  watch();
  return {
    stop: async () => {
      isStopping = true;
      await runner.stop().catch(() => {});
    },
  };
}

/** The queue steps down to the application's role as every other connection does. */
function queueUrl(settings: Env): string {
  const url = new URL(settings.DATABASE_URL);
  if (!settings.DATABASE_OWNER_URL) url.searchParams.set('options', `-c role=${appRole}`);
  return url.href;
}
