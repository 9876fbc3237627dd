import { type Tx, withMerchant } from '@/db/client';
import { endOfMonthAfter } from '../core/calendar';
import type { PosContext } from '../core/context';
import { DomainError, type Issue } from '../core/errors';
import { newId } from '../core/ids';
import { receipt } from '../core/receipt';
import { enrolFromSale } from '../customers/enrol';
import { customerNotFound } from '../customers/locate';
import { lockBalance, spendable } from '../ledger/balance';
import { pointsBalance, pointsEarned } from '../points/rules';
import { answerHeader } from '../transactions/answer';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { type NewLot, record } from '../transactions/record';
import type { Voucher } from '../vouchers/schemas';
import type { SaleInput, SaleOutput } from './schemas';

/**
 * Keeps a settled bill, and credits the customer's points from the time at the till (specification, section 4.2: Submit
 * Sales). Where the merchant says so, an unknown phone number or e-mail address becomes a customer.
 * Errors, beside those of every transaction: `totals_mismatch`.
 */
export async function submitSale(ctx: PosContext, input: SaleInput): Promise<SaleOutput> {
  checkTotals(input);
  const canEnrol = ctx.merchant.enrolOnSale && input.customer !== undefined && input.customer.customerId === undefined;
  return oneOutcome(ctx, { type: 'sale', input, allowsUnknownCustomer: canEnrol }, (attempt) => keep(attempt, input));
}

/** Errors: `totals_mismatch` with an issue for each sum that is off. */
function checkTotals(input: SaleInput): void {
  const { subtotal, discount, serviceCharge, tax, rounding = 0, total } = input;
  const issues: Issue[] = [];
  const expected = subtotal - discount + serviceCharge + tax + rounding;
  if (expected !== total) {
    issues.push({
      path: 'total',
      message: `is ${total}; subtotal − discount + serviceCharge + tax + rounding is ${expected}`,
    });
  }
  const paid = input.payments.reduce((sum, { amount }) => sum + amount, 0);
  if (paid !== total) issues.push({ path: 'payments', message: `add up to ${paid}; the total is ${total}` });
  if (issues.length === 0) return;
  throw new DomainError(
    'totals_mismatch',
    'The sums of the bill do not add up.',
    { expectedTotal: expected, paid },
    issues,
  );
}

function keep(found: Attempt, input: SaleInput): Promise<SaleOutput> {
  const { ctx, now } = found;
  const { merchant } = ctx;
  return withMerchant(ctx.db, merchant.id, async (tx) => {
    const attempt = { ...found };
    let vouchersIssued: Voucher[] = [];
    if (input.customer && attempt.customerId === null) {
      const enrolled = await enrolFromSale(tx, ctx, input.customer, attempt.uid);
      if (!enrolled) throw customerNotFound();
      attempt.customerId = enrolled.customerId;
      vouchersIssued = enrolled.vouchersIssued;
    }
    const { customerId } = attempt;
    let earned = 0;
    const lots: NewLot[] = [];
    let points: SaleOutput['points'] = null;
    if (customerId !== null) {
      const [[held], [before]] = await Promise.all([lockBalance(tx, customerId), spendable(tx, customerId, now)]);
      earned = pointsEarned(merchant, input.subtotal - input.discount, held.points);
      const expiresAt = expiryOf(attempt);
      // What a late sale earned may be past its time already: it is written, and never counted.
      const isUsable = expiresAt === null || expiresAt > now;
      points = pointsBalance(before.points + (isUsable ? earned : 0), merchant);
      if (earned > 0) lots.push({ id: newId(), part: 'points', amount: earned, expiresAt });
    }
    const answer = answerOf(attempt, input, { earned, points, vouchersIssued });
    tx.send(
      tx.sql`
        update balances set points = points + ${earned}
        where merchant_id = ${tx.merchantId} and customer_id = ${customerId}`,
      record(tx, attempt, { amount: input.total, answer, lots }),
      ...insertSale(tx, attempt.uid, input, earned),
    );
    return answer;
  });
}

function expiryOf({ ctx: { merchant }, occurredAt }: Attempt): Date | null {
  if (merchant.pointsExpiryMonths === null) return null;
  return endOfMonthAfter(occurredAt, merchant.pointsExpiryMonths, merchant.timeZone);
}

function answerOf(
  attempt: Attempt,
  input: SaleInput,
  { earned, points, vouchersIssued }: { earned: number; points: SaleOutput['points']; vouchersIssued: Voucher[] },
): SaleOutput {
  const { merchant } = attempt.ctx;
  const pointLines =
    points === null
      ? []
      : ([
          ['pointsEarned', String(earned)],
          ['points', String(points.balance)],
        ] as const);
  return {
    ...answerHeader(attempt),
    customerId: attempt.customerId,
    printText: receipt(merchant, [['total', input.total], ...pointLines]),
    type: 'sale',
    pointsEarned: earned,
    points,
    vouchersIssued,
  };
}

/** The bill, its lines and its payments: unsent, for behind the transaction. */
function insertSale({ merchantId, sql }: Tx, uid: string, input: SaleInput, earned: number) {
  const { subtotal, discount, serviceCharge, tax, rounding = 0, total, lines, payments, closedAt } = input;
  return [
    sql`
      insert into sales (merchant_id, transaction_uid, subtotal, discount, service_charge, tax, rounding, total, points_earned, closed_at)
      values (${merchantId}, ${uid}, ${subtotal}, ${discount}, ${serviceCharge}, ${tax}, ${rounding}, ${total}, ${earned}, ${closedAt})`,
    sql`
      insert into sale_lines (merchant_id, transaction_uid, position, plu, name, quantity, unit_price, amount)
      select ${merchantId}, ${uid}, position, plu, name, quantity, "unitPrice", amount
      from json_to_recordset(${JSON.stringify(lines.map((line, position) => ({ position, ...line })))}::text::json)
        as l (position smallint, plu text, name text, quantity numeric, "unitPrice" bigint, amount bigint)`,
    sql`
      insert into sale_payments (merchant_id, transaction_uid, position, method, amount)
      select ${merchantId}, ${uid}, position, method, amount
      from json_to_recordset(${JSON.stringify(payments.map((payment, position) => ({ position, ...payment })))}::text::json)
        as p (position smallint, method text, amount bigint)`,
  ];
}
