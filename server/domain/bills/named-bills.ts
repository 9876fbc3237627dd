/**
 * The open bills that transactions name by `billId`. A bill's row is locked until the transaction commits, so
 * redemptions and diners' payments together never exceed what is due.
 */

import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { bills } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { Locked, type OnLocked } from '../ledger';
import { sendBillUpdate } from './bill-events';
import { type BillName, figuresOfBill, findBill, type LoadedBill, lastsUntil, loadBill } from './load';
import { type PriceableBill, toPriceable } from './priceable';
import { availableOf, type Figures } from './rules';
import type { RedemptionType } from './schemas';
import { billClosed, endBill } from './write';

interface NamedBill {
  bill: LoadedBill;
  /** True if nothing was due before. */
  wasPaid: boolean;
  isChanged: boolean;
}

/** By store and number. `not loaded`: the transaction has to run by itself and wait for the bill's lock. */
export type NamedBills = Map<string, NamedBill | 'not loaded'>;

/** The fields of a transaction that this module needs. */
export interface NamesBill {
  /** `apiKeyId` is null for a diner's phone, which can redeem on open bills only. */
  ctx: { merchant: Merchant; apiKeyId: string | null };
  input: { transactionId: string; billId?: string | undefined };
  storeId: string;
  customerId: string | null;
  now: Date;
  occurredAt: Date;
}

const keyOf = ({ storeId, billId }: BillName) => `${storeId} ${billId}`;

const findOpen = prepare((db, given: Given<{ merchantId: string; named: BillName[]; billIds: string[] }>) => {
  const { storeId, billId, state } = bills;
  const { $rows, ...named } = recordset('named', { storeId, billId }, given.named);
  return db
    .select({ storeId, billId })
    .from($rows)
    .innerJoin(
      bills,
      and(
        eq(bills.merchantId, given.merchantId),
        anyOf(billId, given.billIds),
        eq(storeId, named.storeId),
        eq(billId, named.billId),
        eq(state, 'open').inlineParams(),
      ),
    );
});

/**
 * Finds the open bills that transactions name. In a group, they are only detected, and their transactions then run by
 * themselves. There, bills are locked after the customers and in order, so that no two transactions deadlock.
 */
export async function loadNamedBills(tx: Tx, attempts: NamesBill[], onLocked: OnLocked): Promise<NamedBills> {
  const names = new Map<string, BillName>();
  for (const { storeId, input } of attempts) {
    const { billId } = input;
    if (billId !== undefined) names.set(keyOf({ storeId, billId }), { storeId, billId });
  }
  const loaded: NamedBills = new Map();
  if (names.size === 0) return loaded;
  if (onLocked === 'skip') {
    const named = [...names.values()];
    const billIds = named.map(({ billId }) => billId);
    const open = await findOpen(tx.db, { merchantId: tx.merchantId, named, billIds });
    for (const name of open) loaded.set(keyOf(name), 'not loaded');
    return loaded;
  }
  const latest = new Date(Math.max(...attempts.map(({ now }) => now.getTime())));
  for (const key of [...names.keys()].sort()) {
    const row = await findBill(tx, names.get(key) as BillName, 'lock');
    if (row?.state !== 'open') continue;
    const bill = await loadBill(tx, row);
    loaded.set(key, { bill, wasPaid: figuresOfBill(bill, latest).isPaid, isChanged: false });
  }
  return loaded;
}

/** Returns the open bill of a transaction, or null. Errors: `Locked` if the bill was not loaded. */
function billOf(bills: NamedBills, { storeId, input, occurredAt }: NamesBill): NamedBill | null {
  const found = input.billId === undefined ? undefined : bills.get(keyOf({ storeId, billId: input.billId }));
  if (found === 'not loaded') throw new Locked();
  // The number may belong to another bill, of an earlier day or from after this bill was forgotten.
  if (!found) return null;
  const { row } = found.bill;
  return occurredAt >= row.countsFrom && occurredAt < lastsUntil(row) ? found : null;
}

/**
 * Errors: `bill_due_exceeded` for a redemption of more than is due on its open bill, `bill_closed` for a phone's
 * redemption on a bill that is not open, `Locked`.
 */
export function checkDue(bills: NamedBills, attempt: NamesBill, amount: number): void {
  const found = billOf(bills, attempt);
  if (!found) {
    if (attempt.ctx.apiKeyId === null) throw billClosed('closed');
    return;
  }
  const figures = figuresOfBill(found.bill, attempt.now);
  if (amount > availableOf(figures)) throw dueExceeded(attempt.ctx.merchant, figures, amount);
}

/** Returns what to compute a voucher on, if only its open bill says so. Errors: `bill_closed`, `Locked`. */
export function priceableBill(bills: NamedBills, attempt: NamesBill): PriceableBill {
  const found = billOf(bills, attempt);
  if (!found) throw billClosed('closed');
  return toPriceable(found.bill, attempt.now);
}

export function dueExceeded({ currency }: Merchant, figures: Figures, requested: number): DomainError {
  const sentence = say('billDueExceeded', {
    available: { minor: availableOf(figures), currency },
    requested: { minor: requested, currency },
  });
  return new DomainError('bill_due_exceeded', sentence, { due: figures.due, held: figures.held, requested });
}

/** Counts a redemption on its open bill, so that later ones see it. */
export function countRedemption(bills: NamedBills, attempt: NamesBill, type: RedemptionType, amount: number): void {
  const found = billOf(bills, attempt);
  if (!found) return;
  const { ctx, input, customerId, occurredAt } = attempt;
  found.bill.redemptions.push({
    transactionId: input.transactionId,
    type,
    customerId: customerId as string,
    amount,
    occurredAt,
    isInDiscount: false,
    isVoided: false,
    isByDiner: ctx.apiKeyId === null,
  });
  found.isChanged = true;
}

/** Sends the events of bills with counted redemptions. */
export function sendRedeemedBills(tx: Tx, bills: NamedBills, [first]: { attempt: NamesBill }[]): void {
  if (!first) return;
  const { ctx, now } = first.attempt;
  for (const found of bills.values()) {
    if (found === 'not loaded' || !found.isChanged) continue;
    const { bill, wasPaid } = found;
    sendBillUpdate(tx, { merchant: ctx.merchant, bill, wasPaid, now });
  }
}

/** Errors: `Locked` for a sale with an open bill, which then runs by itself. */
export function checkClosable(bills: NamedBills, attempt: NamesBill): void {
  billOf(bills, attempt);
}

/** Closes the open bill that a sale settles. */
export function closeSoldBill(tx: Tx, bills: NamedBills, attempt: NamesBill): void {
  const found = billOf(bills, attempt);
  if (found?.bill.row.state === 'open') endBill(tx, attempt.ctx.merchant, found.bill, 'closed', attempt.now);
}
