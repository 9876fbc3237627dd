/** Top-ups that a diner starts on the phone and pays at a counter, with the code on the phone. */

import { and, desc, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { customers, storedValuePackages, topUpRequests, transactions } from '@/db/schema';
import { type Accounts, defineOperation, type PosAttempt } from '../engine';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { type NewEvent, sendEvents, wantsEvent } from '../kernel/events';
import { type Sentence, say } from '../kernel/say';
import { openAccounts } from '../ledger';
import { decideTopUp, queueReceipts, type TopUpInput, type TopUpOutput } from '../stored-value';
import { stateAt, type TopUpRequest, topUpRequestColumns, updateRequest } from './request';
import type { CounterTopUp } from './schemas';

/**
 * Returns what a code would credit, before the customer pays. Errors: `top_up_request_not_found`,
 * `top_up_request_closed`.
 */
export function lookUpCounterCode(ctx: PosContext, { counterCode }: { counterCode: string }): Promise<CounterTopUp> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const [found] = await findByCode(tx, counterCode);
    const request = checkRequestOpen(await seen(tx, found), ctx.systemClock.now());
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

interface Loaded extends Accounts {
  seen: Seen | null;
}

/**
 * Credits a code's top-up on the offered terms. Errors: `top_up_request_not_found`, `top_up_request_closed`,
 * `counter_code_mismatch`, `customer_blocked`, `balance_limit_exceeded`.
 */
export const topUpAtCounter = defineOperation<TopUpInput, TopUpOutput, Loaded>({
  type: 'topUp',
  onBill: 'nothing',
  // The code may belong to another customer, whose top-up is then locked.
  isApart: true,
  load: async (tx, attempts, onLocked) => {
    const [{ input }] = attempts as [PosAttempt<TopUpInput>];
    const [accounts, [found]] = await Promise.all([
      openAccounts(tx, attempts, { onLocked, spend: 'nothing' }),
      findByCode(tx, input.counterCode ?? '').for('update'),
    ]);
    return { accounts, seen: await seen(tx, found) };
  },
  decide: (attempt, account, loaded) => {
    const { merchant, systemClock } = attempt.ctx;
    const { packageId, amount } = attempt.input;
    const request = checkRequestOpen(loaded.seen, systemClock.now());
    if (request.customerId !== attempt.customerId) throw mismatch('customer', say('counterCodeOfOther'));
    if (request.packageId !== packageId.toLowerCase()) {
      throw mismatch('packageId', say('counterCodeOfPackage'));
    }
    if (amount !== undefined && amount !== request.principal) {
      const { currency } = merchant;
      const [own, asked] = [
        { minor: request.principal, currency },
        { minor: amount, currency },
      ];
      throw mismatch('amount', say('counterCodeOfAmount', { own, asked }));
    }
    return decideTopUp(attempt, request, account);
  },
  write: (tx, done, { seen }) => {
    queueReceipts(tx, done);
    const changes = done.map(({ attempt: { uid } }) => ({ state: 'credited' as const, transactionUid: uid }));
    if (!seen) return;
    tx.send(...changes.map((change) => updateRequest(tx, seen.request, change)));
    sendEvents(
      tx,
      done
        .filter(({ attempt }) => wantsEvent(attempt.ctx.merchant, 'counter_code.topped_up'))
        .map(({ attempt }) => toppedUp(attempt, seen.request)),
    );
  },
});

/** The event of a credited top-up: what a look-up of its code returned, and the transaction. */
function toppedUp({ ctx, input, storeId, now }: PosAttempt<TopUpInput>, request: TopUpRequest): NewEvent {
  const { counterCode, customerId, packageId, principal, bonus } = request;
  const { currency } = ctx.merchant;
  const value = { amount: principal, bonus, credited: principal + bonus, currency };
  const data = { counterCode, customerId, packageId, ...value, transactionId: input.transactionId };
  return { type: 'counter_code.topped_up', storeId, occurredAt: now, data };
}

/** `field` is the request's field that differs from the customer's phone. */
const mismatch = (field: string, sentence: Sentence) => new DomainError('counter_code_mismatch', sentence, { field });

/** Finds the open request with this code, or else the last one that had it. */
const findByCode = ({ merchantId, db }: Tx, code: string) =>
  db
    .select(topUpRequestColumns)
    .from(topUpRequests)
    .where(and(eq(topUpRequests.merchantId, merchantId), eq(topUpRequests.counterCode, code)))
    .orderBy(desc(eq(topUpRequests.state, 'open').inlineParams()), desc(topUpRequests.id))
    .limit(1);

interface Seen {
  request: TopUpRequest;
  /** True if the top-up that credited it was voided. */
  isVoided: boolean;
}

const seen = async (tx: Tx, request: TopUpRequest | undefined): Promise<Seen | null> =>
  request ? { request, isVoided: await isVoided(tx, request) } : null;

/** Errors: `top_up_request_not_found`, `top_up_request_closed`. */
function checkRequestOpen(seen: Seen | null, now: Date): TopUpRequest {
  if (!seen) throw new DomainError('top_up_request_not_found', say('counterCodeUnknown'));
  const state = stateAt(seen.request, now);
  if (state === 'open') return seen.request;
  if (state === 'credited' && seen.isVoided) {
    throw new DomainError('top_up_request_closed', say('topUpVoided'), { state: 'voided' });
  }
  const sentence = say(state === 'credited' ? 'topUpCredited' : 'counterCodeOver');
  throw new DomainError('top_up_request_closed', sentence, { state });
}

async function isVoided({ merchantId, db }: Tx, { transactionUid }: TopUpRequest): Promise<boolean> {
  if (transactionUid === null) return false;
  const [row] = await db
    .select({ status: transactions.status })
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, transactionUid)));
  return row?.status === 'voided';
}
