/** E-mails to staff, queued together with the change they report. */

export { deliverMail, type Mailer } from './deliver';
export { type DaySummary, type Letter, mailPriority, queueMail, type SecondFactorFacts, sendMailTask } from './queue';
export { listSandboxMails } from './sandbox-inbox';
