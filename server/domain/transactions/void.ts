import { isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import { auditPos } from '../core/audit';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { checkOccurredAt } from '../core/occurred-at';
import { lockBalances } from '../ledger/balance';
import { requestedStoreCode, storeNotFound } from '../merchants/store';
import { tryAgain } from './outcome';
import type { VoidInput, VoidOutput } from './schemas';
import { type Blocking, customersOf, planBatch, type VoidRow, voidRowColumns, writeBatch } from './void-batch';

type PosType = VoidOutput['results'][number]['type'];

/** Another request used one of the ids between two statements: look again. */
class Overtaken extends Error {}

const maxTries = 4;

/**
 * Voids several transactions of one store, all or none (specification, section 4.2: Void Multiple Transactions). An id
 * never seen is remembered as voided. Errors: `void_refused`, `store_forbidden`, `store_not_found`.
 */
export async function voidTransactions(ctx: PosContext, input: VoidInput): Promise<VoidOutput> {
  checkOccurredAt(input.occurredAt, ctx.clock.now());
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  for (let tries = 1; ; tries++) {
    try {
      return await withMerchant(ctx.db, ctx.merchant.id, (tx) => voidBatch(tx, ctx, storeCode, input));
    } catch (error) {
      const isOvertaken = error instanceof Overtaken || isUniqueViolation(error, 'transactions_transaction_id');
      if (!isOvertaken) throw error;
      if (tries === maxTries) throw tryAgain();
    }
  }
}

async function voidBatch(tx: Tx, ctx: PosContext, storeCode: string, input: VoidInput): Promise<VoidOutput> {
  const { merchantId, sql } = tx;
  const now = ctx.clock.now();
  const ids = input.transactionIds;
  const select = (lock: ReturnType<typeof sql>) => sql<VoidRow[]>`
    select ${sql.unsafe(voidRowColumns)} from transactions t
    where t.merchant_id = ${merchantId} and t.transaction_id = any(${ids})
      and t.store_id = (select id from stores where merchant_id = ${merchantId} and store_code = ${storeCode})
    order by t.uid ${lock}`;

  // Balances are locked before transactions, as everywhere; whose they are never changes.
  const [[store], seen] = await Promise.all([
    sql`
      select id from stores
      where merchant_id = ${merchantId} and store_code = ${storeCode} and closed_at is null`,
    select(sql``),
  ]);
  if (!store) throw storeNotFound(storeCode);
  const [, rows] = await Promise.all([lockBalances(tx, customersOf(seen)), select(sql`for update of t`)]);
  if (rows.length !== seen.length) throw new Overtaken();

  const { plan, blocking } = await planBatch(tx, rows, now);
  if (blocking.length > 0) throw refused(blocking);

  const id = newId(now.getTime());
  const record = {
    id,
    by: { storeId: store.id, apiKeyId: ctx.apiKeyId },
    reason: input.reason ?? null,
    now,
  };
  const unknown = ids.filter((one) => !rows.some(({ transactionId }) => transactionId === one)).sort();
  const live = rows.filter(({ status }) => status !== 'voided');
  tx.send(
    ...writeBatch(tx, record, live, plan),
    auditPos(tx, ctx, 'transactions.void', { kind: 'void', id }, input, { after: { transactionIds: ids } }),
    unknown.length === 0
      ? null
      : sql`
      insert into transactions (merchant_id, uid, store_id, transaction_id, status, api_key_id, occurred_at, created_at, void_id, voided_at)
      select ${merchantId}, uid, ${store.id}, id, 'voided', ${ctx.apiKeyId}, ${now}, ${now}, ${id}, ${now}
      from json_to_recordset(${JSON.stringify(unknown.map((one) => ({ id: one, uid: newId(now.getTime()) })))}::text::json) as u (id text, uid uuid)`,
  );
  return { results: ids.map((id) => resultOf(id, rows, plan.shortfalls)) };
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
