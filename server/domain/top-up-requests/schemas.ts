import { z } from 'zod';
import { counterCode, currencyCode, instant, money, moneyOrZero, uuid } from '../core/schemas';
import { customerId } from '../customers/schemas';

export const beginTopUpInput = z.strictObject({
  requestKey: uuid.describe('Made by the phone: sent again, one top-up is begun.'),
  packageId: uuid,
  amount: money().optional().describe('What to pay, in minor units: of open packages.'),
  method: z.enum(['card', 'counter']),
});
export type BeginTopUpInput = z.infer<typeof beginTopUpInput>;

export const topUpRequestIdInput = z.strictObject({ topUpRequestId: uuid });

export const counterCodeInput = z.strictObject({ counterCode });

export const counterTopUp = z
  .object({
    counterCode,
    customer: z.object({ customerId, givenName: z.string(), lastName: z.string() }),
    packageId: uuid,
    packageName: z.string(),
    amount: money().describe('What the customer has to pay.'),
    bonus: moneyOrZero().describe('What is credited on top.'),
    credited: money().describe('Both together.'),
    currency: currencyCode,
    expiresAt: instant.describe('Until when the code works.'),
  })
  .meta({ id: 'TopUpRequest' });
export type CounterTopUp = z.infer<typeof counterTopUp>;
