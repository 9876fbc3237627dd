import { z } from 'zod';
import { keyScopes, maxKeyNetworks, tillScopes } from '@/db/kinds/lists';
import type { staffLimitColumns } from '@/db/schema';
import { problem } from '../kernel/say';
import { givenInstant, instant, maxMoney, maxPoints, pageFields, searchText, text, uuid } from '../kernel/schemas';

export { keyScopes, maxKeyNetworks, tillScopes } from '@/db/kinds/lists';

const name = (max: number) => z.string().trim().pipe(text(max));

/**
 * Accepts UTC or the name of a place. Offsets have no daylight saving, and PostgreSQL does not read names such as `IST`
 * or `US/Pacific-New` as JavaScript does.
 */
function isTimeZone(zone: string): boolean {
  if (!/^(UTC|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/.+)$/.test(zone)) {
    return false;
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf([tag]).length === 1;
  } catch {
    return false;
  }
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const country = z
  .string()
  .refine((code) => /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined, problem('notACountry'));

/** The merchant's identity, and how its amounts, dates and phone numbers are read. */
export const merchantProfile = z.strictObject({
  name: name(100),
  currency: z.string().refine((code) => Intl.supportedValuesOf('currency').includes(code), problem('notACurrency')),
  country,
  timeZone: z.string().refine(isTimeZone, problem('notATimeZone')),
  locale: z.string().refine(isLocale, problem('notALocale')),
});

/** The hour at which a business day starts. */
const dayStartsAt = z.int().min(0).max(6);
export const dayRules = z.strictObject({ dayStartsAt });

/** How points are earned and what they are worth, in minor units. */
export const pointsRules = z.strictObject({
  earnPoints: z.int().min(0).max(1_000_000),
  earnPerAmount: z.int().min(1).max(maxMoney),
  pointValue: z.int().min(0).max(10_000),
  minRedeemPoints: z.int().min(1).max(1_000_000),
  /** Null: points never expire. */
  pointsExpiryMonths: z.int().min(1).max(120).nullable(),
  /** What earns no points: PLUs, and categories of the menu. */
  noPointsPlus: z.array(text(64)).max(200),
  noPointsCategoryIds: z.array(uuid).max(100),
  /** True if sales earn points on prices without the tax that they include. */
  pointsOnNet: z.boolean(),
});

export const customerRules = z.strictObject({
  /** The maximum stored value per customer, in minor units; null for no limit. */
  balanceLimit: z.int().min(1).max(maxMoney).nullable(),
  enrolOnSale: z.boolean(),
  /** Whether a new customer gets sign-up vouchers only by signing in with a code on their phone. */
  signUpNeedsPhone: z.boolean(),
  /** How many days value can be spent that a void returns after its last day; null: it expires at once. */
  returnedValueDays: z.int().min(1).max(366).nullable(),
  /** Whether the bonus of a top-up stays when its principal is paid out. */
  cashOutKeepsBonus: z.boolean(),
  /** Whether customers who owe points can't redeem. */
  refusesOwing: z.boolean(),
  /** Empty for none. */
  privacyUrl: z
    .string()
    .trim()
    .nullable()
    .transform((value) => value || null)
    .pipe(
      z
        .url({ protocol: /^https$/, hostname: z.regexes.domain, ...problem('notAnHttpsUrl') })
        .max(500)
        .nullable(),
    ),
  /** In minor units; 0 if only managers may refund. */
  cashierRefundLimit: z.int().min(0).max(maxMoney),
  /** In minor units; 0 if any amount asks who is there, null if none does. */
  confirmAbove: z.int().min(0).max(maxMoney).nullable(),
});

const maxStaffCount = 1_000_000;
const limit = (most: number) => z.int().min(1).max(most).nullable();
/** What tills and card top-ups may give, in minor units and points; null for no limit. */
export const dailyLimits = z.strictObject({
  earningSaleLimit: limit(maxMoney),
  customerDailyPoints: limit(maxPoints),
  customerDailyValue: limit(maxMoney),
  newCustomerDailyValue: limit(maxMoney),
  keyDailyPoints: limit(maxPoints),
  keyDailyValue: limit(maxMoney),
  keyDailySignUps: limit(maxStaffCount),
});

/** What one member of staff may give in a day; null for no limit. */
export const staffLimits = z.strictObject({
  cashierDailyValue: limit(maxMoney),
  cashierDailyEnrolments: limit(maxStaffCount),
  managerDailyValue: limit(maxMoney),
  managerDailyPoints: limit(maxPoints),
  managerDailyVouchers: limit(maxStaffCount),
  cashierDailyVouchers: z.int().min(0).max(maxStaffCount).nullable(),
  managerDailyEnrolments: limit(maxStaffCount),
} satisfies Record<keyof typeof staffLimitColumns, z.ZodType>);

/** How many sign-in codes may be sent to diners, and to which countries. */
export const codeRules = z.strictObject({
  codesPerHour: z.int().min(1).max(100_000),
  codesPerDay: z.int().min(1).max(1_000_000),
  /** Null or empty for the merchant's own country and those of its customers. */
  codeCountries: z
    .array(country)
    .max(300)
    .nullable()
    .transform((codes) => (codes?.length ? [...new Set(codes)].sort() : null)),
});

/** The orders board marks an order late after this long, and very late after twice as long. */
export const orderRules = z.strictObject({ lateOrderMinutes: z.int().min(1).max(240) });

/** How many days back tills may date what they send. The REST API promises no more than 31. */
export const tillRules = z.strictObject({ backdatingDays: z.int().min(1).max(31) });

/** A rate in hundredths of a percent; null for none. */
const rate = z.int().min(1).max(10_000).nullable();
/** What prices include, as bills print it. */
export const taxRules = z.strictObject({
  taxName: z
    .string()
    .nullable()
    .transform((value) => value?.trim() || null)
    .pipe(text(30).nullable()),
  taxBasisPoints: rate,
  taxIncluded: z.boolean(),
  serviceBasisPoints: rate,
  serviceIncluded: z.boolean(),
});

/** How diners' pages look. */
export const brandRules = z.strictObject({
  accentColour: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable(),
  welcome: z
    .string()
    .nullable()
    .transform((value) => value?.trim() || null)
    .pipe(text(120).nullable()),
});

/** Only the given fields change. */
export const changeSettingsInput = z.strictObject({
  ...merchantProfile.partial().shape,
  ...dayRules.partial().shape,
  ...pointsRules.partial().shape,
  ...customerRules.partial().shape,
  ...taxRules.partial().shape,
  ...brandRules.partial().shape,
  ...orderRules.partial().shape,
  ...tillRules.partial().shape,
  ...dailyLimits.partial().shape,
  ...staffLimits.partial().shape,
  ...codeRules.partial().shape,
  logoId: uuid.nullable().optional(),
  recordsEvents: z.boolean().optional(),
});
export type ChangeSettingsInput = z.infer<typeof changeSettingsInput>;

export const setPinRequiredInput = z.strictObject({ pinRequired: z.boolean() });

/** Max seconds that a sandbox's clock may be ahead of the machine's: two leap years. */
export const maxAheadSeconds = 2 * 366 * 24 * 60 * 60;
export const advanceClockInput = z.strictObject({ to: z.iso.datetime({ offset: true }) });
export type AdvanceClockInput = z.infer<typeof advanceClockInput>;

export const sandboxClockInput = z
  .strictObject({
    to: givenInstant()
      .optional()
      .describe('The time to advance to, ahead of the clock (RFC 3339 with offset). Send either this or `seconds`.'),
    seconds: z
      .int()
      .min(1)
      .max(maxAheadSeconds)
      .optional()
      .describe('How far to advance the clock: 86,400 for a day. Send either this or `to`.'),
  })
  .refine(({ to, seconds }) => (to === undefined) !== (seconds === undefined), { ...problem('oneClockMove') });
export type SandboxClockInput = z.infer<typeof sandboxClockInput>;

export const sandboxClockOutput = z.object({
  now: instant.describe("The merchant's time from now on. RFC 3339, UTC."),
});
export type SandboxClockOutput = z.infer<typeof sandboxClockOutput>;

const storeFields = { storeCode: name(64), name: name(100) };
/** As printed on receipts. Either may be empty. */
const contactFields = {
  address: searchText(200),
  phone: z
    .string()
    .trim()
    .max(32)
    .regex(/^(\+?[0-9][0-9 ()-]{3,})?$/, problem('notAPhoneNumber')),
};
export const storeDetails = z.strictObject({
  ...storeFields,
  ...contactFields,
  /** Null for the merchant's. */
  dayStartsAt: dayStartsAt.nullable(),
});
export const createStoreInput = z.strictObject({
  ...storeFields,
  address: contactFields.address.default(''),
  phone: contactFields.phone.default(''),
  dayStartsAt: dayStartsAt.nullable().default(null),
});
export type StoreDetails = z.infer<typeof storeDetails>;

export const changeStoreInput = z.strictObject({ storeId: uuid, ...storeDetails.partial().shape });
export type ChangeStoreInput = z.infer<typeof changeStoreInput>;

export const storeInput = z.strictObject({ storeId: uuid });

export const storeState = z.enum(['open', 'closed']);
/** Filters the list of stores. */
export const storeFilter = z.strictObject({ search: searchText(100).default(''), state: storeState.optional() });
type StoreFilter = z.infer<typeof storeFilter>;

/** True if the store matches the filter. Merchants have few enough stores to filter them in the browser. */
export function isStoreListed(
  { name, storeCode, closedAt }: StoreDetails & { closedAt: unknown },
  { search, state }: StoreFilter,
): boolean {
  const wanted = search.trim().toLowerCase();
  return (
    (state === undefined || (state === 'closed') === (closedAt !== null)) &&
    [name, storeCode].some((text) => text.toLowerCase().includes(wanted))
  );
}

/** A key's sustained rate and burst. */
const keyLimits = { ratePerSecond: z.int().min(1).max(50_000), rateBurst: z.int().min(1).max(50_000) };
export const defaultKeyLimits = { ratePerSecond: 50, rateBurst: 100 };

/** A network in CIDR notation, or a single address. */
const anyNetwork = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);
const network = z
  .string()
  .trim()
  .refine((value) => anyNetwork.safeParse(value).success, problem('notANetwork'));
/** What a key may do, and the networks from which it works; empty for any network. */
const keyAccess = {
  scopes: z.array(z.enum(keyScopes)).max(keyScopes.length),
  networks: z.array(network).max(maxKeyNetworks),
};

export const createApiKeyInput = z.strictObject({
  name: name(100),
  /** Null for a merchant-wide key. */
  storeId: uuid.nullable(),
  ratePerSecond: keyLimits.ratePerSecond.default(defaultKeyLimits.ratePerSecond),
  rateBurst: keyLimits.rateBurst.default(defaultKeyLimits.rateBurst),
  scopes: keyAccess.scopes.default([...tillScopes]),
  networks: keyAccess.networks.default([]),
});
export type CreateApiKeyInput = z.infer<typeof createApiKeyInput>;

export const apiKeyInput = z.strictObject({ apiKeyId: uuid });

export const setKeyLimitsInput = z.strictObject({ apiKeyId: uuid, ...keyLimits });
export type SetKeyLimitsInput = z.infer<typeof setKeyLimitsInput>;

export const setKeyAccessInput = z.strictObject({ apiKeyId: uuid, ...keyAccess });
export type SetKeyAccessInput = z.infer<typeof setKeyAccessInput>;

/** How many hours the old key may keep working beside the new one. */
export const keyOverlapHours = [0, 1, 24, 72] as const;
export const rotateApiKeyInput = z.strictObject({ apiKeyId: uuid, overlapHours: z.literal(keyOverlapHours) });
export type RotateApiKeyInput = z.infer<typeof rotateApiKeyInput>;

export const apiKeyState = z.enum(['active', 'ended']);
export const listApiKeysInput = z.strictObject({ state: apiKeyState.optional(), ...pageFields });
export type ListApiKeysInput = z.infer<typeof listApiKeysInput>;

/** By the response's status: below 400, 4xx, 5xx. */
export const requestOutcome = z.enum(['succeeded', 'refused', 'failed']);
export const listApiRequestsInput = z.strictObject({
  apiKeyId: uuid,
  outcome: requestOutcome.optional(),
  ...pageFields,
});
export type ListApiRequestsInput = z.infer<typeof listApiRequestsInput>;
