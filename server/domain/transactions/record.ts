import type { Tx } from '@/db/client';
import type { Merchant } from '../core/context';
import type { BalancePart, LotChange } from '../ledger/balance';
import type { Attempt } from './outcome';

/** What is carried out: a POS's attempt, or a top-up that was paid online, which has no store, key or request of a POS. */
export interface Recordable extends Omit<Attempt, 'ctx' | 'storeId' | 'requestHash'> {
  ctx: { merchant: Merchant; apiKeyId: string | null };
  storeId: string | null;
  requestHash: Buffer | null;
}

/** A lot that the transaction grants. */
export interface NewLot {
  id: string;
  part: BalancePart;
  amount: number;
  expiresAt: Date | null;
}

/** A change of a balance; `amount` is signed. */
export interface NewEntry {
  lotId: string;
  part: BalancePart;
  kind: 'grant' | 'spend' | 'adjustment';
  amount: number;
}

/** The entries of what was spent from lots. */
export const spendEntries = (taken: LotChange[]): NewEntry[] =>
  taken.map(({ lotId, part, amount }) => ({ lotId, part, kind: 'spend', amount: -amount }));

interface Recorded {
  /** Minor units or points, for lists and reports. */
  amount: number;
  /** Replayed byte for byte. */
  answer: object;
  lots?: NewLot[];
  entries?: NewEntry[];
}

/**
 * Writes a completed transaction, the lots it grants and its ledger entries, in one statement. Send it last: it takes
 * the transactionId, and fails with a unique violation where another request took it first. Returned unsent, so that
 * among others it keeps its place, and its error comes before those that follow from it.
 */
export function record(tx: Tx, attempt: Recordable, recorded: Recorded) {
  const { merchantId, sql } = tx;
  const { ctx, input, customerId } = attempt;
  const lots = recorded.lots ?? [];
  const grants = lots.map(({ id, part, amount }): NewEntry => ({ lotId: id, part, kind: 'grant', amount }));
  const entries = [...grants, ...(recorded.entries ?? [])];
  const newLots =
    lots.length === 0
      ? sql``
      : sql`, granted as (
          insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
          select ${merchantId}, id, ${customerId}, ${attempt.uid}, part, amount, amount, "expiresAt", ${attempt.now}
          from json_to_recordset(${JSON.stringify(lots)}::text::json)
            as lot (id uuid, part balance_part, amount bigint, "expiresAt" timestamptz))`;
  return sql`
    with new_transaction as (
      insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, customer_id, amount, bill_id,
        staff_id, receipt_number, api_key_id, request_hash, answer, occurred_at, created_at)
      values (${merchantId}, ${attempt.uid}, ${attempt.storeId}, ${input.transactionId}, ${attempt.type}, 'completed',
        ${customerId}, ${recorded.amount}, ${input.billId ?? null}, ${input.staffId ?? null},
        ${input.receiptNumber ?? null}, ${ctx.apiKeyId}, ${attempt.requestHash}, ${JSON.stringify(recorded.answer)},
        ${attempt.occurredAt}, ${attempt.now})
    )${newLots}
    insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
    select ${merchantId}, ${attempt.uid}, ${customerId}, "lotId", part, kind, amount, ${attempt.now}
    from json_to_recordset(${JSON.stringify(entries)}::text::json)
      as entry ("lotId" uuid, part balance_part, kind entry_kind, amount bigint)`;
}
