import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { insertFrom, nameOf, recordset } from '@/db/query/expressions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { customers, messages } from '@/db/schema';
import type { Merchant, NoticeKind } from '../kernel/context';
import { newId } from '../kernel/ids';
import { afterQuietHours } from './quiet-hours';

interface Notice {
  customerId: string;
  /** Unique per customer: the id of a voucher or top-up, or the time of expiry. */
  subject: string;
}

/**
 * Kinds that a customer requests or has to know, such as what somebody did with their money. They are sent at once, even in
 * quiet hours, and even to customers who want no other messages.
 */
export const requestedKinds: NoticeKind[] = [
  'top-up-receipt',
  'bill-receipt',
  'phone-changed',
  'balance-adjusted',
  'accounts-merged',
];

/** Warns phone numbers of a change of a customer, whose numbers they may not be any more. */
export async function queueWarnings(
  { merchantId, db }: Tx,
  merchant: Pick<Merchant, 'noticeKinds'>,
  kind: 'phone-changed' | 'accounts-merged',
  { customerId, phones, now }: { customerId: string; phones: string[]; now: Date },
): Promise<void> {
  if (phones.length === 0 || !merchant.noticeKinds.includes(kind)) return;
  const times = { dueAt: now, createdAt: now, updatedAt: now };
  const notice = { merchantId, kind, channel: 'whatsapp', subject: customerId, ...times };
  await db.insert(messages).values(phones.map((phone) => ({ id: newId(now.getTime()), phone, ...notice })));
}

/**
 * Queues notices in the database transaction of what they report, for customers with a phone who want them or have to know. One
 * statement, which is sent when it is awaited; none if the merchant has turned this kind off. Notices get their content
 * when they are sent (`notice-facts.ts`). Open screens are not notified, because that would make the tills' commits
 * wait for each other.
 */
export function queueNotices(tx: Tx, merchant: Merchant, kind: NoticeKind, notices: Notice[], now: Date) {
  if (notices.length === 0 || !merchant.noticeKinds.includes(kind)) return null;
  const rows = notices.map((notice) => ({ ...notice, id: newId(now.getTime()) }));
  const isRequested = requestedKinds.includes(kind);
  const dueAt = isRequested ? now : afterQuietHours(merchant, now);
  return queue[isRequested ? 'requested' : 'unasked'](tx.db, { merchantId: tx.merchantId, rows, kind, dueAt, now });
}

interface Queued {
  merchantId: string;
  kind: NoticeKind;
  rows: (Notice & { id: string })[];
  dueAt: Date;
  now: Date;
}

const queue = ofEach(['requested', 'unasked'], (way: 'requested' | 'unasked') =>
  prepare((db, given: Given<Queued>) => {
    const { merchantId, kind, dueAt, now } = given;
    const shape = { id: messages.id, customerId: customers.id, subject: sql<string>`text` };
    const { $rows, ...notice } = recordset('notice', shape, given.rows);
    const reachable = db
      .select({ id: customers.id })
      .from(customers)
      .where(
        and(
          eq(customers.merchantId, merchantId),
          eq(customers.id, notice.customerId),
          isNotNull(customers.phone),
          way === 'requested' ? undefined : isNull(customers.messagesOptedOutAt),
        ),
      )
      .limit(1)
      .as('reachable');
    const row = { ...notice, merchantId, kind, channel: 'whatsapp' as const, dueAt, createdAt: now, updatedAt: now };
    const { customerId, subject } = messages;
    return sql`
    ${insertFrom(messages, row, sql`${$rows} cross join lateral ${reachable}`)}
    on conflict (${nameOf(messages.merchantId)}, ${nameOf(customerId)}, ${nameOf(messages.kind)}, ${nameOf(subject)})
      where ${nameOf(subject)} is not null do nothing`;
  }),
);
