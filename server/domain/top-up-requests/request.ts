/** The rows of top-up requests. A customer's balance is locked before their request, and both before transactions. */
import type { Tx } from '@/db/client';
import type { Merchant, Services } from '../core/context';
import { DomainError } from '../core/errors';
import { lockBalance } from '../ledger/balance';
import type { TopUpTerms } from '../stored-value/credit';

/** A request of a customer, from the phone. */
export interface CustomerContext extends Services {
  merchant: Merchant;
  customerId: string;
}

export type TopUpRequestState = 'open' | 'credited' | 'cancelled' | 'expired' | 'failed' | 'refunding' | 'refunded';

export interface TopUpRequest extends TopUpTerms {
  id: string;
  customerId: string;
  method: 'card' | 'counter';
  state: TopUpRequestState;
  counterCode: string | null;
  checkoutId: string | null;
  checkoutUrl: string | null;
  /** Minor units that were paid back. */
  refundedAmount: number;
  /** Since when staff are asked to look at a refund. */
  alertedAt: Date | null;
  transactionUid: string | null;
  expiresAt: Date;
}

export const topUpRequestColumns = `id, customer_id as "customerId", package_id as "packageId", principal, bonus,
  bonus_expires_in_days as "bonusExpiresInDays", method, state, counter_code as "counterCode", checkout_id as "checkoutId",
  checkout_url as "checkoutUrl", refunded_amount as "refundedAmount", alerted_at as "alertedAt", transaction_uid as "transactionUid",
  expires_at as "expiresAt"`;

export async function findRequest({ merchantId, sql }: Tx, id: string): Promise<TopUpRequest | null> {
  const [row] = await sql<TopUpRequest[]>`
    select ${sql.unsafe(topUpRequestColumns)} from top_up_requests where merchant_id = ${merchantId} and id = ${id}`;
  return row ?? null;
}

/** Errors: `top_up_request_not_found`, also where it is another customer's. */
export async function findOwnRequest(tx: Tx, customerId: string, id: string): Promise<TopUpRequest> {
  const request = await findRequest(tx, id);
  if (request?.customerId !== customerId) throw requestNotFound();
  return request;
}

/** A request as it stands, locked with its customer's balance until the database transaction ends. */
export async function lockRequest(tx: Tx, { id, customerId }: Pick<TopUpRequest, 'id' | 'customerId'>) {
  const { merchantId, sql } = tx;
  const [, [row]] = await Promise.all([
    lockBalance(tx, customerId),
    sql<[TopUpRequest]>`
      select ${sql.unsafe(topUpRequestColumns)} from top_up_requests
      where merchant_id = ${merchantId} and id = ${id} for update`,
  ]);
  return row;
}

/** Changes a request that is locked. */
export function updateRequest(
  { merchantId, sql }: Tx,
  { id }: Pick<TopUpRequest, 'id'>,
  columns: {
    state?: TopUpRequestState;
    refusal?: string;
    refunded_amount?: number;
    alerted_at?: Date;
    acknowledged_at?: null;
    transaction_uid?: string;
  },
) {
  return sql`update top_up_requests set ${sql(columns)} where merchant_id = ${merchantId} and id = ${id}`;
}

/** What became of a request: one for the counter ends by its time, whether or not it was written down. */
export function stateAt({ method, state, expiresAt }: TopUpRequest, now: Date): TopUpRequestState {
  return method === 'counter' && state === 'open' && expiresAt <= now ? 'expired' : state;
}

export function requestNotFound(): DomainError {
  return new DomainError('top_up_request_not_found', 'There is no top-up with this code or id.');
}
