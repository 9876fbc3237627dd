import { withMerchant } from '@/db/client';
import { throttle } from '@/server/limits/throttle';
import { versionOfBill } from '../bills';
import type { DinerCustomer } from '../customers';
import type { Merchant, Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { queueNotices, queueSending } from '../messaging';
import type { DinerTable } from '../qr-ordering';

/** Whether the merchant has the template of receipts on. */
export const sendsReceipts = ({ noticeKinds }: Merchant): boolean => noticeKinds.includes('bill-receipt');

/**
 * Sends the table's bill to the customer's WhatsApp: once, until the bill has changed. Errors: `not_offered`,
 * `too_many_attempts`, `bill_not_found`.
 */
export async function sendBillReceipt(
  services: Services,
  { merchant, store, billId }: DinerTable,
  { customerId }: DinerCustomer,
): Promise<void> {
  if (!sendsReceipts(merchant)) throw new DomainError('not_offered', say('notOffered'));
  await throttle(services, { key: `receipts of bills ${customerId}`, attempts: 10, windowSeconds: 3_600 });
  const now = services.clock.now();
  await withMerchant(services.db, merchant.id, async (tx) => {
    const { billUid, version } = await versionOfBill(tx, { storeId: store.id, billId }, now);
    const receipt = { customerId, subject: `${billUid} ${version}` };
    await queueNotices(tx, merchant, 'bill-receipt', [receipt], now);
  });
  await queueSending(services.db, merchant.id);
}
