/** Lists shared by the tables and the forms: forms run in the browser, which cannot import the tables. */

/** Languages that a menu can be translated into, besides the merchant's own. */
export const menuLanguages = ['en', 'zh', 'ja', 'ms'] as const;
export type MenuLanguage = (typeof menuLanguages)[number];

/**
 * The allergens that any country's law lists: first the European Union's fourteen, then those that the United States
 * and Japan name more narrowly or in addition.
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

/** Whom a merchant can demand a second factor of: `managers` are owners, too. */
export const secondFactorDemands = ['nobody', 'owners', 'managers', 'everybody'] as const;
export type SecondFactorDemand = (typeof secondFactorDemands)[number];

/** What an API key may do: read alone, read and change loyalty or ordering, or everything. */
export const keyScopes = ['read', 'loyalty', 'ordering', 'all'] as const;
export type KeyScope = (typeof keyScopes)[number];
/** Networks that an API key can be limited to. */
export const maxKeyNetworks = 20;

/** Diets that an item can be declared to suit. */
export const diets = ['vegetarian', 'vegan', 'halal'] as const;
export type Diet = (typeof diets)[number];

/** The fields that a column of an imported file can hold: of the customer, and of the opening balance. */
export const importFields = [
  ...(['givenName', 'lastName', 'phone', 'email', 'birthday'] as const),
  ...(['principal', 'bonus', 'points', 'expiresOn'] as const),
] as const;
export const dateOrders = ['YMD', 'DMY', 'MDY'] as const;

/** Problems that a row of an imported file can have. */
export const importProblems = [
  'givenNameMissing',
  'nameInvalid',
  'contactMissing',
  'phoneInvalid',
  'emailInvalid',
  'birthdayInvalid',
  'amountInvalid',
  'pointsInvalid',
  'expiryInvalid',
  'overBalanceLimit',
  'alreadyCustomer',
  'twiceInFile',
  'phoneIgnored',
  'emailIgnored',
  'birthdayIgnored',
] as const;

/** Those that skip only a field: the row is imported. */
export const importWarnings = ['phoneIgnored', 'emailIgnored', 'birthdayIgnored'] as const;

/** How a customer paid staff for a top-up. */
export const paymentMethods = ['cash', 'card', 'other'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Messages by a merchant's templates. */
export const noticeKinds = ['voucher-issued', 'value-expiring', 'top-up-receipt', 'bill-receipt'] as const;

/** What sales are broken down by in reports. */
export const saleDimensions = ['item', 'hour', 'payment', 'staff'] as const;
export type SaleDimension = (typeof saleDimensions)[number];

/** Of a bill at a table. */
export const billStates = ['open', 'closed', 'void'] as const;
/** Of a payment on it. */
export const billPaymentStates = ['held', 'released', 'taken'] as const;

/** What diners ask for at their table: staff, or the bill. */
export const tableCallKinds = ['staff', 'bill'] as const;
/** What the card on a table opens where no bill is open. */
export const tableCardPages = ['menu', 'bill'] as const;
/** Who opened a bill's code: a till or staff, or a diner by the card on the table. */
export const codeOpeners = ['till', 'diner'] as const;

/**
 * The types of events, and what an event of each is of: a store, a customer, or the whole business. Events with a customer's
 * profile (name, contact details) in their data lose them when the customer is erased. More types may be added: readers must
 * accept types that they do not know.
 */
const eventSubjects = {
  'order.placed': 'store',
  'order.updated': 'store',
  'transaction.completed': 'store',
  'transaction.voided': 'store',
  'customer.enrolled': 'profile',
  'customer.updated': 'profile',
  'customer.merged': 'customer',
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
  'recording.changed': 'business',
} as const satisfies Record<string, EventSubject>;
type EventSubject = 'store' | 'customer' | 'profile' | 'business';
export type EventType = keyof typeof eventSubjects;
export const eventTypes = Object.keys(eventSubjects) as [EventType, ...EventType[]];
/** The event types of a subject. */
export type EventTypeOf<Subject extends EventSubject> = {
  [Type in EventType]: (typeof eventSubjects)[Type] extends Subject ? Type : never;
}[EventType];
/** True of events of a customer: they are of no store, so a store's key gets none of them. */
export const isCustomerEvent = (type: EventType): boolean => ['customer', 'profile'].includes(eventSubjects[type]);
/** True of events whose data is erased with the customer. */
export const hasProfile = (type: EventType): type is EventTypeOf<'profile'> => eventSubjects[type] === 'profile';
/** Recorded whatever is wanted: whoever reads events later sees by it where some are missing. */
export const alwaysRecorded = 'recording.changed' satisfies EventTypeOf<'business'>;
/** What changes balances, other than completed transactions. */
export const balanceCauses = ['adjustment', 'refund', 'void', 'expiry', 'merge', 'import'] as const;
export type BalanceCause = (typeof balanceCauses)[number];

/** Sent by staff to try a webhook endpoint out. Nobody subscribes to it, and `GET /events` has none. */
export const testEventType = 'webhook.test';

/** Why an endpoint sent no response. */
export const webhookFailures = ['not_public', 'timeout', 'unknown_host', 'certificate', 'no_connection'] as const;
export type WebhookFailure = (typeof webhookFailures)[number];

/** Of webhook endpoints. Staff pause; the service disables. */
export const endpointStates = ['enabled', 'paused', 'disabled'] as const;

/** Of merchants that are not simply at home in this cell. */
export const moveStates = ['leaving', 'arriving', 'left'] as const;
/** What callers name a merchant by that is not here. */
export const movedKinds = ['apiKey', 'qrCode', 'invitation', 'photo', 'member'] as const;
export type MovedKind = (typeof movedKinds)[number];
