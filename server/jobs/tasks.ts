/** The worker's tasks: those queued with a change, and scheduled ones. */
import type { JobHelpers, TaskList } from 'graphile-worker';
import { z } from 'zod';
import {
  deleteOldApiRequests,
  forgetExpired,
  openResetRequest,
  passwordResetRequest,
  passwordResetTask,
  sendPasswordReset,
} from '@/server/domain/access';
import {
  type Automation,
  automations,
  forgetOldRuns,
  recordTask,
  runNowInput,
  runNowTask,
} from '@/server/domain/automations';
import { closeForgottenBills, settleOverdueBillPayments, takeBackPointsTask } from '@/server/domain/bills';
import { reconcileCardPayments } from '@/server/domain/card-payments';
import {
  continueImport,
  forgetOldImports,
  importCustomersTask,
  requeueStalledImports,
} from '@/server/domain/customer-imports';
import { forgetDiners } from '@/server/domain/diners';
import { forgetOldEvents } from '@/server/domain/events';
import { expireValue, expireValueOf } from '@/server/domain/ledger';
import { deliverMail, type Mailer, sendMailTask } from '@/server/domain/mail';
import { forgetUnusedPhotos } from '@/server/domain/menu';
import { findMerchant, withMerchantClockById } from '@/server/domain/merchants';
import {
  beginSending,
  deliverMessage,
  deliverMessageTask,
  giveUpOldMessages,
  type Messenger,
  remindOfExpiry,
  remindOfExpiryOf,
  sendNotices,
  sendNoticesTask,
} from '@/server/domain/messaging';
import { rollUpReports, sendDailySummaries } from '@/server/domain/reports';
import { endStockOuts } from '@/server/domain/stock-outs';
import { settleOverdueTopUps } from '@/server/domain/top-ups';
import { takeBackPoints } from '@/server/domain/transactions';
import {
  beginOccasions,
  beginOccasionsOf,
  continueIssue,
  issueVouchersTask,
  requeueStalledIssues,
} from '@/server/domain/vouchers';
import type { Services } from '../domain/kernel/context';

interface Scheduled {
  name: string;
  /** In UTC. */
  cron: string;
  run: (services: Services) => Promise<unknown>;
}

const cronOf = (task: Automation) => `*/${automations[task]} * * * *`;

/** Each may run late or twice, and continues where an interrupted run ended. */
const scheduled: Scheduled[] = [
  { name: 'roll-up-reports', cron: '* * * * *', run: rollUpReports },
  { name: 'end-stock-outs', cron: '* * * * *', run: endStockOuts },
  { name: 'requeue-voucher-issues', cron: '* * * * *', run: requeueStalledIssues },
  { name: 'requeue-customer-imports', cron: '* * * * *', run: requeueStalledImports },
  { name: 'begin-voucher-occasions', cron: cronOf('begin-voucher-occasions'), run: beginOccasions },
  { name: 'settle-bill-payments', cron: '* * * * *', run: settleOverdueBillPayments },
  { name: 'close-forgotten-bills', cron: '*/5 * * * *', run: closeForgottenBills },
  { name: 'settle-top-ups', cron: '* * * * *', run: settleOverdueTopUps },
  { name: 'reconcile-card-payments', cron: '23 19 * * *', run: reconcileCardPayments },
  // In every time zone, days end on a quarter of an hour.
  { name: 'send-daily-summaries', cron: '*/15 * * * *', run: sendDailySummaries },
  { name: 'expire-value', cron: cronOf('expire-value'), run: expireValue },
  { name: 'remind-of-expiry', cron: cronOf('remind-of-expiry'), run: remindOfExpiry },
  { name: 'begin-sending-notices', cron: '* * * * *', run: beginSending },
  { name: 'give-up-messages', cron: '17 * * * *', run: giveUpOldMessages },
  { name: 'forget-customer-imports', cron: '29 * * * *', run: forgetOldImports },
  { name: 'forget-job-runs', cron: '37 * * * *', run: forgetOldRuns },
  { name: 'delete-api-requests', cron: '41 * * * *', run: deleteOldApiRequests },
  { name: 'forget-events', cron: '43 * * * *', run: forgetOldEvents },
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
const billPayload = z.object({ merchantId: z.uuid(), billUid: z.uuid() });
const runNowPayload = z.object({ merchantId: z.uuid(), runId: z.uuid(), ...runNowInput.shape });
const runNowTasks = {
  'begin-voucher-occasions': beginOccasionsOf,
  'expire-value': expireValueOf,
  'remind-of-expiry': remindOfExpiryOf,
};
const resetPayload = z.union([
  z.object({ request: z.string() }),
  // Jobs were queued unencrypted until November 2026. Remove in 2027: no job is retried for more than a few hours.
  passwordResetRequest,
]);
const mailPayload = z.object({ mailId: z.uuid() });

export function tasks(services: Services, messenger: Messenger, mailer: Mailer): TaskList {
  const withStopSignal = ({ abortSignal }: JobHelpers): Services => ({ ...services, stopping: abortSignal });
  const scheduledTasks = scheduled.map(
    ({ name, run }) => [name, (_: unknown, job: JobHelpers) => recordTask(withStopSignal(job), name, run)] as const,
  );
  /** For a closed merchant, queued work is not started. Issues and imports are queued again once it is open. */
  const ofOpenMerchant =
    <Payload extends { merchantId: string }>(
      payload: z.ZodType<Payload>,
      run: (services: Services, payload: Payload) => Promise<unknown>,
    ) =>
    async (data: unknown, job: JobHelpers) => {
      const given = payload.parse(data);
      if (await findMerchant(services, given.merchantId)) await run(withStopSignal(job), given);
    };
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
    [runNowTask]: ofOpenMerchant(runNowPayload, (all, { task, ...run }) => runNowTasks[task](all, run)),
    [issueVouchersTask]: ofOpenMerchant(issuePayload, continueIssue),
    [importCustomersTask]: ofOpenMerchant(importPayload, continueImport),
    [takeBackPointsTask]: (data) => takeBackPoints(services, billPayload.parse(data)),
  };
}
