/** Locks and reads a bill with what was redeemed and paid on it. */

import { and, asc, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, type RowOf, recordset } from '@/db/query/expressions';
import { type Given, ofEach, only, prepare, type Queries } from '@/db/query/queries';
import { billPayments, bills, transactions } from '@/db/schema';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import type { RedeemedTerms } from '../kernel/voucher-pricing';
import { type Figures, figuresOf, type Redemption, worthOf } from './rules';
import { redemptionType } from './schemas';
import { loadSold } from './sold';
import type { SoldBill, SoldPart } from './sold-parts';
import { loadVoucherTerms } from './voucher-terms';
import { hasBegun, isOnBill, isRedeemedOn, type Moment, windowShape } from './window';

const { merchantId, heldAmount, paidAmount, limitAmount, ...columns } = getTableColumns(bills);
/** Without the sums of its payments, which are added up from the payments. */
export const billColumns = columns;
export type BillRow = Pick<typeof bills.$inferSelect, keyof typeof billColumns>;

const { merchantId: _, takenAt, returnedAt, ...columnsOfPayment } = getTableColumns(billPayments);
export const paymentColumns = columnsOfPayment;
/** A payment, with its phone and its checkout. */
export type LoadedPayment = Pick<typeof billPayments.$inferSelect, keyof typeof paymentColumns>;

/** A bill with the redemptions, payments and sales that count on it. */
export interface LoadedBill {
  row: BillRow;
  redemptions: Redemption[];
  payments: LoadedPayment[];
  sold: SoldPart[];
}

/** A bill with its sales as far as its sums need them. */
export type CountableBill = Omit<LoadedBill, 'sold'> & Pick<SoldBill, 'sold'>;

/** Names a store's bill by its number: the open one, or else the latest. */
export interface BillName {
  storeId: string;
  billId: string;
}

const { id, storeId, billId } = bills;
const isOpen = eq(bills.state, 'open').inlineParams();

const findNamed = ofEach(['read', 'lock'], (mode: 'read' | 'lock') =>
  prepare((db, given: Given<{ merchantId: string } & BillName>) => {
    const query = db
      .select(billColumns)
      .from(bills)
      .where(and(eq(bills.merchantId, given.merchantId), eq(storeId, given.storeId), eq(billId, given.billId)))
      .orderBy(desc(isOpen), desc(id))
      .limit(1);
    return mode === 'lock' ? query.for('update') : query;
  }),
);

/** Finds a bill. `lock` locks it until the database transaction ends. */
export async function findBill({ merchantId, db }: Tx, name: BillName, mode: 'read' | 'lock'): Promise<BillRow | null> {
  const find = async () => (await findNamed[mode](db, { merchantId, ...name }))[0] ?? null;
  let row = await find();
  // While this one waited for the lock of a bill, it may have ended, and its number have begun another.
  for (let tries = 0; mode === 'lock' && row && row.state !== 'open' && tries < 3; tries++) {
    const latest = await find();
    if (latest?.id === row.id) break;
    row = latest;
  }
  return row;
}

type NamedAt = { merchantId: string; at: Date } & BillName;

const selectAt = (db: Queries, of: Moment['of'], given: Given<NamedAt>) =>
  db
    .select(billColumns)
    .from(bills)
    .where(
      and(
        eq(bills.merchantId, given.merchantId),
        eq(storeId, given.storeId),
        eq(billId, given.billId),
        hasBegun(of, sql.param(given.at, bills.countsFrom)),
      ),
    )
    .orderBy(desc(id))
    .limit(1);
const kinds = ['sale', 'redemption'] as const;
const findAt = ofEach(kinds, (of) => prepare((db, given: Given<NamedAt>) => selectAt(db, of, given)));
const lockAt = ofEach(kinds, (of) => prepare((db, given: Given<NamedAt>) => selectAt(db, of, given).for('update')));

/** Finds the bill that a number meant at a time, for a sale or a redemption: the last one that had begun. */
export async function findBillAt({ merchantId, db }: Tx, name: BillName, { at, of }: Moment): Promise<BillRow | null> {
  return (await findAt[of](db, { merchantId, ...name, at }))[0] ?? null;
}

/** Locks the bill that a number meant at a time. It may have ended by then. */
export async function lockBillAt(tx: Tx, name: BillName, moment: Moment): Promise<BillRow | null> {
  for (;;) {
    const [row] = await lockAt[moment.of](tx.db, { merchantId: tx.merchantId, ...name, at: moment.at });
    // While we waited for the lock, the number may have begun anew: only once the bill had ended.
    if (!row || row.state === 'open') return row ?? null;
    const latest = await findBillAt(tx, name, moment);
    if (latest?.id === row.id) return row;
  }
}

const selectByPayment = (db: Queries, given: Given<{ merchantId: string; paymentId: string }>) =>
  db
    .select(billColumns)
    .from(bills)
    .where(
      and(
        eq(bills.merchantId, given.merchantId),
        eq(
          id,
          db
            .select({ billUid: billPayments.billUid })
            .from(billPayments)
            .where(and(eq(billPayments.merchantId, given.merchantId), eq(billPayments.id, given.paymentId))),
        ),
      ),
    );

const lockById = prepare((db, given: Given<{ merchantId: string; paymentId: string }>) =>
  selectByPayment(db, given).for('update'),
);

/** Finds and locks the bill of a payment. */
export async function lockBillOf({ merchantId, db }: Tx, paymentId: string): Promise<BillRow | null> {
  const [row] = await lockById(db, { merchantId, paymentId });
  return row ?? null;
}

/** Finds a bill by our own id. */
export async function findBillByUid({ merchantId, db }: Tx, billUid: string): Promise<BillRow | null> {
  const [row] = await db
    .select(billColumns)
    .from(bills)
    .where(and(eq(bills.merchantId, merchantId), eq(id, billUid)));
  return row ?? null;
}

/** Locks a bill by our own id, and loads what counts on it; null for an unknown bill. */
export async function lockBillByUid(tx: Tx, billUid: string): Promise<LoadedBill | null> {
  const [row] = await tx.db
    .select(billColumns)
    .from(bills)
    .where(and(eq(bills.merchantId, tx.merchantId), eq(id, billUid)))
    .for('update');
  return row ? loadBill(tx, row) : null;
}

export const billNotFound = () => new DomainError('bill_not_found', say('billNotFound'));

/** Finds a bill that must exist. Errors: `bill_not_found`. */
export async function requireBill(tx: Tx, name: BillName, mode: 'read' | 'lock'): Promise<BillRow> {
  const row = await findBill(tx, name, mode);
  if (!row) throw billNotFound();
  return row;
}

/**
 * Locks the bill that a request is about: the present one with the number or, of a request that happened before that began, the one
 * before, so that a late copy does nothing to the next guests' bill. Errors: `bill_not_found`.
 */
export async function lockBillMeant(tx: Tx, name: BillName, happenedAt: Date | null): Promise<BillRow> {
  const moment = happenedAt && { at: happenedAt, of: 'sale' as const };
  const before = moment && (await lockBillAt(tx, name, moment));
  return before && isOnBill(before, moment) ? before : requireBill(tx, name, 'lock');
}

/** Reads a bill that exists. */
export const requireBillByUid = async ({ merchantId, db }: Tx, uid: string): Promise<BillRow> =>
  only(
    await db
      .select(billColumns)
      .from(bills)
      .where(and(eq(bills.merchantId, merchantId), eq(id, uid))),
  );

/** No one redeems more often on one bill. Further redemptions are not read. */
const mostRead = 500;
const isRedemption = inArray(transactions.type, redemptionType.options).inlineParams();

/** Selects the transactions of bills that exist or are about to be written. `n` numbers the bills of a query. */
const nameShape = { n: sql<number>`int`, inDiscount: bills.discountTransactionIds, ...windowShape };
type Named = RowOf<typeof nameShape>;

const findRedemptions = prepare((db, given: Given<{ merchantId: string; named: Named[]; billIds: string[] }>) => {
  const { $rows, ...named } = recordset('named', nameShape, given.named);
  const { uid, transactionId, type, status, customerId, apiKeyId, amount, answer, occurredAt, createdAt } =
    transactions;
  const redeemed = db
    .select({ uid, transactionId, type, status, customerId, apiKeyId, amount, answer, occurredAt, createdAt })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, given.merchantId),
        anyOf(transactions.billId, given.billIds),
        isRedemption,
        // Voided redemptions count as long as the discount includes them.
        or(
          eq(status, 'completed').inlineParams(),
          and(eq(status, 'voided').inlineParams(), sql`${transactionId} = any(${named.inDiscount})`),
        ),
        isRedeemedOn(named),
      ),
    )
    .orderBy(asc(uid))
    .limit(mostRead)
    .as('redeemed');
  return db
    .select({ n: named.n, ...redeemed._.selectedFields })
    .from($rows)
    .crossJoinLateral(redeemed)
    .orderBy(asc(named.n), asc(redeemed.uid));
});

const findPayments = prepare((db, given: Given<{ merchantId: string; billUids: string[] }>) => {
  const { id, billUid, createdAt } = billPayments;
  return db
    .select(paymentColumns)
    .from(billPayments)
    .where(and(eq(billPayments.merchantId, given.merchantId), anyOf(billUid, given.billUids)))
    .orderBy(asc(billUid), asc(createdAt), asc(id));
});

/**
 * Loads the redemptions and payments of bills, also of a new version that is not written yet. Complete if the bills are
 * locked.
 */
export async function loadBills({ merchantId, db }: Tx, rows: BillRow[]): Promise<LoadedBill[]> {
  if (rows.length === 0) return [];
  const named = rows.map(({ id, storeId, billId, countsFrom, salesFrom, updatedAt, closedAt, ...row }, n) => {
    const window = { id, storeId, billId, countsFrom, salesFrom, updatedAt, closedAt };
    return { n, inDiscount: row.discountTransactionIds, ...window };
  });
  const [redeemed, payments, sold] = await Promise.all([
    findRedemptions(db, { merchantId, named, billIds: rows.map((row) => row.billId) }),
    findPayments(db, { merchantId, billUids: rows.map((row) => row.id) }),
    loadSold({ merchantId, db }, named),
  ]);
  const ofVouchers = redeemed.filter(({ type, status }) => type === 'redeemVoucher' && status === 'completed');
  const terms = await loadVoucherTerms(
    { merchantId, db },
    ofVouchers.map(({ uid }) => uid),
  );
  return rows.map((row, n) => ({
    row,
    redemptions: redeemed
      .filter((one) => one.n === n)
      .map((one) => toRedemption(one, row.discountTransactionIds, terms.get(one.uid) ?? null)),
    payments: payments.filter(({ billUid }) => billUid === row.id),
    sold: sold[n] as SoldPart[],
  }));
}

function toRedemption(
  one: Awaited<ReturnType<typeof findRedemptions>>[number],
  inDiscount: string[],
  terms: RedeemedTerms | null,
): Redemption {
  const { transactionId, type, customerId, apiKeyId, status, amount, answer, occurredAt, createdAt } = one;
  return {
    transactionId: transactionId as string,
    type: redemptionType.parse(type),
    customerId: customerId as string,
    amount: worthOf({ type, amount, answer }),
    isInDiscount: inDiscount.includes(transactionId as string),
    isVoided: status === 'voided',
    isByDiner: apiKeyId === null,
    occurredAt,
    createdAt,
    terms,
  };
}

/** Loads what counts on a bill. */
export const loadBill = async (tx: Tx, row: BillRow): Promise<LoadedBill> => only(await loadBills(tx, [row]));

/** Nothing is to be paid on a voided bill: what was redeemed before and arrived late is too much. */
export function figuresOfBill({ row, ...rest }: CountableBill, now: Date): Figures {
  if (row.state !== 'void') return figuresOf({ ...row, ...rest }, now);
  const redemptions = rest.redemptions.filter(({ isVoided }) => !isVoided);
  return figuresOf({ ...row, ...rest, redemptions, subtotal: 0, total: 0 }, now);
}

/** True while the till takes money for the bill, as it has said. */
export const isSettling = ({ row }: LoadedBill, now: Date): boolean =>
  row.state === 'open' && row.settlingUntil !== null && now < row.settlingUntil;
