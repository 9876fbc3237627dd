import type { Tx } from '@/db/client';
import type { BalancePart } from './balance';

/** A lot that a transaction grants. */
export interface NewLot {
  id: string;
  part: BalancePart;
  amount: number;
  expiresAt: Date | null;
}

export type EntryKind = 'grant' | 'spend' | 'void' | 'expiry' | 'expiryReversal' | 'adjustment';

/** A change of a lot, and with it of the balance; `amount` is signed. */
export interface NewEntry {
  lotId: string;
  part: BalancePart;
  kind: EntryKind;
  amount: number;
}

/** Which transaction it belongs to, and which customer. */
interface Of {
  transactionUid: string;
  customerId: string;
  createdAt: Date;
}

export type PostedLot = NewLot & Of;
export type PostedEntry = NewEntry & Of;

/**
 * Writes entries into the ledger, and in the same statement what follows from them: new lots, what remains in old ones, and
 * the balances, which are locked. Unsent, to be sent behind their transactions; null where there is nothing to write.
 */
export function post({ merchantId, sql }: Tx, entries: PostedEntry[], lots: PostedLot[] = []) {
  if (entries.length === 0) return null;
  // Passed again as arrays: the planner takes JSON for a hundred rows, and would read whole tables to join so many.
  const lotIds = entries.flatMap(({ kind, lotId }) => (kind === 'grant' ? [] : lotId));
  const customerIds = entries.map(({ customerId }) => customerId);
  return sql`
    with entry as materialized (
      select * from json_to_recordset(${JSON.stringify(entries)}::text::json) as entry ("transactionUid" uuid,
        "customerId" uuid, "lotId" uuid, part balance_part, kind entry_kind, amount bigint, "createdAt" timestamptz)
    ), new_lots as (
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
      select ${merchantId}, id, "customerId", "transactionUid", part, amount, amount, "expiresAt", "createdAt"
      from json_to_recordset(${JSON.stringify(lots)}::text::json) as lot (id uuid, "customerId" uuid,
        "transactionUid" uuid, part balance_part, amount bigint, "expiresAt" timestamptz, "createdAt" timestamptz)
    ), old_lots as (
      update lots l set remaining = l.remaining + c.amount
      from (
        select "lotId", sum(amount)::bigint as amount from entry where kind <> 'grant' group by "lotId" having sum(amount) <> 0
      ) c
      where l.merchant_id = ${merchantId} and l.id = any(${lotIds}::uuid[]) and l.id = c."lotId"
    ), changed_balances as (
      update balances b set principal = b.principal + c.principal, bonus = b.bonus + c.bonus, points = b.points + c.points
      from (
        select "customerId", coalesce(sum(amount) filter (where part = 'principal'), 0)::bigint as principal,
          coalesce(sum(amount) filter (where part = 'bonus'), 0)::bigint as bonus,
          coalesce(sum(amount) filter (where part = 'points'), 0)::bigint as points
        from entry group by "customerId"
      ) c
      where b.merchant_id = ${merchantId} and b.customer_id = any(${customerIds}::uuid[]) and b.customer_id = c."customerId"
    )
    insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
    select ${merchantId}, "transactionUid", "customerId", "lotId", part, kind, amount, "createdAt" from entry`;
}
