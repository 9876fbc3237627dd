import { and, between, eq, gte, lt, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { deleteApiRequests, recordApiRequests } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { apiKeys, apiRequests } from '@/db/schema';
import { announcementOf, changesChannel } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { firstIdAt } from '../kernel/ids';
import { type Page, seekPage, seekSql, toPage } from '../kernel/page';
import type { ListApiRequestsInput } from '../merchants';
import { apiKeyNotFound } from './api-keys';

/** What is stored of a request: not its path or body, which may name a person. */
export interface ApiRequest {
  merchantId: string;
  apiKeyId: string;
  /** Created at the time of the request. */
  id: string;
  operation: string | null;
  status: number;
  errorCode: string | null;
  durationMs: number;
  createdAt: Date;
}

/** Operations that record or void transactions. */
const recordingOperations = new Set([
  'topUpStoredValue',
  'cashOutStoredValue',
  'redeemStoredValue',
  'redeemVoucher',
  'redeemPoints',
  'submitSale',
  'voidTransactions',
]);

/**
 * Stores requests of all merchants in one statement, and notifies open screens of new transactions. The notification is
 * sent here, once for many requests and after their responses, because commits that notify wait for one another.
 */
export async function saveApiRequests({ db }: Services, requests: ApiRequest[]): Promise<void> {
  const booked = requests.filter(({ operation }) => operation !== null && recordingOperations.has(operation));
  const announcements = [...new Set(booked.map(({ merchantId }) => announcementOf(merchantId, 'transactions')))];
  const { $rows } = recordApiRequests({ requests: sql`${JSON.stringify(requests)}::text::json` });
  await db.pool.run(sql`
    select (
      select count(pg_notify(${changesChannel}, announcement)) from unnest(${sql.param(announcements)}::text[]) announcement
    ) from ${$rows}`);
}

export type ApiRequestSummary = Omit<ApiRequest, 'merchantId' | 'apiKeyId' | 'id'> & { requestId: string };

const newestFirst = { columns: [apiRequests.id], descending: true };
const outcomes = {
  succeeded: lt(apiRequests.status, 400).inlineParams(),
  refused: between(apiRequests.status, 400, 499).inlineParams(),
  failed: gte(apiRequests.status, 500).inlineParams(),
};

/** Lists a key's requests, newest first. Errors: `api_key_not_found`. */
export function listApiRequests(ctx: StaffContext, input: ListApiRequestsInput): Promise<Page<ApiRequestSummary>> {
  const page = seekPage(input, newestFirst);
  const { where, orderBy, limit } = seekSql(page, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async ({ merchantId, db }) => {
    const { id: requestId, apiKeyId, operation, status, errorCode, durationMs, createdAt } = apiRequests;
    const isOfKey = and(eq(apiRequests.merchantId, merchantId), eq(apiKeyId, input.apiKeyId));
    const [keys, rows] = await Promise.all([
      db
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.id, input.apiKeyId))),
      db
        .select({ requestId, operation, status, errorCode, durationMs, createdAt })
        .from(apiRequests)
        .where(and(isOfKey, input.outcome && outcomes[input.outcome], where))
        .orderBy(...orderBy)
        .limit(limit),
    ]);
    if (keys.length === 0) throw apiKeyNotFound();
    return toPage(rows, page, (row) => [row.requestId]);
  });
}

const keptMs = 30 * 24 * 60 * 60_000;
const batchSize = 5_000;
const maxBatches = 2_000;

/** Deletes requests older than 30 days in batches, except each key's newest. */
export async function deleteOldApiRequests({ db, clock, stopping }: Services): Promise<void> {
  const before = firstIdAt(new Date(clock.now().getTime() - keptMs));
  for (let batch = 0; batch < maxBatches && !stopping?.aborted; batch++) {
    const { $rows, ...rows } = deleteApiRequests({ before, most: batchSize });
    const { deleted } = only(await db.pool.select(rows).from($rows));
    if (deleted < batchSize) return;
  }
}
