import { z } from 'zod';
import { paymentMethods } from '@/db/kinds/lists';
import { customerId } from '../identity/schemas';
import { counterCode, currencyCode, heldMoney, instant, money, moneyOrZero, text, uuid } from '../kernel/schemas';

export const beginTopUpInput = z.strictObject({
  requestKey: uuid.describe('Chosen by the phone. The same key sent again begins no second top-up.'),
  packageId: uuid,
  amount: money().optional().describe('Amount to pay, in minor units. For open packages only.'),
  method: z.enum(['card', 'counter']),
  replacesCode: z
    .boolean()
    .default(false)
    .describe('True to cancel an open code for the counter, of which there is one.'),
});
export type BeginTopUpInput = z.input<typeof beginTopUpInput>;

export const counterOffersInput = z.strictObject({ storeId: uuid, customerId });

/** A top-up that staff take at the counter. */
export const staffTopUpInput = z.strictObject({
  topUpId: uuid.describe('Chosen by the client. A repeat with the same id credits nothing more.'),
  customerId,
  storeId: uuid,
  packageId: uuid,
  amount: money().nullable().describe('Amount paid, in minor units. Null for a package with a fixed amount.'),
  paymentMethod: z.enum(paymentMethods),
});
export type StaffTopUpInput = z.infer<typeof staffTopUpInput>;

/** A cash-out by a manager. */
export const cashOutInput = z.strictObject({
  cashOutId: uuid.describe('Chosen by the client. A repeat with the same id pays nothing more.'),
  customerId,
  storeId: uuid,
  amount: money().describe('What is paid out, in minor units.'),
  paymentMethod: z.enum(paymentMethods),
  reason: text(200),
});
export type CashOutInput = z.infer<typeof cashOutInput>;
export const cashOutPreviewInput = z.strictObject({ customerId });

export const topUpRequestIdInput = z.strictObject({ topUpRequestId: uuid });

export const counterCodeInput = z.strictObject({ counterCode });

export const counterTopUp = z
  .object({
    counterCode,
    customer: z.object({ customerId, givenName: z.string(), lastName: z.string() }),
    packageId: uuid,
    packageName: z.string(),
    amount: money().describe('Amount the customer has to pay.'),
    bonus: moneyOrZero().describe('The bonus credited in addition.'),
    credited: heldMoney().describe('The sum of `amount` and `bonus`.'),
    currency: currencyCode,
    expiresAt: instant.describe('When the code expires.'),
  })
  .meta({ id: 'CounterCodeTopUp' });
export type CounterTopUp = z.infer<typeof counterTopUp>;
