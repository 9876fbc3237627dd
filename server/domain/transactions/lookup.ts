import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants/store';
import { isRefusal } from './answer';
import type { TransactionLookup } from './schemas';

/**
 * What became of a `transactionId`, for a POS that got no answer. Errors: `transaction_not_found`, `store_forbidden`,
 * `store_not_found`.
 */
export async function lookUpTransaction(
  ctx: PosContext,
  input: { transactionId: string; storeCode?: string | undefined },
): Promise<TransactionLookup> {
  const { reads: sql } = ctx.db;
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const [row] = await sql`
    select s.id as store_id, t.*
    from set_tenant(${ctx.merchant.id}) m
    ${openStore(sql, storeCode)}
    left join lateral (
      select type, status, answer from transactions
      where merchant_id = m.id and store_id = s.id and transaction_id = ${input.transactionId} limit 1
    ) t on true`;
  if (!row?.store_id) throw storeNotFound(storeCode);
  if (row.status === null) {
    throw new DomainError('transaction_not_found', `There is no transaction ${input.transactionId} at this store.`);
  }
  const answer = row.answer === null ? null : JSON.parse(row.answer);
  return {
    transactionId: input.transactionId,
    type: row.type ?? undefined,
    status: row.status,
    answer: isRefusal(answer) ? { error: answer } : answer,
  };
}
