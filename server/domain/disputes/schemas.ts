import { z } from 'zod';
import { disputeStatuses } from '@/db/kinds/lists';
import { customerId } from '../identity/schemas';
import { currencyCode, instant, money, moneyOrZero, uuid } from '../kernel/schemas';

/** A dispute as merchants' systems see it. */
export const dispute = z
  .object({
    disputeId: uuid,
    status: z
      .enum(disputeStatuses)
      .describe(
        '`needs_response`: the bank waits for an answer, which you give at Stripe. `under_review`: the bank decides. `won`: the ' +
          'payment stays. `lost`: the payer has the money back.',
      ),
    reason: z.string().describe("The payer's reason, as Stripe names it, such as `fraudulent`. More may be added."),
    amount: money().describe('What the payer wants back, in minor units. It can be less than was paid.'),
    currency: currencyCode,
    respondBy: instant.nullable().describe('Until when Stripe accepts an answer.'),
    openedAt: instant,
    closedAt: instant.nullable(),
    customerId: customerId.nullable().describe('Of a top-up: who has its value. Null for a payment on a bill.'),
    transactionId: z.string().nullable().describe('Of a top-up: its transaction. Null if it was not credited.'),
    billId: z.string().nullable().describe('Of a payment on a bill.'),
    paymentId: uuid.nullable().describe("Of a payment on a bill: its `paymentId` in the bill's `payments`."),
    blocked: moneyOrZero().describe(
      'Of a top-up: what was left of it, bonus included. It is taken from the balance, and comes back if the dispute is won.',
    ),
    spent: moneyOrZero().describe(
      'Of a top-up: the part of `amount` that was spent before, so it is owed by the customer.',
    ),
  })
  .meta({ id: 'Dispute' });
export type Dispute = z.infer<typeof dispute>;

/** What disputes are looked up for. */
export const disputesOfInput = z.union([
  z.strictObject({ customerId }),
  z.strictObject({ transactionUid: uuid }),
  z.strictObject({ billUid: uuid }),
]);
export type DisputesOfInput = z.infer<typeof disputesOfInput>;

export const disputeIdInput = z.strictObject({ disputeId: uuid });
