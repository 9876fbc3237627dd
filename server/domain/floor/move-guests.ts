/** Guests change their table. */

import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { diningTables, qrCodes } from '@/db/schema';
import { findBill } from '../bills';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { ensureOpen, lockCode } from '../qr-ordering';
import type { MoveGuestsInput } from './schemas';
import { isOnFloor, tableNotFound } from './tables';

/**
 * Moves the open code of a bill to another table of its store, with its orders. A till that names the table of its bill
 * moves it itself: it would move it back. Errors: `qr_code_not_found`, `qr_code_closed`, `table_not_found`,
 * `invalid_request` for a bill whose till names its table.
 */
export async function moveGuests(ctx: StaffContext, { qrCodeId, tableId }: MoveGuestsInput): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const [locked] = await lockCode(db, { merchantId, qrCodeId });
    const { storeId } = ensureOpen(locked, ctx.clock.now());
    const isCode = and(eq(qrCodes.merchantId, merchantId), eq(qrCodes.id, qrCodeId));
    const [found, [table]] = await Promise.all([
      db.select({ billId: qrCodes.billId, table: qrCodes.table }).from(qrCodes).where(isCode),
      db
        .select({ name: diningTables.name })
        .from(diningTables)
        .where(and(isOnFloor(tx, storeId), eq(diningTables.id, tableId))),
    ]);
    if (!table) throw tableNotFound();
    const { billId, table: before } = only(found);
    if (before === table.name) return;
    const bill = await findBill(tx, { storeId, billId }, 'read');
    if (bill?.state === 'open' && bill.table !== null) throw invalid('tableId', say('tillMovesBill'));
    await Promise.all([
      db.update(qrCodes).set({ table: table.name }).where(isCode),
      auditStaff(
        tx,
        ctx,
        'qrCode.move',
        { kind: 'qrCode', id: qrCodeId },
        { before: { table: before }, after: { table: table.name } },
      ),
      announceChange(tx, 'qrCodes', qrCodeId),
      announceChange(tx, 'orders', qrCodeId),
    ]);
  });
}
