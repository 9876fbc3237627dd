/** Reads a notice's facts when it is sent. They are not stored, and a notice that no longer applies is not sent. */

import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { only } from '@/db/query/queries';
import { adjustments, lots, transactions, voucherCampaigns, vouchers } from '@/db/schema';
import { readBill } from '../bills';
import { dateIn } from '../kernel/calendar';
import type { Merchant, NoticeKind } from '../kernel/context';
import { formatMoneyIn } from '../kernel/money';
import { regionFor } from '../kernel/region';
import { formatVoucherCode } from '../kernel/voucher-code';
import { loadSpendable, noValue } from '../ledger';
import { noticeWords } from './default-templates';
import type { MessageLanguage } from './schemas';
import type { NoticeValues } from './wording';

interface NoticeKey {
  customerId: string;
  subject: string;
  language: MessageLanguage;
  merchant: Merchant;
  now: Date;
}

/** Returns the values of a notice's placeholders besides `name`; null if it no longer applies. */
export async function readFacts(tx: Tx, kind: NoticeKind, notice: NoticeKey): Promise<NoticeValues | null> {
  const facts = await readers[kind](tx, notice);
  return facts && { merchant: notice.merchant.name, ...facts };
}

const ofCampaign = and(
  eq(voucherCampaigns.merchantId, vouchers.merchantId),
  eq(voucherCampaigns.id, vouchers.campaignId),
);

const readers: Record<NoticeKind, (tx: Tx, notice: NoticeKey) => Promise<NoticeValues | null>> = {
  async 'voucher-issued'({ merchantId, db }, { customerId, subject, language, merchant, now }) {
    const { voucherCode, expiresAt } = vouchers;
    const [row] = await db
      .select({ voucherCode, expiresAt, name: voucherCampaigns.name })
      .from(vouchers)
      .innerJoin(voucherCampaigns, ofCampaign)
      .where(
        and(
          eq(vouchers.merchantId, merchantId),
          eq(vouchers.id, subject),
          eq(vouchers.customerId, customerId),
          isNull(vouchers.redeemedAt),
          isNull(vouchers.cancelledAt),
          or(isNull(expiresAt), gt(expiresAt, now)),
        ),
      );
    if (!row) return null;
    const until =
      row.expiresAt === null ? noticeWords[language].neverExpires : dayIn(merchant, language, row.expiresAt);
    return { voucher: row.name, code: formatVoucherCode(row.voucherCode), until };
  },

  async 'value-expiring'({ merchantId, db }, { customerId, subject, language, merchant, now }) {
    const expiresAt = new Date(subject);
    if (expiresAt <= now) return null;
    const [expiring, named] = await Promise.all([
      db
        .select({ bonus: sql<number>`coalesce(sum(${lots.remaining}), 0)::bigint` })
        .from(lots)
        .where(
          and(
            eq(lots.merchantId, merchantId),
            eq(lots.customerId, customerId),
            lots.open,
            eq(lots.part, 'bonus').inlineParams(),
            eq(lots.expiresAt, expiresAt),
          ),
        ),
      db
        .select({ name: voucherCampaigns.name })
        .from(vouchers)
        .innerJoin(voucherCampaigns, ofCampaign)
        .where(
          and(
            eq(vouchers.merchantId, merchantId),
            eq(vouchers.customerId, customerId),
            isNull(vouchers.redeemedAt),
            isNull(vouchers.cancelledAt),
            eq(vouchers.expiresAt, expiresAt),
          ),
        )
        .orderBy(vouchers.id)
        .limit(100),
    ]);
    const { bonus } = only(expiring);
    const parts = [
      ...(bonus > 0 ? [formatMoneyIn(merchant.locale, bonus, merchant.currency)] : []),
      ...named.map(({ name }) => name),
    ];
    if (parts.length === 0) return null;
    return { value: summarize(parts, language), date: dayIn(merchant, language, expiresAt) };
  },

  async 'top-up-receipt'({ merchantId, db }, { customerId, subject, merchant }) {
    const [row] = await db
      .select({ answer: transactions.answer })
      .from(transactions)
      .where(
        and(
          eq(transactions.merchantId, merchantId),
          eq(transactions.uid, subject),
          eq(transactions.customerId, customerId),
          eq(transactions.status, 'completed').inlineParams(),
        ),
      );
    if (!row?.answer) return null;
    const { credited, bonus, storedValue } = JSON.parse(row.answer);
    const money = (minor: number) => formatMoneyIn(merchant.locale, minor, merchant.currency);
    return { amount: money(credited), bonus: money(bonus), balance: money(storedValue.balance) };
  },

  async 'phone-changed'() {
    return {};
  },

  async 'accounts-merged'() {
    return {};
  },

  async 'balance-adjusted'(tx, { customerId, subject, language, merchant, now }) {
    const { merchantId, db } = tx;
    const { part, amount } = adjustments;
    const [[row], [value = noValue]] = await Promise.all([
      db
        .select({ part, amount })
        .from(adjustments)
        .innerJoin(
          transactions,
          and(eq(transactions.merchantId, adjustments.merchantId), eq(transactions.uid, adjustments.transactionUid)),
        )
        .where(
          and(
            eq(adjustments.merchantId, merchantId),
            eq(adjustments.transactionUid, subject),
            eq(transactions.customerId, customerId),
            eq(transactions.status, 'completed').inlineParams(),
          ),
        ),
      loadSpendable(tx, [customerId], now),
    ]);
    if (!row) return null;
    const points = (count: number) =>
      `${new Intl.NumberFormat(merchant.locale).format(count)} ${noticeWords[language].points}`;
    const money = (minor: number) => formatMoneyIn(merchant.locale, minor, merchant.currency);
    const inUnit = row.part === 'points' ? points : money;
    return {
      change: `${row.amount > 0 ? '+' : '−'}${inUnit(Math.abs(row.amount))}`,
      balance: inUnit(row.part === 'points' ? value.points : value.principal + value.bonus),
    };
  },

  async 'bill-receipt'(tx, { subject, language, merchant, now }) {
    const bill = await readBill(tx, merchant, subject.slice(0, uuidLength), now);
    if (!bill || bill.state === 'void') return null;
    const money = (minor: number) => formatMoneyIn(merchant.locale, minor, merchant.currency);
    const texts = noticeWords[language];
    const paid = [
      ...bill.redemptions
        .filter(({ status, isInDiscount }) => status === 'completed' && !isInDiscount)
        .map(({ type, amount }) => `${texts[type]} ${money(amount)}`),
      ...(bill.paid + bill.tips > 0 ? [`${texts.card} ${money(bill.paid + bill.tips)}`] : []),
    ];
    return {
      date: dayIn(merchant, language, new Date(bill.openedAt)),
      items: shorten(
        bill.lines.map(({ quantity, name }) => `${quantity} × ${name}`),
        language,
      ),
      total: money(bill.total),
      paid: paid.length > 0 ? shorten(paid, language) : texts.nothing,
    };
  },
};

const uuidLength = 36;
/** A message may have at most 1,024 characters. */
const longestList = 400;

/** Summarizes a list in one line, with as many entries as fit. */
function shorten(parts: string[], language: MessageLanguage): string {
  const shown: string[] = [];
  let length = 0;
  for (const part of parts) {
    length += part.length + 2;
    if (length > longestList) break;
    shown.push(part);
  }
  const others = parts.length - shown.length;
  return new Intl.ListFormat(language, { type: 'unit' }).format(others > 0 ? [...shown, `+${others}`] : shown);
}

const maxParts = 4;

/** Summarizes a list in one short line: the first entries, and the number of others. */
function summarize(parts: string[], language: MessageLanguage): string {
  const named = parts.length > maxParts ? [...parts.slice(0, maxParts), `+${parts.length - maxParts}`] : parts;
  return new Intl.ListFormat(language, { type: 'unit' }).format(named);
}

/** Formats the merchant's day at an instant, in the format of its country for the reader's language. */
export function dayIn(merchant: Merchant, language: MessageLanguage, at: Date): string {
  const format = new Intl.DateTimeFormat(regionFor(merchant.locale, language), { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(dateIn(merchant, at)));
}
