/** What sales have of a bill. Pure; amounts are in minor units. */
import type { ListedAtTill } from '@/db/schema';

/** A sale of a part of a bill, or of all of it. */
export interface SoldPart {
  uid: string;
  transactionId: string;
  customerId: string | null;
  total: number;
  subtotal: number;
  /** What the till took itself: without redemptions, and without what diners paid by phone. */
  taken: number;
  /** Cash rounding of the part. */
  rounding: number;
  pointsEarned: number;
  /** Points that refunds have taken. */
  pointsTaken: number;
  /** What went back to payers with its points, in minor units. */
  refunded: number;
  /** When it was recorded. */
  createdAt: Date;
}

/** A bill with its sales, as far as its sums need them. */
export interface SoldBill {
  subtotal: number;
  total: number;
  rounding: number;
  sentAt: Date | null;
  createdAt: Date;
  sold: Pick<SoldPart, 'uid' | 'total' | 'subtotal' | 'taken' | 'rounding' | 'createdAt'>[];
}

export const sumOf = <T>(rows: T[], amountOf: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + amountOf(row), 0);

export const goodsOf = (sold: { subtotal: number }[]) => sumOf(sold, ({ subtotal }) => subtotal);

/** True if the sales have all goods of a bill. */
export const isAllSold = (sold: { subtotal: number }[], subtotal: number): boolean =>
  sold.length > 0 && goodsOf(sold) >= subtotal;

/** True if goods were sold before a further sale, and with it more than the bill has. */
export const isSoldTwice = (sold: { subtotal: number }[], part: { subtotal: number }, subtotal: number): boolean =>
  isAllSold(sold, subtotal) || (sold.length > 0 && goodsOf([...sold, part]) > subtotal);

/** True if we know which of the parts paid at the till the sales list. */
export const isListKnown = ({
  listedAtTill,
  sold,
}: {
  listedAtTill: ListedAtTill | null;
  sold: { subtotal: number }[];
}): boolean => listedAtTill !== null && goodsOf(sold) >= listedAtTill.subtotal;

/** The parts paid at the till that no sale lists: a part that the till repeats after its sale is matched by its amount. */
export function unlistedParts<Part extends { amount: number }>({
  paidAtTill,
  listedAtTill,
  sold,
}: {
  paidAtTill: Part[];
  listedAtTill: ListedAtTill | null;
  sold: { subtotal: number }[];
}): Part[] {
  if (!isListKnown({ listedAtTill, sold })) return paidAtTill;
  const listed = [...(listedAtTill?.amounts ?? [])];
  return paidAtTill.filter(({ amount }) => {
    const at = listed.indexOf(amount);
    if (at >= 0) listed.splice(at, 1);
    return at < 0;
  });
}

/** If the till rounds parts and not the bill, their rounding is the bill's. */
export const roundingOfParts = ({ rounding, sold }: Pick<SoldBill, 'rounding' | 'sold'>): number =>
  rounding === 0 ? sumOf(sold, (part) => part.rounding) : 0;

/**
 * Returns the most that may be taken for a bill: the larger of `whole` (as the till last sent it) and the largest sale since. If goods are sold above that, they were sold twice, or the bill has shrunk.
 */
export function worthOfSold({ subtotal, sentAt, createdAt, sold }: SoldBill, whole: number): number {
  if (goodsOf(sold) <= subtotal)
    return Math.max(
      whole,
      sumOf(sold, ({ total }) => total),
    );
  const lastSent = sentAt ?? createdAt;
  const later = sold.filter((sale) => sale.createdAt >= lastSent);
  return Math.max(whole, ...later.map(({ total }) => total));
}
