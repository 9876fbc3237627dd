/** What diners fill in. */
import { z } from 'zod';
import { problem } from '../core/say';
import { pin, searchText } from '../core/schemas';
import { phone, profileFields } from '../customers/schemas';
import { messageLanguage } from '../messaging/schemas';

export const codeRequest = z.strictObject({ phone });
export type CodeRequest = z.infer<typeof codeRequest>;

/** As it is typed or pasted: with spaces or without. */
const code = z
  .string()
  .transform((value) => value.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[0-9]{6}$/, problem('sixDigits')));

/** In which the page is read. */
const language = messageLanguage.optional();

export const codeProof = z.strictObject({ phone, code, language });
export type CodeProof = z.infer<typeof codeProof>;

export const joinInput = z.strictObject({
  givenName: profileFields.givenName,
  lastName: profileFields.lastName,
  email: profileFields.email.default(null),
  birthday: profileFields.birthday.default(null),
  consent: z.literal(true),
  language,
});
export type JoinInput = z.infer<typeof joinInput>;

/** What is guessed first. */
const isEasy = (value: string) => value === '1234' || /^(\d)\1{3}$/.test(value);

/** A PIN and what allows it: the one before, or a fresh code; a first one needs neither soon after signing in. */
export const pinInput = z.strictObject({
  pin: pin.refine((value) => !isEasy(value), problem('pinTooEasy')),
  oldPin: pin.optional(),
  code: code.optional(),
});
export type PinInput = z.infer<typeof pinInput>;

export const dinerHistoryInput = z.strictObject({ after: searchText(500).optional() });
