/** The database functions that the service calls, as the migrations define them. */
import { sql } from 'drizzle-orm';
import type { MovedKind } from '../kinds/lists';
import {
  apiKeys,
  auditLog,
  billPayments,
  bills,
  customerImports,
  customers,
  diningTables,
  invitations,
  ledgerEntries,
  memberships,
  menuPhotos,
  merchantMoves,
  merchants,
  messages,
  movedReferences,
  passwordResets,
  qrCodes,
  rateBuckets,
  reportProgress,
  staffSessions,
  stores,
  topUpRequests,
  users,
  voucherCampaigns,
  voucherIssues,
  webhookEndpoints,
} from '../schema';
import { databaseFunction, nullable, rowType } from './expressions';

const instant = sql<Date>`timestamptz`;
const uuid = sql<string>`uuid`;
const integer = sql<number>`integer`;
const merchantId = merchants.id;

/** Whether any open merchant has a working key of this environment. */
export const hasWorkingKeys = databaseFunction(
  'has_working_keys',
  { kind: apiKeys.environment },
  { found: sql<boolean>`boolean` },
);

/** What a time zone's clocks are ahead of UTC, from each of these instants on; no rows for an unknown zone. */
export const zoneOffsets = databaseFunction(
  'zone_offsets',
  { zone: merchants.timeZone },
  { startsAt: instant, aheadSeconds: integer },
);

/** Sets the tenant of a single statement. Join what reads laterally behind it, so that it runs second. */
export const setTenant = databaseFunction('set_tenant', { merchant: uuid }, { id: merchantId });

/** A key, its merchant and its store, if it is of one, by the key's hash. */
export const apiKeyByHash = databaseFunction(
  'api_key_by_hash',
  { keyHash: apiKeys.hash },
  { key: rowType(apiKeys), merchant: rowType(merchants), store: rowType(stores) },
);

/**
 * Returns the merchants that a key, token or id belongs to, if nothing in this cell serves them. `reference` is the
 * hash of a key or token, or an id's bytes, which may be a merchant's own.
 */
export const movedTo = databaseFunction(
  'moved_to',
  { kind: sql<MovedKind | 'merchant'>`text`, reference: movedReferences.reference },
  { merchantId, state: merchantMoves.state, cell: merchantMoves.cell },
);

/** Takes up to `wanted` tokens from a rate-limit bucket. `waitMs` is the time until it has more. */
export const takeTokens = databaseFunction(
  'take_tokens',
  { bucketName: rateBuckets.bucket, rate: sql<number>`double precision`, burst: integer, wanted: integer },
  { granted: integer, waitMs: integer },
);

/** The merchants and customers of a phone number. */
export const customersOfPhone = databaseFunction(
  'customers_of_phone',
  { number: sql<string>`text` },
  { merchantId, customerId: customers.id },
);

/** Adds an entry about a person to the audit log of each of their merchants. */
export const auditPerson = databaseFunction(
  'audit_person',
  {
    person: uuid,
    byPerson: sql<boolean>`boolean`,
    done: auditLog.action,
    details: nullable(auditLog.after),
    at: instant,
  },
  {},
);

/**
 * A session that has not ended, its person, and each of their memberships; one row without for a person without any.
 * `secondFactorFrom` is when the merchant's demand for a second factor begins, if the person has none.
 */
export const sessionByToken = databaseFunction(
  'session_by_token',
  { hash: staffSessions.tokenHash, at: instant, activeSince: instant, seenBefore: nullable(staffSessions.lastSeenAt) },
  {
    session: rowType(staffSessions),
    person: rowType(users),
    membership: rowType(memberships),
    merchant: rowType(merchants),
    storeIds: sql<string[]>`uuid[]`,
    secondFactorFrom: nullable(merchants.secondFactorFrom),
  },
);

/** Whether the person has any second factor. The service can read only the factors of the transaction's person. */
export const personSecondFactor = databaseFunction(
  'has_second_factor',
  { person: uuid },
  { isSo: sql<boolean>`boolean` },
);

/** Which of the merchant's staff have a second factor. */
export const membersWithSecondFactor = databaseFunction(
  'members_with_second_factor',
  { merchant: uuid },
  { userId: users.id },
);

/** True if the person works only for that merchant. */
export const worksOnlyAt = databaseFunction(
  'works_only_at',
  { person: uuid, merchant: uuid },
  { isOnly: sql<boolean>`boolean` },
);

/** Finds a person's password hash by e-mail address in lower case. */
export const staffPassword = databaseFunction(
  'staff_password',
  { address: users.email },
  {
    userId: users.id,
    name: users.name,
    email: users.email,
    passwordHash: users.passwordHash,
    sessionVersion: users.sessionVersion,
    language: nullable(users.language),
  },
);

/** Finds the person of a valid link, and the names of their merchants. */
export const passwordResetByToken = databaseFunction(
  'password_reset_by_token',
  { hash: passwordResets.tokenHash, at: instant },
  { userId: users.id, email: users.email, merchantNames: sql<string[]>`text[]` },
);

export const invitationByToken = databaseFunction(
  'invitation_by_token',
  { hash: invitations.tokenHash },
  { merchantId, invitationId: invitations.id },
);

/**
 * Finds a QR code by its token's hash, with how far its merchant's clock is ahead, and when the merchant was closed.
 */
export const qrCodeByToken = databaseFunction(
  'qr_code_by_token',
  { hash: qrCodes.tokenHash },
  {
    merchantId,
    qrCodeId: qrCodes.id,
    clockAheadSeconds: merchants.clockAheadSeconds,
    merchantClosedAt: merchants.closedAt,
  },
);

/** Finds a table by the hash of its card's token, with the clock and closing time of its merchant. */
export const diningTableByToken = databaseFunction(
  'dining_table_by_token',
  { hash: diningTables.tokenHash },
  {
    merchantId,
    tableId: diningTables.id,
    clockAheadSeconds: merchants.clockAheadSeconds,
    merchantClosedAt: merchants.closedAt,
  },
);

/** Finds a photo by its id alone, because photos are public. */
export const menuPhoto = databaseFunction(
  'menu_photo',
  { photo: menuPhotos.id, wantsLarge: sql<boolean>`boolean` },
  { content: menuPhotos.small },
);

/** Finds what a payment at the payment service pays for: one of the two ids. */
export const purposeOfPayment = databaseFunction(
  'purpose_of_payment',
  { payment: sql<string>`text` },
  { merchantId, topUpRequestId: nullable(topUpRequests.id), billPaymentId: nullable(billPayments.id) },
);

/** Finds campaigns whose occasion starts now, by each merchant's clock. */
export const dueOccasions = databaseFunction(
  'due_occasions',
  { at: instant },
  { merchantId, campaignId: voucherCampaigns.id },
);

export const merchantsThatRemind = databaseFunction('merchants_that_remind', {}, { merchantId });
export const merchantsWithDueNotices = databaseFunction('merchants_with_due_notices', { at: instant }, { merchantId });
export const merchantsWithExpiredValue = databaseFunction(
  'merchants_with_expired_value',
  { at: instant },
  { merchantId },
);

/** Finds merchants with a member of staff who has yet to get the last day's summary. */
export const merchantsToSummarize = databaseFunction('merchants_to_summarize', { at: instant }, { merchantId });

/** Finds merchants with stock-outs whose time is over. */
export const merchantsWithEndedStockOuts = databaseFunction(
  'merchants_with_ended_stock_outs',
  { at: instant },
  { merchantId },
);

/**
 * Finds merchants with rows to aggregate, or with a new rule of what is counted (`version`) and of how days are, with the ledger's end and the
 * first database transaction that is not yet visible.
 */
export const reportsBehind = databaseFunction(
  'reports_behind_version',
  { at: instant, version: integer },
  {
    merchantId,
    timeZone: reportProgress.dayRule,
    clockAheadSeconds: merchants.clockAheadSeconds,
    lastEntryId: nullable(ledgerEntries.id),
    nextXid: sql<string>`xid8`,
  },
);

/**
 * Lets expired lots of the tenant live on until `until`: value came back to them. Errors: lots that have not expired at
 * `at`, and a later end than the merchant's days for returned value.
 */
export const reviveLots = databaseFunction(
  'revive_lots',
  { lotIds: sql<string[]>`uuid[]`, until: instant, at: instant },
  {},
);

/** Imports, issues and top-ups that have made no progress since `before`. */
export const stalledCustomerImports = databaseFunction(
  'stalled_customer_imports',
  { before: instant },
  { merchantId, importId: customerImports.id },
);
export const stalledVoucherIssues = databaseFunction(
  'stalled_voucher_issues',
  { before: instant },
  { merchantId, issueId: voucherIssues.id },
);

/** Finds card payments of top-ups whose check is due, expired codes, and refunds owed, but not those refused lately. */
export const topUpsToCheck = databaseFunction(
  'top_ups_to_check',
  { refusedBefore: instant, at: instant, most: integer },
  {
    merchantId,
    topUpRequestId: topUpRequests.id,
    method: topUpRequests.method,
    createdAt: topUpRequests.createdAt,
  },
);

/** Finds merchants with payments by card: top-ups from an id on, or on bills since a time. */
export const merchantsWithCardPayments = databaseFunction(
  'merchants_with_card_payments',
  { since: instant, firstId: uuid },
  { merchantId },
);

/** Merchants with an account of their own at the payment service. */
export const connectedMerchants = databaseFunction('connected_merchants', {}, { merchantId });

/** Finds the merchant whose own account at the payment service this is. */
export const merchantOfCardAccount = databaseFunction(
  'merchant_of_card_account',
  { account: sql<string>`text` },
  { merchantId },
);

/** Finds payments on bills with an open checkout or a refund owed. `before` limits those that are still held. */
export const unsettledBillPayments = databaseFunction(
  'unsettled_bill_payments',
  { before: instant, refusedBefore: instant, most: integer },
  { merchantId, billPaymentId: billPayments.id },
);

/** Finds open bills that their tills last sent before `before`. */
export const forgottenBills = databaseFunction(
  'forgotten_bills',
  { before: instant, most: integer },
  { merchantId, billUid: bills.id },
);

export const recordApiRequests = databaseFunction('record_api_requests', { requests: sql<string>`json` }, {});

/** Records a receipt. Returns true if a message has this id of the provider. */
export const recordDeliveryReceipt = databaseFunction(
  'record_delivery_receipt',
  { provider: sql<string>`text`, newState: messages.state, reason: messages.failure },
  { isKnown: sql<boolean>`boolean` },
);

/** Finds endpoints of open merchants that have something to send at this time. */
export const webhookEndpointsDue = databaseFunction(
  'webhook_endpoints_due',
  { at: instant },
  { merchantId, endpointId: webhookEndpoints.id, isFailing: sql<boolean>`boolean` },
);

export const giveUpMessages = databaseFunction('give_up_messages', { before: instant }, {});

/**
 * Functions that delete old rows of all merchants. Those with `most` return how many rows they deleted; call them until
 * they return 0.
 */
export const deleteApiRequests = databaseFunction(
  'delete_api_requests',
  { before: uuid, most: integer },
  { deleted: integer },
);
export const forgetCustomerImports = databaseFunction(
  'forget_customer_imports',
  { before: instant, most: integer },
  { forgotten: integer },
);
export const forgetJobRuns = databaseFunction(
  'forget_job_runs',
  { before: instant, most: integer },
  { forgotten: integer },
);
export const forgetEvents = databaseFunction('forget_events', { before: uuid, most: integer }, { forgotten: integer });
export const forgetMenuPhotos = databaseFunction(
  'forget_menu_photos',
  { before: instant, most: integer },
  { forgotten: integer },
);
export const forgetDiners = databaseFunction('forget_diners', { ended: instant, before: instant }, {});
export const forgetInvitations = databaseFunction('forget_invitations', { before: instant }, {});
export const forgetPasswordResets = databaseFunction(
  'forget_password_resets',
  { before: instant, most: integer },
  { forgotten: integer },
);
export const forgetStaffSessions = databaseFunction(
  'forget_staff_sessions',
  { before: instant, most: integer },
  { forgotten: integer },
);

/** Deletes what a sandbox merchant's customers and tills have done, and resets its clock to the real time. */
export const resetSandboxMerchant = databaseFunction('reset_sandbox_merchant', { merchant: uuid }, {});
