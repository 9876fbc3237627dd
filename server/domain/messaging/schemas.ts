import { z } from 'zod';
import type { NoticeKind } from '../kernel/context';
import { menuLanguages } from '../kernel/context';
import { problem } from '../kernel/say';
import { dayFields, pageFields, text, uuid } from '../kernel/schemas';
import { placeholders, unknownPlaceholder } from './wording';

export const messageState = z.enum(['queued', 'sent', 'delivered', 'read', 'failed', 'inbox']);
export type MessageState = z.infer<typeof messageState>;

/** Filters messages. Dates are days in the merchant's time zone, both inclusive. */
export const messageFilter = z.strictObject({
  state: messageState.optional(),
  customerId: uuid.optional(),
  ...dayFields,
});

export const listMessagesInput = z.strictObject({ ...messageFilter.shape, ...pageFields });
export type ListMessagesInput = z.infer<typeof listMessagesInput>;

/** The languages of messages to customers. */
export const messageLanguage = z.enum(menuLanguages);
export type MessageLanguage = z.infer<typeof messageLanguage>;

export const noticeKind = z.enum(Object.keys(placeholders) as [NoticeKind]);

const templateFields = {
  kind: noticeKind,
  language: messageLanguage,
  templateName: z
    .string()
    .trim()
    .regex(/^[a-z0-9_]{1,512}$/, problem('templateNameShape')),
  body: z.string().trim().pipe(text(1000)),
  isOn: z.boolean(),
};

export const templateInput = z.strictObject(templateFields).superRefine(({ kind, body }, context) => {
  if (unknownPlaceholder(kind, body) === null) return;
  context.addIssue({ code: 'custom', path: ['body'], ...problem('unknownPlaceholder') });
});
export type TemplateInput = z.infer<typeof templateInput>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, problem('timeOfDay'));

export const quietHours = z
  .strictObject({ from: timeOfDay, until: timeOfDay })
  .refine(({ from, until }) => from !== until, { path: ['until'], ...problem('quietHoursEmpty') });
export const quietHoursInput = z.strictObject({ quietHours: quietHours.nullable() });
