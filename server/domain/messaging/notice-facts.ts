/** What a notice says, looked up when it is sent: none of it is stored, and what is no longer true is not sent. */
import type { Tx } from '@/db/client';
import type { Merchant } from '../core/context';
import { formatMoneyIn } from '../core/money';
import { regionFor } from '../core/region';
import { formatVoucherCode } from '../vouchers/code';
import { endless } from './default-templates';
import type { MessageLanguage, NoticeKind } from './schemas';
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

const readers: Record<NoticeKind, (tx: Tx, asked: Asked) => Promise<NoticeValues | null>> = {
  async 'voucher-issued'({ merchantId, sql }, { customerId, subject, language, merchant, now }) {
    const [row] = await sql`
      select v.voucher_code, v.expires_at, a.name from vouchers v
      join voucher_campaigns a on a.merchant_id = v.merchant_id and a.id = v.campaign_id
      where v.merchant_id = ${merchantId} and v.id = ${subject} and v.customer_id = ${customerId}
        and v.redeemed_at is null and v.cancelled_at is null and (v.expires_at is null or v.expires_at > ${now})`;
    if (!row) return null;
    const until = row.expires_at === null ? endless[language] : dayIn(merchant, language, row.expires_at);
    return { voucher: row.name, code: formatVoucherCode(row.voucher_code), until };
  },

  async 'value-expiring'({ merchantId, sql }, { customerId, subject, language, merchant, now }) {
    const expiresAt = new Date(subject);
    if (expiresAt <= now) return null;
    const [[lots], vouchers] = await Promise.all([
      sql`
        select coalesce(sum(remaining), 0)::bigint as bonus from lots
        where merchant_id = ${merchantId} and customer_id = ${customerId} and open and part = 'bonus'
          and expires_at = ${expiresAt}`,
      sql`
        select a.name from vouchers v
        join voucher_campaigns a on a.merchant_id = v.merchant_id and a.id = v.campaign_id
        where v.merchant_id = ${merchantId} and v.customer_id = ${customerId} and v.redeemed_at is null
          and v.cancelled_at is null and v.expires_at = ${expiresAt}
        order by v.id limit 100`,
    ]);
    const bonus: number = lots?.bonus ?? 0;
    const parts = [
      ...(bonus > 0 ? [formatMoneyIn(merchant.locale, bonus, merchant.currency)] : []),
      ...vouchers.map(({ name }) => name as string),
    ];
    if (parts.length === 0) return null;
    return { value: inFew(parts, language), date: dayIn(merchant, language, expiresAt) };
  },

  async 'top-up-receipt'({ merchantId, sql }, { customerId, subject, merchant }) {
    const [row] = await sql`
      select answer from transactions
      where merchant_id = ${merchantId} and uid = ${subject} and customer_id = ${customerId} and status = 'completed'`;
    if (!row) return null;
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
