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
import { loadLedger, writePlan, writeVouchers } from './void-ledger';
import { type Blocking, planVoid } from './void-plan';

interface Row {
  uid: string;
  transaction_id: string;
  type: VoidOutput['results'][number]['type'] | null;
  status: 'completed' | 'refused' | 'voided';
  customer_id: string | null;
  points_shortfall: number;
}

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
  const select = (lock: ReturnType<typeof sql>) => sql<Row[]>`
    select t.uid, t.transaction_id, t.type, t.status, t.customer_id, t.points_shortfall
    from transactions t
    where t.merchant_id = ${merchantId} and t.transaction_id = any(${ids})
      and t.store_id = (select id from stores where merchant_id = ${merchantId} and store_code = ${storeCode})
    order by t.transaction_id ${lock}`;

  // Balances are locked before transactions, as everywhere; whose they are never changes.
  const [[store], seen] = await Promise.all([
    sql`select id from stores where merchant_id = ${merchantId} and store_code = ${storeCode}`,
    select(sql``),
  ]);
  if (!store) throw storeNotFound(storeCode);
  const customerIds = [...new Set(seen.flatMap(({ customer_id }) => customer_id ?? []))];
  const [, rows] = await Promise.all([lockBalances(tx, customerIds), select(sql`for update of t`)]);
  if (rows.length !== seen.length) throw new Overtaken();

  const completed = rows
    .filter(({ status }) => status === 'completed')
    .map((row) => ({ uid: row.uid, transactionId: row.transaction_id, customerId: row.customer_id }));
  const ledger = await loadLedger(tx, completed);
  const plan = planVoid({ transactions: completed, ...ledger, now });
  if (plan.blocking.length > 0) throw refused(plan.blocking);

  const voidId = newId();
  const unknown = ids.filter((id) => !rows.some((row) => row.transaction_id === id)).sort();
  const live = rows.filter(({ status }) => status !== 'voided');
  const shortfalls = [...plan.shortfalls].map(([uid, points]) => ({ uid, points }));
  await Promise.all([
    sql`
      insert into voids (merchant_id, id, store_id, api_key_id, reason, created_at)
      values (${merchantId}, ${voidId}, ${store.id}, ${ctx.apiKeyId}, ${input.reason ?? null}, ${now})`,
    auditPos(tx, ctx, 'transactions.void', { kind: 'void', id: voidId }, input, { after: { transactionIds: ids } }),
    ...writePlan(tx, plan, now),
    ...writeVouchers(
      tx,
      live.map(({ uid }) => uid),
      now,
    ),
    sql`
      update transactions set status = 'voided', void_id = ${voidId}, voided_at = ${now}
      where merchant_id = ${merchantId} and uid = any(${live.map(({ uid }) => uid)}::uuid[])`,
    sql`
      update transactions t set points_shortfall = s.points
      from json_to_recordset(${JSON.stringify(shortfalls)}::text::json) as s (uid uuid, points bigint)
      where t.merchant_id = ${merchantId} and t.uid = s.uid`,
    sql`
      insert into transactions (merchant_id, uid, store_id, transaction_id, status, api_key_id, occurred_at, created_at, void_id, voided_at)
      select ${merchantId}, uid, ${store.id}, id, 'voided', ${ctx.apiKeyId}, ${now}, ${now}, ${voidId}, ${now}
      from json_to_recordset(${JSON.stringify(unknown.map((id) => ({ id, uid: newId() })))}::text::json) as u (id text, uid uuid)`,
  ]);
  return { results: ids.map((id) => resultOf(id, rows, plan.shortfalls)) };
}

function resultOf(id: string, rows: Row[], shortfalls: Map<string, number>): VoidOutput['results'][number] {
  const row = rows.find(({ transaction_id }) => transaction_id === id);
  if (!row) return { transactionId: id, status: 'not_found' };
  const isNew = row.status !== 'voided';
  // A debt of earlier is told as it is now: the same batch may have paid it.
  const shortfall = shortfalls.get(row.uid) ?? row.points_shortfall;
  return {
    transactionId: id,
    status: isNew ? 'voided' : 'already_voided',
    type: row.type ?? undefined,
    customerId: row.customer_id ?? undefined,
    pointsShortfall: shortfall || undefined,
  };
}

function refused(blocking: Blocking[]): DomainError {
  const [first] = blocking;
  const more = blocking.length > 1 ? ` and ${blocking.length - 1} more` : '';
  const message = `Nothing was voided: value of the top-up ${first?.transactionId}${more} was already spent.`;
  return new DomainError('void_refused', message, { blocking });
}
