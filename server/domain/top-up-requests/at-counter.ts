/** Top-ups that a diner starts on the phone and pays at a counter, with the code on the phone. */
import { and, desc, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { only } from '@/db/queries';
import { customers, storedValuePackages, topUpRequests, transactions } from '@/db/schema';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { formatMoney } from '../core/money';
import { lockBalance } from '../ledger/balance';
import { creditTopUp } from '../stored-value/credit';
import type { TopUpInput, TopUpOutput } from '../stored-value/schemas';
import type { Attempt } from '../transactions/outcome';
import { requestNotFound, stateAt, type TopUpRequest, topUpRequestColumns, updateRequest } from './request';
import type { CounterTopUp } from './schemas';

/**
 * Returns what a code is for, before the customer pays. Errors: `top_up_request_not_found`, `top_up_request_closed`.
 */
export function lookUpCounterCode(ctx: PosContext, { counterCode }: { counterCode: string }): Promise<CounterTopUp> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const [found] = await findByCode(tx, counterCode);
    const request = await checkOpen(tx, found, ctx.systemClock.now());
    const { customerId, packageId, principal, bonus, expiresAt } = request;
    const { givenName, lastName } = customers;
    const named = only(
      await db
        .select({
          customer: { customerId: customers.id, givenName, lastName },
          packageName: storedValuePackages.name,
        })
        .from(customers)
        .innerJoin(
          storedValuePackages,
          and(eq(storedValuePackages.merchantId, merchantId), eq(storedValuePackages.id, packageId)),
        )
        .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId))),
    );
    return {
      ...named,
      counterCode,
      packageId,
      amount: principal,
      bonus,
      credited: principal + bonus,
      currency: ctx.merchant.currency,
      expiresAt: expiresAt.toISOString(),
    };
  });
}

/**
 * Credits a code's top-up on the offered terms. Errors: `top_up_request_not_found`, `top_up_request_closed`,
 * `counter_code_mismatch`, `customer_blocked`, `balance_limit_exceeded`.
 */
export async function creditAtCounter(
  tx: Tx,
  attempt: Attempt,
  { counterCode = '', packageId, amount }: TopUpInput,
): Promise<TopUpOutput> {
  const customerId = attempt.customerId as string;
  const [, [found]] = await Promise.all([lockBalance(tx, customerId), findByCode(tx, counterCode).for('update')]);
  const request = await checkOpen(tx, found, attempt.ctx.systemClock.now());
  if (request.customerId !== customerId) throw mismatch('customer', 'This code is of another customer.');
  if (request.packageId !== packageId.toLowerCase()) {
    throw mismatch('packageId', 'This code is for another stored-value package.');
  }
  if (amount !== undefined && amount !== request.principal) {
    const [offeredAmount, requestedAmount] = [request.principal, amount].map((sum) =>
      formatMoney(sum, attempt.ctx.merchant.currency),
    );
    throw mismatch('amount', `This code is for a top-up of ${offeredAmount}, not ${requestedAmount}.`);
  }
  const answer = await creditTopUp(tx, { attempt, terms: request });
  await updateRequest(tx, request, { state: 'credited', transactionUid: attempt.uid });
  return answer;
}

/** `field` is the request's field that differs from the customer's phone. */
const mismatch = (field: string, message: string) => new DomainError('counter_code_mismatch', message, { field });

/** Finds the open request with this code, else the last one that had it. */
const findByCode = ({ merchantId, db }: Tx, code: string) =>
  db
    .select(topUpRequestColumns)
    .from(topUpRequests)
    .where(and(eq(topUpRequests.merchantId, merchantId), eq(topUpRequests.counterCode, code)))
    .orderBy(desc(eq(topUpRequests.state, 'open').inlineParams()), desc(topUpRequests.id))
    .limit(1);

async function checkOpen(tx: Tx, request: TopUpRequest | undefined, now: Date): Promise<TopUpRequest> {
  if (!request) throw requestNotFound();
  const state = stateAt(request, now);
  if (state === 'open') return request;
  if (state === 'credited' && (await isVoided(tx, request))) {
    const message = 'This top-up was voided. Begin another on the phone, or top up without the code.';
    throw new DomainError('top_up_request_closed', message, { state: 'voided' });
  }
  const message = state === 'credited' ? 'This top-up was credited already.' : 'This code does not work any more.';
  throw new DomainError('top_up_request_closed', message, { state });
}

async function isVoided({ merchantId, db }: Tx, { transactionUid }: TopUpRequest): Promise<boolean> {
  if (transactionUid === null) return false;
  const [row] = await db
    .select({ status: transactions.status })
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, transactionUid)));
  return row?.status === 'voided';
}
