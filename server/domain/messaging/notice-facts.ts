/** What a notice says, looked up when it is sent: none of it is stored, and what is no longer true is not sent. */
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { only } from '@/db/queries';
import { lots, transactions, voucherCampaigns, vouchers } from '@/db/schema';
import { regionFor } from '../core/calendar';
import type { Merchant, NoticeKind } from '../core/context';
import { formatMoneyIn } from '../core/money';
import { formatVoucherCode } from '../vouchers/code';
import { endless } from './default-templates';
import type { MessageLanguage } from './schemas';
import type { NoticeValues } from './wording';

interface Asked {
  customerId: string;
  subject: string;
  language: MessageLanguage;
  merchant: Merchant;
  now: Date;
}

/** The values of a notice's placeholders beside `name`; null for what is not so any more. */
export async function readFacts(tx: Tx, kind: NoticeKind, asked: Asked): Promise<NoticeValues | null> {
  const facts = await readers[kind](tx, asked);
  return facts && { merchant: asked.merchant.name, ...facts };
}

const ofCampaign = and(
  eq(voucherCampaigns.merchantId, vouchers.merchantId),
  eq(voucherCampaigns.id, vouchers.campaignId),
);

const readers: Record<NoticeKind, (tx: Tx, asked: Asked) => Promise<NoticeValues | null>> = {
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
    const until = row.expiresAt === null ? endless[language] : dayIn(merchant, language, row.expiresAt);
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
    return { value: inFew(parts, language), date: dayIn(merchant, language, expiresAt) };
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
};

const mostParts = 4;

/** In one line, and not a long one: of many, the first and how many more. */
function inFew(parts: string[], language: MessageLanguage): string {
  const named = parts.length > mostParts ? [...parts.slice(0, mostParts), `+${parts.length - mostParts}`] : parts;
  return new Intl.ListFormat(language, { type: 'unit' }).format(named);
}

/** A day in the merchant's time zone, as its country writes it for readers of its language. */
export function dayIn({ locale, timeZone }: Merchant, language: MessageLanguage, at: Date): string {
  return new Intl.DateTimeFormat(regionFor(locale, language), { dateStyle: 'long', timeZone }).format(at);
}
