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

/** Whether any open merchant has a key of this environment that works. */
export const hasWorkingKeys = databaseFunction(
  'has_working_keys',
  { kind: apiKeys.environment },
  { found: sql<boolean>`boolean` },
);

/** Sets the merchant of a single statement. Join what reads after it laterally, so that it runs second. */
export const setTenant = databaseFunction('set_tenant', { merchant: uuid }, { id: merchantId });

/** A key, its merchant and its store, if it is of one, by the key's hash. */
export const apiKeyByHash = databaseFunction(
  'api_key_by_hash',
  { keyHash: apiKeys.hash },
  { key: rowType(apiKeys), merchant: rowType(merchants), store: rowType(stores) },
);

/**
 * The merchants that a key, token or id stands for, if nothing in this cell serves them. `reference` is the hash of a key or
 * token, or the bytes of an id; also of a merchant itself.
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

/** Whether the person has a second factor, whichever. The service sees that of the transaction's person only. */
export const personSecondFactor = databaseFunction(
  'has_second_factor',
  { person: uuid },
  { isSo: sql<boolean>`boolean` },
);

/** Those of the merchant's staff who have a second factor. */
export const membersWithSecondFactor = databaseFunction(
  'members_with_second_factor',
  { merchant: uuid },
  { userId: users.id },
);

/** True if the person works for that merchant and for no other. */
export const worksOnlyAt = databaseFunction(
  'works_only_at',
  { person: uuid, merchant: uuid },
  { isOnly: sql<boolean>`boolean` },
);

/** A person's password, by their address in lower case. */
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

/** The person of a link that is still valid, and the names of their merchants. */
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

/** A QR code by its token's hash, how far its merchant's clock is ahead, and since when the merchant is closed. */
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

/** A table by its card's token's hash, with the same of its merchant. */
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

/** Photos are public: anyone with the id of one may see it. */
export const menuPhoto = databaseFunction(
  'menu_photo',
  { photo: menuPhotos.id, wantsLarge: sql<boolean>`boolean` },
  { content: menuPhotos.small },
);

/** Campaigns with an occasion that starts now, each by its merchant's clock. */
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

/** Merchants of whose last day someone is still to get a summary. */
export const merchantsToSummarize = databaseFunction('merchants_to_summarize', { at: instant }, { merchantId });

/** Merchants with stock-outs whose time is over. */
export const merchantsWithEndedStockOuts = databaseFunction(
  'merchants_with_ended_stock_outs',
  { at: instant },
  { merchantId },
);

/**
 * Merchants with rows to aggregate, how far the ledger reaches, and the first database transaction that is not yet
 * visible.
 */
export const reportBacklog = databaseFunction(
  'report_backlog',
  { at: instant },
  {
    merchantId,
    timeZone: reportProgress.timeZone,
    clockAheadSeconds: merchants.clockAheadSeconds,
    lastEntryId: nullable(ledgerEntries.id),
    nextXid: sql<string>`xid8`,
  },
);

/** Imports, issues and top-ups without progress since `before`. */
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
export const unsettledTopUps = databaseFunction(
  'unsettled_top_ups',
  { before: instant, at: instant, most: integer },
  { merchantId, topUpRequestId: topUpRequests.id, method: topUpRequests.method },
);

/** Payments of bills whose checkout is not over, and those of which something is owed. `before` is for those still held. */
export const unsettledBillPayments = databaseFunction(
  'unsettled_bill_payments',
  { before: instant, refusedBefore: instant, most: integer },
  { merchantId, billPaymentId: billPayments.id },
);

/** Open bills with diners' payments that their tills last sent before `before`. */
export const forgottenBills = databaseFunction(
  'forgotten_bills',
  { before: instant, most: integer },
  { merchantId, billUid: bills.id },
);

export const recordApiRequests = databaseFunction('record_api_requests', { requests: sql<string>`json` }, {});

/** Returns true if a message has the provider's id. */
export const recordDeliveryReceipt = databaseFunction(
  'record_delivery_receipt',
  { provider: sql<string>`text`, newState: messages.state, reason: messages.failure },
  { isKnown: sql<boolean>`boolean` },
);

/** Endpoints of all open merchants that have something to send at this time. */
export const webhookEndpointsDue = databaseFunction(
  'webhook_endpoints_due',
  { at: instant },
  { merchantId, endpointId: webhookEndpoints.id, isFailing: sql<boolean>`boolean` },
);

export const giveUpMessages = databaseFunction('give_up_messages', { before: instant }, {});

/**
 * Delete older rows of all merchants. Those that take `most` return how many rows they deleted, and are called until
 * none are left.
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

/** Deletes what customers and tills of a sandbox's merchant have done, and sets its clock to the real time. */
export const resetSandboxMerchant = databaseFunction('reset_sandbox_merchant', { merchant: uuid }, {});
