/** Rows of top-up requests. Lock order: the customer's balance, the request, then transactions. */

import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import { topUpRequests } from '@/db/schema';
import type { Merchant, Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { lockBalance } from '../ledger';

/** A customer's request from the phone. */
export interface CustomerContext extends Services {
  merchant: Merchant;
  customerId: string;
}

export const topUpRequestColumns = {
  id: topUpRequests.id,
  customerId: topUpRequests.customerId,
  packageId: topUpRequests.packageId,
  principal: topUpRequests.principal,
  bonus: topUpRequests.bonus,
  bonusExpiresInDays: topUpRequests.bonusExpiresInDays,
  method: topUpRequests.method,
  state: topUpRequests.state,
  counterCode: topUpRequests.counterCode,
  checkoutId: topUpRequests.checkoutId,
  checkoutUrl: topUpRequests.checkoutUrl,
  cardAccountId: topUpRequests.cardAccountId,
  paymentId: topUpRequests.paymentId,
  refundedAmount: topUpRequests.refundedAmount,
  refundRefusedAt: topUpRequests.refundRefusedAt,
  alertedAt: topUpRequests.alertedAt,
  acknowledgedAt: topUpRequests.acknowledgedAt,
  transactionUid: topUpRequests.transactionUid,
  expiresAt: topUpRequests.expiresAt,
  processingSince: topUpRequests.processingSince,
  processingUntil: topUpRequests.processingUntil,
};

export type TopUpRequest = Pick<typeof topUpRequests.$inferSelect, keyof typeof topUpRequestColumns>;
export type TopUpRequestState = TopUpRequest['state'];

export const isRequest = ({ merchantId }: Tx, id: string) =>
  and(eq(topUpRequests.merchantId, merchantId), eq(topUpRequests.id, id));

export async function findRequest(tx: Tx, id: string): Promise<TopUpRequest | null> {
  const [row] = await tx.db.select(topUpRequestColumns).from(topUpRequests).where(isRequest(tx, id));
  return row ?? null;
}

/** Errors: `top_up_request_not_found`, also if it is another customer's. */
export async function findOwnRequest(tx: Tx, customerId: string, id: string): Promise<TopUpRequest> {
  const request = await findRequest(tx, id);
  if (request?.customerId !== customerId) throw requestNotFound();
  return request;
}

const isOpen = (merchantId: string, customerId: string, method: TopUpRequest['method'], now: Date) =>
  and(
    eq(topUpRequests.merchantId, merchantId),
    eq(topUpRequests.customerId, customerId),
    eq(topUpRequests.method, method).inlineParams(),
    eq(topUpRequests.state, 'open').inlineParams(),
    gt(topUpRequests.expiresAt, now),
  );

/** Finds a customer's open code for the counter, at most one. Returns an unsent query, to be sent after a lock. */
export const findOpenCode = ({ merchantId, db }: Tx, customerId: string, now: Date) =>
  db
    .select(topUpRequestColumns)
    .from(topUpRequests)
    .where(isOpen(merchantId, customerId, 'counter', now))
    .orderBy(desc(topUpRequests.id))
    .limit(1);

const mostBegun = 10;

/** Finds a customer's payments by card that can still be paid, the newest first. */
export const findBegun = ({ merchantId, db }: Tx, customerId: string, now: Date) =>
  db
    .select(topUpRequestColumns)
    .from(topUpRequests)
    .where(and(isOpen(merchantId, customerId, 'card', now), isNull(topUpRequests.processingSince)))
    .orderBy(desc(topUpRequests.id))
    .limit(mostBegun);

/** Locks a request and its customer's balance until the database transaction ends. */
export async function lockRequest(
  tx: Tx,
  { id, customerId }: Pick<TopUpRequest, 'id' | 'customerId'>,
): Promise<TopUpRequest> {
  only(await lockBalance(tx, customerId));
  // An unpaid request goes to the other customer in a merge, and back when it is undone.
  const current = await findRequest(tx, id);
  if (current && current.customerId !== customerId) return lockRequest(tx, current);
  return only(await tx.db.select(topUpRequestColumns).from(topUpRequests).where(isRequest(tx, id)).for('update'));
}

type Changes = Partial<
  Pick<
    typeof topUpRequests.$inferInsert,
    | 'state'
    | 'refusal'
    | 'paymentId'
    | 'refundedAmount'
    | 'refundRefusedAt'
    | 'alertedAt'
    | 'acknowledgedAt'
    | 'transactionUid'
    | 'checkAt'
    | 'processingSince'
    | 'processingUntil'
  >
>;

/** Updates a locked request. */
export function updateRequest(tx: Tx, { id }: Pick<TopUpRequest, 'id'>, changes: Changes) {
  return tx.db.update(topUpRequests).set(changes).where(isRequest(tx, id));
}

/** Returns a request's state at `now`. A request for the counter expires at its time, even if not marked yet. */
export function stateAt({ method, state, expiresAt }: TopUpRequest, now: Date): TopUpRequestState {
  return method === 'counter' && state === 'open' && expiresAt <= now ? 'expired' : state;
}

export function requestNotFound(): DomainError {
  return new DomainError('top_up_request_not_found', say('topUpNotFound'));
}
