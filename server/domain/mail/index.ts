/** E-mails to staff, queued with what they report. */

export { deliverMail, type Mailer } from './deliver';
export { type DaySummary, type Letter, mailPriority, queueMail, type SecondFactorChange, sendMailTask } from './queue';
export { listSandboxMails } from './sandbox-inbox';
