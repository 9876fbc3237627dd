/** Partial refunds by staff, who work in the back office while the database is killed. */
import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { appRole, connectDatabase } from '@/db/driver';
import { DomainError } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import { refundPart } from '@/server/domain/transactions';
import { testServices } from '@/server/testing/factory';
import { createStaff } from '@/server/testing/staff';
import type { Shop } from './clients';

/** Returns how a part is refunded, and how to stop. */
export async function startRefunds(owner: postgres.Sql, { url, merchantId }: { url: string; merchantId: string }) {
  const db = connectDatabase(url, { role: appRole, max: 2 });
  const boss = await createStaff(owner, testServices(db), merchantId, 'owner');

  /** Repeats a refund unchanged until it succeeds, as the back office does. */
  async function refund(shop: Shop, transactionId: string, amount: number): Promise<boolean> {
    const refundId = newId();
    while (performance.now() < shop.deadline) {
      try {
        const [row] = await owner`
          select coalesce(r.voided_uid, t.uid) as uid from transactions t
          left join partial_refunds r on r.merchant_id = t.merchant_id and r.rest_uid = t.uid
          where t.transaction_id = ${transactionId}`;
        await refundPart(boss, { refundId, uid: row?.uid, amount, reason: 'Too cold' });
        return true;
      } catch (error) {
        if (error instanceof DomainError) {
          const found = `the refund of ${amount} of ${transactionId}: ${error.message}`;
          shop.complaints.push({ rule: 'a bill is not what its till was told', found });
          return false;
        }
        await wait(500);
      }
    }
    shop.complaints.push({ rule: 'an outcome stayed unknown', found: `the refund of ${amount} of ${transactionId}` });
    return false;
  }
  return { refund, stop: () => db.close() };
}
