import { withMerchant } from '@/db/client';
import { announcementOf, changesChannel } from '../core/changes';
import type { Services } from '../core/context';
import { firstIdAt } from '../core/ids';
import { type Page, seek, seekSql, toPage } from '../core/page';
import type { StaffContext } from '../staff/context';
import { apiKeyNotFound } from './api-keys';
import type { ListApiRequestsInput } from './schemas';

/** What is kept of a request with a key: neither its path nor its body, which may name a person. */
export interface ApiRequest {
  merchantId: string;
  apiKeyId: string;
  /** Made at the time of the request. */
  id: string;
  operation: string | null;
  status: number;
  errorCode: string | null;
  durationMs: number;
  createdAt: Date;
}

/** What a POS asks that leaves a transaction behind, or voids some. */
const booking = new Set([
  'topUpStoredValue',
  'redeemStoredValue',
  'redeemVoucher',
  'redeemPoints',
  'submitSale',
  'voidTransactions',
]);

/**
 * Keeps requests of any merchants, in one statement; and tells open screens of the transactions that came of them. Told
 * here, once for many and after the answers, for commits that tell something wait for one another.
 */
export async function saveApiRequests({ db }: Services, requests: ApiRequest[]): Promise<void> {
  const booked = requests.filter(({ operation }) => operation !== null && booking.has(operation));
  const told = [...new Set(booked.map(({ merchantId }) => announcementOf(merchantId, 'transactions')))];
  await db.sql`
    select record_api_requests(${JSON.stringify(requests)}::text::json), (
      select count(pg_notify(${changesChannel}, announcement)) from unnest(${told}::text[]) announcement)`;
}

export type ApiRequestSummary = Omit<ApiRequest, 'merchantId' | 'apiKeyId' | 'id'> & { requestId: string };

const newestFirst = { columns: ['id'], descending: true };
const outcomes = {
  succeeded: 'status < 400',
  refused: 'status between 400 and 499',
  failed: 'status >= 500',
};

/** What a key was used for, newest first. Errors: `api_key_not_found`. */
export function listApiRequests(ctx: StaffContext, input: ListApiRequestsInput): Promise<Page<ApiRequestSummary>> {
  const page = seek(input, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const { where, orderBy, limit } = seekSql(tx, page, newestFirst);
    const outcome = sql.unsafe(input.outcome ? outcomes[input.outcome] : 'true');
    const [keys, rows] = await Promise.all([
      sql`select from api_keys where merchant_id = ${merchantId} and id = ${input.apiKeyId}`,
      sql`
        select id, operation, status, error_code, duration_ms, created_at from api_requests
        where merchant_id = ${merchantId} and api_key_id = ${input.apiKeyId} and ${outcome} and ${where}
        order by ${orderBy} ${limit}`,
    ]);
    if (keys.length === 0) throw apiKeyNotFound();
    return toPage(
      rows,
      page,
      ({ id }) => [id],
      (row) => ({
        requestId: row.id,
        operation: row.operation,
        status: row.status,
        errorCode: row.error_code,
        durationMs: row.duration_ms,
        createdAt: row.created_at,
      }),
    );
  });
}

const keptMs = 30 * 24 * 60 * 60_000;
const batchSize = 5_000;
const maxBatches = 2_000;

/** Deletes requests older than 30 days, batch by batch; a key's newest stays. */
export async function deleteOldApiRequests({ db, clock, stopping }: Services): Promise<void> {
  const before = firstIdAt(new Date(clock.now().getTime() - keptMs));
  for (let batch = 0; batch < maxBatches && !stopping?.aborted; batch++) {
    const [row] = await db.sql`select delete_api_requests(${before}, ${batchSize}) as deleted`;
    if (row?.deleted < batchSize) return;
  }
}
