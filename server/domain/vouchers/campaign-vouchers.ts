import type { Row } from 'postgres';
import { withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { DomainError } from '../core/errors';
import { type Page, type PageRequest, seek, seekSql, toPage } from '../core/page';
import { lockBalance } from '../ledger/balance';
import type { StaffContext } from '../staff/context';
import { formatVoucherCode } from './code';

/** A voucher as the back office shows it. */
export interface ManagedVoucher {
  voucherId: string;
  voucherCode: string;
  customerId: string;
  customerName: string;
  state: 'unused' | 'expired' | 'redeemed' | 'cancelled';
  issuedAt: Date;
  expiresAt: Date | null;
  redeemedAt: Date | null;
  /** What it took off a bill, in minor units. */
  discount: number | null;
  cancelReason: string | null;
}

const order = { columns: ['v.id'], descending: true };
const states = ['unused', 'redeemed', 'cancelled'] as const;

/** A campaign's vouchers, the latest first; of every state, or of one. */
export function listVouchers(
  ctx: StaffContext,
  { campaignId, state, ...page }: PageRequest & { campaignId: string; state?: (typeof states)[number] | undefined },
): Promise<Page<ManagedVoucher>> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const from = seek(page, order);
    const { where, orderBy, limit } = seekSql(tx, from, order);
    // A page of each state, then the first of them all: each is a range of the index.
    const rows = await sql`
      select v.*, c.given_name, c.last_name, t.amount as discount
      from unnest(${state ? [state] : states}::text[]) s (state)
      cross join lateral (
        select * from vouchers v
        where v.merchant_id = ${merchantId} and v.campaign_id = ${campaignId} and v.state = s.state and ${where}
        order by ${orderBy} ${limit}
      ) v
      join customers c on c.merchant_id = v.merchant_id and c.id = v.customer_id
      left join transactions t on t.merchant_id = v.merchant_id and t.uid = v.redeemed_by
      order by ${orderBy} ${limit}`;
    const now = ctx.clock.now();
    return toPage(
      rows,
      from,
      ({ id }) => [id],
      (row) => toManagedVoucher(row, now),
    );
  });
}

/** Takes an unused voucher back. Errors: `voucher_not_found`, `voucher_redeemed`, `voucher_expired`. */
export function cancelVoucher(
  ctx: StaffContext,
  { voucherId, reason }: { voucherId: string; reason: string },
): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const find = () => sql`
      select customer_id, state, expires_at from vouchers where merchant_id = ${merchantId} and id = ${voucherId}`;
    const now = ctx.clock.now();
    const [seen] = await find();
    if (!seen) throw new DomainError('voucher_not_found', 'There is no such voucher.');
    const [, [voucher]] = await Promise.all([lockBalance(tx, seen.customer_id), find()]);
    if (voucher?.state === 'redeemed') {
      throw new DomainError('voucher_redeemed', 'This voucher was used meanwhile. Void its redemption instead.');
    }
    if (voucher?.state === 'cancelled') return;
    // Reports count it among those that expired; a till that was offline may still have taken it before.
    if (voucher?.expires_at && voucher.expires_at <= now) {
      throw new DomainError('voucher_expired', 'This voucher has expired.');
    }
    await sql`
      update vouchers set cancelled_at = ${now}, cancel_reason = ${reason}
      where merchant_id = ${merchantId} and id = ${voucherId}`;
    await auditStaff(tx, ctx, 'voucher.cancel', { kind: 'voucher', id: voucherId });
    await Promise.all([announce(tx, 'campaigns'), announce(tx, 'vouchers')]);
  });
}

function toManagedVoucher(row: Row, now: Date): ManagedVoucher {
  const isExpired = row.state === 'unused' && row.expires_at !== null && row.expires_at <= now;
  return {
    voucherId: row.id,
    voucherCode: formatVoucherCode(row.voucher_code),
    customerId: row.customer_id,
    customerName: `${row.given_name} ${row.last_name}`.trim(),
    state: isExpired ? 'expired' : row.state,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    redeemedAt: row.redeemed_at,
    discount: row.discount,
    cancelReason: row.cancel_reason,
  };
}
