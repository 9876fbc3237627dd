/** Refunded money of closed bills, whose points are still to be taken back from the customers who earned them. */
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { billPayments } from '@/db/schema';
import { jobPayload } from '../kernel/job-payload';
import type { LoadedBill } from './load';

/** The worker's job that takes back the points of a bill. */
export const takeBackPointsTask = 'take-back-points';

/** Has the worker take back what is due, if the bill is closed. Requires the bill's lock. */
export function queuePointsTakeBack({ merchantId, db, send }: Tx, { row, payments }: LoadedBill): void {
  if (row.state !== 'closed' || payments.every(({ pointsDueFor }) => pointsDueFor === 0)) return;
  const payload = jobPayload({ merchantId, billUid: row.id });
  send(db.run(sql`select graphile_worker.add_job(${takeBackPointsTask}, ${payload}::text::json)`));
}

/** Records that the points of all that was refunded are taken back. Requires the bill's lock. */
export function clearPointsDue({ merchantId, db, send }: Tx, { row }: LoadedBill): void {
  const { billUid, pointsDueFor } = billPayments;
  send(
    db
      .update(billPayments)
      .set({ pointsDueFor: 0 })
      .where(and(eq(billPayments.merchantId, merchantId), eq(billUid, row.id), gt(pointsDueFor, 0))),
  );
}
