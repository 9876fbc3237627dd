/** Does what is queued in the database: today, the delivery of messages. Several may run at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { Logger as QueueLogger, type RunnerOptions, run, type TaskList } from 'graphile-worker';
import { z } from 'zod';
import { appRole } from '@/db/client';
import type { Services } from '../domain/core/context';
import {
  continueImport,
  forgetOldImports,
  importCustomersTask,
  requeueStalledImports,
} from '../domain/customer-imports/run';
import { deliverMail, type Mailer } from '../domain/mail/deliver';
import { sendMailTask } from '../domain/mail/queue';
import { deleteOldApiRequests } from '../domain/merchants/api-requests';
import { deliverMessage, giveUpOldMessages, type Messenger } from '../domain/messaging/deliver';
import { deliverMessageTask } from '../domain/messaging/queue';
import { rollUpReports } from '../domain/reports/roll-up';
import { forgetExpired } from '../domain/staff/forget-expired';
import { passwordResetTask, sendPasswordReset } from '../domain/staff/password-reset';
import { continueIssue, issueVouchersTask, requeueStalledIssues } from '../domain/vouchers/issue-run';
import { beginOccasions } from '../domain/vouchers/occasions';
import type { Env } from '../env';
import type { Logger } from '../log';
import { createSmtpMailer } from '../messaging/smtp';
import { createWhatsapp } from '../messaging/whatsapp';

const payload = z.object({ merchantId: z.uuid(), messageId: z.uuid() });

const importPayload = z.object({ merchantId: z.uuid(), importId: z.uuid() });
const issuePayload = z.object({ merchantId: z.uuid(), issueId: z.uuid() });
const mailPayload = z.object({ mailId: z.uuid() });
const passwordResetPayload = z.object({ email: z.string() });

const giveUpTask = 'give-up-messages';
const deleteRequestsTask = 'delete-api-requests';
const rollUpTask = 'roll-up-reports';
const forgetTask = 'forget-expired';
const occasionsTask = 'begin-voucher-occasions';
const requeueTask = 'requeue-voucher-issues';
const requeueImportsTask = 'requeue-customer-imports';
const forgetImportsTask = 'forget-customer-imports';
const restartMs = 3_000;

/** Runs until `stop`, which lets the jobs under way finish. */
export async function startWorker(
  services: Services,
  settings: Env,
  log: Logger,
  messenger: Messenger = createWhatsapp(settings),
  mailer: Mailer = createSmtpMailer(settings),
): Promise<{ stop(): Promise<void> }> {
  const taskList: TaskList = {
    [deliverMessageTask]: async (data, { job }) => {
      const message = payload.parse(data);
      await deliverMessage(services, messenger, { ...message, isLastAttempt: job.attempts >= job.max_attempts });
    },
    [sendMailTask]: async (data, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts;
      await deliverMail(services, mailer, { ...mailPayload.parse(data), isLastAttempt });
    },
    [passwordResetTask]: (data) => sendPasswordReset(services, passwordResetPayload.parse(data)),
    [issueVouchersTask]: (data) => continueIssue(services, issuePayload.parse(data)),
    [importCustomersTask]: (data) => continueImport(services, importPayload.parse(data)),
    [requeueImportsTask]: () => requeueStalledImports(services),
    [forgetImportsTask]: () => forgetOldImports(services),
    [occasionsTask]: () => beginOccasions(services),
    [requeueTask]: () => requeueStalledIssues(services),
    [forgetTask]: () => forgetExpired(services),
    [giveUpTask]: () => giveUpOldMessages(services),
    [rollUpTask]: () => rollUpReports(services),
    [deleteRequestsTask]: () => deleteOldApiRequests(services),
  };
  const options: RunnerOptions = {
    connectionString: queueUrl(settings),
    taskList,
    concurrency: 4,
    maxPoolSize: 4,
    crontab: [
      `* * * * * ${rollUpTask}`,
      `*/5 * * * * ${occasionsTask}`,
      `* * * * * ${requeueTask}`,
      `* * * * * ${requeueImportsTask}`,
      `17 * * * * ${giveUpTask}`,
      `41 * * * * ${deleteRequestsTask}`,
      `53 * * * * ${forgetTask}`,
      `29 * * * * ${forgetImportsTask}`,
    ].join('\n'),
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
