/** Top-ups that a diner began on the phone and pays at a counter, with the code that the phone shows. */
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { formatMoney } from '../core/money';
import { lockBalance } from '../ledger/balance';
import { creditTopUp } from '../stored-value/credit';
import type { TopUpInput, TopUpOutput } from '../stored-value/schemas';
import type { Attempt } from '../transactions/outcome';
import { requestNotFound, stateAt, type TopUpRequest, topUpRequestColumns, updateRequest } from './request';
import type { CounterTopUp } from './schemas';

/** What a code is for, before the customer pays. Errors: `top_up_request_not_found`, `top_up_request_closed`. */
export function lookUpCounterCode(ctx: PosContext, { counterCode }: { counterCode: string }): Promise<CounterTopUp> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const request = await checkOpen(tx, await findByCode(tx, counterCode, sql``), ctx.systemClock.now());
    const { packageId, principal, bonus, expiresAt } = request;
    const [named] = await sql<[CounterTopUp['customer'] & { packageName: string }]>`
      select c.id as "customerId", c.given_name as "givenName", c.last_name as "lastName", p.name as "packageName"
      from customers c, stored_value_packages p
      where c.merchant_id = ${merchantId} and c.id = ${request.customerId}
        and p.merchant_id = ${merchantId} and p.id = ${packageId}`;
    const { packageName, ...customer } = named;
    return {
      counterCode,
      customer,
      packageId,
      packageName,
      amount: principal,
      bonus,
      credited: principal + bonus,
      currency: ctx.merchant.currency,
      expiresAt: expiresAt.toISOString(),
    };
  });
}

/**
 * Credits what the code is for, as it was offered. Errors: `top_up_request_not_found`, `top_up_request_closed`,
 * `counter_code_mismatch`, `customer_blocked`, `balance_limit_exceeded`.
 */
export async function creditAtCounter(
  tx: Tx,
  attempt: Attempt,
  { counterCode = '', packageId, amount }: TopUpInput,
): Promise<TopUpOutput> {
  const customerId = attempt.customerId as string;
  const [, found] = await Promise.all([lockBalance(tx, customerId), findByCode(tx, counterCode, tx.sql`for update`)]);
  const request = await checkOpen(tx, found, attempt.ctx.systemClock.now());
  if (request.customerId !== customerId) throw mismatch('customer', 'This code is of another customer.');
  if (request.packageId !== packageId.toLowerCase()) {
    throw mismatch('packageId', 'This code is for another stored-value package.');
  }
  if (amount !== undefined && amount !== request.principal) {
    const [own, asked] = [request.principal, amount].map((sum) => formatMoney(sum, attempt.ctx.merchant.currency));
    throw mismatch('amount', `This code is for a top-up of ${own}, not ${asked}.`);
  }
  const answer = await creditTopUp(tx, { attempt, terms: request });
  await updateRequest(tx, request, { state: 'credited', transaction_uid: attempt.uid });
  return answer;
}

/** `field` is that of the request which is not as on the customer's phone. */
const mismatch = (field: string, message: string) => new DomainError('counter_code_mismatch', message, { field });

/** The open request with this code, else the last that had it. */
async function findByCode({ merchantId, sql }: Tx, code: string, lock: Fragment): Promise<TopUpRequest | undefined> {
  const [row] = await sql<TopUpRequest[]>`
    select ${sql.unsafe(topUpRequestColumns)} from top_up_requests
    where merchant_id = ${merchantId} and counter_code = ${code}
    order by state = 'open' desc, id desc limit 1 ${lock}`;
  return row;
}

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

async function isVoided({ merchantId, sql }: Tx, { transactionUid }: TopUpRequest): Promise<boolean> {
  const [row] =
    await sql`select status from transactions where merchant_id = ${merchantId} and uid = ${transactionUid}`;
  return row?.status === 'voided';
}
