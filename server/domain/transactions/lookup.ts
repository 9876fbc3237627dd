import type { Row } from 'postgres';
import { withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants/store';
import { isRefusal } from './answer';
import type { TransactionLookup } from './schemas';

interface LookupInput {
  transactionId: string;
  storeCode?: string | undefined;
}

/**
 * What became of a `transactionId`, for a POS that got no answer. After a 503, or five seconds after the request came,
 * `transaction_not_found` is final until the id is sent again: nothing is begun that late, and nobody is about to
 * commit. Errors: `transaction_not_found`, `store_forbidden`, `store_not_found`; the database's own where a commit
 * takes so long that nothing can be said.
 */
export async function lookUpTransaction(ctx: PosContext, input: LookupInput): Promise<TransactionLookup> {
  let row = await find(ctx, input);
  if (row.status === null) {
    await outwaitWriter(ctx, row.store_id, input.transactionId);
    row = await find(ctx, input);
  }
  if (row.status === null) {
    throw new DomainError('transaction_not_found', `There is no transaction ${input.transactionId} at this store.`);
  }
  const answer = row.answer === null ? null : JSON.parse(row.answer);
  return {
    transactionId: input.transactionId,
    type: row.type ?? undefined,
    status: row.status,
    answer: isRefusal(answer) ? { error: { ...answer, issues: [] } } : answer,
  };
}

async function find(ctx: PosContext, input: LookupInput): Promise<Row> {
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
  return row;
}

class Undo extends Error {}

/**
 * Waits for a transaction that has written the id and not committed yet, as a commit may take long (on a slow disk, or
 * for a standby that is away): takes the id as a void of an unseen one does, which waits for it, and gives it back at
 * once.
 */
async function outwaitWriter(ctx: PosContext, storeId: string, transactionId: string): Promise<void> {
  const { db, merchant, apiKeyId, clock } = ctx;
  const now = clock.now();
  await withMerchant(db, merchant.id, async ({ sql, merchantId }) => {
    await Promise.all([
      sql`set local lock_timeout = '1s'`,
      sql`
        insert into transactions (merchant_id, uid, store_id, transaction_id, status, api_key_id, occurred_at, created_at, voided_at)
        values (${merchantId}, ${newId(now.getTime())}, ${storeId}, ${transactionId}, 'voided', ${apiKeyId}, ${now}, ${now}, ${now})
        on conflict do nothing`,
      sql`rollback`,
    ]);
    throw new Undo();
  }).catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
}
