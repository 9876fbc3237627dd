import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { isUniqueViolation, withMerchant } from '@/db/client';
import { recordset } from '@/db/expressions';
import { setTenant } from '@/db/functions';
import { type Given, ofEach, prepare as prepareQuery } from '@/db/queries';
import { customerPins, customers, stores, transactions } from '@/db/schema';
import type { PosContext } from '../core/context';
import { DomainError, isOutcome } from '../core/errors';
import { newId } from '../core/ids';
import { checkOccurredAt } from '../core/occurred-at';
import { say, verbatim } from '../core/say';
import type { WriteFields } from '../core/schemas';
import { numbered, together } from '../core/together';
import { customerCondition, customerKey, customerKeyKinds, customerNotFound } from '../customers/locate';
import { checkPin } from '../customers/pin';
import type { CustomerRef } from '../customers/schemas';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants/store';
import type { RefusalAnswer } from './answer';
import { Overtaken } from './group';
import { insertTransactions, rowOf } from './record';
import type { RecordedType, TransactionType } from './schemas';

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
  return new DomainError('service_unavailable', say('transactionIdBusy'));
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

type Outcome = Pick<typeof transactions.$inferSelect, 'type' | 'status' | 'requestHash' | 'answer'>;

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
  const { storeId, pin, ...found } = await (asksPin ? lookTogetherWithPin : lookTogether)(ctx, kind, question);
  if (storeId === null) throw storeNotFound(storeCode);
  return { ...found, storeId, pinLockedUntil: pin?.lockedUntil ?? null };
}

interface Question {
  storeCode: string;
  transactionId: string;
  /** The customer's, if there is one. */
  key: string | null;
}

const kinds = ['nobody', ...customerKeyKinds] as const;
type Kind = (typeof kinds)[number];

/** Of each question the open store, what became of the id there, and the customer, with the lock of the PIN if it matters. */
const lookUp = (asksPin: boolean, kind: Kind) =>
  prepareQuery((db, given: Given<{ merchantId: string; questions: ReturnType<typeof numbered<Question>> }>) => {
    const tenant = setTenant({ merchant: given.merchantId });
    const { transactionId } = transactions;
    const shape = { n: sql<number>`int`, storeCode: stores.storeCode, transactionId, key: sql<string | null>`text` };
    const question = recordset('question', shape, given.questions);
    const store = openStore(db, tenant.id, question.storeCode);
    const outcome = db
      .select({
        type: transactions.type,
        status: transactions.status,
        requestHash: transactions.requestHash,
        answer: transactions.answer,
      })
      .from(transactions)
      .where(
        and(
          eq(transactions.merchantId, tenant.id),
          eq(transactions.storeId, store.id),
          eq(transactions.transactionId, question.transactionId),
        ),
      )
      .limit(1)
      .as('outcome');
    const customer = db
      .select({ id: customers.id })
      .from(customers)
      .where(
        kind === 'nobody'
          ? sql`false`
          : and(eq(customers.merchantId, tenant.id), customerCondition(kind, question.key)),
      )
      .limit(1)
      .as('customer');
    const pin = db
      .select({ lockedUntil: customerPins.lockedUntil })
      .from(customerPins)
      .where(
        and(
          eq(customerPins.merchantId, tenant.id),
          eq(customerPins.customerId, customer.id),
          asksPin ? undefined : sql`false`,
        ),
      )
      .limit(1)
      .as('pin');
    const { type, status, requestHash, answer } = outcome;
    return db
      .select({
        storeId: store.id,
        outcome: { type, status, requestHash, answer },
        customerId: customer.id,
        pin: { lockedUntil: pin.lockedUntil },
      })
      .from(tenant.$rows)
      .crossJoin(question.$rows)
      .leftJoinLateral(store, sql`true`)
      .leftJoinLateral(outcome, sql`true`)
      .leftJoinLateral(customer, sql`true`)
      .leftJoinLateral(pin, sql`true`)
      .orderBy(question.n);
  });

const lookAll = (asksPin: boolean) => {
  const lookUps = ofEach(kinds, (kind) => lookUp(asksPin, kind));
  return together((ctx: PosContext, kind: Kind, questions: Question[]) =>
    lookUps[kind](ctx.db.reads, { merchantId: ctx.merchant.id, questions: numbered(questions) }),
  );
};

const lookTogether = lookAll(false);
const lookTogetherWithPin = lookAll(true);

function replay<Answer>(ctx: PosContext, outcome: Outcome, requestHash: Buffer): Answer {
  if (outcome.status === 'voided' || !outcome.requestHash?.equals(requestHash)) throw usedBefore(outcome);
  ctx.replayed = true;
  const answer = JSON.parse(outcome.answer ?? 'null');
  if (outcome.status === 'completed') return answer as Answer;
  const { code, message, details } = answer as RefusalAnswer;
  throw new DomainError(code, verbatim(message), details);
}

const operationNames: Record<RecordedType, string> = {
  topUp: 'top-up',
  redeemStoredValue: 'redemption of stored value',
  redeemVoucher: 'redemption of a voucher',
  redeemPoints: 'redemption of points',
  sale: 'sale',
  expiry: 'expiry',
  adjustment: 'adjustment',
};

function usedBefore({ type, status }: Outcome): DomainError {
  if (status === 'voided') {
    return new DomainError('transaction_voided', say('transactionVoided'));
  }
  const name = type === null ? 'transaction' : operationNames[type];
  const sentence = say('transactionIdConflict', { type: name, status });
  return new DomainError('transaction_id_conflict', sentence, { type, status });
}

/** The same request hashes alike whatever the order of its fields: the schema has put them in its own. */
function hashRequest({ type, input }: Operation): Buffer {
  const { pin: _, storeCode: __, ...meaning } = input;
  return createHash('sha256')
    .update(`${type} ${JSON.stringify(meaning)}`)
    .digest();
}

async function recordRefusal(attempt: Attempt, { code, message, sentence, details }: DomainError): Promise<void> {
  const { ctx } = attempt;
  const answer: RefusalAnswer = { code, message, sentence, details };
  // It may wait for another copy of this request that holds the id: then nothing is written once it is too late.
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) =>
    tx.send(insertTransactions(tx, [rowOf(attempt, 'refused', { amount: null, answer })])),
  );
}
