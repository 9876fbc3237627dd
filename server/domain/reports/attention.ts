/** Finds what needs staff's attention. */
import { addDays, subDays } from 'date-fns';
import { and, count, countDistinct, eq, gt, gte, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { auditLog, lots, messages, stockOuts } from '@/db/schema';
import { listOverpaidBills, listRefusedRefunds, type OverpaidBill, type RefusedRefund, sumOpenBills } from '../bills';
import { differenceAction } from '../card-payments';
import { limitAction, ownCustomersAction } from '../daily-limits';
import { codesLimitAction } from '../diners';
import { type DisputeView, listDisputesToAnswer } from '../disputes';
import { addToDate, dateIn, startOfDay } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { firstIdAt } from '../kernel/ids';
import { countLateOrders, type LateOrders } from '../qr-ordering';
import { listRefundAlerts, type RefundAlert } from '../top-ups';
import { countFailingEndpoints } from '../webhooks';
import { type VoidsOfActor, voidsByActor } from './voids-report';

export interface Attention {
  /** Late open orders, over all stores. */
  lateOrders: LateOrders;
  /** Tills' limits that were reached today; null for people who may not see them. */
  limitsReached: number | null;
  /** Sign-in code limits that were reached today; null for people who may not see them. */
  codeLimitsReached: number | null;
  /** Staff who today topped up several customers whom they had enrolled; null for people who may not see them. */
  ownCustomers: number | null;
  /** Card payments of the last week that Stripe knows otherwise; null for people who may not see them. */
  cardDifferences: number | null;
  /** True if the merchant's own account at Stripe no longer takes cards; null for people who may not see it. */
  cardsStopped: boolean | null;
  /** Messages that failed in the last seven days; null for people who may not see them. */
  failedMessages: number | null;
  /** Webhook endpoints that are failing, or that the service disabled; null for all but owners. */
  failingWebhooks: number | null;
  /** Over all stores. */
  soldOutItems: number;
  /** Bonus that expires within seven days, in minor units; null for people who may not see amounts. */
  expiringBonus: { amount: number; customers: number } | null;
  /** Refunded card top-ups that the ledger could not follow; null for people who may not see amounts. */
  refundAlerts: RefundAlert[] | null;
  /** Card payments whose payers want them back, and nobody has dealt with; null for people who may not see amounts. */
  disputes: DisputeView[] | null;
  /** Bills of the reader's stores with refused refunds; null for people who may not see amounts. */
  refusedRefunds: RefusedRefund[] | null;
  /** Bills of the reader's stores that were closed with too much paid on them; null for people who may not see amounts. */
  overpaidBills: OverpaidBill[] | null;
  /** The open bills of the reader's stores, and what is due on them in minor units, for people who may see amounts. */
  openBills: { count: number; due: number | null };
  /** Who voided or refunded far more than the others in the last seven days; null for people who may not see amounts. */
  voidsStandOut: VoidsOfActor[] | null;
}

const attentionDays = 7;

/** Returns what needs attention. */
export async function needsAttention(ctx: StaffContext): Promise<Attention> {
  const { db, merchant, staff, clock } = ctx;
  const now = clock.now();
  const isCashier = staff.role === 'cashier';
  // Only for people of all stores, because it belongs to no store.
  const isGeneral = !isCashier && db.stores === undefined;
  const today = dateIn(merchant, now);
  const [refundAlerts, disputes, refusedRefunds, overpaidBills, openBills, lateOrders, failingWebhooks, voided] =
    await Promise.all([
      isGeneral ? listRefundAlerts(ctx) : null,
      isCashier ? null : listDisputesToAnswer(ctx),
      isCashier ? null : listRefusedRefunds(ctx),
      isCashier ? null : listOverpaidBills(ctx),
      sumOpenBills(ctx).then(({ count, due }) => ({ count, due: isCashier ? null : due })),
      countLateOrders(ctx),
      staff.role === 'owner' ? countFailingEndpoints(ctx) : null,
      isCashier ? null : voidsByActor(ctx, { from: addToDate(today, 1 - attentionDays), to: today }),
    ]);
  const [soldOut, failed, expiring, limits, differing] = await withMerchant(db, merchant.id, ({ merchantId, db }) =>
    Promise.all([
      db
        .select({ items: countDistinct(stockOuts.plu) })
        .from(stockOuts)
        .where(and(eq(stockOuts.merchantId, merchantId), or(isNull(stockOuts.until), gt(stockOuts.until, now)))),
      isCashier
        ? []
        : // Who waits for a sign-in code asks for another by themselves; a notice that was never tried was not to be sent.
          db
            .select({ messages: count() })
            .from(messages)
            .where(
              and(
                eq(messages.merchantId, merchantId),
                eq(messages.state, 'failed').inlineParams(),
                ne(messages.kind, 'code').inlineParams(),
                or(gt(messages.attempts, 0), isNull(messages.dueAt)),
                gte(messages.id, firstIdAt(subDays(now, attentionDays))),
              ),
            ),
      isGeneral
        ? db
            .select({
              amount: sql<number>`coalesce(sum(${lots.remaining}), 0)::bigint`,
              customers: countDistinct(lots.customerId),
            })
            .from(lots)
            .where(
              and(
                eq(lots.merchantId, merchantId),
                lots.open,
                eq(lots.part, 'bonus').inlineParams(),
                gt(lots.expiresAt, now),
                lte(lots.expiresAt, addDays(now, attentionDays)),
              ),
            )
        : [],
      isGeneral
        ? db
            .select({ action: auditLog.action, reached: count() })
            .from(auditLog)
            .where(
              and(
                eq(auditLog.merchantId, merchantId),
                inArray(auditLog.action, [limitAction, codesLimitAction, ownCustomersAction]),
                gte(auditLog.id, firstIdAt(startOfDay(now, merchant))),
              ),
            )
            .groupBy(auditLog.action)
        : [],
      isGeneral
        ? db
            .select({ count: countDistinct(auditLog.subjectId) })
            .from(auditLog)
            .where(
              and(
                eq(auditLog.merchantId, merchantId),
                eq(auditLog.action, differenceAction),
                gte(auditLog.id, firstIdAt(subDays(now, attentionDays))),
              ),
            )
        : [],
    ]),
  );
  const reached = (action: string) =>
    isGeneral ? (limits.find((limit) => limit.action === action)?.reached ?? 0) : null;
  const { cardAccountState: state } = merchant;
  return {
    lateOrders,
    limitsReached: reached(limitAction),
    codeLimitsReached: reached(codesLimitAction),
    ownCustomers: reached(ownCustomersAction),
    cardDifferences: isGeneral ? (differing[0]?.count ?? 0) : null,
    cardsStopped: isGeneral ? state === 'restricted' || state === 'disconnected' : null,
    failedMessages: failed[0]?.messages ?? null,
    failingWebhooks,
    soldOutItems: only(soldOut).items,
    expiringBonus: expiring[0] ?? null,
    refundAlerts,
    disputes,
    refusedRefunds,
    overpaidBills,
    openBills,
    voidsStandOut: voided?.filter(({ standsOut }) => standsOut) ?? null,
  };
}
