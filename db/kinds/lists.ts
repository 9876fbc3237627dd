/** Lists shared by the tables and the forms: forms run in the browser, which cannot import the tables. */

/** Languages that a menu can be translated into, besides the merchant's own. */
export const menuLanguages = ['en', 'zh', 'ja', 'ms'] as const;
export type MenuLanguage = (typeof menuLanguages)[number];

/**
 * The allergens that any country's law lists: the European Union's fourteen, then those of the United States and Japan
 * that are narrower or not among them.
 */
export const allergens = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soya',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
  'wheat',
  'shrimp',
  'crab',
  'walnut',
  'buckwheat',
  'almond',
  'abalone',
  'squid',
  'roe',
  'orange',
  'cashew',
  'kiwi',
  'beef',
  'salmon',
  'mackerel',
  'chicken',
  'banana',
  'pork',
  'macadamia',
  'peach',
  'yam',
  'apple',
  'gelatin',
] as const;
export type Allergen = (typeof allergens)[number];

/** The staff who must have a second factor. `managers` includes owners. */
export const secondFactorDemands = ['nobody', 'owners', 'managers', 'everybody'] as const;
export type SecondFactorDemand = (typeof secondFactorDemands)[number];

/** What a till needs besides reading: a new key has these scopes, unless it is created with others. */
export const tillScopes = ['ordering', 'bills', 'loyalty'] as const;
/** What an API key may do besides reading. `webhooks` is for merchant-wide keys only: its endpoints get all events. */
export const keyScopes = [...tillScopes, 'webhooks'] as const;
export type KeyScope = (typeof keyScopes)[number];
/** What `api_keys.scope` can be: the one scope that a key had when ordering included bills, from least to most. */
export const formerKeyScopes = ['read', 'loyalty', 'ordering', 'all'] as const;
export type FormerKeyScope = (typeof formerKeyScopes)[number];
/** Networks that an API key can be limited to. */
export const maxKeyNetworks = 20;

/** Diets that an item can be declared to suit. */
export const diets = ['vegetarian', 'vegan', 'halal'] as const;
export type Diet = (typeof diets)[number];

/**
 * A customer's personal data, which tills and staff enter. It is edited, merged, imported, exported and erased as a
 * whole.
 */
export const profileColumns = ['givenName', 'lastName', 'phone', 'email', 'birthday', 'tags'] as const;
export type ProfileColumn = (typeof profileColumns)[number];
/** Picks the profile from a customer, or its columns from a table or subquery. */
export const profileOf = <Source extends Record<ProfileColumn, unknown>>(source: Source) =>
  Object.fromEntries(profileColumns.map((column) => [column, source[column]])) as Pick<Source, ProfileColumn>;

/** The encodings of an uploaded text, by their names in the web's standard. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'windows-1252',
] as const;

/** The fields that a column of an imported file can hold: of the customer, of the opening balance, and of vouchers. */
export const amountFields = ['principal', 'bonus', 'points'] as const;
export const importFields = [
  ...profileColumns,
  ...amountFields,
  'expiresOn',
  'bonusExpiresOn',
  'voucher',
  'voucherCount',
  'voucherExpiresOn',
] as const;
export const dateOrders = ['YMD', 'DMY', 'MDY'] as const;

/** Problems that a row of an imported file can have. */
export const importProblems = [
  // Of earlier releases: a name is not required any more.
  'givenNameMissing',
  'nameInvalid',
  'contactMissing',
  'phoneInvalid',
  'phoneDigitsLost',
  'phoneExtension',
  'phoneExtra',
  'phonesSeveral',
  'emailInvalid',
  'birthdayInvalid',
  'amountInvalid',
  'amountAmbiguous',
  'pointsInvalid',
  'expiryInvalid',
  'voucherUnknown',
  'voucherInvalid',
  'overBalanceLimit',
  'alreadyCustomer',
  'twiceInFile',
  'contactsOfTwo',
  'openingGiven',
  'phoneIgnored',
  'emailIgnored',
  'birthdayIgnored',
  'tagsIgnored',
] as const;

/** Problems that skip only one field: the row is still imported. */
export const importWarnings = ['phoneIgnored', 'emailIgnored', 'birthdayIgnored', 'tagsIgnored'] as const;

/** How a customer paid staff for a top-up. */
export const paymentMethods = ['cash', 'card', 'other'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Messages that use a merchant's templates. */
export const noticeKinds = [
  'voucher-issued',
  'value-expiring',
  'top-up-receipt',
  'bill-receipt',
  'phone-changed',
  'balance-adjusted',
  'accounts-merged',
] as const;

/** What sales are broken down by in reports. */
export const saleDimensions = ['item', 'hour', 'payment', 'staff', 'source', 'tax'] as const;
export type SaleDimension = (typeof saleDimensions)[number];
/** How the sales report breaks sales down. Categories, weekdays and stores are found from the stored sums. */
export const breakdowns = [
  'item',
  'category',
  'hour',
  'weekday',
  'store',
  'payment',
  'staff',
  'source',
  'tax',
] as const;
export type Breakdown = (typeof breakdowns)[number];
/** How a bill's items were ordered: some of them on diners' phones, or all of them with staff. */
export const saleSources = ['phone', 'staff'] as const;
export type SaleSource = (typeof saleSources)[number];

/** The states of a table's bill. */
export const billStates = ['open', 'closed', 'void'] as const;
/** The states of a diner's payment on a bill. */
export const billPaymentStates = ['held', 'released', 'taken'] as const;

/**
 * How a dispute of a card payment stands: the bank waits for an answer, has it, or has decided for the merchant or for
 * the payer.
 */
export const disputeStatuses = ['needs_response', 'under_review', 'won', 'lost'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/**
 * A merchant's own account at Stripe. `onboarding`: the merchant has not told Stripe everything. `active`: it takes payments.
 * `restricted`: Stripe lets it take none. `disconnected`: it is no longer connected to us.
 */
export const cardAccountStates = ['onboarding', 'active', 'restricted', 'disconnected'] as const;
export type CardAccountState = (typeof cardAccountStates)[number];

/** What diners can call for at their table: staff, or the bill. */
export const tableCallKinds = ['staff', 'bill'] as const;
/** What a table's card opens if no bill is open. */
export const tableCardPages = ['menu', 'bill'] as const;
/** Who opened a bill's code: a till or staff, or a diner with the table's card. */
export const codeOpeners = ['till', 'diner'] as const;

/**
 * The types of events, each with what it is about: a store, a customer, or the whole business. `profile` events contain
 * a customer's name or contact details, which are erased with the customer. More types may be added: readers must
 * accept unknown types.
 */
const eventSubjects = {
  'order.placed': 'store',
  'order.updated': 'store',
  'transaction.completed': 'store',
  'transaction.voided': 'store',
  'customer.enrolled': 'profile',
  'customer.updated': 'profile',
  'customer.merged': 'customer',
  'customer.unmerged': 'customer',
  'customer.erased': 'customer',
  'balance.changed': 'customer',
  'stock_out.changed': 'store',
  'qr_code.opened': 'store',
  'qr_code.settled': 'store',
  'counter_code.topped_up': 'store',
  'bill.updated': 'store',
  'bill.paid': 'store',
  'bill.closed': 'store',
  'bill.voided': 'store',
  'table.called': 'store',
  'table.call_answered': 'store',
  'dispute.opened': 'store',
  'dispute.closed': 'store',
  'recording.changed': 'business',
} as const satisfies Record<string, EventSubject>;
type EventSubject = 'store' | 'customer' | 'profile' | 'business';
export type EventType = keyof typeof eventSubjects;
export const eventTypes = Object.keys(eventSubjects) as [EventType, ...EventType[]];
/** The event types of a subject. */
export type EventTypeOf<Subject extends EventSubject> = {
  [Type in EventType]: (typeof eventSubjects)[Type] extends Subject ? Type : never;
}[EventType];
/** True for events about a customer. They belong to no store, so a store's key never gets one. */
export const isCustomerEvent = (type: EventType): boolean => ['customer', 'profile'].includes(eventSubjects[type]);
/** True for events whose data is erased with the customer. */
export const hasProfile = (type: EventType): type is EventTypeOf<'profile'> => eventSubjects[type] === 'profile';
/** Recorded even if no one wants it: a later reader sees from it where events are missing. */
export const alwaysRecorded = 'recording.changed' satisfies EventTypeOf<'business'>;
/** What changes balances besides completed transactions. */
export const balanceCauses = ['adjustment', 'refund', 'void', 'expiry', 'merge', 'import', 'dispute'] as const;
export type BalanceCause = (typeof balanceCauses)[number];

/** Sent when staff try out a webhook endpoint. It can't be subscribed to and does not appear in `GET /events`. */
export const testEventType = 'webhook.test';

/** Reasons why an endpoint sent no response. */
export const webhookFailures = ['not_public', 'timeout', 'unknown_host', 'certificate', 'no_connection'] as const;
export type WebhookFailure = (typeof webhookFailures)[number];

/** States of webhook endpoints. Staff pause an endpoint; the service disables it. */
export const endpointStates = ['enabled', 'paused', 'disabled'] as const;

/** States of merchants that are moving between cells or have left this one. */
export const moveStates = ['leaving', 'arriving', 'left'] as const;
/** By what callers name a merchant that has left this cell. */
export const movedKinds = ['apiKey', 'qrCode', 'invitation', 'photo', 'member'] as const;
export type MovedKind = (typeof movedKinds)[number];
