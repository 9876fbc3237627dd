/** The shapes of a sandbox's messages in the REST API. The browser never loads them. */
import { z } from 'zod';
import { customerId, phone } from '../identity/schemas';
import type { NoticeKind } from '../kernel/context';
import { instant, pageCursor, pageLimit, uuid } from '../kernel/schemas';
import type { CodeKind } from './queue';

export const sandboxMessagesInput = z.strictObject({
  phone: phone.optional().describe(`Only messages to this number. ${phone.description}`),
  after: pageCursor(200),
  limit: pageLimit(50),
});
export type SandboxMessagesInput = z.infer<typeof sandboxMessagesInput>;

/** The kinds of messages, as the REST API names them. */
export const apiKinds = {
  pin: 'pin',
  code: 'sign_in_code',
  'voucher-issued': 'voucher_issued',
  'value-expiring': 'value_expiring',
  'top-up-receipt': 'top_up_receipt',
  'bill-receipt': 'bill_receipt',
  'phone-changed': 'phone_changed',
  'balance-adjusted': 'balance_adjusted',
  'accounts-merged': 'accounts_merged',
} as const satisfies Record<CodeKind | NoticeKind, string>;

const sandboxMessage = z.object({
  messageId: uuid,
  kind: z.enum(Object.values(apiKinds)),
  customerId: customerId.nullable().describe('Null for a number that belongs to no customer yet.'),
  phone: z.string().nullable().describe('E.164. Null if the customer no longer has a phone number.'),
  code: z.string().nullable().describe('The PIN or the sign-in code. Null for other messages.'),
  text: z.string().nullable().describe('The text of the message. Null for a PIN or a sign-in code.'),
  createdAt: instant,
});

export const sandboxMessagesOutput = z.object({
  items: z.array(sandboxMessage).describe('Newest first.'),
  nextCursor: z.string().nullable().describe('Send it as `after` to get the next page. Null on the last page.'),
});
export type SandboxMessagesOutput = z.infer<typeof sandboxMessagesOutput>;
