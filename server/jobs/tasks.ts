/** What the worker does: what was queued with a change, and what happens by the clock. */
import type { JobHelpers, TaskList } from 'graphile-worker';
import { z } from 'zod';
import { forgetOldRuns, recordTask } from '../domain/automations/record-run';
import { runNowTask } from '../domain/automations/run-now';
import { type Automation, automations, runNowInput } from '../domain/automations/schemas';
import type { Services } from '../domain/core/context';
import {
  continueImport,
  forgetOldImports,
  importCustomersTask,
  requeueStalledImports,
} from '../domain/customer-imports/run';
import { forgetDiners } from '../domain/diners/forget';
import { expireValue, expireValueOf } from '../domain/ledger/expire';
import { deliverMail, type Mailer } from '../domain/mail/deliver';
import { sendMailTask } from '../domain/mail/queue';
import { forgetUnusedPhotos } from '../domain/menu/photos';
import { deleteOldApiRequests } from '../domain/merchants/api-requests';
import { inTimeOfId } from '../domain/merchants/merchant';
import { deliverMessage, giveUpOldMessages, type Messenger } from '../domain/messaging/deliver';
import { deliverMessageTask } from '../domain/messaging/queue';
import { remindOfExpiry, remindOfExpiryOf } from '../domain/messaging/remind';
import { beginSending, sendNotices, sendNoticesTask } from '../domain/messaging/send-notices';
import { rollUpReports } from '../domain/reports/roll-up';
import { forgetExpired } from '../domain/staff/forget-expired';
import { openResetRequest, passwordResetTask, sendPasswordReset } from '../domain/staff/password-reset';
import { passwordResetRequest } from '../domain/staff/schemas';
import { endStockOuts } from '../domain/stock-outs/end';
import { settleOverdueTopUps } from '../domain/top-up-requests/change';
import { continueIssue, issueVouchersTask, requeueStalledIssues } from '../domain/vouchers/issue-run';
import { beginOccasions, beginOccasionsOf } from '../domain/vouchers/occasions';

interface Scheduled {
  name: string;
  /** In UTC. */
  cron: string;
  run: (services: Services) => Promise<unknown>;
}

const every = (task: Automation) => `*/${automations[task]} * * * *`;

/** Each may run late or twice, and goes on where one was that was killed, or stopped between two batches. */
const scheduled: Scheduled[] = [
  { name: 'roll-up-reports', cron: '* * * * *', run: rollUpReports },
  { name: 'end-stock-outs', cron: '* * * * *', run: endStockOuts },
  { name: 'requeue-voucher-issues', cron: '* * * * *', run: requeueStalledIssues },
  { name: 'requeue-customer-imports', cron: '* * * * *', run: requeueStalledImports },
  { name: 'begin-voucher-occasions', cron: every('begin-voucher-occasions'), run: beginOccasions },
  { name: 'settle-top-ups', cron: '*/5 * * * *', run: settleOverdueTopUps },
  // Days end at a quarter of an hour, whatever the time zone.
  { name: 'expire-value', cron: every('expire-value'), run: expireValue },
  { name: 'remind-of-expiry', cron: every('remind-of-expiry'), run: remindOfExpiry },
  { name: 'begin-sending-notices', cron: '* * * * *', run: beginSending },
  { name: 'give-up-messages', cron: '17 * * * *', run: giveUpOldMessages },
  { name: 'forget-customer-imports', cron: '29 * * * *', run: forgetOldImports },
  { name: 'forget-job-runs', cron: '37 * * * *', run: forgetOldRuns },
  { name: 'delete-api-requests', cron: '41 * * * *', run: deleteOldApiRequests },
  { name: 'forget-diners', cron: '47 * * * *', run: forgetDiners },
  { name: 'forget-expired', cron: '53 * * * *', run: forgetExpired },
  { name: 'forget-unused-photos', cron: '7 * * * *', run: forgetUnusedPhotos },
];

/**
 * Each in a queue of its own, so that no two runs of a task overlap; at most one run waits, and a failed run is not
 * retried.
 */
export const crontab = scheduled
  .map(({ name, cron }) => `${cron} ${name} ?queue=${name}&jobKey=${name}&max=1`)
  .join('\n');

const messagePayload = z.object({ merchantId: z.uuid(), messageId: z.uuid() });
const noticesPayload = z.object({ merchantId: z.uuid() });
const importPayload = z.object({ merchantId: z.uuid(), importId: z.uuid() });
const issuePayload = z.object({ merchantId: z.uuid(), issueId: z.uuid() });
const runNowPayload = z.object({ merchantId: z.uuid(), runId: z.uuid(), ...runNowInput.shape });
const outOfTurn = {
  'begin-voucher-occasions': beginOccasionsOf,
  'expire-value': expireValueOf,
  'remind-of-expiry': remindOfExpiryOf,
};
const resetPayload = z.union([
  z.object({ request: z.string() }),
  // In clear, as jobs were queued until November 2026: to go in 2027, for none is tried longer than a few hours.
  passwordResetRequest,
]);
const mailPayload = z.object({ mailId: z.uuid() });

export function tasks(services: Services, messenger: Messenger, mailer: Mailer): TaskList {
  const stoppable = ({ abortSignal }: JobHelpers): Services => ({ ...services, stopping: abortSignal });
  const byTheClock = scheduled.map(
    ({ name, run }) => [name, (_: unknown, job: JobHelpers) => recordTask(stoppable(job), name, run)] as const,
  );
  return {
    ...Object.fromEntries(byTheClock),
    [deliverMessageTask]: async (data, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts;
      const message = messagePayload.parse(data);
      const own = await inTimeOfId(services, message.merchantId);
      await deliverMessage(own, messenger, { ...message, isLastAttempt });
    },
    [sendNoticesTask]: (data, job) => sendNotices(stoppable(job), messenger, noticesPayload.parse(data).merchantId),
    [sendMailTask]: async (data, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts;
      await deliverMail(services, mailer, { ...mailPayload.parse(data), isLastAttempt });
    },
    [passwordResetTask]: (data) => {
      const asked = resetPayload.parse(data);
      return sendPasswordReset(services, 'request' in asked ? openResetRequest(services, asked.request) : asked);
    },
    [runNowTask]: async (data, job) => {
      const { task, ...run } = runNowPayload.parse(data);
      await outOfTurn[task](stoppable(job), run);
    },
    [issueVouchersTask]: (data, job) => continueIssue(stoppable(job), issuePayload.parse(data)),
    [importCustomersTask]: (data, job) => continueImport(stoppable(job), importPayload.parse(data)),
  };
}
