import type { Tx } from '@/db/client';
import type { Merchant } from '../core/context';
import { newId } from '../core/ids';
import { afterQuietHours } from './quiet-hours';
import type { NoticeKind } from './schemas';

interface Notice {
  customerId: string;
  /** What it is about, once for each customer: the id of a voucher or top-up, the instant at which value expires. */
  subject: string;
}

/**
 * Queues notices in the database transaction of what they report, for those who have a phone and did not opt out: one
 * statement, unsent until it is awaited, and none where the merchant has this kind off. What is in them is looked up when
 * they are sent (`notice-facts.ts`). No screen is notified: that would make the tills' commits wait for each other.
 */
export function queueNotices(tx: Tx, merchant: Merchant, kind: NoticeKind, notices: Notice[], now: Date) {
  if (notices.length === 0 || !merchant.noticeKinds.includes(kind)) return null;
  const { merchantId, sql } = tx;
  const rows = notices.map((notice) => ({ ...notice, id: newId(now.getTime()) }));
  return sql`
    insert into messages (merchant_id, id, customer_id, kind, channel, subject, due_at, created_at, updated_at)
    select ${merchantId}, n.id, n."customerId", ${kind}, 'whatsapp', n.subject, ${afterQuietHours(merchant, now)}, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as n (id uuid, "customerId" uuid, subject text)
    cross join lateral (
      select from customers c where c.merchant_id = ${merchantId} and c.id = n."customerId" and c.phone is not null
        and c.messages_opted_out_at is null limit 1
    ) reachable
    on conflict (merchant_id, customer_id, kind, subject) where subject is not null do nothing`;
}
