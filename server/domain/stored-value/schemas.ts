import { z } from 'zod';
import { transactionAnswer } from '../engine/schemas';
import { customerRef } from '../identity/schemas';
import { percentageOf } from '../kernel/money';
import { type Problem, problem } from '../kernel/say';
import {
  counterCode,
  currencyCode,
  day,
  heldMoney,
  instant,
  maxMoney,
  money,
  moneyOrZero,
  pin,
  storeCode,
  text,
  transactionFields,
  transactionId,
  uuid,
} from '../kernel/schemas';
import { nameTranslations } from '../kernel/translations';

export const storedValueBalance = z
  .object({
    balance: heldMoney().describe(
      'Value the customer can spend now, in minor units. The sum of `principal` and `bonus`.',
    ),
    principal: heldMoney().describe('The part the customer paid for.'),
    bonus: heldMoney().describe('The part given by promotions.'),
  })
  .meta({ id: 'StoredValueBalance' });

export const packagesInput = z.strictObject({ storeCode });

export const storedValuePackage = z
  .object({
    packageId: uuid,
    name: z.string(),
    kind: z.enum(['fixed', 'open']).describe('`fixed`: one price. `open`: any amount from `minAmount` to `maxAmount`.'),
    amount: money().nullable().describe('Fixed packages: the amount the customer pays.'),
    minAmount: money().nullable().describe('Open packages: the minimum amount.'),
    maxAmount: money().nullable().describe('Open packages: the maximum amount.'),
    bonusAmount: moneyOrZero().nullable().describe('Fixed packages: the bonus credited in addition.'),
    bonusPercent: z
      .number()
      .min(0)
      .nullable()
      .describe('Open packages: the bonus as a percentage of the amount paid, rounded down.'),
    creditedAmount: heldMoney().nullable().describe('Fixed packages: the total credited.'),
    bonusExpiresInDays: z.int().min(1).nullable().describe('Days until the bonus expires. Null: never.'),
    validFrom: instant.nullable(),
    validUntil: instant.nullable(),
  })
  .meta({ id: 'StoredValuePackage' });
export type StoredValuePackage = z.infer<typeof storedValuePackage>;

export const packagesOutput = z.object({ packages: z.array(storedValuePackage), currency: currencyCode });

const packageFields = {
  name: z.string().trim().pipe(text(80)),
  translations: nameTranslations.default({}),
  bonusExpiresInDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('Days until the bonus expires, at the end of that day. Null: never.'),
  allStores: z.boolean(),
  storeIds: z.array(uuid).max(500).describe('The stores that offer it, unless all do.'),
  validFrom: day().nullable().describe("The first day, in the merchant's time zone."),
  validUntil: day().nullable().describe('The last day, inclusive.'),
};

/** A package as entered in the back office. */
export const packageInput = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('fixed'), ...packageFields, amount: money(), bonusAmount: moneyOrZero() }),
    z.object({
      kind: z.literal('open'),
      ...packageFields,
      minAmount: money(),
      maxAmount: money(),
      bonusBasisPoints: z.int().min(0).max(100_000).describe('Hundredths of a percent of the amount paid.'),
    }),
  ])
  .superRefine((input, { addIssue }) => {
    const refuse = (path: string, found: Problem) => addIssue({ code: 'custom', path: [path], ...found });
    if (!input.allStores && input.storeIds.length === 0) refuse('storeIds', problem('storeMissing'));
    if (input.validFrom !== null && input.validUntil !== null && input.validUntil < input.validFrom) {
      refuse('validUntil', problem('beforeFirstDay'));
    }
    if (input.kind === 'fixed') {
      if (input.amount + input.bonusAmount > maxMoney) refuse('bonusAmount', problem('overBalance'));
    } else {
      if (input.maxAmount < input.minAmount) refuse('maxAmount', problem('belowLeast'));
      if (input.maxAmount + percentageOf(input.maxAmount, input.bonusBasisPoints) > maxMoney) {
        refuse('maxAmount', problem('creditOverBalance'));
      }
    }
  });
export type PackageInput = z.infer<typeof packageInput>;

export const packageIdInput = z.strictObject({ packageId: uuid });
export const packageListInput = z.strictObject({ status: z.enum(['current', 'archived']).default('current') });
export const packageOrderInput = z.strictObject({ packageIds: z.array(uuid).min(1).max(500) });

export const topUpInput = z.strictObject({
  ...transactionFields,
  customer: customerRef,
  packageId: uuid.describe("One of the store's stored-value packages."),
  amount: money()
    .optional()
    .describe('Amount the customer pays, in minor units. Required for open packages, unless `counterCode` is sent.'),
  counterCode: counterCode
    .optional()
    .describe(
      "The six-digit code on the customer's phone. It credits the top-up that the customer began there, on the terms offered then.",
    ),
});
export type TopUpInput = z.infer<typeof topUpInput>;

export const topUpOutput = z
  .object({
    ...transactionAnswer,
    type: z.literal('topUp'),
    packageId: uuid,
    principal: money().describe('The amount the customer paid.'),
    bonus: moneyOrZero().describe('The bonus of the package.'),
    credited: heldMoney().describe('The sum of `principal` and `bonus`.'),
    storedValue: storedValueBalance.describe('The balance afterwards.'),
    bonusExpiresAt: instant.nullable(),
  })
  .meta({ id: 'TopUp' });
export type TopUpOutput = z.infer<typeof topUpOutput>;

export const redeemInput = z.strictObject({
  ...transactionFields,
  customer: customerRef,
  amount: money().describe('Amount to redeem, in minor units.'),
  pin: pin.optional(),
  allowPartial: z.boolean().optional().describe('Redeem the whole balance if it is lower than `amount`.'),
});
export type RedeemInput = z.infer<typeof redeemInput>;

export const redeemOutput = z
  .object({
    ...transactionAnswer,
    type: z.literal('redeemStoredValue'),
    amountRedeemed: money(),
    remainingDue: moneyOrZero().describe(
      'The part of `amount` that is still to be paid. What is due on an open bill is in `due` of `GET /bills/{billId}`.',
    ),
    principalUsed: moneyOrZero(),
    bonusUsed: moneyOrZero(),
    storedValue: storedValueBalance.describe('The balance afterwards.'),
  })
  .meta({ id: 'StoredValueRedemption' });
export type RedeemOutput = z.infer<typeof redeemOutput>;

export const cashOutInput = z.strictObject({
  ...transactionFields,
  customer: customerRef,
  topUpTransactionId: transactionId
    .optional()
    .describe('Pays out only this top-up of the same store. Otherwise the oldest top-ups come first.'),
  amount: money().optional().describe('Amount to pay out, in minor units. By default all that is left.'),
  pin: pin.optional(),
});
export type CashOutInput = z.infer<typeof cashOutInput>;

export const cashOutOutput = z
  .object({
    ...transactionAnswer,
    type: z.literal('cashOut'),
    amountPaidOut: heldMoney().describe('What to hand to the customer.'),
    bonusLapsed: heldMoney().describe('The bonus that the customer lost.'),
    storedValue: storedValueBalance.describe('The balance afterwards.'),
  })
  .meta({ id: 'CashOut' });
export type CashOutOutput = z.infer<typeof cashOutOutput>;
