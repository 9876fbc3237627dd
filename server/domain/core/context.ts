import type { Database } from '@/db/client';
import type { CardPayments } from './card-payments';
import type { Clock } from './clock';
import type { Keys } from './secrets';

/** What every use case needs of the process that runs it. */
export interface Services extends Keys {
  db: Database;
  /** The merchant's clock, once it is known whose request it is: what the business counts on. See `merchants/merchant.ts`. */
  clock: Clock;
  /** The machine's: for what guards the doors, and for what the world outside goes by. */
  systemClock: Clock;
  /** Which deployment this is: only keys of the same environment work. */
  environment: 'sandbox' | 'live';
  /** The address that browsers use. */
  publicOrigin: string;
  /** Where messages go: to customers, or, in a sandbox without a messenger, to the inbox that the back office shows. */
  messenger: 'whatsapp' | 'inbox';
  /** Where e-mails to staff go: through an SMTP server, or, in a sandbox without one, to the inbox. */
  mailer: 'smtp' | 'inbox';
  /** Takes customers' cards; null where none is set up. */
  cardPayments: CardPayments | null;
  /** The worker's: aborted when it is to stop. Runs of many batches end after the one under way, to be taken up again. */
  stopping?: AbortSignal | undefined;
}

/** Messages that no customer asked for: they can be opted out of, and wait for the end of quiet hours. */
export type NoticeKind = 'voucher-issued' | 'value-expiring' | 'top-up-receipt';

/** From when until when, `21:00` in the merchant's time zone; over midnight where they end earlier than they begin. */
export interface QuietHours {
  from: string;
  until: string;
}

/** The merchant's settings, read afresh with every request. */
export interface Merchant {
  id: string;
  name: string;
  currency: string;
  /** ISO 3166 code, for national phone numbers. */
  country: string;
  timeZone: string;
  locale: string;
  pinRequired: boolean;
  balanceLimit: number | null;
  earnPoints: number;
  earnPerAmount: number;
  pointValue: number;
  minRedeemPoints: number;
  pointsExpiryMonths: number | null;
  enrolOnSale: boolean;
  /** How far its clock was advanced; counts in a sandbox only. */
  clockAheadSeconds: number;
  /** Which notices its customers get. */
  noticeKinds: NoticeKind[];
  /** When none is sent; null: at any time it may be. */
  quietHours: QuietHours | null;
}

export interface Store {
  id: string;
  storeCode: string;
  name: string;
}

/** A request of a POS: who asks, for which merchant, from which store. */
export interface PosContext extends Services {
  merchant: Merchant;
  apiKeyId: string;
  /** The store that the key is bound to; null for a merchant-wide key. */
  boundStore: Store | null;
  /** The store that the request turned out to be for; for the log. */
  storeCode?: string;
  /** Set when the answer is an earlier one, replayed. */
  replayed?: boolean;
}

/** What people who work for a merchant may do, most first. */
export const staffRoles = ['owner', 'manager', 'cashier'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** A request of a member of staff: who asks, in which role, for which merchant. */
export interface StaffContext extends Services {
  merchant: Merchant;
  staff: { userId: string; name: string; email: string; role: StaffRole };
}

/** The languages of the back office, and of the mails that are asked for in it. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
