import { z } from 'zod';
import { currencyCode, instant, printText, storeCode, text, transactionId, writeFields } from '../core/schemas';

/** Fields of every completed transaction's answer. */
export const transactionAnswer = {
  transactionId,
  status: z.literal('completed'),
  currency: currencyCode,
  occurredAt: instant.describe('When it happened at the till (RFC 3339, UTC).'),
  createdAt: instant.describe('When the service carried it out (RFC 3339, UTC).'),
  customerId: z.uuid(),
  printText,
};

export const transactionType = z.enum(['topUp', 'redeemStoredValue', 'redeemVoucher', 'redeemPoints', 'sale']);

export const voidInput = z.strictObject({
  transactionIds: z
    .array(transactionId)
    .min(1)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, 'must not repeat an id')
    .describe('1 to 100 different ids of one store, in any order. All of them are voided, or none.'),
  ...writeFields,
  reason: text(200).optional().describe('Why, for the audit trail.'),
});
export type VoidInput = z.infer<typeof voidInput>;

export const voidOutput = z.object({
  results: z.array(
    z.object({
      transactionId,
      status: z
        .enum(['voided', 'already_voided', 'not_found'])
        .describe('`not_found`: never seen; remembered as voided, so that a late original is refused.'),
      type: transactionType.optional(),
      customerId: z.uuid().optional(),
      pointsShortfall: z
        .int()
        .positive()
        .optional()
        .describe('Points of a voided sale that were spent and could not be taken back.'),
    }),
  ),
});
export type VoidOutput = z.infer<typeof voidOutput>;

export const transactionLookupInput = z.strictObject({
  transactionId,
  storeCode: storeCode.optional(),
});

export const transactionLookupOutput = z.object({
  transactionId,
  type: transactionType.optional().describe('Absent for an id that was voided before it was seen.'),
  status: z.enum(['completed', 'refused', 'voided']),
  answer: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'The first answer: of the operation when completed, `{ "error": … }` when refused; null when there was none.',
    ),
});
export type TransactionLookup = z.infer<typeof transactionLookupOutput>;
