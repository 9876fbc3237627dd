import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { receipt } from '../core/receipt';
import { checkNotBlocked, lockBalance } from '../ledger/balance';
import { answerHeader } from '../transactions/answer';
import { type Attempt, oneOutcome, tryWithoutOutcome } from '../transactions/outcome';
import { record } from '../transactions/record';
import { formatVoucherCode, parseVoucherCode } from './code';
import { type Discount, priceVoucher } from './pricing';
import type { RedeemVoucherInput, RedeemVoucherOutput } from './schemas';

/**
 * Redeems a voucher on a bill (specification, section 4.2: Redeem Voucher). A dry run takes the same way and leaves
 * nothing behind, but for the count of a wrong PIN.
 * Errors, beside those of every transaction and the PIN's: `customer_blocked`, `bill_lines_required`, `voucher_not_found`,
 * `voucher_redeemed`, `voucher_expired`, `voucher_not_applicable`, `minimum_spend_not_met`, `voucher_not_stackable`.
 */
export function redeemVoucher(ctx: PosContext, input: RedeemVoucherInput): Promise<RedeemVoucherOutput> {
  const operation = { type: 'redeemVoucher', input, needsPin: true } as const;
  if (input.dryRun) return tryWithoutOutcome(ctx, operation, (attempt) => apply(attempt, input));
  return oneOutcome(ctx, operation, (attempt) => apply(attempt, input));
}

function apply(attempt: Attempt, input: RedeemVoucherInput): Promise<RedeemVoucherOutput> {
  const { ctx, now } = attempt;
  const { merchant } = ctx;
  const customerId = attempt.customerId as string;
  const code = parseVoucherCode(input.voucherCode);
  if (code === null) throw notFound();

  return withMerchant(ctx.db, merchant.id, async (tx) => {
    const [[held], [voucher]] = await Promise.all([
      lockBalance(tx, customerId),
      tx.sql`
        select v.id, v.expires_at, v.redeemed_at, c.unit, c.value, c.plus, c.min_spend, c.max_discount, c.max_units,
          c.stackable, c.valid_from, c.all_stores or exists (
            select from voucher_campaign_stores s
            where s.merchant_id = c.merchant_id and s.campaign_id = c.id and s.store_id = ${attempt.storeId}) as is_for_store
        from vouchers v join voucher_campaigns c on c.merchant_id = v.merchant_id and c.id = v.campaign_id
        where v.merchant_id = ${tx.merchantId} and v.voucher_code = ${code} and v.customer_id = ${customerId}
          and v.cancelled_at is null`,
    ]);
    checkNotBlocked(held);
    if (!voucher) throw notFound();
    checkUsable(voucher, attempt.occurredAt);
    const discount = priceVoucher(termsOf(voucher), input.bill);
    await checkStacking(tx, attempt, voucher);
    const answer = answerOf(attempt, input, voucher, discount, code);
    if (input.dryRun) return answer;
    tx.send(
      record(tx, attempt, { amount: discount.amount, answer }),
      tx.sql`
        update vouchers set redeemed_by = ${attempt.uid}, redeemed_at = ${now}
        where merchant_id = ${tx.merchantId} and id = ${voucher.id}`,
    );
    return answer;
  });
}

function notFound(): DomainError {
  return new DomainError('voucher_not_found', 'This customer has no such voucher.');
}

/** Judged by the time at the till: an offline till's redemption may arrive after the voucher's last day. */
function checkUsable(voucher: Row, at: Date): void {
  if (voucher.redeemed_at !== null) throw new DomainError('voucher_redeemed', 'This voucher was already used.');
  if (voucher.expires_at !== null && voucher.expires_at <= at) {
    const details = { expiredAt: voucher.expires_at.toISOString() };
    throw new DomainError('voucher_expired', 'This voucher has expired.', details);
  }
  if (voucher.valid_from !== null && voucher.valid_from > at) {
    throw new DomainError('voucher_not_applicable', 'This voucher can not be used yet.');
  }
  if (!voucher.is_for_store) throw new DomainError('voucher_not_applicable', 'This voucher is not for this store.');
}

const termsOf = (row: Row) => ({
  unit: row.unit,
  value: row.value,
  plus: row.plus,
  minSpend: row.min_spend,
  maxDiscount: row.max_discount,
  maxUnits: row.max_units,
});

/**
 * On one bill, a voucher that does not stack stands alone. The bill is locked by its number, for two vouchers of two
 * customers may be tried at the same moment.
 */
async function checkStacking({ merchantId, sql }: Tx, { storeId, input }: Attempt, voucher: Row): Promise<void> {
  if (input.billId === undefined) return;
  const [, others] = await Promise.all([
    sql`select pg_advisory_xact_lock(hashtextextended(${`bill ${merchantId} ${storeId} ${input.billId}`}, 0))`,
    sql`
      select c.stackable from transactions t
      join vouchers v on v.merchant_id = t.merchant_id and v.redeemed_by = t.uid
      join voucher_campaigns c on c.merchant_id = v.merchant_id and c.id = v.campaign_id
      where t.merchant_id = ${merchantId} and t.store_id = ${storeId} and t.bill_id = ${input.billId}
        and t.type = 'redeemVoucher' and t.status = 'completed'`,
  ]);
  if (others.length === 0 || (voucher.stackable && others.every(({ stackable }) => stackable))) return;
  throw new DomainError('voucher_not_stackable', 'This voucher can not be combined with another one on the same bill.');
}

function answerOf(
  attempt: Attempt,
  { bill, dryRun }: RedeemVoucherInput,
  voucher: Row,
  discount: Discount,
  code: string,
): RedeemVoucherOutput {
  const { merchant } = attempt.ctx;
  const billAmountAfter = bill.amount - discount.amount;
  return {
    ...answerHeader(attempt),
    status: dryRun ? 'dryRun' : 'completed',
    customerId: attempt.customerId as string,
    printText: receipt(merchant, [
      ['voucher', formatVoucherCode(code)],
      ['discount', -discount.amount],
      ['toPay', billAmountAfter],
    ]),
    type: 'redeemVoucher',
    voucherCode: formatVoucherCode(code),
    unit: voucher.unit,
    discount,
    billAmountAfter,
  };
}
