/** A table's open bill, as the phones at the table see it. */

import { and, eq } from 'drizzle-orm';
import { type Tx, withSnapshot } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { bills, qrCodes } from '@/db/schema';
import type { Services } from '../kernel/context';
import { priceRedeemed } from './amounts-now';
import { listOrderingGuests, numberGuests } from './guests';
import {
  billColumns,
  figuresOfBill,
  findBill,
  isSettling,
  type LoadedBill,
  type LoadedPayment,
  loadBill,
} from './load';
import { canTakeBack, isBillOpen } from './open';
import type { PayingTable } from './pay';
import { availableOf, isHeld, returnedOf, shownState, unlistedParts } from './rules';
import type { Bill, RedemptionType } from './schemas';

type Sums = Pick<
  Bill,
  'lines' | 'subtotal' | 'discount' | 'serviceCharge' | 'tax' | 'rounding' | 'total' | 'taxIncluded' | 'paidAtTill'
>;
type Figures = Pick<Bill, 'redeemed' | 'paid' | 'held' | 'tips' | 'due' | 'overpaid'>;

/** Amounts are in minor units. Other guests are anonymous, except for a name that they give themselves. */
export interface TableBill extends Sums, Figures {
  /** `paid`: nothing is due. */
  state: 'open' | 'paid';
  /** What is due and not held by a payment. */
  available: number;
  /** True while the till takes money: nothing can be paid, redeemed or taken back here. */
  isSettling: boolean;
  redemptions: {
    type: RedemptionType;
    amount: number;
    /** What a voucher would take off the bill as it is now; null for anything else. */
    amountNow: number | null;
    /** True if `discount` already includes it. */
    isInDiscount: boolean;
    isVoided: boolean;
    /** True if the signed-in customer redeemed it. */
    isMine: boolean;
    /** True if the customer can take it back here. They can't if a till redeemed it, after some minutes, or once nothing is due. */
    canTakeBack: boolean;
    /** Null if someone else redeemed it. */
    transactionId: string | null;
  }[];
  payments: {
    /** Null if someone else's. */
    paymentId: string | null;
    /** `held`: its guest is paying it now. */
    state: 'held' | 'paid' | 'returned';
    amount: number;
    tip: number;
    returned: number;
    guestName: string | null;
    /** Numbers the phones in the order in which they first ordered or paid; null if the phone is unknown. */
    guestNumber: number | null;
    isMine: boolean;
  }[];
}

interface Viewer {
  /** The phone that asks. */
  guestId: string | null;
  /** The customer signed in on it. */
  customerId: string | null;
}

type Offers = Pick<PayingTable['offers'], 'takeBackMinutes'>;

/** Returns the table's open bill; null if its till has sent none or has closed it. */
export function getTableBill(
  { db, clock }: Services,
  {
    merchant,
    store,
    billId,
    qrCodeId,
    offers,
  }: Pick<PayingTable, 'merchant' | 'store' | 'billId' | 'qrCodeId' | 'offers'>,
  viewer: Viewer,
): Promise<TableBill | null> {
  const now = clock.now();
  return withSnapshot(db, merchant.id, async (tx) => {
    const [row, ordered] = await Promise.all([
      findBill(tx, { storeId: store.id, billId }, 'read'),
      listOrderingGuests(tx.db, { merchantId: merchant.id, qrCodeId }),
    ]);
    const bill = row && (await loadBill(tx, row));
    if (!bill || !isBillOpen(bill, now)) return null;
    return toTableBill(bill, { ...viewer, ...offers, merchant }, numberGuests(ordered, bill.payments), now);
  });
}

type GuestNumber = ReturnType<typeof numberGuests>;

function toTableBill(
  bill: LoadedBill,
  viewer: Viewer & Pick<PayingTable, 'merchant'> & Offers,
  numberOf: GuestNumber,
  now: Date,
): TableBill {
  const amountsNow = priceRedeemed(bill, viewer.merchant.currency, now);
  const { lines, subtotal, discount, serviceCharge, tax, rounding, total, taxIncluded } = bill.row;
  const figures = figuresOfBill(bill, now);
  const isUnderSettling = isSettling(bill, now);
  const { redeemed, paid, held, tips, due, overpaid, isPaid } = figures;
  const shown = bill.payments.filter((payment) => payment.state === 'taken' || isHeld(payment, now));
  return {
    state: isPaid ? 'paid' : 'open',
    lines,
    subtotal,
    discount,
    serviceCharge,
    tax,
    rounding,
    total,
    taxIncluded,
    // On the phone, a part that was sold is paid at the till, too.
    paidAtTill: [
      ...unlistedParts({ ...bill.row, sold: bill.sold }),
      ...bill.sold.flatMap(({ taken }) => (taken > 0 ? { amount: taken, lines: [] } : [])),
    ],
    redeemed,
    paid,
    held,
    tips,
    due,
    overpaid,
    available: isUnderSettling ? 0 : availableOf(figures),
    isSettling: isUnderSettling,
    redemptions: bill.redemptions.map((redemption, n) => {
      const { type, amount, isInDiscount, isVoided, isByDiner, customerId, transactionId } = redemption;
      const isMine = customerId === viewer.customerId;
      return {
        type,
        amount,
        amountNow: amountsNow[n] as number | null,
        isInDiscount,
        isVoided,
        isMine,
        transactionId: isMine ? transactionId : null,
        canTakeBack: isMine && isByDiner && !isUnderSettling && canTakeBack(bill, redemption, viewer, now),
      };
    }),
    payments: shown.map((payment) => toTablePayment(payment, viewer, numberOf)),
  };
}

function toTablePayment(payment: LoadedPayment, viewer: Viewer, numberOf: GuestNumber): TableBill['payments'][number] {
  const { id, amount, tip, guestId, guestName } = payment;
  const isMine = guestId !== null && guestId === viewer.guestId;
  return {
    paymentId: isMine ? id : null,
    state: shownState(payment),
    amount,
    tip,
    returned: returnedOf(payment),
    guestName: guestName || null,
    guestNumber: numberOf(guestId),
    isMine,
  };
}

/** What the table's page shows of its bill before the diner opens it. */
export interface BillSummary {
  total: number;
  due: number;
  state: 'open' | 'paid';
}

const findOfCode = prepare((db, given: Given<{ merchantId: string; qrCodeId: string }>) =>
  db
    .select(billColumns)
    .from(qrCodes)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, given.merchantId),
        eq(bills.storeId, qrCodes.storeId),
        eq(bills.billId, qrCodes.billId),
        eq(bills.state, 'open').inlineParams(),
      ),
    )
    .where(and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.id, given.qrCodeId))),
);

/** Sums up a code's open bill; null if there is none. */
export async function summarizeBillOf(tx: Tx, qrCodeId: string, now: Date): Promise<BillSummary | null> {
  const [row] = await findOfCode(tx.db, { merchantId: tx.merchantId, qrCodeId });
  const bill = row && (await loadBill(tx, row));
  if (!bill || !isBillOpen(bill, now)) return null;
  const { due, isPaid } = figuresOfBill(bill, now);
  return { total: bill.row.total, due, state: isPaid ? 'paid' : 'open' };
}
