/** The worker's tasks: those queued with a change, and scheduled ones. */
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
import { withMerchantClockById } from '../domain/merchants/merchant';
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

const cronOf = (task: Automation) => `*/${automations[task]} * * * *`;

/** Each may run late or twice, and continues where a killed or stopped run ended. */
const scheduled: Scheduled[] = [
  { name: 'roll-up-reports', cron: '* * * * *', run: rollUpReports },
  { name: 'end-stock-outs', cron: '* * * * *', run: endStockOuts },
  { name: 'requeue-voucher-issues', cron: '* * * * *', run: requeueStalledIssues },
  { name: 'requeue-customer-imports', cron: '* * * * *', run: requeueStalledImports },
  { name: 'begin-voucher-occasions', cron: cronOf('begin-voucher-occasions'), run: beginOccasions },
  { name: 'settle-top-ups', cron: '*/5 * * * *', run: settleOverdueTopUps },
  // Days end on a quarter of an hour in every time zone.
  { name: 'expire-value', cron: cronOf('expire-value'), run: expireValue },
  { name: 'remind-of-expiry', cron: cronOf('remind-of-expiry'), run: remindOfExpiry },
  { name: 'begin-sending-notices', cron: '* * * * *', run: beginSending },
  { name: 'give-up-messages', cron: '17 * * * *', run: giveUpOldMessages },
  { name: 'forget-customer-imports', cron: '29 * * * *', run: forgetOldImports },
  { name: 'forget-job-runs', cron: '37 * * * *', run: forgetOldRuns },
  { name: 'delete-api-requests', cron: '41 * * * *', run: deleteOldApiRequests },
  { name: 'forget-diners', cron: '47 * * * *', run: forgetDiners },
  { name: 'forget-expired', cron: '53 * * * *', run: forgetExpired },
  { name: 'forget-unused-photos', cron: '7 * * * *', run: forgetUnusedPhotos },
];

/** Each task has its own queue, so that no two runs overlap. At most one run waits, and failed runs are not retried. */
export const crontab = scheduled
  .map(({ name, cron }) => `${cron} ${name} ?queue=${name}&jobKey=${name}&max=1`)
  .join('\n');

const messagePayload = z.object({ merchantId: z.uuid(), messageId: z.uuid() });
const noticesPayload = z.object({ merchantId: z.uuid() });
const importPayload = z.object({ merchantId: z.uuid(), importId: z.uuid() });
const issuePayload = z.object({ merchantId: z.uuid(), issueId: z.uuid() });
const runNowPayload = z.object({ merchantId: z.uuid(), runId: z.uuid(), ...runNowInput.shape });
const runNowTasks = {
  'begin-voucher-occasions': beginOccasionsOf,
  'expire-value': expireValueOf,
  'remind-of-expiry': remindOfExpiryOf,
};
const resetPayload = z.union([
  z.object({ request: z.string() }),
  // Not encrypted, as jobs were queued until November 2026. Remove in 2027: no job is retried for more than a few
  // hours.
  passwordResetRequest,
]);
const mailPayload = z.object({ mailId: z.uuid() });

export function tasks(services: Services, messenger: Messenger, mailer: Mailer): TaskList {
  const withStopSignal = ({ abortSignal }: JobHelpers): Services => ({ ...services, stopping: abortSignal });
  const scheduledTasks = scheduled.map(
    ({ name, run }) => [name, (_: unknown, job: JobHelpers) => recordTask(withStopSignal(job), name, run)] as const,
  );
  return {
    ...Object.fromEntries(scheduledTasks),
    [deliverMessageTask]: async (data, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts;
      const message = messagePayload.parse(data);
      const merchantServices = await withMerchantClockById(services, message.merchantId);
      await deliverMessage(merchantServices, messenger, { ...message, isLastAttempt });
    },
    [sendNoticesTask]: (data, job) =>
      sendNotices(withStopSignal(job), messenger, noticesPayload.parse(data).merchantId),
    [sendMailTask]: async (data, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts;
      await deliverMail(services, mailer, { ...mailPayload.parse(data), isLastAttempt });
    },
    [passwordResetTask]: (data) => {
      const payload = resetPayload.parse(data);
      return sendPasswordReset(services, 'request' in payload ? openResetRequest(services, payload.request) : payload);
    },
    [runNowTask]: async (data, job) => {
      const { task, ...run } = runNowPayload.parse(data);
      await runNowTasks[task](withStopSignal(job), run);
    },
    [issueVouchersTask]: (data, job) => continueIssue(withStopSignal(job), issuePayload.parse(data)),
    [importCustomersTask]: (data, job) => continueImport(withStopSignal(job), importPayload.parse(data)),
  };
}
