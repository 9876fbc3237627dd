import { withMerchant } from '@/db/driver';
import { versionOfBill } from '../bills';
import type { DinerCustomer } from '../identity';
import type { Merchant, Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { countAgainst } from '../limits';
import { queueNotices, queueSending } from '../messaging';
import type { ScannedTable } from '../qr-ordering';

/** True if the merchant has turned on the template of receipts. */
export const sendsReceipts = ({ noticeKinds }: Merchant): boolean => noticeKinds.includes('bill-receipt');

/** As long as the page of a closed code still says goodbye. */
const receiptMs = 24 * 60 * 60_000;

/**
 * Sends the table's bill to the customer's WhatsApp, once for each state of the bill. Works for a day, even after the
 * code was closed. Errors: `not_offered`, `qr_code_closed`, `too_many_attempts`, `bill_not_found`.
 */
export async function sendBillReceipt(
  services: Services,
  { merchant, store, billId, openedAt, overAt }: ScannedTable,
  { customerId }: DinerCustomer,
): Promise<void> {
  if (!sendsReceipts(merchant)) throw new DomainError('not_offered', say('notOffered'));
  const now = services.clock.now();
  if (now.getTime() - overAt.getTime() > receiptMs) throw new DomainError('qr_code_closed', say('billSettled'));
  await countAgainst(services, { key: `receipts of bills ${customerId}`, attempts: 10, windowSeconds: 3_600 });
  const bill = { storeId: store.id, billId, from: openedAt, until: overAt };
  await withMerchant(services.db, merchant.id, async (tx) => {
    const subject = await versionOfBill(tx, bill, now);
    await queueNotices(tx, merchant, 'bill-receipt', [{ customerId, subject }], now);
  });
  await queueSending(services.db, merchant.id);
}
