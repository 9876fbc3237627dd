import { type Tx, withMerchant } from '@/db/client';
import type { Services } from '../core/context';
import { DomainError } from '../core/errors';
import { inTimeOf } from '../merchants/merchant-time';
import { type CodeName, countMiss, findCode, type Visit } from './find-code';
import { type CategoryOnOffer, readMenu } from './menu-on-offer';
import { type TableOrder, tableOrdersOf } from './orders';

/** What the diners at a table see: its store, the menu, and what was ordered on the bill. */
export interface OpenTable {
  state: 'open';
  merchantId: string;
  qrCodeId: string;
  merchant: { name: string; currency: string; locale: string; timeZone: string };
  store: { name: string };
  table: string | null;
  categories: CategoryOnOffer[];
  /** Oldest first. */
  orders: TableOrder[];
}

export type TablePage =
  | OpenTable
  /** Its bill was settled within the last day: the diners are thanked. */
  | { state: 'settled'; merchantName: string; locale: string }
  /**
   * Expired, settled long ago or nobody's, all alike, so that guessing tells nothing; `retryAfterSeconds` where the network
   * has missed too often.
   */
  | { state: 'unknown'; retryAfterSeconds: number | null };

const thanksMs = 24 * 60 * 60_000;

/**
 * What a code's address shows at the moment. The menu's texts are in `language` where they are translated, else the
 * merchant's own; null: all the merchant's own.
 */
export async function getTablePage(services: Services, visit: Visit, language: string | null): Promise<TablePage> {
  const unknown = { state: 'unknown', retryAfterSeconds: null } as const;
  const code = await findCode(services, visit);
  if (code) return (await readPage(inTimeOf(services, code), code, language)) ?? unknown;
  try {
    await countMiss(services, visit);
    return unknown;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...unknown, retryAfterSeconds: Number(error.details.retryAfterSeconds) };
  }
}

type KnownPage = Exclude<TablePage, { state: 'unknown' }>;

/** One database transaction and, but for its commit, one round trip. Null for a code that is over and needs no thanks. */
function readPage(
  { db, clock }: Services,
  { merchantId, qrCodeId }: CodeName,
  language: string | null,
): Promise<KnownPage | null> {
  const now = clock.now();
  return withMerchant(db, merchantId, async (tx) => {
    const [code, categories, orders] = await Promise.all([
      readCode(tx, qrCodeId),
      readMenu(tx, { qrCodeId, language, plus: null, now }),
      tableOrdersOf(tx, qrCodeId),
    ]);
    if (!code) return null;
    const {
      status,
      expires_at: expiresAt,
      invalidated_at: settledAt,
      name,
      currency,
      locale,
      time_zone: timeZone,
    } = code;
    if (settledAt && now.getTime() - settledAt.getTime() < thanksMs) {
      return { state: 'settled', merchantName: name, locale };
    }
    if (status !== 'active' || expiresAt <= now) return null;
    const merchant = { name, currency, locale, timeZone };
    const store = { name: code.store_name };
    return { state: 'open', merchantId, qrCodeId, merchant, store, table: code.table_name, categories, orders };
  });
}

interface CodeRow {
  status: string;
  expires_at: Date;
  invalidated_at: Date | null;
  table_name: string | null;
  store_name: string;
  name: string;
  currency: string;
  locale: string;
  time_zone: string;
}

async function readCode({ merchantId, sql }: Tx, qrCodeId: string): Promise<CodeRow | undefined> {
  const [row] = await sql<CodeRow[]>`
    select q.status, q.expires_at, q.invalidated_at, q.table_name, s.name as store_name, m.name, m.currency, m.locale,
      m.time_zone
    from qr_codes q
    join stores s on s.merchant_id = q.merchant_id and s.id = q.store_id and s.closed_at is null
    join merchants m on m.id = q.merchant_id
    where q.merchant_id = ${merchantId} and q.id = ${qrCodeId}`;
  return row;
}
