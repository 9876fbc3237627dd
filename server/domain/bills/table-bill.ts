/** A table's bill, as the phones at the table see it. */

import { and, desc, eq, gt, ne, or, sql } from 'drizzle-orm';
import { type Tx, withSnapshot } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';
import { bills, customers, qrCodes } from '@/db/schema';
import type { Services } from '../kernel/context';
import type { DomainError } from '../kernel/errors';
import { countUnits } from '../kernel/net-lines';
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
import { availableOf, isHeld, returnedOf, shownState } from './rules';
import type { Bill, RedemptionType } from './schemas';
import { unlistedParts } from './sold-parts';

type Sums = Pick<
  Bill,
  'lines' | 'subtotal' | 'discount' | 'serviceCharge' | 'tax' | 'rounding' | 'total' | 'taxIncluded' | 'paidAtTill'
>;
type Figures = Pick<Bill, 'redeemed' | 'paid' | 'held' | 'tips' | 'due' | 'overpaid'>;

/** Amounts are in minor units. Other guests are anonymous, except for a name that they give themselves. */
export interface TableBill extends Sums, Figures {
  /** `paid`: nothing is due. `closed`: its till has closed it. */
  state: 'open' | 'paid' | 'closed';
  /** When the till last sent it. */
  sentAt: string;
  /** On a closed bill, to the customer who is signed in: the given name, and the points that they earned. */
  thanks: { name: string; pointsEarned: number } | null;
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
    /** Until when the amount is held, unless it is paid or taken back before; null if it is not. */
    heldUntil: string | null;
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

interface BillTable extends Pick<PayingTable, 'merchant' | 'store' | 'billId' | 'qrCodeId' | 'offers'> {
  /** When its code was opened. */
  openedAt: Date;
  /** Why its code is not open; null while it is. */
  refusal: DomainError | null;
}

/** How long a closed bill is shown to the phones that had a part in it. */
const farewellMs = 24 * 60 * 60_000;

/**
 * Returns the table's open bill, or its closed one to a phone that ordered or paid, or whose customer redeemed on it.
 * Null if the till has sent none, or closed one that the phone had no part in. Errors: `refusal`, if the code is not open and
 * there is no closed bill to show.
 */
export async function getTableBill(
  { db, clock }: Services,
  { merchant, store, billId, qrCodeId, offers, openedAt, refusal }: BillTable,
  viewer: Viewer,
): Promise<TableBill | null> {
  const now = clock.now();
  const shown = await withSnapshot(db, merchant.id, async (tx) => {
    const [row, ordered] = await Promise.all([
      findBill(tx, { storeId: store.id, billId }, 'read'),
      listOrderingGuests(tx.db, { merchantId: merchant.id, qrCodeId }),
    ]);
    const bill = row && (await loadBill(tx, row));
    if (!bill) return null;
    const isOpen = isBillOpen(bill, now) && refusal === null;
    const isShown = isOpen || (isClosedOf(bill, openedAt, now) && hadPartIn(bill, ordered, viewer));
    if (!isShown) return null;
    const table = toTableBill(bill, { ...viewer, ...offers, merchant }, numberGuests(ordered, bill.payments), now);
    return isOpen ? table : { ...table, ...settledAtTill(table), thanks: await thank(tx, bill, viewer) };
  });
  if (shown === null && refusal) throw refusal;
  return shown;
}

/** True for a bill that was closed while it had the code, less than a day ago. */
const isClosedOf = ({ row: { state, countsFrom, closedAt } }: LoadedBill, openedAt: Date, now: Date): boolean =>
  state === 'closed' &&
  closedAt !== null &&
  countsFrom <= openedAt &&
  openedAt < closedAt &&
  now.getTime() - closedAt.getTime() < farewellMs;

type ByGuest = Pick<LoadedPayment, 'guestId'>;

/** True for a phone that ordered or paid on the bill, or whose customer redeemed or earned on it. */
function hadPartIn({ payments, redemptions, sold }: LoadedBill, ordered: ByGuest[], viewer: Viewer): boolean {
  const { guestId, customerId } = viewer;
  const isGuest = [...ordered, ...payments].some((one) => guestId !== null && one.guestId === guestId);
  return isGuest || [...redemptions, ...sold].some((one) => customerId !== null && one.customerId === customerId);
}

/** Once the bill is closed, what was due on it is settled at the till. */
const settledAtTill = ({ due, paidAtTill }: TableBill) => ({
  state: 'closed' as const,
  due: 0,
  available: 0,
  paidAtTill: due > 0 ? [...paidAtTill, { amount: due, lines: [] }] : paidAtTill,
});

async function thank(tx: Tx, { sold }: LoadedBill, { customerId }: Viewer): Promise<TableBill['thanks']> {
  if (customerId === null) return null;
  const [customer] = await tx.db
    .select({ name: sql<string>`coalesce(nullif(${customers.givenName}, ''), ${customers.lastName})` })
    .from(customers)
    .where(and(eq(customers.merchantId, tx.merchantId), eq(customers.id, customerId)));
  const own = sold.filter((one) => one.customerId === customerId);
  const pointsEarned = own.reduce((sum, one) => sum + one.pointsEarned - one.pointsTaken, 0);
  return { name: customer?.name ?? '', pointsEarned };
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
    sentAt: bill.row.updatedAt.toISOString(),
    thanks: null,
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
  const { id, amount, tip, guestId, guestName, heldUntil } = payment;
  const isMine = guestId !== null && guestId === viewer.guestId;
  const state = shownState(payment);
  return {
    paymentId: isMine ? id : null,
    state,
    heldUntil: state === 'held' ? heldUntil.toISOString() : null,
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
  state: TableBill['state'];
}

/** Selects a code's bill: the open one, or else the one that ended last while it had the code. */
const findOfCode = prepare((db, given: Given<{ merchantId: string; qrCodeId: string }>) => {
  const isOpen = eq(bills.state, 'open').inlineParams();
  return db
    .select({ ...billColumns, openedAt: qrCodes.createdAt })
    .from(qrCodes)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, given.merchantId),
        eq(bills.storeId, qrCodes.storeId),
        eq(bills.billId, qrCodes.billId),
        ne(bills.state, 'void').inlineParams(),
        or(isOpen, gt(bills.closedAt, qrCodes.createdAt)),
      ),
    )
    .where(and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.id, given.qrCodeId)))
    .orderBy(desc(isOpen), desc(bills.id))
    .limit(1);
});

/** Counts the units of each item on a code's bill. */
export async function countUnitsOf(tx: Tx, qrCodeId: string): Promise<Map<string, number>> {
  const [row] = await findOfCode(tx.db, { merchantId: tx.merchantId, qrCodeId });
  return countUnits(row?.lines ?? []);
}

/** Sums up a code's open bill, or its closed one for a phone that ordered or paid on it; null if there is none. */
export async function summarizeBillOf(
  tx: Tx,
  qrCodeId: string,
  guestId: string | null,
  now: Date,
): Promise<BillSummary | null> {
  const [found] = await findOfCode(tx.db, { merchantId: tx.merchantId, qrCodeId });
  if (!found) return null;
  const { openedAt, ...row } = found;
  const bill = await loadBill(tx, row);
  const { due, isPaid } = figuresOfBill(bill, now);
  const { total } = bill.row;
  if (isBillOpen(bill, now)) return { total, due, state: isPaid ? 'paid' : 'open' };
  if (!isClosedOf(bill, openedAt, now)) return null;
  const ordered = await listOrderingGuests(tx.db, { merchantId: tx.merchantId, qrCodeId });
  return hadPartIn(bill, ordered, { guestId, customerId: null }) ? { total, due: 0, state: 'closed' } : null;
}
