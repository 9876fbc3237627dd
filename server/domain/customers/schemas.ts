import { z } from 'zod';
import { instant, moneyOrZero, text, uuid, writeFields } from '../core/schemas';

export const customerId = uuid.describe('Our id of the customer.');
export const phone = text(32).describe(
  "E.164 (`+6591234567`), or a national number of the merchant's country; spaces and dashes are ignored.",
);
export const email = z.email().max(254).describe('Compared case-insensitively.');

/** How a body names a customer: by exactly one of three. */
export const customerRef = z
  .strictObject({ customerId: customerId.optional(), phone: phone.optional(), email: email.optional() })
  .refine((ref) => Object.values(ref).filter((value) => value !== undefined).length === 1, {
    message: 'must have exactly one of customerId, phone, email',
  })
  .meta({
    description: 'The customer, by exactly one of `customerId`, `phone`, `email`.',
    minProperties: 1,
    maxProperties: 1,
  });
export type CustomerRef = z.infer<typeof customerRef>;

export const customer = z.object({
  customerId,
  givenName: z.string(),
  lastName: z.string(),
  phone: z.string().nullable().describe('E.164.'),
  email: z.string().nullable(),
  birthday: z.iso.date().nullable(),
  joinedAt: instant,
  hasPin: z.boolean().describe('Whether the customer has a PIN.'),
});
export type Customer = z.infer<typeof customer>;

export const enrolInput = z
  .strictObject({
    ...writeFields,
    givenName: text(100),
    lastName: text(100),
    phone: phone.optional(),
    email: email.optional(),
    birthday: z.iso.date().optional().describe('`YYYY-MM-DD`, from 1900 on, not in the future.'),
  })
  .refine((input) => input.phone !== undefined || input.email !== undefined, {
    message: 'or an e-mail address is required',
    path: ['phone'],
  });
export type EnrolInput = z.infer<typeof enrolInput>;

export const storedValueBalance = z.object({
  balance: moneyOrZero().describe('What the customer can spend now, in minor units: principal and bonus.'),
  principal: moneyOrZero().describe('What the customer paid in.'),
  bonus: moneyOrZero().describe('What promotions gave.'),
});

export const forgetPinInput = z.strictObject({ ...writeFields, customer: customerRef });
export type ForgetPinInput = z.infer<typeof forgetPinInput>;

export const forgetPinOutput = z.object({
  status: z.literal('sent'),
  channel: z.literal('whatsapp'),
  phone: z.string().describe('Where it went, masked.'),
});
