import { and, asc, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { billPayments, bills, stores } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { onStoreDays } from '../kernel/on-days';
import { ifGiven } from '../kernel/page';
import { readStoreDays } from '../merchants';
import type { ExportPaymentsInput } from './schemas';

const batchSize = 500;

/** A payment that was taken. Amounts are in minor units. */
type ExportedPayment = Awaited<ReturnType<typeof readBatch>>[number];

/** Yields the payments taken on these days, of one store or of all, oldest first. They are read in batches. */
export async function* exportPayments(
  ctx: StaffContext,
  { storeId, from, until }: ExportPaymentsInput,
): AsyncGenerator<ExportedPayment> {
  let last: ExportedPayment | undefined;
  for (;;) {
    const after: typeof last = last;
    const rows = await withMerchant(ctx.db, ctx.merchant.id, (tx) => readBatch(tx, { storeId, from, until, after }));
    yield* rows;
    last = rows.at(-1);
    if (rows.length < batchSize) return;
  }
}

interface Batch {
  storeId: string | undefined;
  from: string;
  until: string;
  /** The last payment of the previous batch. */
  after: { takenAt: Date | null; paymentId: string } | undefined;
}

async function readBatch(tx: Tx, { storeId, from, until, after }: Batch) {
  const { merchantId, db } = tx;
  const days = await readStoreDays(tx);
  const { id, takenAt, amount, tip, keptAmount, keptTip, guestName } = billPayments;
  const isAfter = after && sql`(${takenAt}, ${id}) > (${after.takenAt}, ${after.paymentId})`;
  return db
    .select({
      paymentId: id,
      takenAt,
      amount,
      tip,
      guestName,
      returned: sql<number>`${amount} + ${tip} - ${keptAmount} - ${keptTip}`,
      billId: bills.billId,
      table: bills.table,
      store: stores.name,
    })
    .from(billPayments)
    .innerJoin(bills, and(eq(bills.merchantId, billPayments.merchantId), eq(bills.id, billPayments.billUid)))
    .innerJoin(stores, and(eq(stores.merchantId, bills.merchantId), eq(stores.id, bills.storeId)))
    .where(
      and(
        eq(billPayments.merchantId, merchantId),
        eq(billPayments.state, 'taken').inlineParams(),
        onStoreDays({ at: takenAt, storeId: bills.storeId }, days, { from, until }),
        ifGiven(storeId, (one) => eq(bills.storeId, one)),
        isAfter,
      ),
    )
    .orderBy(asc(takenAt), asc(id))
    .limit(batchSize);
}
