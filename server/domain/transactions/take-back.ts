import { and, eq, inArray, isNull } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { transactions } from '@/db/schema';
import { canTakeBack, checkNotSettling, findBillsOf, redemptionType, requireOpenBill, sendVoidedBills } from '../bills';
import { auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { lockBalances } from '../ledger';
import { planBatch, writeVoids } from './void-batch';
import { voidRowColumns } from './void-rows';

/** A redemption that a customer made on a bill with a phone. */
interface OwnRedemption {
  storeId: string;
  billId: string;
  customerId: string;
  transactionId: string;
  /** How long it can be taken back. */
  takeBackMinutes: number;
}

/**
 * Voids a redemption that its customer made with a phone some minutes ago, as long as something is due on the bill,
 * because guests leave once it is paid. Does nothing if it was voided before. Errors: `transaction_not_found`, also for a redemption by a
 * till or another customer, `bill_not_found`, `bill_closed`, `bill_settling`, `bill_paid`, also if the till's discount
 * includes it, the till took money since, or its minutes are over.
 */
export function takeBackRedemption(
  { db, clock, merchant }: Services & { merchant: Merchant },
  own: OwnRedemption,
): Promise<void> {
  return withMerchant(db, merchant.id, async (tx) => {
    const [seen] = await selectOwn(tx, own);
    if (!seen) throw notFound();
    // Locked in the usual order: the balance, the transaction, then the bill.
    const [balance] = await lockBalances(tx, [own.customerId]);
    const [row] = await selectOwn(tx, own).for('update');
    if (!row || balance?.mergedAt !== null) throw notFound();
    if (row.status === 'voided') return;
    const now = clock.now();
    const bill = await requireOpenBill(tx, own, 'lock', now);
    const redemption = bill.redemptions.find(({ transactionId }) => transactionId === own.transactionId);
    // Hours ago, the same number may have been another bill's.
    if (!redemption) throw notFound();
    checkNotSettling(bill, now);
    if (!canTakeBack(bill, redemption, own, now)) throw new DomainError('bill_paid', say('takenBackByStaff'));
    const { plan, effects } = await planBatch(tx, { merchant, rows: [row], now });
    const id = newId(now.getTime());
    await Promise.all([
      ...writeVoids(tx, [{ id, by: null, reason: null, now, live: [row], plan, effects, settings: merchant }]),
      auditChange(tx, { kind: 'diner', id: null }, 'transactions.void', { kind: 'void', id }, now, {
        after: { uids: [row.uid] },
      }),
      ...(['transactions', 'customers', 'campaigns', 'vouchers'] as const).map((topic) => announceChange(tx, topic)),
    ]);
    await sendVoidedBills(tx, merchant, await findBillsOf(tx, [row.uid]), now);
  });
}

const notFound = () => new DomainError('transaction_not_found', say('transactionNotFound'));

const selectOwn = ({ merchantId, db }: Tx, { storeId, billId, customerId, transactionId }: OwnRedemption) =>
  db
    .select(voidRowColumns)
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        eq(transactions.storeId, storeId),
        eq(transactions.transactionId, transactionId),
        eq(transactions.billId, billId),
        eq(transactions.customerId, customerId),
        isNull(transactions.apiKeyId),
        inArray(transactions.type, redemptionType.options).inlineParams(),
        inArray(transactions.status, ['completed', 'voided']).inlineParams(),
      ),
    );
