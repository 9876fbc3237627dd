import { z } from 'zod';
import type { ProfileColumn } from '@/db/kinds/lists';
import type { customers } from '@/db/schema';
import { problem } from '../kernel/say';
import { instant, pin, text, uuid } from '../kernel/schemas';
import { isEasyPin } from './easy-pin';

export const customerId = uuid.describe("The service's id of the customer.");
export const phone = text(32).describe(
  "E.164 (`+6591234567`) or a national number of the merchant's country. Spaces and dashes are ignored.",
);
export const email = z.email().max(254).describe('Letter case does not matter.');

/** The day exists, in a leap year if no year is given. */
const isDay = (birthday: string) => z.iso.date().safeParse(birthday.replace(/^--/, '0004-')).success;
const birthdayText = z.string().regex(/^(\d{4}|-)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, problem('notABirthday'));
export const birthday = birthdayText.refine(isDay, problem('notABirthday'));
export const birthdayFormat = '`YYYY-MM-DD`, or `--MM-DD` if the year is unknown.';
export const isYearless = (birthday: string): boolean => birthday.startsWith('--');

export const maxTags = 20;
const maxTag = 40;
/** Commas and semicolons separate tags where they are written in one line. */
const tagSeparators = /[,;，；、]/;

const tag = text(maxTag)
  .overwrite((name) => name.normalize('NFC').trim().replace(/\s+/g, ' '))
  // Again: one character may have become several.
  .max(maxTag)
  .refine((name) => !tagSeparators.test(name), problem('tagSeparator'));

/** True for a tag that no earlier one equals but for letter case. */
export const isNewTag = (name: string, at: number, all: string[]): boolean =>
  all.findIndex((one) => one.toLowerCase() === name.toLowerCase()) === at;

export const tags = z
  .array(tag)
  .max(maxTags)
  .overwrite((names) => names.filter(isNewTag))
  .describe(
    'What staff call the customer, such as `VIP`. Letter case does not tell two apart. Customers do not see them.',
  );

/** Splits tags that are written in one line, with or without quotes. */
export const splitTags = (line: string): string[] =>
  line.split(new RegExp(tagSeparators, 'g')).flatMap((name) => name.trim().replace(/^"(.*)"$/, '$1') || []);

/** A customer reference in a body: exactly one of three fields. */
export const customerRef = z
  .strictObject({ customerId: customerId.optional(), phone: phone.optional(), email: email.optional() })
  .refine((ref) => Object.values(ref).filter((value) => value !== undefined).length === 1, {
    ...problem('oneCustomerReference'),
  })
  .meta({
    id: 'CustomerRef',
    description: 'The customer. Send exactly one of `customerId`, `phone` and `email`.',
    minProperties: 1,
    maxProperties: 1,
  });
export type CustomerRef = z.infer<typeof customerRef>;

export type Profile = Pick<typeof customers.$inferSelect, ProfileColumn>;
/** A schema for each column of the profile. */
type ProfileSchemas = { [Column in keyof Profile]: z.ZodType<Profile[Column]> };

const storedProfile = {
  givenName: z.string(),
  lastName: z.string(),
  phone: z.string().nullable().describe('E.164.'),
  email: z.string().nullable(),
  birthday: z.iso.date().nullable().describe('Null also if the year is unknown: then `birthMonthDay` has the day.'),
  tags: z.array(z.string()).describe(tags.description ?? ''),
} satisfies ProfileSchemas;

export const customer = z
  .object({
    customerId,
    ...storedProfile,
    birthMonthDay: z
      .string()
      .regex(/^\d{2}-\d{2}$/)
      .nullable()
      .describe('The month and day of the birthday, `MM-DD`, whether its year is known or not.'),
    joinedAt: instant,
    hasPin: z.boolean().describe('Whether the customer has a PIN.'),
  })
  .meta({ id: 'Customer' });
export type Customer = z.infer<typeof customer>;

type BirthdayFields = Pick<Customer, 'birthday' | 'birthMonthDay'>;

/** Splits a birthday into the fields of a response: a client that reads dates can't read `--06-15`. */
export const birthdayFields = (birthday: string | null): BirthdayFields => ({
  birthday: birthday === null || isYearless(birthday) ? null : birthday,
  birthMonthDay: birthday === null ? null : birthday.slice(-5),
});

/** Returns the birthday that `birthdayFields` has split. */
export const birthdayOf = ({ birthday, birthMonthDay }: BirthdayFields): string | null =>
  birthday ?? (birthMonthDay === null ? null : `--${birthMonthDay}`);

/** A PIN chosen by a person. */
export const chosenPin = pin.refine((value) => !isEasyPin(value), problem('pinTooEasy'));

/** A form field that counts as missing if empty. */
const blankable = <Schema extends z.ZodType<string, string>>(schema: Schema) =>
  z
    .string()
    .trim()
    .nullable()
    .transform((value) => value || null)
    .pipe(schema.nullable());

/** A name of a form, empty for people without it. */
export const optionalName = z
  .string()
  .trim()
  .nullable()
  .transform((value) => value ?? '')
  .pipe(z.literal('').or(text(100)));

export const profileFields = {
  givenName: z.string().trim().pipe(text(100)),
  lastName: optionalName,
  phone: blankable(phone),
  email: blankable(email),
  birthday: blankable(birthday),
  /** A list, or one line with commas. */
  tags: z
    .union([z.array(z.string()), z.string()])
    .nullable()
    .transform((given) => (Array.isArray(given) ? given : splitTags(given ?? '')))
    .pipe(tags),
} satisfies ProfileSchemas;
