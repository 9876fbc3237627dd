import { sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { type Given, prepare } from '@/db/queries';

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
  'automations',
] as const;
export type Topic = (typeof topics)[number];

/** The PostgreSQL channel of all changes; each names its merchant and topic, at most an id besides, and nothing else. */
export const changesChannel = 'merchant_changes';

/** A message on the channel. */
export const announcementOf = (merchantId: string, topic: Topic, about?: string): string =>
  JSON.stringify({ merchantId, topic, about });

/** Tells open screens that something changed, once the database transaction commits; `about` which code, if one. */
export const announce = ({ merchantId, db }: Tx, topic: Topic, about?: string) =>
  notify(db, { announcement: announcementOf(merchantId, topic, about) });

const notify = prepare(
  (_, given: Given<{ announcement: string }>) => sql`select pg_notify(${changesChannel}, ${given.announcement})`,
);
