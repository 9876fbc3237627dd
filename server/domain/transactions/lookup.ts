import { and, eq, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { setTenant } from '@/db/query/functions';
import { type Given, prepare } from '@/db/query/queries';
import { sales, transactions } from '@/db/schema';
import { isRefusal, type RefusalAnswer, transactionType } from '../engine';
import type { PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants';
import type { TransactionLookup } from './schemas';

interface LookupInput {
  transactionId: string;
  storeCode?: string | undefined;
}

/**
 * Returns the outcome of a `transactionId`, for a POS that got no response. After a 503, or five seconds after the
 * request arrived, `transaction_not_found` is final until the id is sent again: nothing is started that late, and no
 * commit is pending. Errors: `transaction_not_found`, `store_forbidden`, `store_not_found`; the database's own if a
 * commit takes so long that nothing can be said.
 */
export async function lookUpTransaction(ctx: PosContext, input: LookupInput): Promise<TransactionLookup> {
  let { storeId, found } = await find(ctx, input);
  if (!found) {
    await outwaitWriter(ctx, storeId, input.transactionId);
    ({ found } = await find(ctx, input));
  }
  if (!found) {
    throw new DomainError('transaction_not_found', say('noTransaction', { id: input.transactionId }));
  }
  const answer = found.answer === null ? null : JSON.parse(found.answer);
  return {
    transactionId: input.transactionId,
    type: transactionType.options.find((type) => type === found.type),
    status: found.status,
    answer: isRefusal(answer) ? { error: refusalOf(answer) } : answer,
    effect: found.voidEffect === null ? undefined : JSON.parse(found.voidEffect),
    pointsTaken: found.pointsTaken || undefined,
  };
}

/** The refusal as the POS got it. */
const refusalOf = ({ code, message, details }: RefusalAnswer) => ({ code, message, details, issues: [] });

const findById = prepare((db, given: Given<{ merchantId: string; storeCode: string; transactionId: string }>) => {
  const tenant = setTenant({ merchant: given.merchantId });
  const store = openStore(db, tenant.id, given.storeCode);
  const { type, status, answer, voidEffect } = transactions;
  const found = db
    .select({ type, status, answer, voidEffect, pointsTaken: sales.pointsTaken })
    .from(transactions)
    .leftJoin(sales, and(eq(sales.merchantId, transactions.merchantId), eq(sales.transactionUid, transactions.uid)))
    .where(
      and(
        eq(transactions.merchantId, tenant.id),
        eq(transactions.storeId, store.id),
        eq(transactions.transactionId, given.transactionId),
      ),
    )
    .limit(1)
    .as('found');
  return db
    .select({
      storeId: store.id,
      found: {
        type: found.type,
        status: found.status,
        answer: found.answer,
        voidEffect: found.voidEffect,
        pointsTaken: found.pointsTaken,
      },
    })
    .from(tenant.$rows)
    .innerJoinLateral(store, sql`true`)
    .leftJoinLateral(found, sql`true`);
});

async function find(ctx: PosContext, { transactionId, storeCode: named }: LookupInput) {
  const storeCode = requestedStoreCode(ctx, named);
  const [row] = await findById(ctx.db.reads, { merchantId: ctx.merchant.id, storeCode, transactionId });
  if (!row) throw storeNotFound(storeCode);
  return row;
}

class Undo extends Error {}

/**
 * Waits for a transaction that has written the id and not committed yet. A commit may take long (a slow disk, or a
 * standby that is away). It takes the id like a void of an unused one, which waits for the writer, and releases it at
 * once.
 */
async function outwaitWriter(ctx: PosContext, storeId: string, transactionId: string): Promise<void> {
  const { db, merchant, apiKeyId, clock } = ctx;
  const now = clock.now();
  await withMerchant(db, merchant.id, async ({ db: own, merchantId }) => {
    const times = { occurredAt: now, createdAt: now, voidedAt: now };
    const uid = newId(now.getTime());
    await Promise.all([
      own.run(sql`set local lock_timeout = '1s'`),
      own
        .insert(transactions)
        .values({ merchantId, uid, storeId, transactionId, status: 'voided', apiKeyId, ...times })
        .onConflictDoNothing(),
      own.run(sql`rollback`),
    ]);
    throw new Undo();
  }).catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
}
