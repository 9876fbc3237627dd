import { z } from 'zod';
import {
  birthday,
  birthdayFormat,
  customerId,
  customerRef,
  email,
  optionalName,
  type Profile,
  phone,
  profileFields,
  tags,
} from '../identity/schemas';
import { problem } from '../kernel/say';
import {
  day,
  dayFields,
  money,
  pageFields,
  pin,
  revision,
  searchText,
  text,
  uuid,
  writeFields,
} from '../kernel/schemas';

const birthdayRules = `${birthdayFormat} Not before 1900 and not in the future.`;
const lastName = searchText(100).describe('Absent or empty for a customer with one name.');

export const enrolInput = z
  .strictObject({
    ...writeFields,
    givenName: text(100),
    lastName: lastName.default(''),
    phone: phone.optional().describe(`${phone.description} Required if \`email\` is absent.`),
    email: email.optional().describe(`${email.description} Required if \`phone\` is absent.`),
    birthday: birthday.optional().describe(birthdayRules),
    tags: tags.optional(),
  })
  .refine((input) => input.phone !== undefined || input.email !== undefined, {
    ...problem('contactMissingInAll'),
  });
export type EnrolInput = z.infer<typeof enrolInput>;

/** What a till may change: each field of the profile, and nothing of one that is not sent. */
const changeFields = {
  givenName: text(100).optional(),
  lastName: lastName.optional(),
  phone: phone.nullable().optional().describe(`${phone.description} Needs \`pin\`. \`null\` removes it.`),
  email: email.nullable().optional().describe(`${email.description} \`null\` removes it.`),
  birthday: birthday.nullable().optional().describe(`${birthdayRules} \`null\` removes it.`),
  tags: tags.optional().describe(`${tags.description} Send all of them: \`[]\` removes them.`),
} satisfies { [Column in keyof Profile]: z.ZodType<Profile[Column] | undefined> };

export const updateCustomerInput = z.strictObject({
  customerId,
  ...writeFields,
  ...changeFields,
  pin: pin
    .optional()
    .describe(
      "The customer's PIN. Required with `phone`, whatever the merchant's setting. If you send it, it has to be right.",
    ),
});
export type UpdateCustomerInput = z.infer<typeof updateCustomerInput>;

export const forgetPinInput = z.strictObject({ ...writeFields, customer: customerRef });
export type ForgetPinInput = z.infer<typeof forgetPinInput>;

export const forgetPinOutput = z.object({
  status: z.literal('sent'),
  channel: z.literal('whatsapp'),
  phone: z.string().describe('The number the PIN was sent to, masked.'),
});

const isReachable = ({ phone, email }: { phone: string | null; email: string | null }) => (phone ?? email) !== null;
const unreachable = { ...problem('contactMissing'), path: ['phone'] };

/** A customer as entered by staff. */
export const profileInput = z.strictObject(profileFields).refine(isReachable, unreachable);

export const editCustomerInput = z
  .strictObject({ customerId, ...profileFields, givenName: optionalName, revision })
  .refine(isReachable, unreachable);
export type EditCustomerInput = z.infer<typeof editCustomerInput>;

/** Filters the back office's customer list. Days are joining days in the merchant's time zone. */
export const customerFilter = z.strictObject({
  search: text(100)
    .optional()
    .describe('The beginning of a name, e-mail address or phone number, or the end of a phone number.'),
  tag: text(40).optional().describe('Letter case does not matter.'),
  isBlocked: z.literal(true).optional(),
  holdsValue: z.literal(true).optional(),
  ...dayFields,
});
export type CustomerFilter = z.infer<typeof customerFilter>;

export const listCustomersInput = customerFilter.extend({
  ...pageFields,
  sort: z.enum(['joined', 'name']).default('joined'),
  descending: z.boolean().default(true),
});
export type ListCustomersInput = z.infer<typeof listCustomersInput>;

export const findCustomerInput = z.strictObject({
  phoneOrEmail: text(254).describe('A whole phone number, in any notation, or a whole e-mail address.'),
});
export type FindCustomerInput = z.infer<typeof findCustomerInput>;

export const oneCustomerInput = z.strictObject({ customerId });

/** A duplicate customer to merge into the one that is kept. */
export const mergeInput = z.strictObject({ keptId: uuid, mergedId: uuid });
export type MergeInput = z.infer<typeof mergeInput>;
export const mergedInput = z.strictObject({ mergedId: uuid });
export type MergedInput = z.infer<typeof mergedInput>;

/** Whether notices are sent. */
export const wantsMessagesInput = z.strictObject({ wantsMessages: z.boolean() });
export const ownNameInput = z.strictObject({ givenName: profileFields.givenName, lastName: profileFields.lastName });
export type OwnNameInput = z.output<typeof ownNameInput>;

export const setMessagesInput = z.strictObject({ customerId: uuid, wantsMessages: z.boolean() });
export const historyInput = z.strictObject({ customerId, ...pageFields });
export type HistoryInput = z.infer<typeof historyInput>;
export const voucherHistoryInput = historyInput.extend({
  isPast: z.boolean().describe('True lists redeemed and cancelled vouchers. False lists unused ones.'),
});
export type VoucherHistoryInput = z.infer<typeof voucherHistoryInput>;

const reason = z.string().trim().pipe(text(200));

export const adjustInput = z
  .strictObject({
    customerId,
    adjustmentId: uuid.describe('Chosen by the client. A repeat with the same id changes nothing.'),
    part: z.enum(['principal', 'bonus', 'points']),
    direction: z.enum(['add', 'take']),
    amount: money().describe('Minor units, or points.'),
    expiresOn: day().nullable().describe("The last day it is valid, in the merchant's time zone."),
    reason,
  })
  .refine(({ part, direction, expiresOn }) => expiresOn === null || (part !== 'principal' && direction === 'add'), {
    ...problem('expiryNotAllowed'),
    path: ['expiresOn'],
  });
export type AdjustInput = z.infer<typeof adjustInput>;

export const blockInput = z.strictObject({ customerId, reason });
export type BlockInput = z.infer<typeof blockInput>;

/** May have several lines, unlike other texts. */
const noteText = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^(?:[^\p{Cc}\p{Cs}]|\n)*$/u, problem('controlCharacters'));

export const addNoteInput = z.strictObject({ customerId, text: noteText });
export type AddNoteInput = z.infer<typeof addNoteInput>;
export const editNoteInput = z.strictObject({ noteId: uuid, text: noteText });
export const noteInput = z.strictObject({ noteId: uuid });
