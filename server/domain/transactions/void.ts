import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, insertRows, recordset } from '@/db/query/expressions';
import { setTenant } from '@/db/query/functions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { transactions } from '@/db/schema';
import { findBillsOf, sendVoidedBills } from '../bills';
import { type Groupable, joinGroup, retryWhileTaken, TransactionIdTaken } from '../engine';
import { auditAll, toPosAuditEntry } from '../kernel/audit';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { Locked, lockBalances, lockOptions, type OnLocked } from '../ledger';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants';
import type { VoidInput, VoidOutput } from './schemas';
import {
  type Blocking,
  isMergedCredit,
  mergedBlocking,
  type NewVoid,
  type PlannedBatch,
  planBatches,
  writeVoids,
} from './void-batch';
import { holdersOf, type VoidRow, voidRowColumns } from './void-rows';

type PosType = VoidOutput['results'][number]['type'];

/**
 * Voids several transactions of one store, all or none (specification, section 4.2: Void Multiple Transactions). An
 * unused id is recorded as voided. Errors: `void_refused`, `store_forbidden`, `store_not_found`.
 */
export async function voidTransactions(ctx: PosContext, input: VoidInput): Promise<VoidOutput> {
  const begunAt = ctx.clock.now();
  checkOccurredAt(input.occurredAt, begunAt, ctx.merchant);
  // The same for all tries. If the response to a commit is lost, the next try recognises its own void by this id.
  const id = newId(begunAt.getTime());
  return retryWhileTaken(async () => {
    const seen = await look(ctx, input);
    return joinGroup(voids, { ctx, input, id, now: ctx.clock.now(), ...seen });
  });
}

interface Seen {
  storeId: string;
  /** The used ids. They never change; unused ids may be used in the meantime. */
  used: { uid: string; transactionId: string; keptId: string | null }[];
}

async function look(ctx: PosContext, input: VoidInput): Promise<Seen> {
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const ids = input.transactionIds.map((transactionId) => ({ transactionId }));
  const rows = await lookUp(ctx.db.reads, { merchantId: ctx.merchant.id, storeCode, ids });
  const [first] = rows;
  if (!first) throw storeNotFound(storeCode);
  const used = rows.flatMap(({ transactionId, seen }) => (seen ? { transactionId, ...seen } : []));
  return { storeId: first.storeId, used };
}

const lookUp = prepare(
  (db, given: Given<{ merchantId: string; storeCode: string; ids: { transactionId: string }[] }>) => {
    const tenant = setTenant({ merchant: given.merchantId });
    const store = openStore(db, tenant.id, given.storeCode);
    const { $rows, transactionId } = recordset('asked', { transactionId: sql<string>`text` }, given.ids);
    const seen = db
      .select({ uid: transactions.uid, keptId: voidRowColumns.keptId.as('kept_id') })
      .from(transactions)
      .where(
        and(
          eq(transactions.merchantId, tenant.id),
          eq(transactions.storeId, store.id),
          eq(transactions.transactionId, transactionId),
        ),
      )
      .limit(1)
      .as('seen');
    return db
      .select({ storeId: store.id, transactionId, seen: { uid: seen.uid, keptId: seen.keptId } })
      .from(tenant.$rows)
      .innerJoinLateral(store, sql`true`)
      .crossJoin($rows)
      .leftJoinLateral(seen, sql`true`);
  },
);

interface VoidAttempt extends Seen {
  ctx: PosContext;
  input: VoidInput;
  /** The id that the void is to have. */
  id: string;
  now: Date;
}

/** No two voids of a group share a customer or an id, so each is planned on what the ledger holds. */
const voids: Groupable<VoidAttempt, VoidOutput> = {
  claimsOf: ({ input, storeId, used }) => ({
    customerIds: holdersOf(used),
    voidedIds: input.transactionIds.map((id) => `${storeId} ${id}`),
    newIds: [],
  }),
  areShared: false,
  run: (tx, attempts, onLocked) =>
    voidAll(
      tx,
      attempts.map((attempt) => ({ ...attempt, unknown: unknownOf(attempt) })),
      onLocked,
    ),
};

/** Unused ids, to be tombstoned. */
const unknownOf = ({ input, used }: VoidAttempt) =>
  input.transactionIds.filter((id) => !used.some(({ transactionId }) => transactionId === id));

/** Returns each void's result or error; failed voids write nothing. */
async function voidAll(
  tx: Tx,
  attempts: (VoidAttempt & { unknown: string[] })[],
  onLocked: OnLocked,
): Promise<(VoidOutput | Error)[]> {
  const { rows, nowUsed, isHeld, isHolder } = await lockAndRead(tx, attempts, onLocked);
  const held = attempts.filter(isHeld);
  const batches = held.map((attempt) => ({
    ...attempt,
    merchant: attempt.ctx.merchant,
    rows: rows.filter(isOneOf(attempt.used)),
  }));
  // Sent together, so that a void without an open bill waits for nothing more.
  const [planned, open] = await Promise.all([
    planBatches(tx, batches),
    findBillsOf(
      tx,
      batches.flatMap(({ rows }) => rows.map(({ uid }) => uid)),
    ),
  ]);
  const carried: Carried[] = [];
  const answers = new Map<string, VoidOutput | Error>();
  for (const [n, batch] of batches.entries()) {
    const { plan, effects, blocking } = planned[n] as PlannedBatch;
    const { id, ctx, storeId, input, now, unknown } = batch;
    const isStale =
      unknown.some((one) => nowUsed.has(`${storeId} ${one}`)) ||
      batch.used.some(isRenamed(batch.rows)) ||
      !batch.rows.every(({ keptId }) => keptId === null || isHolder(keptId));
    const merged = batch.rows.filter(isMergedCredit);
    if (isStale) answers.set(id, new TransactionIdTaken());
    else if (merged.length > 0) answers.set(id, refusedAsMerged(merged));
    else if (blocking.length > 0) answers.set(id, refusalForTill(blocking));
    else {
      const by = { storeId, apiKeyId: ctx.apiKeyId };
      const live = batch.rows.filter(({ status }) => status !== 'voided');
      // Nothing is left to do if the void was carried out before and its response lost.
      if (live.length + unknown.length > 0) {
        const settings = ctx.merchant;
        carried.push({ id, by, reason: input.reason ?? null, now, ctx, input, live, plan, effects, unknown, settings });
      }
      answers.set(id, { results: input.transactionIds.map((one) => resultOf(one, batch, planned[n] as PlannedBatch)) });
    }
  }
  if (carried.length > 0) {
    const audited = carried.map(({ id, ctx, input }) => {
      const after = { transactionIds: input.transactionIds, reason: input.reason };
      return toPosAuditEntry(ctx, 'transactions.void', { kind: 'void', id }, input, { after });
    });
    tx.send(...writeVoids(tx, carried), auditAll(tx, audited), rememberUnknown(tx, carried));
    const { ctx, now } = carried.at(-1) as Carried;
    const voided = new Set(carried.flatMap(({ live }) => live.map(({ uid }) => uid)));
    const changed = open.filter(({ uid }) => voided.has(uid));
    if (changed.length > 0) await sendVoidedBills(tx, ctx.merchant, changed, now);
  }
  return attempts.map(({ id }) => answers.get(id) ?? new Locked());
}

const isOneOf = (used: VoidAttempt['used']) => {
  const uids = new Set(used.map(({ uid }) => uid));
  return ({ uid }: VoidRow) => uids.has(uid);
};

/** True if a partial refund has meanwhile given the id to the transaction with the rest. */
const isRenamed = (rows: VoidRow[]) => (one: VoidAttempt['used'][number]) =>
  rows.some(({ uid, transactionId }) => uid === one.uid && transactionId !== one.transactionId);

/**
 * Locks balances, then transactions, in the usual order, and reads what is to be voided, by time. After the locks,
 * looks up the unused ids again (`nowUsed`, by store and id): by now they may belong to transactions of the same
 * customers.
 */
async function lockAndRead(tx: Tx, attempts: (VoidAttempt & { unknown: string[] })[], onLocked: OnLocked) {
  const { merchantId, db } = tx;
  const used = attempts.flatMap((attempt) => attempt.used);
  const uids = used.map(({ uid }) => uid);
  const customerIds = holdersOf(used);
  const unknown = attempts.flatMap(({ storeId, unknown: ids }) =>
    ids.map((transactionId) => ({ storeId, transactionId })),
  );
  const [balances, rows, again] = await Promise.all([
    customerIds.length === 0 ? [] : lockBalances(tx, customerIds, onLocked),
    uids.length === 0 ? [] : lockRows[onLocked](db, { merchantId, uids }),
    unknown.length === 0 ? [] : lookAgain(db, { merchantId, unknown }),
  ]);
  // A sandbox's data was reset since the look-up.
  if (onLocked === 'wait' && rows.length !== uids.length) throw new TransactionIdTaken();
  const locked = new Set([...balances.map(({ customerId }) => customerId), ...rows.map(({ uid }) => uid)]);
  const holders = new Set(balances.filter(({ mergedAt }) => mergedAt === null).map(({ customerId }) => customerId));
  return {
    rows,
    /** False for one who was merged into another since the look-up. */
    isHolder: (customerId: string) => holders.has(customerId),
    nowUsed: new Set(again.map(({ storeId, transactionId }) => `${storeId} ${transactionId}`)),
    isHeld: ({ used: own }: VoidAttempt) =>
      own.every(({ uid, keptId }) => locked.has(uid) && (keptId === null || locked.has(keptId))),
  };
}

const lockRows = ofEach(['wait', 'skip'], (onLocked: OnLocked) =>
  prepare((db, given: Given<{ merchantId: string; uids: string[] }>) =>
    db
      .select(voidRowColumns)
      .from(transactions)
      .where(and(eq(transactions.merchantId, given.merchantId), anyOf(transactions.uid, given.uids)))
      .orderBy(transactions.uid)
      .for('update', lockOptions(onLocked)),
  ),
);

const lookAgain = prepare(
  (db, given: Given<{ merchantId: string; unknown: { storeId: string; transactionId: string }[] }>) => {
    const shape = { storeId: sql<string>`uuid`, transactionId: sql<string>`text` };
    const { $rows, storeId, transactionId } = recordset('unknown', shape, given.unknown);
    const found = db
      .select({ uid: transactions.uid })
      .from(transactions)
      .where(
        and(
          eq(transactions.merchantId, given.merchantId),
          eq(transactions.storeId, storeId),
          eq(transactions.transactionId, transactionId),
        ),
      )
      .limit(1)
      .as('found');
    return db.select({ storeId, transactionId }).from($rows).crossJoinLateral(found);
  },
);

/** A void that is carried out. */
interface Carried extends NewVoid {
  ctx: PosContext;
  input: VoidInput;
  by: { storeId: string; apiKeyId: string };
  unknown: string[];
}

const insertTombstones = insertRows(transactions, [
  'uid',
  'storeId',
  'transactionId',
  'status',
  'apiKeyId',
  'occurredAt',
  'createdAt',
  'voidId',
  'voidedAt',
]);

/** Ordered by id, so that two processes with common ids rarely deadlock. */
function rememberUnknown(tx: Tx, voids: Carried[]) {
  const rows = voids
    .flatMap(({ id: voidId, by, now, unknown }) =>
      unknown.map((transactionId) => ({
        ...by,
        transactionId,
        voidId,
        uid: newId(now.getTime()),
        status: 'voided' as const,
        occurredAt: now,
        createdAt: now,
        voidedAt: now,
      })),
    )
    .sort((a, b) => (`${a.storeId} ${a.transactionId}` < `${b.storeId} ${b.transactionId}` ? -1 : 1));
  return rows.length === 0 ? null : insertTombstones(tx, rows);
}

function resultOf(
  transactionId: string,
  { id, rows }: { id: string; rows: VoidRow[] },
  { plan, effects }: PlannedBatch,
): VoidOutput['results'][number] {
  const row = rows.find((one) => one.transactionId === transactionId);
  const isOwn = row?.voidId === id;
  if (!row || (isOwn && row.type === null)) return { transactionId, status: 'not_found' };
  // An earlier debt is reported as of now, because this batch may have paid it.
  const shortfall = plan.shortfalls.get(row.uid) ?? row.pointsShortfall;
  return {
    transactionId,
    status: row.status === 'voided' && !isOwn ? 'already_voided' : 'voided',
    type: (row.type as PosType | null) ?? undefined,
    customerId: row.customerId ?? undefined,
    pointsShortfall: shortfall || undefined,
    effect: effects.get(row.uid) ?? (row.effect === null ? undefined : JSON.parse(row.effect)),
  };
}

function refusalForTill(blocking: Blocking[]): DomainError {
  const [first] = blocking;
  const id = String(first?.transactionId);
  const more = blocking.length - 1;
  const sentence = more === 0 ? say('topUpSpent', { id }) : say('topUpsSpent', { id, count: more });
  return new DomainError('void_refused', sentence, { blocking: blocking.map(toPos) });
}

function refusedAsMerged(rows: VoidRow[]): DomainError {
  return new DomainError('void_refused', say('mergedNotVoidable'), { blocking: mergedBlocking(rows).map(toPos) });
}

/** As a POS names transactions: by `transactionId` and store. */
const toPos = ({ transactionId, code, spentBy }: Blocking) => ({
  transactionId,
  code,
  spentBy: spentBy.map(({ uid, storeId, ...spender }) => spender),
});
