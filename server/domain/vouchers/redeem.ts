import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError } from '../core/errors';
import { receipt } from '../core/receipt';
import { type Account, lockAccounts } from '../ledger/account';
import { checkNotBlocked, Locked, type Patience } from '../ledger/balance';
import { answerHeader } from '../transactions/answer';
import { byCustomer, inGroups } from '../transactions/group';
import { type Attempt, oneOutcome, tryWithoutOutcome } from '../transactions/outcome';
import { carryOut } from '../transactions/record';
import { toTerms } from './campaigns';
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
  const redemption = (attempt: Attempt): Redemption => {
    const code = parseVoucherCode(input.voucherCode);
    if (code === null) throw notFound();
    return { attempt, input, code };
  };
  if (!input.dryRun) return oneOutcome(ctx, operation, async (attempt) => redeemInGroup(redemption(attempt)));
  return tryWithoutOutcome(ctx, operation, async (attempt) => tryOne(redemption(attempt)));
}

interface Redemption {
  attempt: Attempt;
  input: RedeemVoucherInput;
  code: string;
}

const redeemInGroup = inGroups<Redemption, RedeemVoucherOutput>(byCustomer, async (tx, redemptions, patience) => {
  const { accounts, vouchers, bills } = await read(tx, redemptions, patience);
  const { answers, done } = carryOut(tx, redemptions, accounts, (redemption, account) => {
    const voucher = vouchers.get(redemption);
    const answer = redeem(redemption, account, voucher, bills);
    const { attempt } = redemption;
    // Those behind see it: the same voucher, and others on the same bill.
    for (const row of vouchers.values()) if (row.id === voucher?.id) row.redeemed_at = attempt.now;
    bills.get(billOf(redemption) ?? '')?.push({ stackable: voucher?.stackable, at: attempt.occurredAt });
    return { amount: answer.discount.amount, answer };
  });
  const used = done.map(({ member }) => ({
    id: vouchers.get(member)?.id,
    uid: member.attempt.uid,
    now: member.attempt.now,
  }));
  if (used.length > 0) {
    const { merchantId, sql } = tx;
    tx.send(sql`
      update vouchers v set redeemed_by = u.uid, redeemed_at = u.now
      from json_to_recordset(${JSON.stringify(used)}::text::json) as u (id uuid, uid uuid, now timestamptz)
      where v.merchant_id = ${merchantId} and v.id = any(${used.map(({ id }) => id)}::uuid[]) and v.id = u.id`);
  }
  return answers;
});

function tryOne(redemption: Redemption): Promise<RedeemVoucherOutput> {
  const { ctx, customerId } = redemption.attempt;
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { accounts, vouchers, bills } = await read(tx, [redemption], 'wait');
    return redeem(redemption, accounts.get(customerId ?? '') as Account, vouchers.get(redemption), bills);
  });
}

function redeem(redemption: Redemption, account: Account, voucher: Row | undefined, bills: Bills): RedeemVoucherOutput {
  const { attempt, input, code } = redemption;
  checkNotBlocked(account);
  if (!voucher) throw notFound();
  checkUsable(voucher, attempt.occurredAt);
  const discount = priceVoucher(toTerms(voucher), input.bill, attempt.ctx.merchant.currency);
  const bill = billOf(redemption);
  if (bill !== null) checkStacking(voucher, bills.get(bill), attempt.occurredAt);
  return answerOf(attempt, input, voucher, discount, code);
}

/** What redemptions need to know, read in one round trip once their customers and bills are locked. */
async function read(tx: Tx, redemptions: Redemption[], patience: Patience) {
  const [accounts, vouchers, bills] = await Promise.all([
    lockAccounts(
      tx,
      redemptions.map(({ attempt }) => attempt),
      patience,
    ),
    findVouchers(tx, redemptions),
    lockBills(tx, redemptions, patience),
  ]);
  return { accounts, vouchers, bills };
}

/** The voucher that each names. */
async function findVouchers({ merchantId, sql }: Tx, redemptions: Redemption[]): Promise<Map<Redemption, Row>> {
  const wanted = redemptions.map(({ attempt: { customerId, storeId }, code }, n) => ({ n, code, customerId, storeId }));
  const rows = await sql`
    select w.n, v.id, v.expires_at, v.redeemed_at, c.unit, c.value, c.plus, c.min_spend, c.max_discount, c.max_units,
      c.stackable, c.valid_from, c.all_stores or exists (
        select from voucher_campaign_stores s
        where s.merchant_id = c.merchant_id and s.campaign_id = c.id and s.store_id = w."storeId") as is_for_store
    from json_to_recordset(${JSON.stringify(wanted)}::text::json) as w (n int, code text, "customerId" uuid, "storeId" uuid)
    join vouchers v on v.merchant_id = ${merchantId} and v.voucher_code = any(${wanted.map(({ code }) => code)}::text[])
      and v.voucher_code = w.code and v.customer_id = w."customerId"
      and v.cancelled_at is null
    join voucher_campaigns c on c.merchant_id = v.merchant_id and c.id = v.campaign_id`;
  return new Map(rows.map((row) => [redemptions[row.n] as Redemption, row]));
}

const billOf = ({ attempt: { storeId, input } }: Redemption): string | null =>
  input.billId === undefined ? null : `${storeId} ${input.billId}`;

/** What was redeemed under a store's bill numbers. */
type Bills = Map<string, { stackable: boolean; at: Date }[]>;

/** Tills restart their bill numbers each day, or at some number: this far apart, the same number is another bill. */
const sameBillMs = 12 * 60 * 60_000;

/**
 * The vouchers that were redeemed under each bill number; none of one given up. Bills are locked by their numbers, for two
 * vouchers of two customers may be tried at the same moment; in order, so that none wait for each other in a circle.
 */
async function lockBills({ merchantId, sql }: Tx, redemptions: Redemption[], patience: Patience): Promise<Bills> {
  const bills: Bills = new Map();
  for (const bill of redemptions.flatMap((one) => billOf(one) ?? []).sort()) bills.set(bill, []);
  if (bills.size === 0) return bills;
  const names = [...bills.keys()];
  const wanted = names.map((name) => ({ storeId: name.slice(0, 36), billId: name.slice(37) }));
  const earliest = Math.min(...redemptions.map(({ attempt }) => attempt.occurredAt.getTime()));
  const since = new Date(earliest - sameBillMs);
  const lock = sql.unsafe(patience === 'wait' ? 'pg_advisory_xact_lock' : 'pg_try_advisory_xact_lock');
  const [locks, rows] = await Promise.all([
    sql`
      select name, ${lock}(hashtextextended('bill ' || ${merchantId} || ' ' || name, 0))::text as outcome
      from unnest(${names}::text[]) as name`,
    sql`
      select t.store_id, t.bill_id, t.occurred_at, c.stackable
      from json_to_recordset(${JSON.stringify(wanted)}::text::json) as w ("storeId" uuid, "billId" text)
      join transactions t on t.merchant_id = ${merchantId} and t.bill_id = any(${wanted.map(({ billId }) => billId)}::text[])
        and t.store_id = w."storeId" and t.bill_id = w."billId"
        and t.type = 'redeemVoucher' and t.status = 'completed' and t.occurred_at > ${since}
      join vouchers v on v.merchant_id = t.merchant_id and v.redeemed_by = t.uid
      join voucher_campaigns c on c.merchant_id = v.merchant_id and c.id = v.campaign_id`,
  ]);
  for (const { name, outcome } of locks) if (outcome === 'false') bills.delete(name);
  for (const { store_id, bill_id, occurred_at: at, stackable } of rows) {
    bills.get(`${store_id} ${bill_id}`)?.push({ stackable, at });
  }
  return bills;
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

/** On one bill, a voucher that does not stack stands alone. */
function checkStacking(voucher: Row, redeemed: { stackable: boolean; at: Date }[] | undefined, at: Date): void {
  if (!redeemed) throw new Locked();
  const others = redeemed.filter((other) => Math.abs(other.at.getTime() - at.getTime()) < sameBillMs);
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
