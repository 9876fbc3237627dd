import type { StaffContext } from '../staff/context';
import { type ListedTransaction, listTransactions } from './list';
import type { TransactionFilter } from './schemas';

const batchSize = 1_000;

/** All transactions that match, newest first, read a batch at a time. */
export async function* exportTransactions(
  ctx: StaffContext,
  filter: TransactionFilter,
): AsyncGenerator<ListedTransaction> {
  for (let after: string | undefined; ; ) {
    const { items, nextCursor } = await listTransactions(ctx, { ...filter, after, limit: batchSize });
    yield* items;
    if (nextCursor === null) return;
    after = nextCursor;
  }
}
