/** Shapes that several modules share. Descriptions become the public API reference. */
import { z } from 'zod';
import { problem } from './say';

const noControl = /^[^\p{Cc}\p{Cs}]*$/u;

/** Text of 1 to `max` characters that PostgreSQL and a printer can take: no control characters, no lone surrogates, not blank. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(noControl, problem('controlCharacters'))
    .refine((value) => value === '' || value.trim() !== '', problem('blank'));

/** What is typed to search by: of the same characters, without those around it; maybe nothing. */
export const searchText = (max: number) => z.string().trim().max(max).regex(noControl, problem('controlCharacters'));

export const maxMoney = 99_999_999_999;

/** An amount to pay, grant or take: a positive integer in the currency's minor unit. */
export const money = () => z.int().min(1).max(maxMoney);
/** An amount in an answer, or one that may be nothing. */
export const moneyOrZero = () => z.int().min(0).max(maxMoney);
/** What a customer holds: it may be more than one transaction can move, once voids have brought back what was spent. */
export const heldMoney = () => z.int().min(0);

/** The most points that a customer can hold. */
export const maxPoints = 99_999_999_999;

export const currencyCode = z.string().length(3).describe("ISO 4217 code of the merchant's currency.");
export const instant = z.iso.datetime().describe('RFC 3339, UTC.');
export const uuid = z.uuid();

/** The revision a form was opened with; a save is refused if the record has changed since. */
export const revision = z.string().max(22);

/** An instant in a request: of years that a database and a calendar can take, whatever the offset. */
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

/** A day in the merchant's time zone, `YYYY-MM-DD`: of the same years. */
export const day = () => z.iso.date().regex(/^2/, problem('yearOutOfRange'));

/** Which days of a list, both included. */
export const dayFields = { from: day().optional(), until: day().optional() };

/** How many items a list answers at once, as text of the query: nothing is coerced. `usual` is for who does not say. */
export const pageLimit = (usual: number) =>
  z
    .string()
    .regex(/^(100|[1-9][0-9]?)$/, problem('notAPageLimit'))
    .transform(Number)
    .meta({
      description: 'How many to answer at once.',
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100, default: usual });
        delete jsonSchema.pattern;
      },
    })
    .default(usual);

/** Where a page of a list begins, of `max` characters at most. */
export const pageCursor = (max: number) => text(max).describe('`nextCursor` of the page before.').optional();

const occurredAt = z.iso.datetime({ offset: true });
const whenDescribed =
  'When it happened at the till (RFC 3339 with offset): at most 31 days ago, at most 5 minutes ahead.';

/** Fields that every write may carry: from which store and bill it comes, who did it, and when. */
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

/** The fields of a list's input that say which page of it. */
export const pageFields = {
  after: z.string().max(500).optional(),
  before: z.string().max(500).optional(),
  limit: z.int().min(1).max(100).default(50),
};
