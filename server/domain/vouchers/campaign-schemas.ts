/** Schemas of campaigns and manual issues, shared with the back office's forms. */
import { z } from 'zod';
import { type Problem, problem } from '../kernel/say';
import { day, maxMoney, money, moneyOrZero, pageFields, plu, searchText, text, uuid } from '../kernel/schemas';
import { nameTranslations } from '../kernel/translations';
import { voucherUnit } from '../kernel/voucher';
import { isForItems, isPercentage } from '../kernel/voucher-units';

export const segment = z
  .strictObject({
    lastVisitedStoreId: uuid.nullable(),
    minSpent: money().nullable().describe('Minimum total spend over all sales, in minor units.'),
    notSeenSince: day().nullable().describe('Did not join or visit on that day or later.'),
    joinedBefore: day().nullable(),
    holdsStoredValue: z.boolean(),
    minVisits: z.int().min(1).max(1_000).nullable().describe('Minimum number of paid bills.'),
    notSeenDays: z.int().min(1).max(3_650).nullable().describe('Neither joined nor visited in so many days.'),
    boughtPlus: z.array(plu).max(50).describe('PLUs: at least one was on a paid bill. Empty: any.'),
    boughtCategoryId: uuid.nullable().describe('A category of the menu: one of its items was on a paid bill.'),
    birthMonth: z.int().min(1).max(12).nullable(),
    tag: z.string().trim().pipe(text(40)).nullable().describe('A tag that the customer has, in any letter case.'),
  })
  .describe('Customers who match every given condition. All customers if none is given.');
export type Segment = z.infer<typeof segment>;

export const allCustomers: Segment = {
  lastVisitedStoreId: null,
  minSpent: null,
  notSeenSince: null,
  joinedBefore: null,
  holdsStoredValue: false,
  minVisits: null,
  notSeenDays: null,
  boughtPlus: [],
  boughtCategoryId: null,
  birthMonth: null,
  tag: null,
};

export const trigger = z.enum(['manual', 'join', 'birthday', 'anniversary', 'seasonal']);

const unique = <T>(list: T[]) => new Set(list).size === list.length;

export const campaignInput = z
  .strictObject({
    name: z.string().trim().pipe(text(80)),
    translations: nameTranslations.default({}),
    unit: voucherUnit,
    value: z.int().min(1).max(maxMoney).describe('Minor units, or hundredths of a percent.'),
    plus: z.array(plu).max(200).refine(unique, problem('repeated')).describe('Item vouchers: the PLUs it applies to.'),
    minSpend: moneyOrZero(),
    maxDiscount: money().nullable(),
    maxUnits: z.int().min(1).max(1_000),
    stackable: z.boolean(),
    allStores: z.boolean(),
    storeIds: z.array(uuid).max(500).describe('The stores it is valid at, unless all are.'),
    validFrom: day().nullable().describe("The first day, in the merchant's time zone."),
    validUntil: day().nullable().describe('The last day, inclusive.'),
    validityDays: z.int().min(1).max(3_650).nullable().describe('Days from issue. Null: as long as the campaign.'),
    trigger,
    daysBefore: z.int().min(0).max(30).describe('Days before a birthday or anniversary on which it is issued.'),
    seasonalOn: day().nullable().describe('The day on which a seasonal campaign issues its vouchers.'),
    segment,
    totalLimit: z.int().min(1).max(1_000_000_000).nullable(),
    perCustomerLimit: z.int().min(1).max(1_000).nullable(),
  })
  .superRefine((input, { addIssue }) => {
    const refuse = (path: string, found: Problem) => addIssue({ code: 'custom', path: [path], ...found });
    if (isPercentage(input.unit) && input.value > 10_000) refuse('value', problem('over100Percent'));
    if (isForItems(input.unit) && input.plus.length === 0) refuse('plus', problem('itemMissing'));
    if (!input.allStores && input.storeIds.length === 0) refuse('storeIds', problem('storeMissing'));
    if (input.validFrom !== null && input.validUntil !== null && input.validUntil < input.validFrom) {
      refuse('validUntil', problem('beforeFirstDay'));
    }
    if (input.trigger === 'seasonal' && input.seasonalOn === null) refuse('seasonalOn', problem('required'));
  });
export type CampaignInput = z.infer<typeof campaignInput>;

export const campaignIdInput = z.strictObject({ campaignId: uuid });

export const campaignListInput = z.strictObject({
  search: searchText(80).default(''),
  status: z.enum(['current', 'untranslated', 'archived']).default('current'),
  ...pageFields,
});

export const pluChoicesInput = z.strictObject({
  search: searchText(64).default(''),
  plus: z.array(plu).max(200).optional().describe('Return these PLUs instead of searching.'),
});

export const maxRecipients = 5_000;
/** A pasted line, which may contain tabs from a spreadsheet. */
const pastedLine = z
  .string()
  .transform((line) => line.replaceAll('\t', ' '))
  .pipe(searchText(300));
export const recipientsInput = z.strictObject({
  lines: z.array(pastedLine).max(maxRecipients).describe('Phone numbers, e-mail addresses or customer ids.'),
});

export const audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('customers'), customerIds: z.array(uuid).min(1).max(maxRecipients) }),
  z.strictObject({
    kind: z.literal('segment'),
    segment,
    expected: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .nullable()
      .describe('The number of customers it reaches, if that was counted.'),
  }),
]);
export type Audience = z.infer<typeof audience>;

export const issueInput = campaignIdInput.extend({
  issueId: uuid.describe('Chosen by the client. The same id sent again issues nothing more.'),
  audience,
});
export type IssueInput = z.infer<typeof issueInput>;

export const giveInput = issueInput.omit({ audience: true }).extend({ customerId: uuid });
export type GiveInput = z.infer<typeof giveInput>;

export const countSegmentInput = z.strictObject({
  segment,
  after: uuid.nullable().default(null).describe('The customer id where the previous part of the count ended.'),
});

export const voucherListInput = campaignIdInput.extend({
  state: z.enum(['unused', 'redeemed', 'cancelled']).optional(),
  ...pageFields,
});

export const cancelVoucherInput = z.strictObject({
  voucherId: uuid,
  reason: z.string().trim().pipe(text(200)),
});
