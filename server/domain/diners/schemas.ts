/** Input of diners. */
import { z } from 'zod';
import { chosenPin, phone, profileFields } from '../customers/schemas';
import { problem } from '../kernel/say';
import { pin, searchText, uuid } from '../kernel/schemas';
import { messageLanguage } from '../messaging/schemas';

export const codeRequest = z.strictObject({ phone });
export type CodeRequest = z.infer<typeof codeRequest>;

/** As typed or pasted, with or without spaces. */
const code = z
  .string()
  .transform((value) => value.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[0-9]{6}$/, problem('sixDigits')));

/** The language of the page. */
const language = messageLanguage.optional();

export const codeProof = z.strictObject({ phone, code, language });
export type CodeProof = z.infer<typeof codeProof>;

export const joinInput = z.strictObject({
  givenName: profileFields.givenName,
  lastName: profileFields.lastName,
  email: profileFields.email.default(null),
  birthday: profileFields.birthday.default(null),
  /** To the merchant's keeping the data. */
  consent: z.literal(true),
  /** To notices. */
  wantsMessages: z.boolean().default(false),
  language,
});
export type JoinInput = z.output<typeof joinInput>;

/** A new PIN and its proof: the old PIN or a fresh code. A first one needs neither soon after signing in. */
export const pinInput = z.strictObject({
  pin: chosenPin,
  oldPin: pin.optional(),
  code: code.optional(),
});
export type PinInput = z.infer<typeof pinInput>;

export const receiptInput = z.strictObject({ uid: uuid });
export const dinerHistoryInput = z.strictObject({ after: searchText(500).optional(), language });
