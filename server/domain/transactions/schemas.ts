import { z } from 'zod';
import { recordedType, transactionStatus, transactionType } from '../engine/schemas';
import { problem } from '../kernel/say';
import {
  dayFields,
  heldMoney,
  money,
  pageFields,
  printText,
  storeCode,
  text,
  transactionId,
  uuid,
  writeFields,
} from '../kernel/schemas';
import { pointsBalance } from '../points/schemas';
import { storedValueBalance } from '../stored-value/schemas';

export const voidInput = z.strictObject({
  transactionIds: z
    .array(transactionId)
    .min(1)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, problem('idRepeated'))
    .describe('1 to 100 different ids of one store, in any order. All are voided or none.'),
  ...writeFields,
  reason: text(200).optional().describe('Reason, kept in the audit log.'),
});
export type VoidInput = z.infer<typeof voidInput>;

const points = z.int().min(0);
const movedValue = z.object({
  principal: heldMoney().describe('Stored value that the customer paid for, in minor units.'),
  bonus: heldMoney().describe('Stored value given by promotions, in minor units.'),
  points: points.describe('Number of points.'),
});
/** What becomes of a voucher when its redemption, or the sale that issued it, is voided. */
export const returnedVoucherState = z.enum(['usable', 'expired', 'cancelled']);

export const voidEffect = z
  .object({
    returned: movedValue.describe('What came back to the customer. Points may have paid what the customer owed.'),
    expired: movedValue.describe('What would have come back, but expired in the meantime. It is gone.'),
    taken: movedValue.describe('What the transaction had credited, and the void took back.'),
    shortfall: points.describe(
      'Points that the voided sale had earned and that the customer has spent. The customer owes them.',
    ),
    vouchers: z
      .array(z.object({ voucherCode: z.string(), becomes: returnedVoucherState }))
      .describe('Vouchers that the transaction had redeemed or issued, and what became of them.'),
    storedValue: storedValueBalance.nullable().describe('The balance after the void. Null without a customer.'),
    points: pointsBalance.nullable().describe('The points after the void. Null without a customer.'),
    printText,
  })
  .meta({ id: 'VoidEffect' });
export type VoidEffect = z.infer<typeof voidEffect>;

export const voidOutput = z.object({
  results: z.array(
    z.object({
      transactionId,
      status: z
        .enum(['voided', 'already_voided', 'not_found'])
        .describe('`not_found`: the id was never used. It is now recorded as voided, so a late original is refused.'),
      type: transactionType.optional(),
      customerId: z.uuid().optional(),
      pointsShortfall: z
        .int()
        .positive()
        .optional()
        .describe(
          'Points earned by the voided sale that the customer has already spent, so they could not be deducted.',
        ),
      effect: voidEffect
        .optional()
        .describe('What the void did. Absent if the transaction had moved nothing, or was voided by an older release.'),
    }),
  ),
});
export type VoidOutput = z.infer<typeof voidOutput>;

export const transactionLookupInput = z.strictObject({
  transactionId,
  storeCode: storeCode.optional(),
});

export const transactionLookupOutput = z
  .object({
    transactionId,
    type: transactionType.optional().describe('Absent for an id that was voided before it was used.'),
    status: z.enum(['completed', 'refused', 'voided']),
    answer: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'The original response. For a completed transaction, the response of its operation. For a refused one, `{ "error": … }` without its `requestId`. Null if there was none.',
        override: {
          anyOf: [
            ...[
              'TopUp',
              'CashOut',
              'StoredValueRedemption',
              'VoucherRedemption',
              'PointsRedemption',
              'Sale',
              'Refusal',
            ].map((name) => ({ $ref: `#/components/schemas/${name}` })),
            { type: 'null' },
          ],
        },
      }),
    effect: voidEffect.optional().describe('What the void did. Only if the transaction is voided.'),
    pointsTaken: z
      .int()
      .positive()
      .optional()
      .describe(
        'Points of a sale that refunds of card payments have taken back since. What the customer had spent of them is owed. Absent if there are none.',
      ),
  })
  .meta({ id: 'TransactionOutcome' });
export type TransactionLookup = z.infer<typeof transactionLookupOutput>;

/** Filters the back office's list of transactions. Days are in the merchant's time zone. */
export const transactionFilter = z.strictObject({
  search: text(64).optional().describe('A uid, a billId or the beginning of a transactionId.'),
  type: recordedType.optional(),
  status: transactionStatus.optional(),
  storeId: uuid.optional(),
  customerId: uuid.optional(),
  ...dayFields,
});
export type TransactionFilter = z.infer<typeof transactionFilter>;

export const listTransactionsInput = transactionFilter.extend(pageFields);
export type ListTransactionsInput = z.infer<typeof listTransactionsInput>;

export const transactionUid = z.strictObject({ uid: uuid });

/** As many as fit into the address of the preview's query. */
export const mostVoidedTogether = 80;
const uids = z
  .array(uuid)
  .min(1)
  .max(mostVoidedTogether)
  .refine((all) => new Set(all).size === all.length, problem('transactionRepeated'));

export const staffVoidPreviewInput = z.strictObject({ uids });
export const staffVoidInput = z.strictObject({
  uids,
  reason: text(200).describe('Reason, kept with the void.'),
  effect: z
    .string()
    .max(64)
    .describe('The `effect` of the preview. The void is refused if its effect has changed since.'),
});
export type StaffVoidInput = z.infer<typeof staffVoidInput>;

/** A refund of a part of a redemption. */
export const refundPartInput = z.strictObject({
  refundId: uuid.describe('Chosen by the client. A repeat with the same id refunds nothing more.'),
  uid: uuid,
  amount: money().describe('Minor units, less than the redemption.'),
  reason: z.string().trim().pipe(text(200)).describe('Reason, kept with the void.'),
});
export type RefundPartInput = z.infer<typeof refundPartInput>;
