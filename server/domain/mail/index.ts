export { deliverMail, type Mailer } from './deliver';
export { type Letter, mailPriority, queueMail, sendMailTask } from './queue';
export { listSandboxMails } from './sandbox-inbox';
