import { z } from 'zod';
import { pageFields } from '../core/page';
import { dayFields, uuid } from '../core/schemas';

export const messageState = z.enum(['queued', 'sent', 'delivered', 'read', 'failed', 'inbox']);
export type MessageState = z.infer<typeof messageState>;

/** Which messages. Dates are days in the merchant's time zone, both included. */
export const listMessagesInput = z.strictObject({
  state: messageState.optional(),
  customerId: uuid.optional(),
  ...dayFields,
  ...pageFields,
});
export type ListMessagesInput = z.infer<typeof listMessagesInput>;
