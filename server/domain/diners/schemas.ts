/** Input of diners. */
import { z } from 'zod';
import { chosenPin, phone, profileFields } from '../identity/schemas';
import { problem } from '../kernel/say';
import { maxPoints, money, moneyOrZero, pin, plu, searchText, text, transactionId, uuid } from '../kernel/schemas';
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

/** Texts of a table's page. */
export const billOffersInput = z.strictObject({ language });

/** What is in the cart; `unitPrice` includes options, in minor units. */
export const cartInput = z.strictObject({
  lines: z
    .array(z.strictObject({ plu, quantity: z.int().min(1).max(99), unitPrice: moneyOrZero() }))
    .min(1)
    .max(100),
  language,
});
export type CartInput = z.infer<typeof cartInput>;

/** Drawn by the phone for each tap: the same again redeems nothing more. */
const redemptionFields = { requestId: uuid, pin: pin.optional() };

export const redeemOnBillInput = z.discriminatedUnion('kind', [
  /** `amount`: what the phone showed that it takes off. If it would take off less, nothing is redeemed. */
  z.strictObject({
    kind: z.literal('voucher'),
    voucherCode: text(32),
    amount: money(),
    ...redemptionFields,
  }),
  z.strictObject({ kind: z.literal('points'), points: z.int().min(1).max(maxPoints), ...redemptionFields }),
  z.strictObject({ kind: z.literal('storedValue'), amount: money(), ...redemptionFields }),
]);
export type RedeemOnBillInput = z.infer<typeof redeemOnBillInput>;

export const takeBackInput = z.strictObject({ transactionId });

export const receiptInput = z.strictObject({ uid: uuid });
export const dinerHistoryInput = z.strictObject({ after: searchText(500).optional(), language });
