import { and, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { billPayments } from '@/db/schema';
import { auditPos } from '../kernel/audit';
import type { Merchant, PosContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { checkOccurredAt } from '../kernel/occurred-at';
import { say } from '../kernel/say';
import { requestedStore } from '../merchants';
import { sendBillEvents } from './bill-events';
import { describeBill, figuresOfBill, type LoadedBill, loadBill, requireBill } from './load';
import { billClosed, writeBill } from './put';
import { returnExcess } from './rules';
import type { Bill, CloseBillInput, VoidBillInput } from './schemas';

/**
 * Closes a bill that was settled at the till, whatever was due. What diners are paying at this moment is released: it is
 * returned if it is taken after all. So is what they paid too much. Closing it again returns the same. Errors:
 * `bill_not_found`, `bill_closed` for one that was voided, `store_forbidden`, `store_not_found`.
 */
export const closeBill = (ctx: PosContext, input: CloseBillInput): Promise<Bill> => end(ctx, input, 'closed');

/**
 * Cancels a bill on which nothing was redeemed or paid. Voiding it again returns the same. Errors: `bill_not_found`,
 * `bill_paid`, `bill_closed`, `store_forbidden`, `store_not_found`.
 */
export const voidBill = (ctx: PosContext, input: VoidBillInput): Promise<Bill> => end(ctx, input, 'void');

type Ending = 'closed' | 'void';

async function end(ctx: PosContext, input: VoidBillInput, ending: Ending): Promise<Bill> {
  checkOccurredAt(input.occurredAt, ctx.clock.now(), ctx.merchant);
  const store = await requestedStore(ctx, input.storeCode);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const row = await requireBill(tx, { storeId: store.id, billId: input.billId }, 'lock');
    // Read behind the lock: every change before is seen.
    const now = ctx.clock.now();
    const bill = await loadBill(tx, row);
    if (row.state === ending) return describeBill(bill, ctx.merchant.currency, now);
    if (row.state !== 'open') throw billClosed(row.state);
    if (ending === 'void') checkUnpaid(bill, now);
    endBill(tx, ctx.merchant, bill, ending, now);
    const after = { total: row.total, reason: input.reason };
    await auditPos(tx, ctx, ending === 'void' ? 'bill.void' : 'bill.close', { kind: 'bill', id: row.id }, input, {
      after,
    });
    return describeBill(bill, ctx.merchant.currency, now);
  });
}

/** Errors: `bill_paid`. */
function checkUnpaid(bill: LoadedBill, now: Date): void {
  const completed = bill.redemptions.filter(({ isVoided }) => !isVoided);
  const { paid } = figuresOfBill(bill, now);
  if (paid === 0 && completed.length === 0) return;
  const transactionIds = completed.map(({ transactionId }) => transactionId);
  throw new DomainError('bill_paid', say('billPaid'), { paid, transactionIds });
}

/** Ends a locked bill, and returns what was paid too much: changes `bill`, too. */
export function endBill(tx: Tx, merchant: Merchant, bill: LoadedBill, ending: Ending, now: Date): void {
  const { overpaid, isPaid } = figuresOfBill(bill, now);
  const kept = new Map(returnExcess(bill.payments, overpaid).map(({ id, keptAmount }) => [id, keptAmount]));
  for (const payment of bill.payments) {
    const { id, state, keptAmount } = payment;
    const change =
      state === 'held' ? { state: 'released' as const } : kept.has(id) ? { keptAmount: kept.get(id) as number } : null;
    if (!change) continue;
    Object.assign(payment, { keptAmount, ...change });
    tx.send(
      tx.db
        .update(billPayments)
        .set(change)
        .where(and(eq(billPayments.merchantId, tx.merchantId), eq(billPayments.id, id))),
    );
  }
  bill.row = { ...bill.row, state: ending, closedAt: now, updatedAt: now };
  writeBill(tx, bill, now);
  const type = ending === 'void' ? 'bill.voided' : 'bill.closed';
  sendBillEvents(tx, { merchant, bill, type, wasPaid: isPaid, now });
}
