import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  amount,
  birthday,
  bytes,
  bytewiseText,
  createdAt,
  id,
  instant,
  json,
  merchantId,
  tenantPolicy,
} from '../kinds/columns';
import {
  type amountFields,
  type dateOrders,
  type encodings,
  type importFields,
  importProblems,
  type ProfileColumn,
} from '../kinds/lists';
import { merchants } from './merchants';
import { users } from './staff';

/** The sort key of names, without accents and case. Cut short enough for an index and a cursor. */
const nameKey = sql.raw(
  `left(lower(regexp_replace(normalize(given_name || ' ' || last_name, NFKD), '[\\u0300-\\u036f]', '', 'g')), 80)`,
);

const profile = {
  givenName: text('given_name').notNull(),
  lastName: text('last_name').notNull(),
  /** E.164. */
  phone: text('phone'),
  email: text('email'),
  birthday: birthday('birthday'),
  /**
   * What staff and tills call the customer, such as `VIP`. The customer does not see it. Set the names with it: only then the
   * triggers of `customer_terms` run.
   */
  tags: text('tags').array().notNull().default([]),
} satisfies Record<ProfileColumn, unknown>;

/** Personal data belongs in `profile`. For any other column, `eraseCustomer` must say whether it is kept. */
/** What a merge moved, besides value. */
export interface MergeUndo {
  keptId: string;
  mergedAt: string;
  /** The adjustments that granted the kept customer the value. */
  grantedBy: string[];
  /** The contact details that the kept customer took over, and the revision of the profile with them. */
  fields: ProfileColumn[];
  revision: string;
  /** The kept customer's tags before. A merge by an earlier release has none. */
  tags?: string[];
  /** When the kept customer had joined before. */
  joinedAt: string;
  vouchers: { id: string; occasion: string | null; isUsed: boolean }[];
  noteIds: string[];
  topUpRequestIds: string[];
  /** Duplicates that had been merged into the merged customer before. */
  aliasIds: string[];
}

export const customers = pgTable(
  'customers',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    ...profile,
    /**
     * The address in lower case, for comparisons. A column, because row-level security prevents the use of an index on
     * an expression.
     */
    emailKey: text('email_key').generatedAlwaysAs(sql`lower(email)`),
    nameKey: bytewiseText('name_key').notNull().generatedAlwaysAs(nameKey),
    /** Month and day, 1 March as 301: the key for finding birthdays. */
    birthDay: smallint('birth_day').generatedAlwaysAs(
      sql`extract(month from birthday) * 100 + extract(day from birthday)`,
    ),
    /** The language of the customer's pages and messages: `en`, `zh`, `ja`, `ms`; null if unknown. */
    language: text('language'),
    /** When the customer, who joined on a phone, accepted the privacy notice. */
    privacyAcceptedAt: instant('privacy_accepted_at'),
    /** When the customer last agreed to notices. */
    messagesOptedInAt: instant('messages_opted_in_at'),
    /** When the customer opted out of notices; null while they are sent. */
    messagesOptedOutAt: instant('messages_opted_out_at'),
    joinedAt: instant('joined_at').notNull(),
    /** True while the sign-up vouchers wait until the phone is verified. */
    signUpVouchersDue: boolean('sign_up_vouchers_due').notNull().default(false),
    /** When the personal data was erased, for good. */
    erasedAt: instant('erased_at'),
    /** The customer into whom this duplicate was merged. That customer was never merged itself. */
    mergedInto: uuid('merged_into'),
    /** What it takes to undo the merge; null if there was none, or it was undone. */
    mergeUndo: json<MergeUndo>('merge_undo'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('customers_name').on(t.merchantId, t.nameKey, t.id),
    index('customers_joined').on(t.merchantId, t.joinedAt, t.id),
    index('customers_birth_day').on(t.merchantId, t.birthDay, t.id).where(sql`birth_day is not null`),
    foreignKey({ columns: [t.merchantId, t.mergedInto], foreignColumns: [t.merchantId, t.id] }),
    index('customers_merged').on(t.merchantId, t.mergedInto).where(sql`merged_into is not null`),
    check('customers_merged_into_another', sql`${t.mergedInto} <> ${t.id}`),
    unique('customers_phone').on(t.merchantId, t.phone),
    unique('customers_email').on(t.merchantId, t.emailKey),
    tenantPolicy(),
  ],
);

/**
 * A customer's search terms, for range scans: the name from each of its words on; the e-mail address; the phone's
 * digits with and without the country code, and backwards (see server/domain/identity/search.ts); its tags, behind a
 * mark. Maintained by triggers only.
 */
export const customerTerms = pgTable(
  'customer_terms',
  {
    merchantId: merchantId(),
    term: bytewiseText('term').notNull(),
    customerId: uuid('customer_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.term, t.customerId] }), tenantPolicy()],
);

/** A customer's PIN, and the count of wrong tries. */
export const customerPins = pgTable(
  'customer_pins',
  {
    merchantId: merchantId(),
    customerId: uuid('customer_id').notNull(),
    /** A salted hash, sealed with a key that is not in the database. */
    hash: bytes('hash').notNull(),
    /** Consecutive wrong attempts since the last right PIN, new PIN or lock. */
    failures: integer('failures').notNull().default(0),
    /** Consecutive locks: each doubles the next one's duration. */
    lockouts: integer('lockouts').notNull().default(0),
    lockedUntil: instant('locked_until'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.customerId] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    tenantPolicy(),
  ],
);

/**
 * Far above the highest balance after a top-up or sale, because a void first restores what was spent. The bounds are
 * safe integers: principal and bonus together, and points at their highest value.
 */
const inBounds = (column: 'principal' | 'bonus' | 'points', most: bigint) => sql.raw(`${column} between 0 and ${most}`);

/**
 * A customer's balances: the sums of what remains in the lots. The row is also the lock for everything that the
 * customer owns (lots, vouchers). Lock it first. Lock several in the order of their customer ids.
 */
export const balances = pgTable(
  'balances',
  {
    merchantId: merchantId(),
    customerId: uuid('customer_id').notNull(),
    principal: amount('principal').notNull().default(0),
    bonus: amount('bonus').notNull().default(0),
    points: amount('points').notNull().default(0),
    /** True with stored value. A generated column, so that spending a part of it touches no index. */
    holdsValue: boolean('holds_value').generatedAlwaysAs(sql`principal + bonus > 0`),
    /** While set, the customer can neither top up nor redeem. */
    blockedAt: instant('blocked_at'),
    /** When the customer was merged into another, for good. Nothing is posted here after that. */
    mergedAt: instant('merged_at'),
    /** When a merge into this customer was last undone. A request that began before may be the other's. */
    unmergedAt: instant('unmerged_at'),
    /** The last of the merchant's days on which sales and top-ups gave the customer something, and how much. */
    gainedOn: date('gained_on', { mode: 'string' }),
    gainedPoints: amount('gained_points').notNull().default(0),
    gainedValue: amount('gained_value').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.customerId] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    index('balances_holding').on(t.merchantId, t.customerId).where(sql`holds_value`),
    index('balances_blocked').on(t.merchantId, t.customerId).where(sql`blocked_at is not null`),
    check('balances_principal', inBounds('principal', 1_000_000_000_000_000n)),
    check('balances_bonus', inBounds('bonus', 1_000_000_000_000_000n)),
    check('balances_points', inBounds('points', 900_000_000_000n)),
    tenantPolicy(),
  ],
);

/** Maps fields to columns of a file, counted from 0, and states the date format of birthdays. */
interface ImportMapping {
  columns: Partial<Record<(typeof importFields)[number], number>>;
  dateOrder: (typeof dateOrders)[number];
  /** The decimal mark of each column of amounts. Imports of earlier releases have none. */
  decimalMarks?: Partial<Record<(typeof amountFields)[number], '.' | ','>>;
  /** True if customers who exist get the opening balances of their rows. */
  addsToKnown?: boolean;
}

/** A text file, as CSV. */
export interface TextSource {
  kind: 'text';
  encoding: (typeof encodings)[number];
  /** False if the bytes could be another encoding, too: a person has to look at the letters, and choose. */
  isCertain: boolean;
}

/** A workbook of Excel or LibreOffice. */
interface WorkbookSource {
  kind: 'workbook';
  /** The names of its sheets, and which of them was read, counted from 0. */
  sheets: string[];
  sheet: number;
}

/** What an uploaded file turned out to be. */
export type TableSource = TextSource | WorkbookSource;

interface ImportedValue {
  principal: number;
  bonus: number;
  points: number;
}

/** The opening balances of an import, in minor units and points, and the result of undoing them. */
export interface ImportOpenings {
  imported: ImportedValue;
  /** The part of it that customers got who existed before. Imports of earlier releases have none. */
  addedToKnown?: ImportedValue;
  /** What was taken back. */
  reversed: ImportedValue;
  /** What could not be taken back, because the credit was spent or has expired. */
  kept: ImportedValue;
  keptCount: number;
  /** The vouchers. Imports of earlier releases, and those without, have none. */
  vouchers?: {
    campaignIds: string[];
    imported: number;
    cancelled: number;
  };
}

export const customerImportState = pgEnum('customer_import_state', ['uploading', 'ready', 'running', 'finished']);

/** An import of customers from a file, with its progress: when resumed, it enrols each customer once. */
export const customerImports = pgTable(
  'customer_imports',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    fileName: text('file_name').notNull(),
    state: customerImportState('state').notNull(),
    /** The headings of the file's columns. */
    headings: text('headings').array().notNull(),
    /** Null until the upload has ended, and for files of earlier releases. */
    source: json<TableSource>('source'),
    /** Set once the import has started. */
    mapping: json<ImportMapping>('mapping'),
    rowCount: integer('row_count').notNull().default(0),
    /** Rows up to this one are done. The first data row is 2, as in a spreadsheet with headings. */
    doneThrough: integer('done_through').notNull().default(1),
    enrolledCount: integer('enrolled_count').notNull().default(0),
    /** Existing customers who got an opening balance. */
    addedCount: integer('added_count').notNull().default(0),
    problemCount: integer('problem_count').notNull().default(0),
    /** Rows that were imported without an unreadable field. */
    warningCount: integer('warning_count').notNull().default(0),
    openings: json<ImportOpenings>('openings'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
    /** Who undoes the opening balances, since when, up to which transaction, and when it ended. */
    undoUserId: uuid('undo_user_id').references(() => users.id),
    undoStartedAt: instant('undo_started_at'),
    undoneThrough: uuid('undone_through'),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('customer_imports_open').on(t.updatedAt).where(sql`finished_at is null`),
    check('customer_imports_started', sql`(${t.state} in ('running', 'finished')) = (${t.startedAt} is not null)`),
    check(
      'customer_imports_undone',
      sql`(${t.undoUserId} is null) = (${t.undoStartedAt} is null)
        and (${t.undoStartedAt} is null or ${t.finishedAt} is not null)
        and (${t.undoneAt} is null or ${t.undoStartedAt} is not null)`,
    ),
    check('customer_imports_finished', sql`(${t.state} = 'finished') = (${t.finishedAt} is not null)`),
    tenantPolicy(),
  ],
);

/** The rows of a file that did not become customers: not imported yet, or rejected for their problems. */
export const customerImportRows = pgTable(
  'customer_import_rows',
  {
    merchantId: merchantId(),
    importId: uuid('import_id').notNull(),
    rowNumber: integer('row_number').notNull(),
    cells: text('cells').array().notNull(),
    /** Null until the row was processed. */
    problems: text('problems', { enum: importProblems }).array(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.importId, t.rowNumber] }),
    foreignKey({
      columns: [t.merchantId, t.importId],
      foreignColumns: [customerImports.merchantId, customerImports.id],
    }),
    tenantPolicy(),
  ],
);

/** Notes about a customer, by staff for staff. */
export const customerNotes = pgTable(
  'customer_notes',
  {
    merchantId: merchantId(),
    id: id(),
    customerId: uuid('customer_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    createdAt: createdAt(),
    editedAt: instant('edited_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({ columns: [t.merchantId, t.customerId], foreignColumns: [customers.merchantId, customers.id] }),
    index('customer_notes_customer').on(t.merchantId, t.customerId, t.createdAt),
    tenantPolicy(),
  ],
);
