/** What the worker does: what was queued with a change, and what happens by the clock. */
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { Services } from '../domain/core/context';
import {
  continueImport,
  forgetOldImports,
  importCustomersTask,
  requeueStalledImports,
} from '../domain/customer-imports/run';
import { expireValue } from '../domain/ledger/expire';
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

interface Scheduled {
  name: string;
  /** In UTC. */
  cron: string;
  run: (services: Services) => Promise<unknown>;
}

/** Each may run late, twice or on several workers at once, and goes on where a killed run was. */
const scheduled: Scheduled[] = [
  { name: 'roll-up-reports', cron: '* * * * *', run: rollUpReports },
  { name: 'requeue-voucher-issues', cron: '* * * * *', run: requeueStalledIssues },
  { name: 'requeue-customer-imports', cron: '* * * * *', run: requeueStalledImports },
  { name: 'begin-voucher-occasions', cron: '*/5 * * * *', run: beginOccasions },
  // Days end at a quarter of an hour, whatever the time zone.
  { name: 'expire-value', cron: '*/15 * * * *', run: expireValue },
  { name: 'give-up-messages', cron: '17 * * * *', run: giveUpOldMessages },
  { name: 'forget-customer-imports', cron: '29 * * * *', run: forgetOldImports },
  { name: 'delete-api-requests', cron: '41 * * * *', run: deleteOldApiRequests },
  { name: 'forget-expired', cron: '53 * * * *', run: forgetExpired },
];

export const crontab = scheduled.map(({ name, cron }) => `${cron} ${name}`).join('\n');

const messagePayload = z.object({ merchantId: z.uuid(), messageId: z.uuid() });
const importPayload = z.object({ merchantId: z.uuid(), importId: z.uuid() });
const issuePayload = z.object({ merchantId: z.uuid(), issueId: z.uuid() });
const mailPayload = z.object({ mailId: z.uuid() });
const passwordResetPayload = z.object({ email: z.string() });

export function tasks(services: Services, messenger: Messenger, mailer: Mailer): TaskList {
  const byTheClock = scheduled.map(({ name, run }) => [name, async () => void (await run(services))] as const);
  return {
    ...Object.fromEntries(byTheClock),
    [deliverMessageTask]: async (data, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts;
      await deliverMessage(services, messenger, { ...messagePayload.parse(data), isLastAttempt });
    },
    [sendMailTask]: async (data, { job }) => {
      const isLastAttempt = job.attempts >= job.max_attempts;
      await deliverMail(services, mailer, { ...mailPayload.parse(data), isLastAttempt });
    },
    [passwordResetTask]: (data) => sendPasswordReset(services, passwordResetPayload.parse(data)),
    [issueVouchersTask]: (data) => continueIssue(services, issuePayload.parse(data)),
    [importCustomersTask]: (data) => continueImport(services, importPayload.parse(data)),
  };
}
