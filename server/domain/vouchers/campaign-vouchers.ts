import { and, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customers, transactions, voucherStates, vouchers } from '@/db/schema';
import { fullName } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import { formatVoucherCode } from '../kernel/voucher-code';
import { lockBalance } from '../ledger';

type VoucherState = (typeof voucherStates)[number];

/** A voucher for the back office. */
export interface ManagedVoucher {
  voucherId: string;
  voucherCode: string;
  customerId: string;
  customerName: string;
  state: VoucherState | 'expired';
  issuedAt: Date;
  expiresAt: Date | null;
  redeemedAt: Date | null;
  /** The discount on the bill, in minor units. */
  discount: number | null;
  cancelReason: string | null;
}

const newestFirst = { columns: [vouchers.id], descending: true };

/** Lists a campaign's vouchers, latest first, in one state or all. */
export function listVouchers(
  ctx: StaffContext,
  { campaignId, state, ...page }: PageRequest & { campaignId: string; state?: VoucherState | undefined },
): Promise<Page<ManagedVoucher>> {
  return withMerchant(ctx.db, ctx.merchant.id, async ({ merchantId, db }) => {
    const from = seekPage(page, newestFirst);
    const { where, orderBy, inOrder, limit } = seekSql(from, newestFirst);
    // Reads a page of each state, which is an index range, and merges them.
    const ofState = db
      .select()
      .from(vouchers)
      .where(
        and(
          eq(vouchers.merchantId, merchantId),
          eq(vouchers.campaignId, campaignId),
          eq(vouchers.state, sql`asked.state`),
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit)
      .as('of_state');
    const rows = await db
      .select({
        voucherId: ofState.id,
        voucherCode: ofState.voucherCode,
        customerId: ofState.customerId,
        customerName: fullName,
        state: sql<VoucherState>`${ofState.state}`,
        issuedAt: ofState.issuedAt,
        expiresAt: ofState.expiresAt,
        redeemedAt: ofState.redeemedAt,
        discount: transactions.amount,
        cancelReason: ofState.cancelReason,
      })
      .from(sql`unnest(${sql.param(state ? [state] : voucherStates)}::text[]) as asked (state)`)
      .crossJoinLateral(ofState)
      .innerJoin(customers, and(eq(customers.merchantId, ofState.merchantId), eq(customers.id, ofState.customerId)))
      .leftJoin(
        transactions,
        and(eq(transactions.merchantId, ofState.merchantId), eq(transactions.uid, ofState.redeemedBy)),
      )
      .orderBy(inOrder(ofState.id))
      .limit(limit);
    const now = ctx.clock.now();
    return toPage(
      rows,
      from,
      ({ voucherId }) => [voucherId],
      (row): ManagedVoucher => {
        const isExpired = row.state === 'unused' && row.expiresAt !== null && row.expiresAt <= now;
        return {
          ...row,
          voucherCode: formatVoucherCode(row.voucherCode),
          state: isExpired ? 'expired' : row.state,
        };
      },
    );
  });
}

/** Cancels an unused voucher. Errors: `voucher_not_found`, `voucher_redeemed`, `voucher_expired`. */
export function cancelVoucher(
  ctx: StaffContext,
  { voucherId, reason }: { voucherId: string; reason: string },
): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { db } = tx;
    const isIt = isVoucher(tx, voucherId);
    const now = ctx.clock.now();
    const voucher = await lockVoucher(tx, voucherId);
    if (voucher.state === 'redeemed') {
      throw new DomainError('voucher_redeemed', say('voucherUsedMeanwhile'));
    }
    if (voucher.state === 'cancelled') return;
    // Reports count it as expired, and a till may have redeemed it while it was offline.
    if (voucher.expiresAt && voucher.expiresAt <= now) {
      throw new DomainError('voucher_expired', say('voucherExpired'));
    }
    await db.update(vouchers).set({ cancelledAt: now, cancelReason: reason }).where(isIt);
    await auditStaff(tx, ctx, 'voucher.cancel', { kind: 'voucher', id: voucherId }, { after: { reason } });
    await Promise.all([announceChange(tx, 'campaigns'), announceChange(tx, 'vouchers')]);
  });
}

const isVoucher = ({ merchantId }: Tx, voucherId: string) =>
  and(eq(vouchers.merchantId, merchantId), eq(vouchers.id, voucherId));

/** Locks the balance of a voucher's customer. Errors: `voucher_not_found`. */
async function lockVoucher(tx: Tx, voucherId: string) {
  const { customerId, state, expiresAt } = vouchers;
  const find = () => tx.db.select({ customerId, state, expiresAt }).from(vouchers).where(isVoucher(tx, voucherId));
  let [seen] = await find();
  while (seen) {
    const [, [voucher]] = await Promise.all([lockBalance(tx, seen.customerId), find()]);
    // A merge of customers may have moved the voucher.
    if (voucher?.customerId === seen.customerId) return voucher;
    seen = voucher;
  }
  throw new DomainError('voucher_not_found', say('voucherNotFound'));
}
