import type { KeyObject } from 'node:crypto';
import type { Database } from '@/db/driver';
import type { EventType } from '@/db/kinds/lists';
import type { CardAccount, CardService } from './card-payments';
import type { Cell } from './cells';
import type { Clock } from './clock';
import type { Keys } from './secrets';

/** Keys of Ed25519 that archives of merchants are signed with. */
export interface ArchiveKeys {
  /** This deployment's private key; null leaves its archives unsigned. */
  own: KeyObject | null;
  /** The public keys of other deployments, and this one's former ones (SPKI in base64). */
  accepted: string[];
}

/** What use cases need from their process. */
export interface Services extends Keys {
  db: Database;
  /** The merchant's clock, once the merchant is known: business time. See `merchants/merchant.ts`. */
  clock: Clock;
  /** The machine's clock: for security limits, and for outside services. */
  systemClock: Clock;
  /** This deployment's environment. Only keys of the same environment work. */
  environment: 'sandbox' | 'live';
  /** The origin that browsers use. */
  publicOrigin: string;
  /** This deployment, if it is one of several cells that share a REST address; otherwise null. */
  cell: Cell | null;
  /** Where messages to customers go. A sandbox without a messenger uses the inbox that the back office shows. */
  messenger: 'whatsapp' | 'inbox';
  /** Where e-mails to staff go. A sandbox without SMTP uses the inbox. */
  mailer: 'smtp' | 'inbox';
  /** How many sign-in codes all diners of this deployment may be sent. */
  codeBudget: { perHour: number; perDay: number };
  archiveKeys: ArchiveKeys;
  /** Accepts customers' cards; null if not configured. */
  cardPayments: CardService | null;
  /**
   * Set by the worker and aborted when it stops. Jobs of many batches then end after the current batch and continue
   * later.
   */
  stopping?: AbortSignal | undefined;
}

/**
 * Messages that use a merchant's templates. Customers can opt out of them, and they are not sent in quiet hours.
 * Exceptions: a `bill-receipt`, which the customer has just requested, and what warns of a change by staff.
 */
export type NoticeKind =
  | 'voucher-issued'
  | 'value-expiring'
  | 'top-up-receipt'
  | 'bill-receipt'
  | 'phone-changed'
  | 'balance-adjusted'
  | 'accounts-merged';

/** Start and end, such as `21:00`, in the merchant's time zone. They span midnight if the end is before the start. */
export interface QuietHours {
  from: string;
  until: string;
}

/** The merchant's settings, read again for every request. */
export interface Merchant extends CardAccount {
  id: string;
  name: string;
  currency: string;
  /** ISO 3166 code, used to read national phone numbers. */
  country: string;
  timeZone: string;
  /** The hour at which a day starts, 0 to 6. */
  dayStartsAt: number;
  locale: string;
  pinRequired: boolean;
  balanceLimit: number | null;
  /** The largest sale, by what was paid for goods, that earns points; null for no limit. */
  earningSaleLimit: number | null;
  /** What sales and top-ups may give a customer in a day; null for no limit. */
  customerDailyPoints: number | null;
  customerDailyValue: number | null;
  /** What card top-ups may give a customer who joined lately in a day. */
  newCustomerDailyValue: number | null;
  /** What transactions of one API key may give in a day. */
  keyDailyPoints: number | null;
  keyDailyValue: number | null;
  /** How many customers that a key enrols in a day get sign-up vouchers. */
  keyDailySignUps: number | null;
  earnPoints: number;
  earnPerAmount: number;
  pointValue: number;
  minRedeemPoints: number;
  pointsExpiryMonths: number | null;
  /** True if sales earn points on prices without the tax that they include. */
  pointsOnNet: boolean;
  /** How many days back a till may date a transaction. */
  backdatingDays: number;
  enrolOnSale: boolean;
  /** Whether a new customer gets sign-up vouchers only by signing in with a code on their phone. */
  signUpNeedsPhone: boolean;
  /** How many days value can be spent that a void returns after its last day; null: it expires at once. */
  returnedValueDays: number | null;
  /** Whether the bonus of a top-up stays when its principal is paid out. */
  cashOutKeepsBonus: boolean;
  /** Whether customers who owe points can't redeem. */
  refusesOwing: boolean;
  /** PLUs and categories of the menu that earn no points. */
  noPointsPlus: string[];
  noPointsCategoryIds: string[];
  /** How far the merchant's clock is ahead of the machine's. Used only in a sandbox. */
  clockAheadSeconds: number;
  /** The kinds of notices that customers get. */
  noticeKinds: NoticeKind[];
  /** The types of events that are recorded; null for all. */
  eventTypes: EventType[] | null;
  /** When no notices are sent; null if they may be sent at any time. */
  quietHours: QuietHours | null;
}

export interface Store {
  id: string;
  storeCode: string;
  name: string;
}

/** Where a transaction comes from: a till, or a diner's phone at a table. */
export interface TransactionContext extends Services {
  merchant: Merchant;
  /** The till's key; null for a phone. */
  apiKeyId: string | null;
  /** The store that the key is bound to, or that the table is in; null for a merchant-wide key. */
  boundStore: Store | null;
  /** The store of the request, once known; for the log. */
  storeCode?: string;
  /** Set when the response repeats an earlier one. */
  replayed?: boolean;
}

/** A POS request: its key, merchant and store. */
export interface PosContext extends TransactionContext {
  apiKeyId: string;
}

/** The roles of staff, from most to least rights. */
export const staffRoles = ['owner', 'manager', 'cashier'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** A staff member's request: the person, role and merchant. */
export interface StaffContext extends Services {
  merchant: Merchant;
  staff: {
    userId: string;
    name: string;
    email: string;
    role: StaffRole;
    /** The stores that the person works for; null for all. `db` hides the rows of other stores. */
    storeIds: readonly string[] | null;
    /** When the person last proved in this session who they are. */
    confirmedAt: Date;
    /** When the merchant starts to demand a second factor that the person lacks; null if they have one or need none. */
    secondFactorFrom: Date | null;
  };
}

/** The languages of the back office and of its mails. */
export const languages = ['en', 'zh', 'ja', 'ms'] as const;
export type Language = (typeof languages)[number];

export {
  type Allergen,
  allergens,
  type Diet,
  diets,
  type MenuLanguage,
  menuLanguages,
  type SecondFactorDemand,
  secondFactorDemands,
} from '@/db/kinds/lists';
