/** Shapes that several modules share. Descriptions become the public API reference. */
import { z } from 'zod';

const noControl = /^[^\p{Cc}\p{Cs}]*$/u;

/** Text of 1 to `max` characters that PostgreSQL and a printer can take: no control characters, no lone surrogates, not blank. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(noControl, 'has control characters or is not valid Unicode')
    .refine((value) => value === '' || value.trim() !== '', 'must not be blank');

/** What is typed to search by: of the same characters, without those around it; maybe nothing. */
export const searchText = (max: number) =>
  z.string().trim().max(max).regex(noControl, 'has control characters or is not valid Unicode');

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
  }, 'must be of the years 2000 to 2999');

export const storeCode = text(64).describe(
  "The POS's own code for the store. A key bound to a store implies it. A merchant-wide key must name it, except for " +
    'balances, enrolment and forget-pin.',
);

export const transactionId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ : -')
  .describe('Chosen by the POS. Unique within its store and never reused. To retry safely, send the same id again.');

export const counterCode = z
  .string()
  .regex(/^[0-9]{6}$/, 'must be exactly six digits')
  .describe("The six-digit code on the customer's phone. It identifies a top-up that is paid at the counter.");

/** A day in the merchant's time zone, `YYYY-MM-DD`: of the same years. */
export const day = () => z.iso.date().regex(/^2/, 'must be of the years 2000 to 2999');

/** Which days of a list, both included. */
export const dayFields = { from: day().optional(), until: day().optional() };

/** How many items a list answers at once, as text of the query: nothing is coerced. `usual` is for who does not say. */
export const pageLimit = (usual: number) =>
  z
    .string()
    .regex(/^(100|[1-9][0-9]?)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .meta({
      description: 'Maximum number of items per page.',
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 100, default: usual });
        delete jsonSchema.pattern;
      },
    })
    .default(usual);

/** Where a page of a list begins, of `max` characters at most. */
export const pageCursor = (max: number) => text(max).describe('The `nextCursor` of the previous page.').optional();

const occurredAt = z.iso.datetime({ offset: true });
const whenDescribed =
  'When it happened at the till (RFC 3339 with offset). At most 31 days ago and at most 5 minutes ahead.';

/** Fields that every write may carry: from which store and bill it comes, who did it, and when. */
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
  .regex(/^[0-9]{4}$/, 'must be exactly four digits')
  .describe(
    'The customer\'s PIN. Required when the merchant has turned on "PIN required for redemption". Ignored otherwise.',
  );

export const printText = z.string().describe('Plain text for the receipt, at most 40 columns wide.');

/** The fields of a list's input that say which page of it. */
export const pageFields = {
  after: z.string().max(500).optional(),
  before: z.string().max(500).optional(),
  limit: z.int().min(1).max(100).default(50),
};
