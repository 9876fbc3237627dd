/** Describes a bill as the REST API does. */
import { max as latestOf } from 'date-fns';
import { priceRedeemed } from './amounts-now';
import { type BillRow, figuresOfBill, isSettling, type LoadedBill } from './load';
import { type BillPayment, isHeld, returnedOf, shownState } from './rules';
import type { Bill } from './schemas';
import { isForgotten, lastsUntil } from './window';

const isoOf = (time: Date) => time.toISOString();

/** A bill that its till has forgotten is shown as closed, also if nothing has closed it yet. */
const asOf = (row: BillRow, now: Date): BillRow =>
  isForgotten(row, now) ? { ...row, state: 'closed', closedAt: lastsUntil(row) } : row;

/** Describes a bill's current state. */
export function describeBill(loaded: LoadedBill, currency: string, now: Date): Bill {
  const { redemptions, payments } = loaded;
  const row = asOf(loaded.row, now);
  const { redeemed, paid, sold, tips, held, due, overpaid, isPaid } = figuresOfBill(loaded, now);
  const amountsNow = priceRedeemed(loaded, currency, now);
  const isOver = row.state !== 'open';
  return {
    billId: row.billId,
    revision: row.revision,
    state: row.state === 'open' && isPaid ? 'paid' : row.state,
    table: row.table,
    currency,
    lines: row.lines,
    subtotal: row.subtotal,
    discount: row.discount,
    serviceCharge: row.serviceCharge,
    tax: row.tax,
    rounding: row.rounding,
    total: row.total,
    discountTransactionIds: row.discountTransactionIds,
    taxIncluded: row.taxIncluded,
    paidAtTill: row.paidAtTill,
    redemptions: redemptions.map(
      ({ transactionId, type, customerId, amount, isInDiscount, isVoided, occurredAt }, n) => ({
        transactionId,
        type,
        customerId,
        amount,
        amountNow: amountsNow[n] as number | null,
        isInDiscount,
        status: isVoided ? ('voided' as const) : ('completed' as const),
        occurredAt: isoOf(occurredAt),
      }),
    ),
    payments: payments.flatMap((one) => describePayment(one, now) ?? []),
    sales: loaded.sold.map(({ transactionId, customerId, total, taken, pointsEarned, pointsTaken }) => ({
      transactionId,
      customerId,
      total,
      taken,
      pointsEarned,
      pointsTaken,
    })),
    sold,
    redeemed,
    paid,
    held,
    tips,
    due: isOver ? 0 : due,
    overpaid,
    unsettled: row.state === 'closed' ? due : 0,
    reopenedAt: row.reopenedAt && isoOf(row.reopenedAt),
    settlingUntil: isSettling(loaded, now) ? isoOf(row.settlingUntil as Date) : null,
    openedAt: isoOf(row.createdAt),
    updatedAt: isoOf(latestOf([row.updatedAt, row.closedAt ?? row.updatedAt])),
    closedAt: row.closedAt && isoOf(row.closedAt),
  };
}

/** Returns null for a payment that was not taken and whose time is over. */
function describePayment(payment: BillPayment, now: Date): Bill['payments'][number] | null {
  const { id: paymentId, state, amount, tip, createdAt } = payment;
  if (state !== 'taken' && !isHeld(payment, now)) return null;
  return {
    paymentId,
    method: 'card',
    state: shownState(payment),
    amount,
    tip,
    returned: returnedOf(payment),
    createdAt: isoOf(createdAt),
  };
}
