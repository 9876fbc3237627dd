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

/** A search term, trimmed and possibly empty, of the same characters. */
export const searchText = (max: number) => z.string().trim().max(max).regex(noControl, problem('controlCharacters'));

export const maxMoney = 99_999_999_999;

/** An amount to pay, grant or deduct: a positive integer in the currency's minor unit. */
export const money = () => z.int().min(1).max(maxMoney);
/** An amount in a response, or one that may be zero. */
export const moneyOrZero = () => z.int().min(0).max(maxMoney);
/** A customer's holdings. They can exceed what one transaction may move, once voids have returned what was spent. */
export const heldMoney = () => z.int().min(0);

/** The maximum points of a customer. */
export const maxPoints = 99_999_999_999;

export const currencyCode = z.string().length(3).describe("ISO 4217 code of the merchant's currency.");
export const instant = z.iso.datetime().describe('RFC 3339, UTC.');
export const uuid = z.uuid();

/** The revision that a form was opened with. A save is refused if the record has changed since. */
export const revision = z.string().max(22);

/** An instant in a request, in years that the database and calendars support with any offset. */
export const givenInstant = () =>
  z.iso.datetime({ offset: true }).refine((value) => {
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
  .describe('Chosen by the POS; unique for its store, for ever. Send the same one again to retry safely.');

export const counterCode = z
  .string()
  .regex(/^[0-9]{6}$/, problem('sixDigits'))
  .describe("Six digits from the customer's phone, for a top-up that is paid at the counter.");

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
      description: 'How many to answer at once.',
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100, default: defaultLimit });
        delete jsonSchema.pattern;
      },
    })
    .default(defaultLimit);

/** A page's cursor of at most `max` characters. */
export const pageCursor = (max: number) => text(max).describe('`nextCursor` of the page before.').optional();

const occurredAt = z.iso.datetime({ offset: true });
const whenDescribed =
  'When it happened at the till (RFC 3339 with offset): at most 31 days ago, at most 5 minutes ahead.';

/** Fields that every write may have: its store, bill, staff and time. */
export const writeFields = {
  storeCode: storeCode.optional(),
  billId: text(64).optional().describe("The POS's bill, check or order number."),
  staffId: text(64).optional().describe('Who served, in the terms of the POS.'),
  receiptNumber: text(64).optional(),
  occurredAt: occurredAt
    .optional()
    .describe(`${whenDescribed} Kept in the audit log only: it takes effect when it arrives.`),
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
      `${whenDescribed} Offers, vouchers and expiry are judged by it; balances by when the request arrives. Default: when it arrives.`,
    ),
};

export const pin = z
  .string()
  .regex(/^[0-9]{4}$/, problem('fourDigits'))
  .describe(
    'The customer\'s PIN. Needed when the merchant has switched "PIN required for redemption" on; ignored otherwise.',
  );

export const printText = z.string().describe('Plain text of at most 40 columns, ready for the receipt.');

/** Input fields that select a page of a list. */
export const pageFields = {
  after: z.string().max(500).optional(),
  before: z.string().max(500).optional(),
  limit: z.int().min(1).max(100).default(50),
};
