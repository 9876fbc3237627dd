import { withMerchant } from '@/db/client';
import type { TopUpOutput } from '../stored-value/schemas';
import { type CustomerContext, findOwnRequest, stateAt, type TopUpRequestState } from './request';

/** A top-up as its customer sees it. Amounts in minor units. */
export interface TopUpRequestView {
  topUpRequestId: string;
  packageName: string;
  method: 'card' | 'counter';
  /** `voided`: was credited, and taken back since. */
  state: TopUpRequestState | 'voided';
  amount: number;
  bonus: number;
  /** Both together. */
  credited: number;
  /** While it can be paid at a counter. */
  counterCode: string | null;
  /** While it can be paid by card. */
  checkoutUrl: string | null;
  expiresAt: string;
  /** Why a payment was not credited. */
  refusal: string | null;
  /** The balance once it was credited, and until when the bonus counts. */
  balance: number | null;
  bonusExpiresAt: string | null;
}

/** Errors: `top_up_request_not_found`. */
export function getTopUpRequest(
  { db, merchant, systemClock, customerId }: CustomerContext,
  { topUpRequestId }: { topUpRequestId: string },
): Promise<TopUpRequestView> {
  return withMerchant(db, merchant.id, async (tx) => {
    const request = await findOwnRequest(tx, customerId, topUpRequestId);
    const { merchantId, sql } = tx;
    const [row] = await sql`
      select p.name, r.refusal, t.status, t.answer
      from top_up_requests r
      join stored_value_packages p on p.merchant_id = r.merchant_id and p.id = r.package_id
      left join transactions t on t.merchant_id = r.merchant_id and t.uid = r.transaction_uid
      where r.merchant_id = ${merchantId} and r.id = ${request.id}`;
    const { method, principal, bonus, counterCode, checkoutUrl, expiresAt } = request;
    const state = stateAt(request, systemClock.now());
    const isOpen = state === 'open';
    const told: TopUpOutput | null = row?.answer ? JSON.parse(row.answer) : null;
    return {
      topUpRequestId,
      packageName: row?.name,
      method,
      state: state === 'credited' && row?.status === 'voided' ? 'voided' : state,
      amount: principal,
      bonus,
      credited: principal + bonus,
      counterCode: isOpen ? counterCode : null,
      checkoutUrl: isOpen ? checkoutUrl : null,
      expiresAt: expiresAt.toISOString(),
      refusal: row?.refusal,
      balance: told?.storedValue.balance ?? null,
      bonusExpiresAt: told?.bonusExpiresAt ?? null,
    };
  });
}
