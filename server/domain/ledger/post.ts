import { and, eq, ne, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf, insertFrom, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { balances, type entryKind, ledgerEntries, lots } from '@/db/schema';
import type { BalancePart } from './balance';

/** A lot that a transaction grants. */
export interface NewLot {
  id: string;
  part: BalancePart;
  amount: number;
  expiresAt: Date | null;
}

export type EntryKind = (typeof entryKind.enumValues)[number];

/** A change of a lot, and so of its balance; `amount` is signed. */
export interface NewEntry {
  lotId: string;
  part: BalancePart;
  kind: EntryKind;
  amount: number;
}

/** The transaction and customer of an entry. */
interface EntryOwner {
  transactionUid: string;
  customerId: string;
  createdAt: Date;
}

export type PostedLot = NewLot & EntryOwner;
/** A new lot with what its other entries leave of it. */
type WrittenLot = PostedLot & { remaining: number };
export type PostedEntry = NewEntry & EntryOwner;

interface Postings {
  merchantId: string;
  entries: PostedEntry[];
  lots: WrittenLot[];
  /** The day on which the customers' gains count. */
  day?: string;
  /** Also passed as arrays: the planner assumes a hundred rows in JSON, and would scan whole tables to join them. */
  lotIds: string[];
  customerIds: string[];
}

const prepareWrite = (isGain: boolean) =>
  prepare((db, given: Given<Postings>) => {
    const { merchantId } = given;
    const day = sql<string>`${given.day}::date`;
    const { transactionUid, customerId, lotId, part, kind, amount, createdAt } = ledgerEntries;
    const { $rows: entries, ...entry } = recordset(
      'entry',
      { transactionUid, customerId, lotId, part, kind, amount, createdAt },
      given.entries,
    );
    const { $rows: newLots, ...lot } = recordset(
      'lot',
      {
        id: lots.id,
        transactionUid,
        customerId,
        part,
        amount,
        remaining: lots.remaining,
        expiresAt: lots.expiresAt,
        createdAt,
      },
      given.lots,
    );
    const fromEntry = sql`entry`;
    const ofLot = db
      .select({
        lotId: sql<string>`${entry.lotId}`.as('lot_id'),
        change: sql<number>`sum(${entry.amount})::bigint`.as('change'),
      })
      .from(fromEntry)
      .where(ne(entry.kind, 'grant').inlineParams())
      .groupBy(entry.lotId)
      .having(sql`sum(${entry.amount}) <> 0`)
      .as('of_lot');
    const changeOf = (one: BalancePart) =>
      sql<number>`coalesce(sum(${entry.amount}) filter (where ${eq(entry.part, one).inlineParams()}), 0)::bigint`.as(
        `${one}_change`,
      );
    const ofCustomer = db
      .select({
        holder: sql<string>`${entry.customerId}`.as('holder'),
        principal: changeOf('principal'),
        bonus: changeOf('bonus'),
        points: changeOf('points'),
      })
      .from(fromEntry)
      .groupBy(entry.customerId)
      .as('of_customer');
    const oldLots = db
      .update(lots)
      .set({ remaining: sql`${lots.remaining} + ${ofLot.change}` })
      .from(ofLot)
      .where(and(eq(lots.merchantId, merchantId), anyOf(lots.id, given.lotIds), eq(lots.id, ofLot.lotId)));
    const { gainedOn, gainedPoints, gainedValue } = balances;
    const soFar = (gained: PgColumn) => sql`case ${gainedOn} when ${day} then ${gained} else 0 end`;
    const gains = {
      gainedOn: day,
      gainedPoints: sql`${soFar(gainedPoints)} + ${ofCustomer.points}`,
      gainedValue: sql`${soFar(gainedValue)} + ${ofCustomer.principal} + ${ofCustomer.bonus}`,
    };
    const changedBalances = db
      .update(balances)
      .set({
        principal: sql`${balances.principal} + ${ofCustomer.principal}`,
        bonus: sql`${balances.bonus} + ${ofCustomer.bonus}`,
        points: sql`${balances.points} + ${ofCustomer.points}`,
        ...(isGain ? gains : {}),
      })
      .from(ofCustomer)
      .where(
        and(
          eq(balances.merchantId, merchantId),
          anyOf(balances.customerId, given.customerIds),
          eq(balances.customerId, ofCustomer.holder),
        ),
      );
    const { amount: granted, ...newLot } = lot;
    return sql`
    with entry as materialized (select * from ${entries}),
      new_lots as (${insertFrom(lots, { ...newLot, merchantId, granted }, newLots)}),
      old_lots as ${oldLots},
      changed_balances as ${changedBalances}
    ${insertFrom(ledgerEntries, { ...entry, merchantId }, fromEntry)}`;
  });

const write = prepareWrite(false);
const writeGains = prepareWrite(true);

/**
 * Writes ledger entries and, in the same statement, their effects: new lots, remainders of old lots, and the locked
 * balances. With `day`, the customers' gains count for that day. Returns an unsent query, or null if there is nothing
 * to write. Send it after the transactions.
 */
export function postEntries(
  { merchantId, db }: Tx,
  entries: PostedEntry[],
  newLots: PostedLot[] = [],
  day: string | null = null,
) {
  if (entries.length === 0) return null;
  const lotIds = entries.flatMap(({ kind, lotId }) => (kind === 'grant' ? [] : lotId));
  const customerIds = entries.map(({ customerId }) => customerId);
  const postings = { merchantId, entries, lots: withRemaining(newLots, entries), lotIds, customerIds };
  return day === null ? write(db, postings) : writeGains(db, { ...postings, day });
}

/** The statement that inserts a lot can't update it, so what its other entries take is deducted here. */
function withRemaining(newLots: PostedLot[], entries: PostedEntry[]): WrittenLot[] {
  const taken = new Map<string, number>();
  if (newLots.length > 0) {
    for (const { lotId, kind, amount } of entries)
      if (kind !== 'grant' && kind !== 'adjustment') taken.set(lotId, (taken.get(lotId) ?? 0) + amount);
  }
  return newLots.map((lot) => ({ ...lot, remaining: lot.amount + (taken.get(lot.id) ?? 0) }));
}
