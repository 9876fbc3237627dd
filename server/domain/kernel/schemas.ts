/** Schemas that several modules share. Their descriptions become the public API reference. */
import { z } from 'zod';
import { problem } from './say';

const noControl = /^[^\p{Cc}\p{Cs}]*$/u;

/**
 * Text of 1 to `max` characters that PostgreSQL and a printer accept: no control characters, no lone surrogates, not
 * blank.
 */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(noControl, problem('controlCharacters'))
    .refine((value) => value === '' || value.trim() !== '', problem('blank'));

/** A table's name as it is kept: full-width characters become plain ones, and spaces around it go. */
export const tableName = text(64)
  .overwrite((name) => name.normalize('NFKC').trim())
  // Again: one character may have become several.
  .max(64);

/** A search term of the same characters: trimmed, and possibly empty. */
export const searchText = (max: number) => z.string().trim().max(max).regex(noControl, problem('controlCharacters'));

export const maxMoney = 99_999_999_999;

/** An amount to pay, grant or deduct: a positive integer in the currency's minor unit. */
export const money = () => z.int().min(1).max(maxMoney);
/** An amount in a response, or one that may be zero. */
export const moneyOrZero = () => z.int().min(0).max(maxMoney);
/** A sum of transactions: what a customer holds, or what was paid on a bill. It can exceed the limit of one. */
export const heldMoney = () => z.int().min(0);

/** The maximum points of a customer. */
export const maxPoints = 99_999_999_999;

export const currencyCode = z.string().length(3).describe("ISO 4217 code of the merchant's currency.");
export const instant = z.iso.datetime().describe('RFC 3339, UTC.');
export const uuid = z.uuid();

/** The revision that a form was opened with. A save is refused if someone has changed the record since. */
export const revision = z.string().max(22);

/**
 * An RFC 3339 instant as tills write it, converted to the usual spelling. The RFC allows a lower-case `t` and `z`, and
 * second 60 for a leap second, which becomes 59. Java's `OffsetDateTime.toString()` omits the seconds of a full minute.
 */
const instantWithOffset = () =>
  z
    .string()
    .overwrite((written) =>
      written
        .toUpperCase()
        .replace(/^(.{10}T\d\d:\d\d)(?=Z$|[+-])/, '$1:00')
        .replace(/^(.{10}T\d\d:\d\d):60/, '$1:59'),
    )
    .check(z.iso.datetime({ offset: true }));

/** An instant in a request, in years that the database and calendars support at any offset. */
export const givenInstant = () =>
  instantWithOffset().refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return !(year < 2000 || year > 2999);
  }, problem('yearOutOfRange'));

export const storeCode = text(64).describe(
  "The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for " +
    'balances, enrolment and forget-pin.',
);

export const transactionId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/, problem('notATransactionId'))
  .describe('Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again.');

export const counterCode = z
  .string()
  .regex(/^[0-9]{6}$/, problem('sixDigits'))
  .describe("The six-digit code on the customer's phone. It identifies a top-up that is paid at the counter.");

/** A day in the merchant's time zone, `YYYY-MM-DD`, in the same years. */
export const day = () => z.iso.date().regex(/^2/, problem('yearOutOfRange'));

/** A range of days, both inclusive. */
export const dayFields = { from: day().optional(), until: day().optional() };

/** A page size as query text, without coercion. `defaultLimit` applies if it is missing. */
export const pageLimit = (defaultLimit: number) =>
  z
    .string()
    .regex(/^(100|[1-9][0-9]?)$/, problem('notAPageLimit'))
    .transform(Number)
    .meta({
      description: 'Maximum number of items per page.',
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100, default: defaultLimit });
        delete jsonSchema.pattern;
      },
    })
    .default(defaultLimit);

/** A page's cursor of at most `max` characters. */
export const pageCursor = (max: number) => text(max).describe('The `nextCursor` of the previous page.').optional();

const occurredAt = instantWithOffset();
const whenDescribed =
  'When it happened at the till (RFC 3339 with offset). At most 31 days ago, or fewer if the merchant has set so, and at most 5 minutes ahead, which counts as the time of arrival.';

/** Fields that every write may have: store, bill, staff and time. */
export const writeFields = {
  storeCode: storeCode.optional(),
  billId: text(64).optional().describe("The POS's bill, check or order number."),
  staffId: text(64).optional().describe("The POS's id of the staff member."),
  receiptNumber: text(64).optional(),
  occurredAt: occurredAt
    .optional()
    .describe(`${whenDescribed} Kept in the audit log only. The request takes effect when it arrives.`),
};

export interface WriteFields {
  storeCode?: string | undefined;
  billId?: string | undefined;
  staffId?: string | undefined;
  receiptNumber?: string | undefined;
  occurredAt?: string | undefined;
}

/** Fields of every transaction that a POS sends. */
export const transactionFields = {
  transactionId,
  ...writeFields,
  occurredAt: occurredAt
    .optional()
    .describe(
      `${whenDescribed} Offers, voucher validity and the expiry of earned value use this time. Available balances use the time of arrival. Default: the time of arrival.`,
    ),
};

export const pin = z
  .string()
  .regex(/^[0-9]{4}$/, problem('fourDigits'))
  .describe(
    'The customer\'s PIN. Required when the merchant has turned on "PIN required for redemption". Ignored otherwise.',
  );

export const printText = z.string().describe('Plain text for the receipt, at most 40 columns wide.');

/** Input fields that select a page of a list. */
export const pageFields = {
  after: z.string().max(500).optional(),
  before: z.string().max(500).optional(),
  limit: z.int().min(1).max(100).default(50),
};

export const plu = text(64).describe('Price look-up code of the item.');
export const hasThreeDecimals = (value: number) => Number(value.toFixed(3)) === value;
export const quantity = z
  .number()
  .positive()
  .max(100_000)
  .refine(hasThreeDecimals, problem('threeDecimals'))
  .describe('Number of units, or weight. Up to three decimals.');

/** A quantity that takes off an earlier line if it is below zero. */
export const signedQuantity = z
  .number()
  .min(-100_000)
  .max(100_000)
  .refine((value) => value !== 0, problem('notZero'))
  .refine(hasThreeDecimals, problem('threeDecimals'))
  .describe(
    'Number of units, or weight. Up to three decimals. Below zero for a line that takes off an earlier one, or for what is ' +
      'handed back, such as deposits.',
  );

/** The amount of a line, which has the sign of its quantity. */
export const signedMoney = z.int().min(-maxMoney).max(maxMoney);

/** A check of a line, for `refine`. */
export const signsAgree = ({ quantity, amount = 0 }: { quantity: number; amount?: number | undefined }): boolean =>
  amount === 0 || quantity < 0 === amount < 0;
export const signsProblem = { ...problem('signOfQuantity'), path: ['amount'] };
