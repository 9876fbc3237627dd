import { z } from 'zod';
import { currencyCode, instant, printText, transactionId } from '../kernel/schemas';

/** Fields of every completed transaction's answer. */
export const transactionAnswer = {
  transactionId,
  status: z.literal('completed'),
  currency: currencyCode,
  occurredAt: instant.describe('When it happened at the till (RFC 3339, UTC).'),
  createdAt: instant.describe('When the service executed it (RFC 3339, UTC).'),
  customerId: z.uuid(),
  printText,
};

export const transactionType = z.enum([
  'topUp',
  'cashOut',
  'redeemStoredValue',
  'redeemVoucher',
  'redeemPoints',
  'sale',
]);
export type TransactionType = z.infer<typeof transactionType>;
export const transactionStatus = z.enum(['completed', 'refused', 'voided']);
export type TransactionStatus = z.infer<typeof transactionStatus>;

/** All types, including those that no POS sends. */
export const recordedType = z.enum([...transactionType.options, 'expiry', 'adjustment']);
export type RecordedType = z.infer<typeof recordedType>;
