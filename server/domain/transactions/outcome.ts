import { createHash } from 'node:crypto';
import type { Row } from 'postgres';
import { isUniqueViolation, withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError, isOutcome } from '../core/errors';
import { newId } from '../core/ids';
import { checkOccurredAt } from '../core/occurred-at';
import type { WriteFields } from '../core/schemas';
import { together } from '../core/together';
import { type CustomerKeyKind, customerCondition, customerKey, customerNotFound } from '../customers/locate';
import { checkPin } from '../customers/pin';
import type { CustomerRef } from '../customers/schemas';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants/store';
import type { RefusalAnswer } from './answer';
import { Overtaken } from './group';
import { insertTransactions, rowOf } from './record';
import type { TransactionType } from './schemas';

/** What the POS sends with every transaction, beside what its operation needs. */
export interface TransactionInput extends WriteFields {
  transactionId: string;
  customer?: CustomerRef | undefined;
  pin?: string | undefined;
}

/** One try to carry a transaction out: who and where, found before anything is locked. */
export interface Attempt {
  ctx: PosContext;
  type: TransactionType;
  input: TransactionInput;
  /** Our own key of the transaction to be; begins with `now`, so that lists by time are ranges of it. */
  uid: string;
  storeId: string;
  /** Null for a sale without a customer. */
  customerId: string | null;
  requestHash: Buffer;
  now: Date;
  occurredAt: Date;
}

interface Operation {
  type: TransactionType;
  input: TransactionInput;
  /** Whether the merchant's "PIN required for redemption" applies. */
  needsPin?: boolean;
  /** Whether a customer whom nobody knows is no error: `work` then has `customerId` null. */
  allowsUnknownCustomer?: boolean;
}

const maxTries = 3;

/**
 * Gives a `transactionId` its one outcome (specification, section 3). `work` carries it out and records it (`record`)
 * in one database transaction; a refusal that it throws is recorded too. A request seen before gets its first answer
 * again. Errors, none of them an outcome: `store_forbidden`, `store_not_found`, `customer_not_found`, `pin_*`,
 * `transaction_id_conflict`, `transaction_voided`, `invalid_request` for an impossible `occurredAt`.
 */
export async function oneOutcome<Answer>(
  ctx: PosContext,
  operation: Operation,
  work: (attempt: Attempt) => Promise<Answer>,
): Promise<Answer> {
  const requestHash = hashRequest(operation);
  for (let tries = 1; ; tries++) {
    const found = await look(ctx, operation);
    if (found.outcome) return replay<Answer>(ctx, found.outcome, requestHash);
    const attempt = await prepare(ctx, operation, found, requestHash);
    try {
      return await settle(attempt, work);
    } catch (error) {
      // Another copy was quicker, or this one committed and its answer was lost: use the recorded outcome.
      if (!isTaken(error)) throw error;
      if (tries === maxTries) throw tryAgain();
    }
  }
}

const isTaken = (error: unknown) =>
  error instanceof Overtaken ||
  isUniqueViolation(error, 'transactions_transaction_id') ||
  isUniqueViolation(error, 'transactions_merchant_id_uid_pk');

/** The id is being used by others again and again: the same request may be sent later. */
export function tryAgain(): DomainError {
  return new DomainError(
    'service_unavailable',
    'This transactionId is in use at the moment. Send the same request again.',
  );
}

/** Takes the same way without leaving an outcome: for a dry run. Errors: also of an id that was used, whatever for. */
export async function tryWithoutOutcome<Answer>(
  ctx: PosContext,
  operation: Operation,
  work: (attempt: Attempt) => Promise<Answer>,
): Promise<Answer> {
  const found = await look(ctx, operation);
  if (found.outcome) throw usedBefore(found.outcome);
  return work(await prepare(ctx, operation, found, hashRequest(operation)));
}

/** The checks between look-up and work: time, customer, PIN. */
async function prepare(ctx: PosContext, operation: Operation, found: Found, requestHash: Buffer): Promise<Attempt> {
  const { type, input } = operation;
  const now = ctx.clock.now();
  const occurredAt = checkOccurredAt(input.occurredAt, now);
  if (input.customer && found.customerId === null && !operation.allowsUnknownCustomer) throw customerNotFound();
  if (operation.needsPin && found.customerId) await checkPin(ctx, found, input.pin);
  return { ctx, type, input, uid: newId(now.getTime()), ...found, requestHash, now, occurredAt };
}

async function settle<Answer>(attempt: Attempt, work: (attempt: Attempt) => Promise<Answer>): Promise<Answer> {
  try {
    return await work(attempt);
  } catch (error) {
    if (isOutcome(error)) await recordRefusal(attempt, error);
    throw error;
  }
}

interface Outcome {
  type: TransactionType | null;
  status: 'completed' | 'refused' | 'voided';
  requestHash: Buffer | null;
  answer: string;
}

interface Found {
  storeId: string;
  customerId: string | null;
  /** Null where no PIN is asked. */
  pinLockedUntil: Date | null;
  outcome: Outcome | null;
}

/** Store, earlier outcome and customer. */
async function look(ctx: PosContext, { input, needsPin }: Operation): Promise<Found> {
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const asksPin = needsPin === true && ctx.merchant.pinRequired;
  const { kind, key } = input.customer ? customerKey(ctx, input.customer) : { kind: 'nobody' as const, key: null };
  const question = { storeCode, transactionId: input.transactionId, key };
  const row = await (asksPin ? lookTogetherWithPin : lookTogether)(ctx, kind, question);
  if (!row.store_id) throw storeNotFound(storeCode);
  return {
    storeId: row.store_id,
    customerId: row.customer_id,
    pinLockedUntil: row.locked_until ?? null,
    outcome:
      row.status === null
        ? null
        : { type: row.type, status: row.status, requestHash: row.request_hash, answer: row.answer },
  };
}

interface Question {
  storeCode: string;
  transactionId: string;
  /** The customer's, if there is one. */
  key: string | null;
}

const lookAll = (asksPin: boolean) =>
  together(async (ctx: PosContext, kind: CustomerKeyKind | 'nobody', questions: Question[]): Promise<Row[]> => {
    const { reads: sql } = ctx.db;
    const all = <Name extends keyof Question>(name: Name) => questions.map((question) => question[name]);
    return sql`
    select s.id as store_id, t.type, t.status, t.request_hash, t.answer, c.id as customer_id${asksPin ? sql`, p.locked_until` : sql``}
    from set_tenant(${ctx.merchant.id}) m
    cross join unnest(${all('storeCode')}::text[], ${all('transactionId')}::text[], ${all('key')}::text[])
      with ordinality q (store_code, transaction_id, key, n)
    ${openStore(sql, sql`q.store_code`)}
    left join lateral (
      select type, status, request_hash, answer from transactions
      where merchant_id = m.id and store_id = s.id and transaction_id = q.transaction_id limit 1
    ) t on true
    left join lateral (
      select c.id from customers c
      where c.merchant_id = m.id and ${kind === 'nobody' ? sql`false` : customerCondition(sql, kind, sql`q.key`)} limit 1
    ) c on true
    ${
      asksPin
        ? sql`left join lateral (
      select locked_until from customer_pins where merchant_id = m.id and customer_id = c.id limit 1
    ) p on true`
        : sql``
    }
    order by q.n`;
  });

const lookTogether = lookAll(false);
const lookTogetherWithPin = lookAll(true);

function replay<Answer>(ctx: PosContext, outcome: Outcome, requestHash: Buffer): Answer {
  if (outcome.status === 'voided' || !outcome.requestHash?.equals(requestHash)) throw usedBefore(outcome);
  ctx.replayed = true;
  const answer = JSON.parse(outcome.answer);
  if (outcome.status === 'completed') return answer as Answer;
  const { code, message, details } = answer as RefusalAnswer;
  throw new DomainError(code, message, details);
}

const operationNames: Record<TransactionType, string> = {
  topUp: 'top-up',
  redeemStoredValue: 'redemption of stored value',
  redeemVoucher: 'redemption of a voucher',
  redeemPoints: 'redemption of points',
  sale: 'sale',
};

function usedBefore({ type, status }: Outcome): DomainError {
  if (status === 'voided') {
    return new DomainError('transaction_voided', 'This transactionId was voided and can never be used again.');
  }
  const name = type === null ? 'transaction' : operationNames[type];
  const message = `This transactionId was used before: a ${name} that was ${status}. A new attempt needs a new one.`;
  return new DomainError('transaction_id_conflict', message, { type, status });
}

/** The same request hashes alike whatever the order of its fields: the schema has put them in its own. */
function hashRequest({ type, input }: Operation): Buffer {
  const { pin: _, storeCode: __, ...meaning } = input;
  return createHash('sha256')
    .update(`${type} ${JSON.stringify(meaning)}`)
    .digest();
}

async function recordRefusal(attempt: Attempt, { code, message, details }: DomainError): Promise<void> {
  const { ctx } = attempt;
  const answer: RefusalAnswer = { code, message, details };
  // It may wait for another copy of this request that holds the id: then nothing is written once it is too late.
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) =>
    tx.send(insertTransactions(tx, [rowOf(attempt, 'refused', { amount: null, answer })])),
  );
}
