import { isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { endOfDate } from '../core/calendar';
import { announce } from '../core/changes';
import { DomainError, invalid } from '../core/errors';
import { newId } from '../core/ids';
import { formatMoney } from '../core/money';
import { maxPoints } from '../core/schemas';
import { type LotChange, spend, spendable } from '../ledger/balance';
import type { StaffContext } from '../staff/context';
import { checkBalanceLimit } from '../stored-value/rules';
import { lockCustomer } from './lock';
import type { AdjustInput } from './schemas';

interface Adjustment extends Omit<AdjustInput, 'direction' | 'expiresOn'> {
  /** Signed. */
  amount: number;
  expiresAt: Date | null;
}

/**
 * Adds to a part of a balance, or takes from it, by hand: as a transaction of its own, with its lot and entries. What is
 * taken comes from the lots that expire soonest. Sent again with the same id, nothing happens twice.
 * Errors: `customer_not_found`, `insufficient_balance`, `insufficient_points`, `balance_limit_exceeded`,
 * `transaction_id_conflict` where the id was used for another adjustment.
 */
export async function adjust(ctx: StaffContext, input: AdjustInput): Promise<{ adjustmentId: string }> {
  const now = ctx.clock.now();
  const { direction, expiresOn, ...given } = input;
  const expiresAt = expiresOn === null ? null : endOfDate(expiresOn, ctx.merchant.timeZone);
  if (expiresAt !== null && expiresAt <= now) throw invalid('expiresOn', 'is in the past');
  const adjustment = { ...given, amount: direction === 'add' ? given.amount : -given.amount, expiresAt };
  const carryOut = () => withMerchant(ctx.db, ctx.merchant.id, (tx) => carryOutOnce(tx, ctx, adjustment, now));
  await carryOut().catch((error) => {
    // The same id for another customer, at the same moment: it is there now.
    if (isUniqueViolation(error, 'adjustments_merchant_id_id_pk')) return carryOut();
    throw error;
  });
  return { adjustmentId: input.adjustmentId };
}

async function carryOutOnce(tx: Tx, ctx: StaffContext, adjustment: Adjustment, now: Date): Promise<void> {
  const { customerId, adjustmentId, part, amount, expiresAt, reason } = adjustment;
  const held = await lockCustomer(tx, customerId);
  if (await isDone(tx, adjustment)) return;
  const changes =
    amount > 0
      ? await add(tx, ctx, adjustment, { heldPoints: held.points, now })
      : await take(tx, ctx, adjustment, now);
  const { merchantId, sql } = tx;
  const uid = newId(now.getTime());
  const lots = amount > 0 ? changes : [];
  await Promise.all([
    sql`
      insert into transactions (merchant_id, uid, type, status, customer_id, amount, occurred_at, created_at)
      values (${merchantId}, ${uid}, 'adjustment', 'completed', ${customerId}, ${amount}, ${now}, ${now})`,
    sql`
      insert into adjustments (merchant_id, id, transaction_uid, user_id, part, amount, expires_at, reason)
      values (${merchantId}, ${adjustmentId}, ${uid}, ${ctx.staff.userId}, ${part}, ${amount}, ${expiresAt}, ${reason})`,
    ...lots.map(
      ({ lotId }) => sql`
        insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
        values (${merchantId}, ${lotId}, ${customerId}, ${uid}, ${part}, ${amount}, ${amount}, ${expiresAt}, ${now})`,
    ),
    sql`
      insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
      select ${merchantId}, ${uid}, ${customerId}, "lotId", part, 'adjustment', amount, ${now}
      from json_to_recordset(${JSON.stringify(changes)}::text::json)
        as entry ("lotId" uuid, part balance_part, amount bigint)`,
    auditStaff(tx, ctx, 'customer.adjust', { kind: 'customer', id: customerId }, { after: { part, amount, reason } }),
    announce(tx, 'customers'),
  ]);
}

/** Errors: `transaction_id_conflict` where what was done under the id is something else. */
async function isDone({ merchantId, sql }: Tx, adjustment: Adjustment): Promise<boolean> {
  const { adjustmentId, customerId, part, amount, expiresAt, reason } = adjustment;
  const [done] = await sql`
    select t.customer_id, a.part, a.amount, a.expires_at, a.reason
    from adjustments a join transactions t on t.merchant_id = a.merchant_id and t.uid = a.transaction_uid
    where a.merchant_id = ${merchantId} and a.id = ${adjustmentId}`;
  if (!done) return false;
  const isSame =
    done.customer_id === customerId &&
    done.part === part &&
    done.amount === amount &&
    done.expires_at?.getTime() === expiresAt?.getTime() &&
    done.reason === reason;
  if (!isSame) throw new DomainError('transaction_id_conflict', 'Another adjustment was made already. Open it anew.');
  return true;
}

/** The change of the lot that the adjustment is to make; the balance is raised already. */
async function add(
  tx: Tx,
  { merchant }: StaffContext,
  { customerId, part, amount }: Adjustment,
  { heldPoints, now }: { heldPoints: number; now: Date },
): Promise<LotChange[]> {
  const { merchantId, sql } = tx;
  if (part === 'points') {
    if (heldPoints + amount > maxPoints) throw invalid('amount', `must be at most ${maxPoints - heldPoints}`);
  } else {
    const [{ principal, bonus }] = await spendable(tx, customerId, now);
    checkBalanceLimit(principal + bonus, amount, merchant.balanceLimit, (sum) => formatMoney(sum, merchant.currency));
  }
  const column = sql.unsafe(part);
  await sql`
    update balances set ${column} = ${column} + ${amount}
    where merchant_id = ${merchantId} and customer_id = ${customerId}`;
  return [{ lotId: newId(), part, amount }];
}

/** What is taken from which lots; they and the balance are lowered already. */
async function take(
  tx: Tx,
  { merchant }: StaffContext,
  { customerId, part, amount }: Adjustment,
  now: Date,
): Promise<LotChange[]> {
  const requested = -amount;
  const [{ before, taken }] = await spend(tx, { customerId, parts: part, amount: requested, allowPartial: false, now });
  if (taken !== null) return taken.map((change) => ({ ...change, amount: -change.amount }));
  const details = { balance: before[part], requested };
  if (part === 'points') throw new DomainError('insufficient_points', `There are ${before.points} points.`, details);
  const message = `There is ${formatMoney(before[part], merchant.currency)} of it.`;
  throw new DomainError('insufficient_balance', message, details);
}
