import { tz } from '@date-fns/tz';
import { addDays, startOfDay, subDays } from 'date-fns';
import { withMerchant } from '@/db/client';
import { dateIn } from '../core/calendar';
import { firstIdAt } from '../core/ids';
import type { StaffContext } from '../staff/context';
import { listRefundAlerts, type RefundAlert } from '../top-up-requests/refund-alerts';
import { type Books, readBooks } from './books';
import { bookings, reversals } from './facts';
import { type DayTakings, takingsByDay } from './sales-report';

/** How many, and minor units. A void counts against the day it was made on. */
export interface Figures {
  saleCount: number;
  sales: number;
  topUpCount: number;
  topUps: number;
  redemptionCount: number;
  redemptions: number;
  /** Customers who did any of this, or used points or a voucher. */
  activeCustomers: number;
}

export interface HomeFigures {
  today: Figures;
  /** The same day of last week, up to the same time of day. */
  lastWeek: Figures;
  /** What customers hold, in minor units. */
  outstanding: { principal: number; bonus: number };
  /** Thirty days, today the last. */
  days: DayTakings[];
  /** Whether a point of sale has ever sent anything. */
  isConnected: boolean;
}

const chartDays = 30;
/** How far an id's own time may be from the time of its row. */
const marginMs = 60_000;

/** How today is going. */
export function homeFigures(ctx: StaffContext): Promise<HomeFigures> {
  const now = ctx.clock.now();
  const { timeZone } = ctx.merchant;
  const zone = tz(timeZone);
  const to = dateIn(timeZone, now);
  const from = dateIn(timeZone, subDays(now, chartDays - 1, { in: zone }));
  return readBooks(ctx, async (books) => {
    const [today, lastWeek, outstanding, days, isConnected] = await Promise.all([
      figures(books, startOfDay(now, { in: zone }), now),
      figures(books, startOfDay(subDays(now, 7, { in: zone }), { in: zone }), subDays(now, 7, { in: zone })),
      held(books),
      takingsByDay(books, { from, to }),
      hasTransactions(books),
    ]);
    return { today, lastWeek, outstanding, days, isConnected };
  });
}

/** Found by their ids, which carry their time. */
async function figures({ tx }: Books, from: Date, to: Date): Promise<Figures> {
  const { merchantId, sql } = tx;
  const first = firstIdAt(new Date(from.getTime() - marginMs));
  const last = firstIdAt(new Date(to.getTime() + marginMs));
  const made = (key: string) =>
    sql`(select * from transactions where merchant_id = ${merchantId} and ${sql.unsafe(key)} between ${first} and ${last})`;
  const of = (column: string, type: string) =>
    sql`coalesce(sum(${sql.unsafe(column)}) filter (where type = ${type}), 0)::bigint`;
  const [row] = await sql<[Figures]>`
    select ${of('count', 'sale')} as "saleCount", ${of('amount', 'sale')} as sales,
      ${of('count', 'topUp')} as "topUpCount", ${of('amount', 'topUp')} as "topUps",
      ${of('count', 'redeemStoredValue')} as "redemptionCount", ${of('amount', 'redeemStoredValue')} as redemptions,
      (count(distinct customer_id) filter (where count > 0))::int as "activeCustomers"
    from (${bookings(tx, made('uid'))} union all ${reversals(tx, made('void_id'))}) b
    where at >= ${new Date(from)} and at <= ${new Date(to)}`;
  return row;
}

async function held({ tx: { sql }, ledgerDays }: Books): Promise<HomeFigures['outstanding']> {
  const of = (part: string) =>
    sql`coalesce(sum(granted + spent + voided + expired + adjusted) filter (where part = ${part}), 0)::bigint`;
  const [row] = await sql<[HomeFigures['outstanding']]>`
    select ${of('principal')} as principal, ${of('bonus')} as bonus from (${ledgerDays}) d where part <> 'points'`;
  return row;
}

async function hasTransactions({ tx: { merchantId, sql } }: Books): Promise<boolean> {
  const [row] = await sql`select exists (select from transactions where merchant_id = ${merchantId}) as "isConnected"`;
  return row?.isConnected;
}

export interface Attention {
  /** In the last seven days; null for people who may not see them. */
  failedMessages: number | null;
  /** In any store. */
  soldOutItems: number;
  /** Bonus that expires within seven days, in minor units; null for people who may not see money. */
  expiringBonus: { amount: number; customers: number } | null;
  /** Card top-ups refunded in a way that the ledger could not follow; null for people who may not see money. */
  refundAlerts: RefundAlert[] | null;
}

const attentionDays = 7;

/** What somebody should look at. */
export async function needsAttention(ctx: StaffContext): Promise<Attention> {
  const { db, merchant, staff, clock } = ctx;
  const now = clock.now();
  const isCashier = staff.role === 'cashier';
  const refundAlerts = isCashier ? null : await listRefundAlerts(ctx);
  return withMerchant(db, merchant.id, async ({ merchantId, sql }) => {
    const [[soldOut], failed, expiring] = await Promise.all([
      sql`
        select count(distinct s.plu)::int as items from stock_outs s
        where s.merchant_id = ${merchantId} and (s.until is null or s.until > ${now})`,
      isCashier
        ? null
        : // Who waits for a sign-in code asks for another by themselves; a notice that was never tried was not to be sent.
          sql`
          select count(*)::int as messages from messages
          where merchant_id = ${merchantId} and state = 'failed' and kind <> 'code'
            and (attempts > 0 or due_at is null) and id >= ${firstIdAt(subDays(now, attentionDays))}`,
      isCashier
        ? null
        : sql`
          select coalesce(sum(remaining), 0)::bigint as amount, count(distinct customer_id)::int as customers from lots
          where merchant_id = ${merchantId} and open and part = 'bonus' and expires_at > ${now}
            and expires_at <= ${addDays(now, attentionDays)}`,
    ]);
    const [bonus] = expiring ?? [];
    return {
      failedMessages: failed?.[0]?.messages ?? null,
      soldOutItems: soldOut?.items,
      expiringBonus: bonus ? { amount: bonus.amount, customers: bonus.customers } : null,
      refundAlerts,
    };
  });
}
