import { type Tx, withMerchant } from '@/db/client';
import { recordRun } from '../automations/record-run';
import { announce } from '../core/changes';
import type { Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { newId } from '../core/ids';
import { merchantNow } from '../merchants/merchant-time';
import { lockBalances } from './balance';

/** Lots that one database transaction takes away. */
const batchSize = 1_000;

/**
 * Writes off what has passed its time, of all merchants: an `expiry` transaction for each customer, with its entries. It
 * was counted and spent by nobody since; this makes the books say so. Several may run at once, and one that is killed
 * goes on where it was. Answers how many lots were written off. Errors: the first fault, once all others are done.
 */
export async function expireValue(services: Services): Promise<number> {
  const merchants = await services.db.sql<{ merchantId: string }[]>`
    select merchant_id as "merchantId" from merchants_with_expired_value(${services.systemClock.now()})`;
  let total = 0;
  const writeOffOf = async (merchant: { merchantId: string }) => {
    total += await expireValueOf(services, merchant);
  };
  await eachInTurn(merchants, writeOffOf, services.stopping);
  return total;
}

/** The same, of one merchant. */
export async function expireValueOf(
  services: Services,
  { merchantId, runId }: { merchantId: string; runId?: string },
): Promise<number> {
  let total = 0;
  await recordRun(services, { merchantId, runId, task: 'expire-value' }, async (note) => {
    for (;;) {
      const { found, expired } = await withMerchant(services.db, merchantId, async (tx) => {
        const batch = await expireBatch(tx, (await merchantNow(tx, services)).now);
        await note(tx, batch.expired);
        return batch;
      });
      total += expired;
      if (found < batchSize || services.stopping?.aborted) return;
    }
  });
  return total;
}

async function expireBatch(tx: Tx, now: Date): Promise<{ found: number; expired: number }> {
  const { merchantId, sql } = tx;
  const due = await sql<{ customerId: string }[]>`
    select customer_id as "customerId" from lots
    where merchant_id = ${merchantId} and open and expires_at <= ${now} order by expires_at limit ${batchSize}`;
  if (due.length === 0) return { found: 0, expired: 0 };
  const customerIds = [...new Set(due.map(({ customerId }) => customerId))].sort();
  await lockBalances(tx, customerIds);
  const expired = await writeOff(tx, customerIds, now);
  await announce(tx, 'transactions');
  return { found: due.length, expired };
}

/** Takes away all that the customers, whose balances are locked, let pass. In one statement. */
async function writeOff({ merchantId, sql }: Tx, customerIds: string[], now: Date): Promise<number> {
  const expiries = customerIds.map((customerId) => ({ customerId, uid: newId(now.getTime()) }));
  const [row] = await sql`
    with due as materialized (
      select l.id, l.customer_id, l.part, l.remaining, e.uid
      from json_to_recordset(${JSON.stringify(expiries)}::text::json) as e ("customerId" uuid, uid uuid)
      join lots l on l.merchant_id = ${merchantId} and l.customer_id = e."customerId"
      where l.open and l.expires_at <= ${now}
    ), new_transactions as (
      insert into transactions (merchant_id, uid, type, status, customer_id, occurred_at, created_at)
      select distinct ${merchantId}::uuid, uid, 'expiry'::transaction_type, 'completed'::transaction_status, customer_id,
        ${now}::timestamptz, ${now}::timestamptz
      from due
    ), from_lots as (
      update lots l set remaining = 0 from due where l.merchant_id = ${merchantId} and l.id = due.id
    ), from_balances as (
      update balances b set bonus = b.bonus - d.bonus, points = b.points - d.points
      from (
        select customer_id, coalesce(sum(remaining) filter (where part = 'bonus'), 0)::bigint as bonus,
          coalesce(sum(remaining) filter (where part = 'points'), 0)::bigint as points
        from due group by customer_id
      ) d
      where b.merchant_id = ${merchantId} and b.customer_id = d.customer_id
    ), entries as (
      insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
      select ${merchantId}, uid, customer_id, id, part, 'expiry', -remaining, ${now} from due
    )
    select count(*)::int as expired from due`;
  return row?.expired ?? 0;
}
