/** Messages to customers: templates, queue, delivery, receipts. */

export {
  type Delivery,
  DeliveryPending,
  deliverMessage,
  giveUpOldMessages,
  type Messenger,
  recordReceipt,
  type TemplateUse,
} from './deliver';
export { listMessages, listSandboxMessages } from './list-messages';
export { queueNotices, queueWarnings } from './notices';
export { type CodeKind, deliverMessageTask, queueMessage } from './queue';
export { remindOfExpiry, remindOfExpiryOf } from './remind';
export { sandboxMessagesInput, sandboxMessagesOutput } from './sandbox-schemas';
export { listMessagesInput, type MessageLanguage, messageFilter, quietHoursInput, templateInput } from './schemas';
export { beginSending, queueSending, sendNotices, sendNoticesTask } from './send-notices';
export { getTemplates, saveTemplate, setQuietHours } from './templates';
