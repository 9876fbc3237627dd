import { createHash } from 'node:crypto';
import { type Tx, withMerchant } from '@/db/driver';
import { keyLimitOf, LimitExceeded, refusalByKey, reportLimit } from '../daily-limits';
import { checkPin, customerNotFound } from '../identity';
import { actorOf } from '../kernel/audit';
import type { TransactionContext } from '../kernel/context';
import { DomainError, isOutcome } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say, verbatim } from '../kernel/say';
import type { Voucher } from '../kernel/voucher';
import { joinGroup } from './group';
import type { Accounts, Attempt, OnBillByType, Rules, TransactionInput } from './kind';
import { type Located, locateCustomer, type Outcome } from './locate';
import type { Groupable } from './queue';
import { decideOne, type RefusalAnswer, recordAll, recordOne, recordRefusal } from './record';
import type { RecordedType, TransactionType } from './schemas';
import { retryWhileTaken, TransactionIdTaken } from './taken';

/** One try to execute what a POS or a diner's phone has sent. */
export interface PosAttempt<Input extends TransactionInput> extends Attempt {
  ctx: TransactionContext;
  input: Input;
  storeId: string;
  requestHash: Buffer;
  /** Vouchers issued to a customer whom it enrolled. */
  vouchersIssued: Voucher[];
}

/** A kind of transaction that a POS or a phone sends. */
type OperationRules<Input extends TransactionInput, Answer extends object, Loaded extends Accounts> = Rules<
  PosAttempt<Input>,
  Answer,
  Loaded
> &
  OnBillByType<PosAttempt<Input>, Answer> &
  Options<Input>;

interface Options<Input extends TransactionInput> {
  /** Whether the merchant's "PIN required for redemption" applies. */
  needsPin?: boolean;
  /** True if it joins no group, because it locks more than its customer's rows. */
  isApart?: boolean;
  /** Creates an unknown customer; returns null if that is not allowed. Without it, unknown customers are refused. */
  enrol?(
    tx: Tx,
    attempt: PosAttempt<Input>,
  ): Promise<(Pick<PosAttempt<Input>, 'vouchersIssued'> & { customerId: string }) | null>;
}

export type Operation<Input extends TransactionInput, Answer extends object, Loaded extends Accounts> = OperationRules<
  Input,
  Answer,
  Loaded
> &
  Groupable<PosAttempt<Input>, Answer>;

/** Registers a kind of transaction: what changes at most one customer's balance. */
export const defineOperation = <
  Input extends TransactionInput,
  Answer extends object,
  Loaded extends Accounts = Accounts,
>(
  rules: OperationRules<Input, Answer, Loaded>,
): Operation<Input, Answer, Loaded> => ({
  ...rules,
  claimsOf: ({ storeId, customerId, input }) => ({
    customerIds: customerId === null ? [] : [customerId],
    voidedIds: [],
    newIds: [`${storeId} ${input.transactionId}`],
  }),
  areShared: true,
  run: (tx, attempts, onLocked) => recordAll(tx, rules, attempts, onLocked),
});

/**
 * Executes a transaction, and gives its `transactionId` its one outcome (specification, section 3). The response is
 * recorded in the same database transaction, a refusal is recorded, too, and a repeated request gets the first response
 * again. Errors that are no outcome: `store_forbidden`, `store_not_found`, `customer_not_found`, `pin_*`,
 * `transaction_id_conflict`, `transaction_voided`, `invalid_request` for an impossible `occurredAt`.
 */
export function executeTransaction<Input extends TransactionInput, Answer extends object, Loaded extends Accounts>(
  operation: Operation<Input, Answer, Loaded>,
  ctx: TransactionContext,
  input: Input,
): Promise<Answer> {
  return retryWhileTaken(async () => {
    const located = await locateCustomer(ctx, input, operation.needsPin === true);
    if (located.outcome) return replay<Answer>(ctx, located.outcome, hashRequest(operation.type, input));
    const attempt = await prepare(operation, ctx, input, located);
    try {
      return await settle(operation, attempt);
    } catch (error) {
      throw await recordIfRefused(attempt, error);
    }
  });
}

/**
 * Records a refusal as the outcome, and returns the error to throw. If another copy of the request has an outcome by now, that
 * counts instead of a refusal that is none: it may be its effect.
 */
async function recordIfRefused<Input extends TransactionInput>(
  attempt: PosAttempt<Input>,
  error: unknown,
): Promise<unknown> {
  const keyLimit = keyLimitOf(error);
  if (!isOutcome(error) && keyLimit === null) {
    const isRefused = error instanceof DomainError && error.kind === 'refused';
    const located = isRefused ? await locateCustomer(attempt.ctx, attempt.input, false).catch(() => null) : null;
    return located?.outcome ? new TransactionIdTaken() : error;
  }
  const { db, merchant } = attempt.ctx;
  // It may wait for another copy of this request that holds the id. If that takes too long, nothing is written.
  return withMerchant(db, merchant.id, async (tx) => {
    const refusal = keyLimit === null ? (error as DomainError) : await refusalByKey(tx, attempt, keyLimit);
    recordRefusal(tx, attempt, refusal);
    if (refusal instanceof LimitExceeded)
      await reportLimit(tx, { ...attempt, merchant, actor: actorOf(attempt.ctx) }, refusal);
    return refusal;
  });
}

/**
 * Dry run: makes the checks of `execute`, and writes nothing but a wrong PIN's count. Errors: those of `execute`, and
 * `transaction_id_conflict` or `transaction_voided` for any id that was used before.
 */
export function rehearseTransaction<Input extends TransactionInput, Answer extends object, Loaded extends Accounts>(
  operation: Operation<Input, Answer, Loaded>,
  ctx: TransactionContext,
  input: Input,
): Promise<Answer> {
  return retryWhileTaken(async () => {
    const located = await locateCustomer(ctx, input, operation.needsPin === true);
    if (located.outcome) throw usedBefore(located.outcome);
    const attempt = await prepare(operation, ctx, input, located);
    return rollingBack(ctx, (tx) => decideOne(tx, operation, attempt));
  });
}

/** Rolls back what `work` writes, such as the closing of a forgotten bill, and returns its result. */
async function rollingBack<Result>({ db, merchant }: TransactionContext, work: (tx: Tx) => Promise<Result>) {
  const done: Result[] = [];
  const isDone = new Error('rolled back');
  await withMerchant(db, merchant.id, async (tx) => {
    done.push(await work(tx));
    throw isDone;
  }).catch((error: unknown) => {
    if (error !== isDone) throw error;
  });
  return done[0] as Result;
}

/** The checks before anything is locked: time, customer, PIN. */
async function prepare<Input extends TransactionInput>(
  { type, needsPin, enrol }: Options<Input> & { type: TransactionType },
  ctx: TransactionContext,
  input: Input,
  located: Located,
): Promise<PosAttempt<Input>> {
  const now = ctx.clock.now();
  const occurredAt = checkOccurredAt(input.occurredAt, now, ctx.merchant);
  const { storeId, customerId } = located;
  if (input.customer && customerId === null && !enrol) throw customerNotFound();
  if (needsPin && customerId) await checkPin(ctx, located, input.pin);
  const requestHash = hashRequest(type, input);
  return {
    ctx,
    type,
    input,
    uid: newId(now.getTime()),
    storeId,
    customerId,
    requestHash,
    now,
    occurredAt,
    vouchersIssued: [],
  };
}

/** Runs in a group; or separately, if it locks more than its customer's rows. */
async function settle<Input extends TransactionInput, Answer extends object, Loaded extends Accounts>(
  operation: Operation<Input, Answer, Loaded>,
  attempt: PosAttempt<Input>,
): Promise<Answer> {
  const { ctx, input, customerId } = attempt;
  const isStranger = input.customer !== undefined && customerId === null;
  if (!isStranger && !operation.isApart) return joinGroup(operation, attempt);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const enrolled = isStranger ? await operation.enrol?.(tx, attempt) : {};
    if (!enrolled && input.ifCustomerUnknown !== 'recordWithout') throw customerNotFound();
    return recordOne(tx, operation, { ...attempt, ...enrolled });
  });
}

function replay<Answer>(ctx: TransactionContext, outcome: Outcome, requestHash: Buffer): Answer {
  if (outcome.status === 'voided' || !outcome.requestHash?.equals(requestHash)) throw usedBefore(outcome);
  ctx.replayed = true;
  const answer = JSON.parse(outcome.answer ?? 'null');
  if (outcome.status === 'completed') return answer as Answer;
  const { code, message, details } = answer as RefusalAnswer;
  throw new DomainError(code, verbatim(message), details);
}

const operationNames: Record<RecordedType, string> = {
  topUp: 'top-up',
  cashOut: 'cash-out',
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

/** The hash does not depend on the order of the request's fields, because the schema has put them in its own order. */
function hashRequest(type: TransactionType, input: TransactionInput): Buffer {
  const { pin, storeCode, ...meaning } = input;
  return createHash('sha256')
    .update(`${type} ${JSON.stringify(meaning)}`)
    .digest();
}
