import { isUniqueViolation, type Tx } from '@/db/client';
import { auditAll, auditedOfPos } from '../core/audit';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { checkOccurredAt } from '../core/occurred-at';
import { lockBalances, type Patience } from '../ledger/balance';
import { requestedStoreCode, storeNotFound } from '../merchants/store';
import { inGroups } from './group';
import { tryAgain } from './outcome';
import type { VoidInput, VoidOutput } from './schemas';
import {
  type Blocking,
  type NewVoid,
  type PlannedBatch,
  planBatches,
  type VoidRow,
  voidRowColumns,
  writeVoids,
} from './void-batch';
import { customersOf } from './void-ledger';

type PosType = VoidOutput['results'][number]['type'];

const maxTries = 4;

/**
 * Voids several transactions of one store, all or none (specification, section 4.2: Void Multiple Transactions). An id
 * never seen is remembered as voided. Errors: `void_refused`, `store_forbidden`, `store_not_found`.
 */
export async function voidTransactions(ctx: PosContext, input: VoidInput): Promise<VoidOutput> {
  const now = ctx.clock.now();
  checkOccurredAt(input.occurredAt, now);
  for (let tries = 1; ; tries++) {
    const found = await look(ctx, input);
    try {
      return await voidInGroup({ attempt: { ctx, input, now, ...found } });
    } catch (error) {
      // Another request used one of the ids that nobody had used when we looked: look again.
      if (!isUniqueViolation(error, 'transactions_transaction_id')) throw error;
      if (tries === maxTries) throw tryAgain();
    }
  }
}

interface Found {
  storeId: string;
  /** Those of the ids that were used. Which these are, and whose, never changes; ids not among them may be used meanwhile. */
  seen: { uid: string; customerId: string | null }[];
}

/** By the index: without the limit the planner may join the whole table. */
async function look(ctx: PosContext, input: VoidInput): Promise<Found> {
  const { reads: sql } = ctx.db;
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const rows = await sql`
    select s.id as "storeId", t.uid, t.customer_id as "customerId"
    from set_tenant(${ctx.merchant.id}) m
    left join lateral (
      select id from stores where merchant_id = m.id and store_code = ${storeCode} and closed_at is null limit 1
    ) s on true
    left join lateral (
      select uid, customer_id from transactions
      where merchant_id = m.id and store_id = s.id and transaction_id = any(${input.transactionIds})
      limit ${input.transactionIds.length}
    ) t on true`;
  const storeId = rows[0]?.storeId;
  if (!storeId) throw storeNotFound(storeCode);
  return {
    storeId,
    seen: rows.flatMap(({ uid, customerId }) => (uid === null ? [] : { uid, customerId })),
  };
}

interface Attempt extends Found {
  ctx: PosContext;
  input: VoidInput;
  now: Date;
}

/** Of one group no two voids have a customer or an id in common: each is planned on what the ledger holds. */
const claims = {
  of: ({ attempt: { input, storeId, seen } }: { attempt: Attempt }) => [
    ...customersOf(seen),
    ...input.transactionIds.map((id) => `${storeId} ${id}`),
  ],
  areShared: false,
};

const voidInGroup = inGroups<{ attempt: Attempt }, VoidOutput>(claims, (tx, members, patience) => {
  const attempts = members.map(({ attempt }) => attempt);
  return carryOutVoids(tx, attempts, patience);
});

/** Answers of each void its answer or its refusal; nothing is written of what is refused. */
async function carryOutVoids(tx: Tx, attempts: Attempt[], patience: Patience): Promise<(VoidOutput | DomainError)[]> {
  const { merchantId, sql } = tx;
  const seen = attempts.flatMap((attempt) => attempt.seen);
  const uids = seen.map(({ uid }) => uid);
  const customerIds = customersOf(seen);
  // Balances are locked before transactions, as everywhere.
  const [, locked] = await Promise.all([
    customerIds.length === 0 ? null : lockBalances(tx, customerIds, patience),
    uids.length === 0
      ? []
      : sql<VoidRow[]>`
      select ${sql.unsafe(voidRowColumns)} from transactions t
      where t.merchant_id = ${merchantId} and t.uid = any(${uids}::uuid[]) order by t.uid for update of t`,
  ]);
  const rowOf = new Map(locked.map((row) => [row.uid, row]));
  const batches = attempts.map((attempt) => ({
    ...attempt,
    rows: attempt.seen.flatMap(({ uid }) => rowOf.get(uid) ?? []),
  }));
  const planned = await planBatches(tx, batches);
  const carried: Carried[] = [];
  const answers = batches.map((batch, n) => {
    const { plan, blocking } = planned[n] as PlannedBatch;
    if (blocking.length > 0) return refused(blocking);
    const { ctx, storeId, input, now, rows } = batch;
    carried.push({
      ...{ id: newId(now.getTime()), by: { storeId, apiKeyId: ctx.apiKeyId }, reason: input.reason ?? null, now },
      ...{ ctx, input, live: rows.filter(({ status }) => status !== 'voided'), plan },
      unknown: input.transactionIds.filter((id) => !rows.some(({ transactionId }) => transactionId === id)),
    });
    return { results: input.transactionIds.map((id) => resultOf(id, rows, plan.shortfalls)) };
  });
  if (carried.length > 0) {
    const audited = carried.map(({ id, ctx, input }) =>
      auditedOfPos(ctx, 'transactions.void', { kind: 'void', id }, input, {
        after: { transactionIds: input.transactionIds },
      }),
    );
    tx.send(...writeVoids(tx, carried), auditAll(tx, audited), rememberUnknown(tx, carried));
  }
  return answers;
}

/** A void that is carried out. */
interface Carried extends NewVoid {
  ctx: PosContext;
  input: VoidInput;
  by: { storeId: string; apiKeyId: string };
  /** Ids that nobody has used; nobody shall. */
  unknown: string[];
}

/** In the order of their ids, so that two groups that have the same ones never wait for each other in a circle. */
function rememberUnknown({ merchantId, sql }: Tx, voids: Carried[]) {
  const rows = voids
    .flatMap(({ id: voidId, by, now, unknown }) =>
      unknown.map((transactionId) => ({ ...by, transactionId, voidId, now, uid: newId(now.getTime()) })),
    )
    .sort((a, b) => (`${a.storeId} ${a.transactionId}` < `${b.storeId} ${b.transactionId}` ? -1 : 1));
  if (rows.length === 0) return null;
  return sql`
    insert into transactions (merchant_id, uid, store_id, transaction_id, status, api_key_id, occurred_at, created_at, void_id, voided_at)
    select ${merchantId}, uid, "storeId", "transactionId", 'voided', "apiKeyId", now, now, "voidId", now
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as u (uid uuid, "storeId" uuid, "transactionId" text,
      "apiKeyId" uuid, now timestamptz, "voidId" uuid)`;
}

function resultOf(id: string, rows: VoidRow[], shortfalls: Map<string, number>): VoidOutput['results'][number] {
  const row = rows.find(({ transactionId }) => transactionId === id);
  if (!row) return { transactionId: id, status: 'not_found' };
  const isNew = row.status !== 'voided';
  // A debt of earlier is told as it is now: the same batch may have paid it.
  const shortfall = shortfalls.get(row.uid) ?? row.pointsShortfall;
  return {
    transactionId: id,
    status: isNew ? 'voided' : 'already_voided',
    type: (row.type as PosType | null) ?? undefined,
    customerId: row.customerId ?? undefined,
    pointsShortfall: shortfall || undefined,
  };
}

function refused(blocking: Blocking[]): DomainError {
  const [first] = blocking;
  const more = blocking.length > 1 ? ` and ${blocking.length - 1} more` : '';
  const message = `Nothing was voided: value of the top-up ${first?.transactionId}${more} was already spent.`;
  return new DomainError('void_refused', message, { blocking: blocking.map(toPos) });
}

/** As a POS knows them: by `transactionId` and store. */
const toPos = ({ transactionId, code, spentBy }: Blocking) => ({
  transactionId,
  code,
  spentBy: spentBy.map(({ uid: _, ...spender }) => spender),
});
