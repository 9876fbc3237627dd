import { withMerchant } from '@/db/client';
import type { Services } from '../core/context';
import { maskPhone } from '../customers/phone';
import { tryOpenSecret } from './secret';

export interface MessageSummary {
  messageId: string;
  customerName: string;
  /** Masked; null where the customer has no phone number any more. */
  phone: string | null;
  state: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'inbox';
  failure: string | null;
  /** The code that it carries: only of a sandbox's inbox, where it went nowhere else. */
  code: string | null;
  createdAt: Date;
}

const pageSize = 50;

/** A merchant's latest messages, newest first. `showsCodes`: whether the reader may see the inbox's codes. */
export async function listMessages(
  { db, messenger, messageKey }: Services,
  { merchantId, showsCodes }: { merchantId: string; showsCodes: boolean },
): Promise<MessageSummary[]> {
  const rows = await withMerchant(
    db,
    merchantId,
    ({ sql }) => sql`
      select m.id, m.state, m.failure, m.secret, m.created_at, c.given_name, c.last_name, c.phone
      from messages m join customers c on c.merchant_id = m.merchant_id and c.id = m.customer_id
      where m.merchant_id = ${merchantId} order by m.id desc limit ${pageSize}`,
  );
  const opensCodes = showsCodes && messenger === 'inbox';
  return rows.map((row) => ({
    messageId: row.id,
    customerName: `${row.given_name} ${row.last_name}`.trim(),
    phone: row.phone === null ? null : maskPhone(row.phone),
    state: row.state,
    failure: row.failure,
    code:
      opensCodes && row.state === 'inbox' && row.secret !== null ? tryOpenSecret(messageKey, row.id, row.secret) : null,
    createdAt: row.created_at,
  }));
}
