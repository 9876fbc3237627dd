import { z } from 'zod';
import { billStates } from '@/db/kinds/lists';
import { problem } from '../kernel/say';
import {
  currencyCode,
  day,
  givenInstant,
  hasThreeDecimals,
  heldMoney,
  instant,
  maxMoney,
  money,
  moneyOrZero,
  pageFields,
  plu,
  quantity,
  searchText,
  signedMoney,
  signedQuantity,
  signsAgree,
  signsProblem,
  storeCode,
  tableName,
  text,
  transactionId,
  uuid,
  writeFields,
} from '../kernel/schemas';

export const billLine = z
  .strictObject({
    plu,
    name: text(200),
    quantity: signedQuantity,
    unitPrice: moneyOrZero().describe('Price of one unit, in minor units.'),
    amount: signedMoney.describe('Amount of the line, in minor units. Below zero where `quantity` is.'),
  })
  .refine(signsAgree, signsProblem);

const taxRate = z.number().min(0).max(100).refine(hasThreeDecimals, problem('threeDecimals'));

/** A part of the tax that prices include. */
export const includedTax = z.strictObject({
  rate: taxRate.optional().describe('In percent, such as 10 or 5.5. 0 for goods that are not taxed.'),
  amount: moneyOrZero().describe('The tax, in minor units.'),
});

/** The sums of a bill, open or settled. */
export const billSums = {
  subtotal: moneyOrZero().describe('Must equal the sum of the amounts of `lines`, in minor units.'),
  discount: moneyOrZero().describe('Amount deducted from the subtotal.'),
  serviceCharge: moneyOrZero(),
  tax: moneyOrZero().describe('Tax that is added to the prices.'),
  taxIncluded: z
    .array(includedTax)
    .max(20)
    .optional()
    .describe(
      'Tax that the prices include, for each rate. It is part of `total` already and not added. Send `tax` 0 beside it where ' +
        'nothing is added.',
    ),
  rounding: z
    .int()
    .min(-maxMoney)
    .max(maxMoney)
    .optional()
    .describe(
      'Cash rounding, up or down: less than one whole unit of the currency, such as 1.00 SGD. Where smaller coins are not ' +
        'in use, less than 10 (JPY), 100 (KRW) or 1,000 units (IDR).',
    ),
  total: moneyOrZero().describe('Must equal subtotal − discount + serviceCharge + tax + rounding.'),
};

/** The figure that a till has read before it takes money. */
export const expectedDue = moneyOrZero()
  .optional()
  .describe(
    'What is `due` on the bill, as you read it before you took the money. If it differs, nothing is done and you get 402 ' +
      '`bill_changed` with the figures. A sale on a closed bill is compared with `unsettled`.',
  );

const { billId: _, ...fields } = writeFields;
const billId = text(64).describe("The POS's bill, check or order number.");

/** A till's payment on an open bill. */
const paidAtTill = z.strictObject({
  amount: money(),
  lines: z
    .array(z.strictObject({ plu, quantity }))
    .max(500)
    .optional()
    .describe('The items that it was for. Phones show them as paid, and nobody else can choose them.'),
});

const mostTransactions = 100;
const mostPaidAtTill = 200;
const revision = z.int().min(1).max(2_147_483_647);

export const putBillInput = z.strictObject({
  billId,
  ...fields,
  revision: revision.describe(
    'Raise it with each change of the bill, also by more than one. An older one is refused, so requests that arrive late ' +
      'or out of order change nothing.',
  ),
  table: tableName
    .optional()
    .describe(
      'The table name or number, as in `POST /qr-codes`. If the guests move, send the new one: the open QR code of the bill, ' +
        'its phones and orders move with it.',
    ),
  guests: z.int().min(1).max(999).optional().describe('Number of guests, for the open QR code of the bill.'),
  openedAt: givenInstant()
    .optional()
    .describe(
      'When the bill was opened at the till. Send it if your numbers come again on the same day. If it is later than the end of ' +
        'the last bill with this `billId`, it begins a new one. If the last one was never closed, it has to be later than your ' +
        'last request for it, and closes it. Sales before `openedAt` are not on the bill, but on the last one. Default: the time of arrival; then ' +
        'sales with this `billId` that arrived before the first request are not on the bill.',
    ),
  currency: currencyCode.describe("Must be the business's currency."),
  lines: z.array(billLine).max(500),
  ...billSums,
  paidAtTill: z
    .array(paidAtTill)
    .max(mostPaidAtTill)
    .optional()
    .describe(
      'What you have taken on this bill so far, while the rest is still to be paid. It lowers what is due, and leaves lines, ' +
        'shares and vouchers as they are. Send all of it with each revision.',
    ),
  discountTransactionIds: z
    .array(transactionId)
    .max(mostTransactions)
    .optional()
    .describe(
      'The `transactionId`s of vouchers and points whose amounts `discount` already includes. All others are subtracted from ' +
        'what is due.',
    ),
});
export type PutBillInput = z.infer<typeof putBillInput>;

export const getBillInput = z.strictObject({ billId, storeCode: storeCode.optional() });
export type GetBillInput = z.infer<typeof getBillInput>;

export const closeBillInput = z.strictObject({ billId, ...fields, expectedDue });
export type CloseBillInput = z.infer<typeof closeBillInput>;

export const voidBillInput = z.strictObject({
  billId,
  ...fields,
  reason: text(200).optional().describe('Reason, kept in the audit log.'),
});
export type VoidBillInput = z.infer<typeof voidBillInput>;

export const settlingInput = z.strictObject({
  billId,
  ...fields,
  minutes: z
    .int()
    .min(0)
    .max(30)
    .default(5)
    .describe('For how long. 0 ends it at once. Closing the bill ends it, too.'),
});
export type SettlingInput = z.infer<typeof settlingInput>;

export const reopenBillInput = z.strictObject({
  billId,
  ...fields,
  closedAt: givenInstant()
    .optional()
    .describe(
      'The `closedAt` of the closing to undo. If the bill was closed anew since, nothing changes: so a request that the network ' +
        'delivers twice does not open it a second time.',
    ),
  reason: text(200).optional().describe('Reason, kept in the audit log.'),
});
export type ReopenBillInput = z.infer<typeof reopenBillInput>;

const returned = money().describe(
  'What the payer is to have back of it in all, in minor units, with earlier refunds: so a repeat changes nothing. The tip ' +
    'goes back last. Default: all of it.',
);

export const refundBillPaymentInput = z.strictObject({
  billId,
  paymentId: uuid.describe('The `paymentId` in `payments` of the bill.'),
  ...fields,
  returned: returned.optional(),
  keepPoints: z
    .boolean()
    .optional()
    .describe(
      'Once a sale has closed the bill, a refund takes back the points that the money earned: the same share of them, rounded down ' +
        'over all refunds. Of a bill that is open again, they are taken when it is closed, for what nobody has paid again. True ' +
        'leaves them with the customer. Default: false.',
    ),
  reason: text(200).optional().describe('Reason, kept in the audit log.'),
});
export type RefundBillPaymentInput = z.infer<typeof refundBillPaymentInput>;

export const releaseBillPaymentInput = z.strictObject({
  billId,
  paymentId: uuid.describe('The `paymentId` in `payments` of the bill.'),
  ...fields,
});
export type ReleaseBillPaymentInput = z.infer<typeof releaseBillPaymentInput>;

export const releaseByStaffInput = z.strictObject({ paymentId: uuid });
export type ReleaseByStaffInput = z.infer<typeof releaseByStaffInput>;

export const refundByStaffInput = z.strictObject({
  paymentId: uuid,
  returned: returned.nullable(),
  keepPoints: z.boolean().optional(),
  reason: text(200),
});
export type RefundByStaffInput = z.infer<typeof refundByStaffInput>;

export const redemptionType = z.enum(['redeemStoredValue', 'redeemVoucher', 'redeemPoints']);
export type RedemptionType = z.infer<typeof redemptionType>;

export const bill = z
  .object({
    billId: z.string(),
    revision: z.int(),
    state: z
      .enum(['open', 'paid', 'closed', 'void'])
      .describe(
        '`open`: something is due. `paid`: nothing is due, and the POS can still change or close the bill. `closed`: the POS ' +
          'has settled it, or has not sent it for twelve hours. `void`: the POS has cancelled it, with nothing paid on it.',
      ),
    table: z.string().nullable(),
    currency: currencyCode,
    lines: z.array(billLine),
    ...billSums,
    rounding: z.int(),
    taxIncluded: z.array(z.object({ rate: z.number().nullable(), amount: moneyOrZero() })),
    discountTransactionIds: z.array(transactionId),
    redemptions: z
      .array(
        z.object({
          transactionId,
          type: redemptionType,
          customerId: z.uuid(),
          amount: moneyOrZero().describe('What it took off the bill, in minor units.'),
          amountNow: moneyOrZero()
            .nullable()
            .describe(
              'What the voucher would take off the bill as it is now, with what other vouchers on it leave. 0 if it no longer applies. ' +
                'If it differs from `amount`, the bill has changed since: void the redemption and redeem the voucher again. Nothing ' +
                'changes by itself. Null for stored value and points, and once voided.',
            ),
          isInDiscount: z.boolean().describe('Whether `discount` already includes it.'),
          status: z
            .enum(['completed', 'voided'])
            .describe('Voided ones are listed only while `discount` includes them: send the bill without them.'),
          occurredAt: instant,
        }),
      )
      .describe('Stored value, vouchers and points that were redeemed with this `billId`.'),
    payments: z
      .array(
        z.object({
          paymentId: z.uuid(),
          method: z.enum(['card']),
          state: z
            .enum(['held', 'paid', 'returned'])
            .describe('`held`: a diner is paying it now. `returned`: the diner gets all of it back.'),
          amount: moneyOrZero().describe('Without the tip.'),
          tip: moneyOrZero(),
          returned: heldMoney().describe('What the diner gets back of it.'),
          createdAt: instant,
        }),
      )
      .describe('Payments by diners on their phones.'),
    paidAtTill: z
      .array(paidAtTill.extend({ lines: z.array(z.object({ plu: z.string(), quantity: z.number() })) }))
      .describe('What the POS has taken so far, as it sent it.'),
    sales: z
      .array(
        z.object({
          transactionId,
          customerId: z.uuid().nullable(),
          total: moneyOrZero(),
          taken: moneyOrZero().describe(
            'The payments of the sale without those by `stored-value`, `points`, `voucher` and `phone`.',
          ),
          pointsEarned: z.int().min(0),
          pointsTaken: z
            .int()
            .min(0)
            .describe(
              'Points that refunds of card payments have taken back. What the customer had spent of them is owed.',
            ),
        }),
      )
      .describe('Sales with this `billId`: each settles a part of the bill, or all.'),
    sold: heldMoney().describe('Sum of `taken` of `sales`.'),
    redeemed: heldMoney().describe('Sum of the completed redemptions that `discount` does not include.'),
    paid: heldMoney().describe('Sum that diners paid on their phones, without tips and what was returned.'),
    held: heldMoney().describe('Sum that diners are paying now. It is still due.'),
    tips: heldMoney(),
    due: heldMoney().describe(
      '`total` − `redeemed` − `paid` − `sold` − what of `paidAtTill` no sale lists, plus the `rounding` of the sales if the ' +
        'bill has none, plus voided redemptions that `discount` still includes. 0 once the bill is closed.',
    ),
    overpaid: heldMoney().describe(
      'By how much `redeemed`, `paid` and what the till took exceed the bill’s total, or the total of a larger sale that came after ' +
        'the bill was last sent. The till took `sold` and `paidAtTill`. Where that is more than the bill, the sales list parts of `paidAtTill`, too, and these count ' +
        'once. When the bill is closed, payments are returned up to this amount, but not for goods that were sold twice: guests may ' +
        'have ordered more. Void redemptions or a sale to return the rest.',
    ),
    unsettled: heldMoney().describe(
      'What was still due when the bill was closed, less what its sales have settled since. 0 while the bill is open.',
    ),
    reopenedAt: instant
      .nullable()
      .describe(
        'When the bill was last reopened, by `POST /bills/{billId}/reopen` or the void of the sale that had closed it. Null if it never was.',
      ),
    settlingUntil: instant
      .nullable()
      .describe('Until then, phones change nothing on the bill, because its POS takes money for it.'),
    openedAt: instant,
    updatedAt: instant,
    closedAt: instant.nullable(),
  })
  .meta({ id: 'Bill' });
export type Bill = z.infer<typeof bill>;

/**
 * Filters the bills of a store, or of all without `storeId`. Bills on which nothing is due stay open until the till closes
 * them. `reopened`: in any state.
 */
export const billListInput = z.strictObject({
  storeId: uuid.optional(),
  state: z.enum([...billStates, 'reopened']).default('open'),
  ...pageFields,
});
export type BillListInput = z.infer<typeof billListInput>;

/** The days of an export, both inclusive, in the merchant's time zone. */
export const exportPaymentsInput = z.strictObject({ storeId: uuid.optional(), from: day(), until: day() });
export type ExportPaymentsInput = z.infer<typeof exportPaymentsInput>;

export const staffBillInput = z.strictObject({ billUid: uuid });

/** `amount`: what the reader saw, in minor units. */
export const settleOverpaidInput = z.strictObject({ billUid: uuid, amount: z.int().positive() });
export type SettleOverpaidInput = z.infer<typeof settleOverpaidInput>;

const guestId = uuid.describe("The phone's own number at this table.");

export const payBillInput = z.strictObject({
  paymentId: uuid.describe('Chosen by the phone. The same again returns the same page.'),
  guestId,
  guestName: searchText(40).optional(),
  amount: money(),
  tip: moneyOrZero().default(0),
});
export type PayBillInput = z.infer<typeof payBillInput>;

export const billPaymentInput = z.strictObject({ paymentId: uuid, guestId });
export type BillPaymentInput = z.infer<typeof billPaymentInput>;

export const tableBillInput = z.strictObject({ guestId: uuid.nullable().default(null) });
