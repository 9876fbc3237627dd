import { sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { type Given, prepare } from '@/db/query/queries';

/** The topics that open screens follow. */
export const topics = [
  'settings',
  'customers',
  'customerImports',
  'stores',
  'apiKeys',
  'webhooks',
  'messages',
  'menu',
  'stockOuts',
  'bills',
  'tableBills',
  'orders',
  'qrCodes',
  'tables',
  'packages',
  'campaigns',
  'vouchers',
  'staff',
  'transactions',
  'cashUps',
  'automations',
] as const;
export type Topic = (typeof topics)[number];

/** The PostgreSQL channel of all changes. A message holds only its merchant, its topic and at most one id. */
export const changesChannel = 'merchant_changes';

/** Formats a message for the channel. */
export const announcementOf = (merchantId: string, topic: Topic, about?: string): string =>
  JSON.stringify({ merchantId, topic, about });

/**
 * Notifies open screens once the database transaction commits. `about` is the id of the code that changed, if it is
 * only one.
 */
export const announceChange = ({ merchantId, db }: Pick<Tx, 'merchantId' | 'db'>, topic: Topic, about?: string) =>
  notify(db, { announcement: announcementOf(merchantId, topic, about) });

const notify = prepare(
  (_, given: Given<{ announcement: string }>) => sql`select pg_notify(${changesChannel}, ${given.announcement})`,
);
