import type { Tx } from '@/db/client';

/** What open screens follow. */
export const topics = [
  'settings',
  'customers',
  'customerImports',
  'stores',
  'apiKeys',
  'messages',
  'menu',
  'stockOuts',
  'orders',
  'qrCodes',
  'packages',
  'campaigns',
  'vouchers',
  'staff',
  'transactions',
] as const;
export type Topic = (typeof topics)[number];

/** The PostgreSQL channel of all changes; each names its merchant and topic, and nothing else. */
export const changesChannel = 'merchant_changes';

/** Tells open screens that something changed, once the database transaction commits. */
export function announce({ merchantId, sql }: Tx, topic: Topic) {
  return sql`select pg_notify(${changesChannel}, ${JSON.stringify({ merchantId, topic })})`;
}
