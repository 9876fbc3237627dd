import type { Tx } from '@/db/driver';
import { dateIn } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { findImportable } from '../vouchers';
import type { RowContext } from './rows';
import type { ImportMapping } from './schemas';

/** What the rows of a file are read with, now. */
export async function contextOf(
  tx: Tx,
  merchant: Merchant,
  { columns, dateOrder, decimalMarks = {} }: ImportMapping,
  now: Date,
): Promise<RowContext> {
  const campaigns = columns.voucher === undefined ? new Map() : await findImportable(tx, merchant, now);
  return { dateOrder, decimalMarks, merchant, today: dateIn(merchant, now), campaigns };
}
