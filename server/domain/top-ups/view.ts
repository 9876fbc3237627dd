import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { storedValuePackages as packages, topUpRequests, transactions } from '@/db/schema';
import type { TopUpOutput } from '../stored-value';
import { type CustomerContext, findOwnRequest, isRequest, stateAt, type TopUpRequestState } from './request';

/** A top-up as its customer sees it. Amounts are in minor units. */
export interface TopUpRequestView {
  topUpRequestId: string;
  packageName: string;
  method: 'card' | 'counter';
  /** `processing`: the payer is done, the bank is not. `voided`: credited, then reversed. */
  state: TopUpRequestState | 'processing' | 'voided';
  amount: number;
  bonus: number;
  /** Paid amount and bonus together. */
  credited: number;
  /** Set while it can be paid at a counter. */
  counterCode: string | null;
  /** Set while it can be paid by card. */
  checkoutUrl: string | null;
  expiresAt: string;
  /** When a payment in `processing` ends at the latest, if known. */
  processingUntil: string | null;
  /** Why a payment was not credited. */
  refusal: string | null;
  /** The balance after the credit, and the bonus's expiry. */
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
    const r = topUpRequests;
    const { packageName, refusal, status, answer } = only(
      await tx.db
        .select({
          packageName: packages.name,
          refusal: r.refusal,
          status: transactions.status,
          answer: transactions.answer,
        })
        .from(r)
        .innerJoin(packages, and(eq(packages.merchantId, r.merchantId), eq(packages.id, r.packageId)))
        .leftJoin(transactions, and(eq(transactions.merchantId, r.merchantId), eq(transactions.uid, r.transactionUid)))
        .where(isRequest(tx, request.id)),
    );
    const { method, principal, bonus, counterCode, checkoutUrl, expiresAt } = request;
    const state = stateAt(request, systemClock.now());
    const isOpen = state === 'open';
    const isProcessing = isOpen && request.processingSince !== null;
    const topUp: TopUpOutput | null = answer ? JSON.parse(answer) : null;
    return {
      topUpRequestId,
      packageName,
      method,
      state: isProcessing ? 'processing' : state === 'credited' && status === 'voided' ? 'voided' : state,
      amount: principal,
      bonus,
      credited: principal + bonus,
      counterCode: isOpen ? counterCode : null,
      checkoutUrl: isOpen && !isProcessing ? checkoutUrl : null,
      expiresAt: expiresAt.toISOString(),
      processingUntil: request.processingUntil?.toISOString() ?? null,
      refusal,
      balance: topUp?.storedValue.balance ?? null,
      bonusExpiresAt: topUp?.bonusExpiresAt ?? null,
    };
  });
}
